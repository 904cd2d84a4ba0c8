//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
)

// testKillChangeLog kills the service under a load of every kind of write. At every moment, each
// change must have its entry in the log and each entry its change, so it also checks in between.
func (e *environment) testKillChangeLog(t *testing.T) {
	p := e.start(t)
	n, person := e.signUpTenant(t, p)
	l := e.newChangeLoad(t, p, n, person)
	var current atomic.Pointer[process]
	current.Store(p)
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() { l.write(i, current.Load, stop) })
	}
	audits, found := 0, 0
	audit := func() *logAudit {
		acknowledged := l.acknowledgements()
		a := auditLog(t, e.db, e.admin, database, n.org)
		found = a.acknowledged(acknowledged)
		a.check(t)
		audits++
		return a
	}
	e.killRepeatedly(t, &current, func(i int) {
		if i%10 == 9 {
			audit()
		}
	})
	close(stop)
	all.Wait()
	a := audit()
	l.checkVariety(t)
	report(t, "kill -9 and the log of changes", "%d kills, %d requests sent, %d acknowledged (%s), all %d records of "+
		"their answers found in the log; compared %d times, at last %s", *kills, l.sent, len(l.acknowledged),
		l.counted(), found, audits, a)
}

// counted lists how often each kind of write was acknowledged.
func (l *changeLoad) counted() string {
	var out []string
	for _, what := range slices.Sorted(maps.Keys(l.did)) {
		out = append(out, fmt.Sprintf("%d %s", l.did[what], what))
	}
	return strings.Join(out, ", ")
}

// checkVariety reports kinds of writes of which none succeeded.
func (l *changeLoad) checkVariety(t *testing.T) {
	t.Helper()
	for _, what := range []string{
		"creation", "creation of several", "update", "update of several", "upsert", "change of links", "deletion",
		"deletion of several", "revert",
	} {
		if l.did[what] == 0 {
			t.Errorf("no %s was acknowledged; refused %v", what, l.refused)
		}
	}
	t.Logf("refused, by status: %v", l.refused)
}

// A pair is what a reader of the log collects.
type pair struct {
	number, previous int64
	kind             changelog.Kind
	key              recordKey
}

// A logReader reads the log by position, as far as it is complete.
type logReader struct {
	pairs    []pair
	position changelog.Moment
	polls    int
	refused  int
}

// poll reads on to the horizon.
func (r *logReader) poll(ctx context.Context, e *environment, org uuid.UUID) error {
	horizon, err := changelog.Horizon(ctx, e.db, org)
	if problem.KindOf(err) == problem.KindUnavailable && err != nil {
		r.refused++ // a writer took too long
		return r.poll(ctx, e, org)
	}
	if err != nil {
		return err
	}
	err = e.db.Tx(ctx, org, func(tx pgx.Tx) error {
		more, err := readPairs(ctx, tx, org, r.position, horizon)
		r.pairs = append(r.pairs, more...)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading the log up to %d: %w", horizon, err)
	}
	r.position = horizon
	r.polls++
	return nil
}

// readPairs reads the log above a number and up to another.
func readPairs(ctx context.Context, tx pgx.Tx, org uuid.UUID, above, upTo changelog.Moment) ([]pair, error) {
	rows, err := tx.Query(ctx, "select c.number, coalesce(p.previous, 0), c.kind, c.table_number, p.record from "+
		changelog.Relation(org)+" c cross join unnest(c.records, c.previous) as p(record, previous) where "+
		"c.number > $1 and c.number <= $2 order by c.number", above, upTo)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p pair, err error) {
		err = row.Scan(&p.number, &p.previous, &p.kind, &p.key.table, &p.key.id)
		return p, err
	})
}

// compare checks what was read against the whole log, and the changes of each record against each
// other. It returns how many were not read, how many were read again, and how many do not follow
// the one before.
func (r *logReader) compare(t *testing.T, whole []pair) (missed, again, loose int) {
	t.Helper()
	count := map[pair]int{}
	for _, p := range whole {
		count[p]++
	}
	type trail struct{ number, before int64 }
	trails := map[recordKey]trail{}
	for _, p := range r.pairs {
		count[p]--
		last := trails[p.key]
		now := trail{p.number, last.number}
		if last.number == p.number { // the same request has changed it twice
			now.before = last.before
		}
		if p.number < last.number || p.previous != now.before && p.previous != p.number {
			loose++
			t.Logf("of %s the change %d follows %d, and %d was read before", p.key, p.number, p.previous, last.number)
		}
		trails[p.key] = now
	}
	for _, n := range count {
		missed += max(n, 0)
		again += max(-n, 0)
	}
	if missed+again+loose > 0 || len(whole) == 0 {
		t.Errorf("%d changes were read of %d: %d missed, %d read again, %d that do not follow the one before",
			len(r.pairs), len(whole), missed, again, loose)
	}
	return missed, again, loose
}

// testReadChangeLog reads the log while 16 clients write. Each reader must see every change once,
// and the changes of a record in order.
func (e *environment) testReadChangeLog(t *testing.T) {
	p := e.start(t)
	n, person := e.signUpTenant(t, p)
	l := e.newChangeLoad(t, p, n, person)
	done := make(chan struct{})
	var readers sync.WaitGroup
	var two [2]logReader
	for i := range two {
		readers.Go(func() {
			for last := false; ; {
				select {
				case <-done:
					last = true
				case <-time.After(time.Duration(1+20*i) * time.Millisecond):
				}
				if err := two[i].poll(t.Context(), e, n.org); err != nil {
					t.Errorf("reader %d: %v", i, err)
					return
				}
				if last {
					return
				}
			}
		})
	}
	const clients = 16
	before := e.deadlocks(t)
	l.run(clients, *reading, func() *process { return p })
	time.Sleep(100 * time.Millisecond) // numbers may be ahead of the clock
	close(done)
	readers.Wait()
	var whole []pair
	err := e.db.Tx(t.Context(), n.org, func(tx pgx.Tx) (err error) {
		whole, err = readPairs(t.Context(), tx, n.org, 0, 1<<62)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	missed, again, loose := two[0].compare(t, whole)
	missed1, again1, loose1 := two[1].compare(t, whole)
	a := auditLog(t, e.db, e.admin, database, n.org)
	a.acknowledged(l.acknowledged)
	a.check(t)
	l.checkVariety(t)
	time.Sleep(2 * time.Second) // sessions of PostgreSQL publish their counts when idle
	report(t, "Reading the log of changes under writes", "%d clients, %d requests acknowledged; two readers read %d "+
		"and %d times up to the horizon and collected %d and %d changes of the log's %d: %d missed, %d read again, "+
		"%d out of order; the horizon was refused %d times; %d deadlocks, after which the service tried again; %s",
		clients, len(l.acknowledged), two[0].polls, two[1].polls, len(two[0].pairs), len(two[1].pairs), len(whole),
		missed+missed1, again+again1, loose+loose1, two[0].refused+two[1].refused, e.deadlocks(t)-before, a)
}
