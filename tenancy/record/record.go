// Package record owns the rows of user tables: how values are written and read, filters and sorts and the SQL they become,
// reads, writes, upserts, search, exact totals, the change of a field's type, and the indexes that appear where they are used.
//
// An Engine builds its statements from a schema snapshot that may be behind and lets the gate refuse them when it was; it
// then loads the schema anew and builds them again. Records come out as finished JSON: values go from PostgreSQL's wire format
// into the response's buffer. The package knows nothing of HTTP, of MCP, or of who may do what: callers have checked that.
package record

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/batch"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxBatch is how many records one request may create, update, upsert or delete, and MaxPage how many one may list.
const (
	MaxBatch = 100
	MaxPage  = 100
)

// An Actor is who acts, in which organization. The person becomes the author of what is written.
type Actor struct {
	Org    uuid.UUID
	Person uuid.UUID
	Admin  bool // of the organization, who may read through everybody's personal views
}

func (a Actor) viewer() schema.Viewer { return schema.Viewer{Person: a.Person, Admin: a.Admin} }

// An Engine reads and writes records. It is safe for concurrent use, by any number of processes on one database.
type Engine struct {
	db    *db.DB
	store *schema.Store
	now   func() time.Time

	linker  Linker // nil: files are written without addresses
	passing bool   // the linker is of one request: encoders with it are not kept
	totals  *lru.Cache[totalKey, stampedTotal]
	series  *lru.Cache[totalKey, *rangeTotals]
	uses    *indexDemand  // what the Builder looks at
	pending *pendingLists // what the Cleaner looks at

	statements *lru.Cache[statementKey, string]

	gets   *batch.Batcher[getKey, *getCall]
	writes *batch.Batcher[writeKey, *writeCall]
}

// Through returns the same engine over other doors to its database, such as those that sign with an actor (db.DB.WithActor).
func (e *Engine) Through(tenantDB *db.DB) *Engine {
	bound := *e
	bound.db, bound.store = tenantDB, e.store.WithDB(tenantDB)
	return &bound
}

// Sizes of what an engine remembers: totals of filtered lists, and series of such totals.
const (
	keptTotals = 16384
	keptSeries = 256 // up to 50 KB each
)

// New returns an engine on db that takes its schema from store.
func New(tenantDB *db.DB, store *schema.Store) *Engine {
	totals, err := lru.New[totalKey, stampedTotal](keptTotals)
	if err != nil {
		panic(err) // the size is positive
	}
	ranges, err := lru.New[totalKey, *rangeTotals](keptSeries)
	if err != nil {
		panic(err) // the size is positive
	}
	store.ReadDefaultsWith(readDefault)
	return &Engine{
		db: tenantDB, store: store, now: time.Now, totals: totals, series: ranges, uses: &indexDemand{}, pending: &pendingLists{tables: map[listed]backlog{}},
		statements: newStatements(), gets: newGets(), writes: newWrites(),
	}
}

// How often a request is begun again: after a schema change under it, and after a deadlock with another writer.
const (
	maxReloads   = 6
	maxDeadlocks = 4
)

// attempt runs fn with a snapshot of the organization's schema until its statements met the schema they were built for. A
// refusal that came out of a snapshot that is behind is not believed: fn runs again with a fresh one. fn must begin from nothing
// each time.
func (e *Engine) attempt(ctx context.Context, org uuid.UUID, fn func(s *schema.Snapshot) error) error {
	snapshot, err := e.store.Cached(ctx, org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	reloads, deadlocks, fresh := 0, 0, false
	for {
		err := fn(snapshot)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, db.ErrSchemaChanged):
			if reloads++; reloads > maxReloads {
				return &problem.Error{
					Kind: problem.KindUnavailable, Code: "schema_busy", RetryAfter: time.Second,
					Message: "The table's fields are being changed at this moment; try again shortly.",
				}
			}
			if snapshot, err = e.store.Reload(ctx, org); err != nil {
				return fmt.Errorf("reading the schema: %w", err)
			}
			fresh = true
		case pgerror.Is(err, "40P01", "40001"):
			if deadlocks++; deadlocks > maxDeadlocks {
				return err
			}
			select {
			case <-ctx.Done():
				return err
			case <-time.After(time.Duration(1+rand.IntN(20*deadlocks)) * time.Millisecond): //nolint:gosec // jitter
			}
		case !fresh && refused(err):
			current, freshErr := e.store.Fresh(ctx, org)
			if freshErr != nil {
				return fmt.Errorf("reading the schema: %w", freshErr)
			}
			if current.Version == snapshot.Version {
				return err
			}
			snapshot, fresh = current, true
		default:
			return err
		}
	}
}

// refused reports whether err says that the request does not fit the schema.
func refused(err error) bool {
	switch problem.KindOf(err) { //nolint:exhaustive // the kinds that a schema decides
	case problem.KindInvalid, problem.KindNotFound, problem.KindConflict:
		return true
	}
	return false
}

// onTable is attempt for a request that names a table.
func (e *Engine) onTable(ctx context.Context, org, table uuid.UUID, fn func(s *schema.Snapshot, t *schema.Table) error) error {
	return e.attempt(ctx, org, func(s *schema.Snapshot) error {
		t := s.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		return e.tooLong(ctx, t, fn(s, t))
	})
}

// onRecord is attempt for a request that names a record by its public id.
func (e *Engine) onRecord(ctx context.Context, org uuid.UUID, record string, fn func(s *schema.Snapshot, t *schema.Table, row uuid.UUID) error) error {
	number, row, err := id.ParseRecord(record)
	if err != nil {
		return problem.NotFound("record", record)
	}
	return e.attempt(ctx, org, func(s *schema.Snapshot) error {
		t := s.TableByNumber(number)
		if t == nil {
			return problem.NotFound("record", record)
		}
		return e.tooLong(ctx, t, fn(s, t, row))
	})
}

// TableOf returns the table that a record's id names, or a not-found error when the organization has no such table. Whether
// there is such a record it does not say.
func (e *Engine) TableOf(ctx context.Context, org uuid.UUID, record string) (*schema.Table, error) {
	var table *schema.Table
	err := e.onRecord(ctx, org, record, func(_ *schema.Snapshot, t *schema.Table, _ uuid.UUID) error {
		table = t
		return nil
	})
	return table, err
}
