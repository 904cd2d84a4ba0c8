package record_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Eight people write the same few records and link them, and two follow the log meanwhile.
func TestTheChangeLogIsWholeUnderConcurrentWrites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tables := pastTables(t, b)
	followers := []*follower{newFollower(t, b, 2*time.Millisecond), newFollower(t, b, 30*time.Millisecond)}
	var rows [3][]string
	for i, table := range tables {
		for _, r := range b.create(t, table.ID, `{"N":1}`, `{"N":2}`, `{"N":3}`, `{"N":4}`) {
			rows[i] = append(rows[i], r.ID)
		}
	}
	var mu sync.Mutex
	seen := map[string][]past{} // what writes have answered
	note := func(table *schema.Table, raw []byte) {
		mu.Lock()
		defer mu.Unlock()
		one := decode(t, raw).ID
		seen[one] = append(seen[one], pastOf(t, table, raw))
	}
	const writers, writes = 8, 60
	var slowest atomic.Int64
	var all sync.WaitGroup
	for writer := range writers {
		random := rand.New(rand.NewPCG(uint64(writer), 1))
		all.Go(func() {
			for n := range writes {
				began := time.Now()
				at := random.IntN(len(tables))
				raw, err := b.writeShared(t.Context(), random, tables, rows, at, writer*writes+n)
				if err != nil && problem.KindOf(err) != problem.KindNotFound {
					t.Errorf("writer %d: %v", writer, err)
					continue
				}
				for _, one := range raw {
					note(tables[at], one)
				}
				slowest.Store(max(slowest.Load(), int64(time.Since(began))))
			}
		})
	}
	all.Wait()
	for _, f := range followers {
		f.stop(t)
	}
	t.Logf("the slowest write took %s", time.Duration(slowest.Load()))

	now := b.present(t, tables)
	trail := b.newTrail(t, tables)
	for key := range trail.at {
		one := key[:len(rows[0][0])]
		last, there := now[one]
		if !there {
			last = past{version: trail.deletion(one)}
		}
		if trail.met[trail.at[key][0]] > 0 {
			continue // walked
		}
		states := trail.walk(one, last)
		for _, known := range seen[one] {
			at := slices.IndexFunc(states, func(p past) bool { return p.version == known.version })
			if at < 0 {
				t.Errorf("%s has no version %d in the log", one, known.version)
			} else if !sameButLinks(tables, states[at].fields, known.fields) {
				t.Errorf("%s at version %d is in the log %s, and was %s", one, known.version, text(states[at].fields),
					text(known.fields))
			}
		}
	}
	trail.checkAllMet()
	for _, f := range followers {
		f.compare(t, trail.entries)
	}
}

// sameButLinks compares a state in the log with what a write answered. The links in an answer are
// those of when its statement began.
func sameButLinks(tables []*schema.Table, a, b map[string]any) bool {
	a, b = maps.Clone(a), maps.Clone(b)
	for _, table := range tables {
		for _, f := range table.Fields {
			if f.Link != nil {
				delete(a, changelog.Key(&f.Field))
				delete(b, changelog.Key(&f.Field))
			}
		}
	}
	return text(a) == text(b)
}

// writeShared does one of the writes that compete.
func (b *bundle) writeShared(
	ctx context.Context, random *rand.Rand, tables []*schema.Table, rows [3][]string, at, n int,
) ([][]byte, error) {
	table := tables[at]
	object := func() string {
		values := map[string]any{"N": n}
		links := slices.DeleteFunc(slices.Clone(table.Fields), func(f *schema.Field) bool { return f.Link == nil })
		if f := links[random.IntN(len(links))]; random.IntN(2) == 0 {
			to := rows[slices.IndexFunc(tables, func(t *schema.Table) bool { return t.ID == f.Link.LinkedTable })]
			values[f.Name] = []string{to[random.IntN(len(to))]}[random.IntN(4)/3:]
		}
		return string(marshal(values))
	}
	one := rows[at][random.IntN(len(rows[at]))]
	switch random.IntN(8) {
	case 0:
		out, err := b.engine.Create(ctx, b.actor, table.ID, record.Creation{Records: parsed([]string{object()})})
		if err == nil && random.IntN(2) == 0 {
			id := string(out.Records[0][len(`{"id":"`):])[:len(one)]
			_, err = b.engine.DeleteOne(ctx, b.actor, id)
		}
		return out.Records, err
	case 1, 2:
		changes := []record.Change{}
		for _, i := range random.Perm(len(rows[at]))[:2] {
			fields := jsonvaluetest.ParseObject([]byte(object()))
			changes = append(changes, record.Change{ID: rows[at][i], Fields: fields})
		}
		out, err := b.engine.Update(ctx, b.actor, table.ID, changes, false)
		return out.Records, err
	case 3:
		out, err := b.engine.Create(ctx, b.actor, table.ID, record.Creation{
			Records:  parsed([]string{fmt.Sprintf(`{"Name":"k%d","N":%d}`, random.IntN(3), n)}),
			UpsertOn: []string{"Name"},
		})
		return out.Records, err
	}
	raw, err := b.engine.UpdateOne(ctx, b.actor, one, jsonvaluetest.ParseObject([]byte(object())), false)
	return [][]byte{raw}, err
}

// A follower reads the log as it grows, each time up to the horizon.
type follower struct {
	seen []logged
	end  chan struct{}
	done chan error
}

func newFollower(t *testing.T, b *bundle, pause time.Duration) *follower {
	t.Helper()
	f := &follower{end: make(chan struct{}), done: make(chan error, 1)}
	go func() {
		var above changelog.Moment
		for last := false; ; {
			select {
			case <-f.end:
				last = true
			case <-time.After(pause):
			}
			upTo, err := changelog.Horizon(t.Context(), b.db, b.actor.Org)
			if err != nil && problem.KindOf(err) == problem.KindUnavailable {
				continue // a writer took too long, and nothing was read
			}
			if err == nil {
				err = b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
					more, err := readLog(t.Context(), tx, b.actor.Org, int64(above), int64(upTo))
					f.seen = append(f.seen, more...)
					return err
				})
			}
			if err != nil || last {
				f.done <- err
				return
			}
			above = upTo
		}
	}()
	return f
}

func (f *follower) stop(t *testing.T) {
	t.Helper()
	time.Sleep(10 * time.Millisecond) // numbers may be ahead of the clock
	close(f.end)
	if err := <-f.done; err != nil {
		t.Fatal(err)
	}
}

// compare holds what was followed against the whole log.
func (f *follower) compare(t *testing.T, whole []logged) {
	t.Helper()
	count := map[string]int{}
	for _, e := range whole {
		count[text(e)]++
	}
	last := map[string]int64{}
	for _, e := range f.seen {
		count[text(e)]--
		for i, u := range e.Records {
			one := id.FormatRecord(e.Table, u)
			// Entries with one number have no order, and all but one name the number itself.
			if e.Previous != nil && e.Previous[i] != e.Number && e.Previous[i] != last[one] && last[one] != e.Number {
				t.Errorf("of %s the change %d follows %d, and %d was read before", one, e.Number, e.Previous[i],
					last[one])
			}
			last[one] = e.Number
		}
	}
	for e, n := range count {
		if n != 0 {
			t.Errorf("%d times too seldom was read: %s", n, e)
		}
	}
	if len(whole) == 0 || len(f.seen) != len(whole) {
		t.Errorf("%d entries were read of %d", len(f.seen), len(whole))
	}
}
