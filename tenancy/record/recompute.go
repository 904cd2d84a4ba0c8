package record

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Bounds of what is computed in one transaction.
const (
	firstComputed = 200 // records
	leastComputed = 20
	mostComputed  = 5000
	computeTime   = 50 * time.Millisecond // that writers of these records may wait
	lockedWait    = 10 * time.Millisecond
)

// Bounds of what is read at once. More marks at once compute records with several changed sources fewer times, and
// finding the records that depend on them takes time for each of their links, however many are returned.
const (
	markedAtOnce = 50_000
	foundAtOnce  = 100_000 // records that depend on them
)

// mostTime is the time limit of a statement: one record may have very many links.
const mostTime = "60s"

// errLocked says that somebody has had records locked for so long that what else is marked comes first.
var errLocked = errors.New("records to compute are locked")

// Recompute computes what the marks of an organization say is out of date, and deletes the marks, until there are none
// or until has come. It reports whether there are none.
//
// It reads marks first, computes what depends on them in later transactions, and deletes exactly these marks at the
// end. A change that it does not see while it computes is marked by a mark that it does not delete.
func (e *Engine) Recompute(ctx context.Context, org uuid.UUID, until time.Time) (bool, error) {
	for {
		done := false
		err := e.OnSchema(ctx, org, func(s *schema.Snapshot) (err error) {
			done, err = e.recomputeSome(ctx, s.Stored(), until)
			return err
		})
		if errors.Is(err, errLocked) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("computing what marks name: %w", err)
		}
		if done {
			return true, nil
		}
		if time.Now().After(until) {
			return false, nil
		}
	}
}

// A recomputation is what some marks of one source say is to be computed, and how far that has come.
type recomputation struct {
	version int64 // of the schema
	source  schema.Source
	marks   []int64
	records []uuid.UUID // that they name

	computed int         // of what DependantsOf lists for the source
	last     uuid.UUID   // of the records of the next one that were found
	found    []uuid.UUID // those of them that are not computed yet
}

// A suspended recomputation of each organization goes on when others have had their turn.
type suspended struct {
	mu    sync.Mutex
	works map[uuid.UUID]*recomputation
}

func (s *suspended) put(org uuid.UUID, work *recomputation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.works[org] = work
}

// take removes and returns what was put last for a version of the schema; nil if there is none.
func (s *suspended) take(org uuid.UUID, version int64) *recomputation {
	s.mu.Lock()
	defer s.mu.Unlock()
	work := s.works[org]
	delete(s.works, org)
	if work != nil && work.version != version {
		return nil
	}
	return work
}

// recomputeSome is a step of Recompute: some marks of the first source that has any.
func (e *Engine) recomputeSome(ctx context.Context, s *schema.Snapshot, until time.Time) (done bool, err error) {
	work := e.suspended.take(s.Org, s.Version)
	if work == nil {
		if work, err = e.marked(ctx, s); work == nil || err != nil {
			return err == nil, err
		}
	}
	dependants := s.DependantsOf(work.source)
	for work.computed < len(dependants) {
		done, err := e.recompute(ctx, s, dependants[work.computed], work, until)
		if err == nil && !done || errors.Is(err, errLocked) {
			e.suspended.put(s.Org, work)
		}
		if err != nil || !done {
			return false, err
		}
		work.computed, work.last = work.computed+1, uuid.Nil
	}
	return false, e.db.Batch(ctx, s.Org, func(b *pgx.Batch) {
		b.Queue("delete from "+schema.MarkRelation(s.Org)+" where source = $1 and id = any ($2)", work.source,
			work.marks)
	})
}

// marked reads some marks of the first source that has any; nil if there are none.
func (e *Engine) marked(ctx context.Context, s *schema.Snapshot) (*recomputation, error) {
	sources := s.Sources()
	if len(sources) == 0 {
		return nil, nil
	}
	var work *recomputation
	relation := schema.MarkRelation(s.Org)
	err := e.db.Batch(ctx, s.Org, func(b *pgx.Batch) {
		b.Queue("select m.source, array_agg(m.id), array_agg(distinct m.record) from (select m.* from "+relation+
			" m where m.source = (select u.source from unnest($1::integer[]) with ordinality u(source, place) where "+
			"exists (select from "+relation+" m where m.source = u.source) order by u.place limit 1) "+
			"order by m.id limit $2) m group by m.source", sources, markedAtOnce).Query(func(rows pgx.Rows) error {
			work = nil
			for rows.Next() {
				work = &recomputation{version: s.Version}
				if err := rows.Scan(&work.source, &work.marks, &work.records); err != nil {
					return fmt.Errorf("reading marks: %w", err)
				}
			}
			return rows.Err()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for marks: %w", err)
	}
	return work, nil
}

// recompute computes fields for the records that depend on changed ones. It returns false when until has come first.
func (e *Engine) recompute(
	ctx context.Context, s *schema.Snapshot, d *schema.Dependants, work *recomputation, until time.Time,
) (bool, error) {
	size := firstComputed
	for {
		if len(work.found) == 0 {
			err := e.db.TableBatch(ctx, s.Org, d.Table.Ref(), func(b *pgx.Batch) {
				b.Queue(d.Records, work.records, work.last, foundAtOnce).Query(func(rows pgx.Rows) (err error) {
					work.found, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
					return err
				})
			})
			if err != nil {
				return false, fmt.Errorf("looking for records to compute: %w", err)
			}
			if len(work.found) == 0 {
				return true, nil
			}
			work.last = work.found[len(work.found)-1]
		}
		for len(work.found) > 0 {
			some := work.found[:min(len(work.found), size)]
			began := time.Now()
			if err := e.recomputeAll(ctx, s, d, some, until); err != nil {
				return false, err
			}
			if work.found = work.found[len(some):]; began.After(until) {
				return false, nil
			}
			fits := int(float64(size) * float64(computeTime) / float64(time.Since(began)))
			size = min(max(fits, size/2, leastComputed), size*2, mostComputed)
		}
	}
}

// recomputeAll computes fields of records, and waits for those that somebody has locked.
func (e *Engine) recomputeAll(
	ctx context.Context, s *schema.Snapshot, d *schema.Dependants, records []uuid.UUID, until time.Time,
) (err error) {
	for {
		if records, err = e.recomputeRecords(ctx, s, d, records); err != nil || len(records) == 0 {
			return err
		}
		if time.Now().After(until) {
			return errLocked
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for locked records: %w", ctx.Err())
		case <-time.After(lockedWait):
		}
	}
}

// recomputeRecords computes fields of records, and returns those that somebody has locked.
func (e *Engine) recomputeRecords(
	ctx context.Context, s *schema.Snapshot, d *schema.Dependants, records []uuid.UUID,
) (locked []uuid.UUID, err error) {
	err = e.db.TableTx(ctx, s.Org, d.Table.Ref(), func(tx pgx.Tx) error {
		locked = nil
		batch := &pgx.Batch{}
		// Marks that a crash of the server does not lose are deleted later than this is committed.
		batch.Queue("select set_config('jit', 'off', true), set_config('synchronous_commit', 'off', true), " +
			"set_config('statement_timeout', '" + mostTime + "', true)")
		batch.Queue(d.Table.ComputingLock())
		batch.Queue(d.Statement(), records).Query(func(rows pgx.Rows) (err error) {
			locked, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		})
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil && !errors.Is(err, db.ErrSchemaChanged) {
		err = fmt.Errorf("computing records of table %d: %w", d.Table.Number, err)
	}
	return locked, e.indexes.DropOversized(ctx, d.Table, err)
}
