package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// PostgreSQL first adds new entries to a list of the search index, its pending list, which
// every search reads from end to end. The write that finds the list full (db.Open sets its size)
// merges all of it into the index. See docs/decisions/0012-indexes-by-use.md.

// pendingLists counts the records that this process wrote into each table since its list was last
// cleaned. A write that is refused counts too, and costs a run for nothing. Every write adds to it,
// which costs a look-up under a lock.
type pendingLists struct {
	mu     sync.Mutex
	tables map[tableKey]backlog
}

type tableKey struct {
	org   uuid.UUID
	table uuid.UUID
}

type backlog struct {
	since time.Time // of the first record
	rows  int
	fresh int // of rows, since the last run
	wait  int // runs for which the table is left to its writers
}

// quietRuns is the number of runs for which a table that got many records is left to its writers. While
// one of them merges the list, the others wait, which must not be taken for the end of the writing.
const quietRuns = 3

// maxBacklogs bounds how many tables are counted. PostgreSQL itself cleans the lists of further
// ones.
const maxBacklogs = 1 << 16

// Wrote records that rows of a table are being written.
func (m *Manager) Wrote(t *schema.Table, rows int) {
	m.pending.add(tableKey{t.Org, t.ID}, backlog{since: time.Now(), rows: rows, fresh: rows})
}

// add adds to the backlog of a table.
func (p *pendingLists) add(key tableKey, more backlog) {
	p.mu.Lock()
	defer p.mu.Unlock()
	log, ok := p.tables[key]
	if !ok && len(p.tables) >= maxBacklogs {
		return
	}
	if !ok || more.since.Before(log.since) {
		log.since = more.since
	}
	log.rows += more.rows
	log.fresh += more.fresh
	log.wait = max(log.wait, more.wait)
	p.tables[key] = log
}

// due removes and returns the tables whose list must be cleaned now.
func (p *pendingLists) due(c *PendingListCleaner) []tableKey {
	p.mu.Lock()
	defer p.mu.Unlock()
	var due []tableKey
	for key, log := range p.tables {
		log.wait = max(log.wait-1, 0)
		if log.fresh > c.Busy {
			log.wait = quietRuns
		}
		log.fresh = 0
		if log.wait == 0 && (log.rows >= c.Many || time.Since(log.since) >= c.Age) {
			due = append(due, key)
			delete(p.tables, key)
			continue
		}
		p.tables[key] = log
	}
	return due
}

// A PendingListCleaner merges what was written lately into search indexes, so that neither a write
// nor a search pays for it. A table with many writes is skipped until they pause: they would
// fill the list faster than it is emptied, nothing would slow them down, and PostgreSQL, which does
// not finish while there is something in the list, would not reuse the space that it emptied.
type PendingListCleaner struct {
	Manager *Manager
	Log     *slog.Logger // nil logs nothing

	Every time.Duration // between two runs; default 1 s
	Many  int           // records from which on cleaning pays; default 500
	Age   time.Duration // after which fewer are cleaned too; default 5 s
	Busy  int           // records since the last run with which a table is left to its writers; default 2,000
	Most  time.Duration // how long one list may take, which is then left to its writers; default 2 s
}

// Run cleans lists until ctx ends.
func (c *PendingListCleaner) Run(ctx context.Context) {
	if c.Every == 0 {
		c.Every = time.Second
	}
	job.Repeat(ctx, c.Every, c.Log, "cleaning the lists of search indexes", c.RunOnce)
}

// RunOnce cleans the lists that are due. PostgreSQL cleans the others.
func (c *PendingListCleaner) RunOnce(ctx context.Context) error {
	if c.Many == 0 {
		c.Many = 500
	}
	if c.Age == 0 {
		c.Age = 5 * time.Second
	}
	if c.Busy == 0 {
		c.Busy = 2000
	}
	if c.Most == 0 {
		c.Most = 2 * time.Second
	}
	due := c.Manager.pending.due(c)
	if len(due) == 0 {
		return nil
	}
	tables := make(map[int32]*schema.Table, len(due))
	var errs []error
	for _, one := range due {
		snapshot, err := c.Manager.store.Cached(ctx, one.org)
		if err != nil {
			errs = append(errs, fmt.Errorf("reading the schema: %w", err))
			continue
		}
		if t := snapshot.Table(one.table); t != nil {
			tables[t.Number] = t
		}
	}
	indexed, err := c.indexed(ctx, slices.Collect(maps.Keys(tables)))
	errs = append(errs, err)
	for _, number := range indexed {
		errs = append(errs, c.clean(ctx, tables[number]))
	}
	return errors.Join(errs...)
}

// indexed returns the tables with a search index. Most tables that are written to have none.
func (c *PendingListCleaner) indexed(ctx context.Context, numbers []int32) ([]int32, error) {
	var found []int32
	err := c.Manager.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select n from unnest($1::integer[]) n join pg_class c on c.relname = 't_' || n and c.relkind = 'r'
			where exists (select from pg_index x join pg_class i on i.oid = x.indexrelid
			where x.indrelid = c.oid and i.relname like 's\_%')`, numbers).
			Query(func(rows pgx.Rows) (err error) {
				found, err = pgx.CollectRows(rows, pgx.RowTo[int32])
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for search indexes: %w", err)
	}
	return found, nil
}

// clean empties the list of a table's search index. A list that is not empty after c.Most is due
// again later: another process may be writing to it.
func (c *PendingListCleaner) clean(ctx context.Context, t *schema.Table) error {
	began := time.Now()
	err := c.Manager.db.SchemaTx(ctx, t.Org, func(tx pgx.Tx) error {
		// What has been merged stays merged; with little memory it is merged in small parts.
		_, err := tx.Exec(ctx,
			"select set_config('statement_timeout', $1, true), set_config('maintenance_work_mem', '16MB', true)",
			strconv.FormatInt(max(c.Most.Milliseconds(), 1), 10))
		if err != nil {
			return fmt.Errorf("bounding the time: %w", err)
		}
		clean := "gin_clean_pending_list(x.indexrelid)"
		if c.Manager.db.Distributed() {
			clean = "gate.clean_shard(x.indexrelid)"
		}
		_, err = tx.Exec(ctx, "select "+clean+` from pg_index x join pg_class i on i.oid = x.indexrelid
			where x.indrelid = to_regclass($1::text) and i.relname like 's\_%' and x.indisvalid`, t.Relation())
		return err
	})
	if pgerror.Is(err, pgerrcode.QueryCanceled) {
		c.Manager.pending.add(tableKey{t.Org, t.ID}, backlog{since: began, rows: c.Many, wait: quietRuns})
		return nil
	}
	if err != nil {
		return fmt.Errorf("table %d: %w", t.Number, err)
	}
	return nil
}
