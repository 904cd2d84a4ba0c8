// Package record creates, reads, updates, upserts and deletes records. Package query writes the SQL
// of lists, package field knows the values, and package index the indexes.
//
// An Engine builds its statements from a schema snapshot that may be out of date. The database then
// refuses them, and the engine loads the schema and builds them again. Records come out as finished
// JSON: values go from PostgreSQL's wire format into the response's buffer. The package knows
// nothing of HTTP, of MCP, or of permissions: callers have checked those.
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
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/index"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxBatch is how many records one request may create, update, upsert or delete.
const MaxBatch = 100

// maxItems bounds how many wrong places one error lists.
const maxItems = 20

// An Actor is who acts, in which organization. The person becomes the author of what is written.
type Actor struct {
	Org    uuid.UUID
	Person uuid.UUID
	Admin  bool // of the organization, who may read through everybody's personal views
}

func (a Actor) viewer() schema.Viewer { return schema.Viewer{Person: a.Person, Admin: a.Admin} }

// An Engine reads and writes records. It is safe for concurrent use, by any number of processes on
// one database.
type Engine struct {
	db    *db.DB
	store *schema.Store
	now   func() time.Time

	linker     Linker // nil: files are written without addresses
	perRequest bool   // the linker is of one request: projections with it are not kept

	totals     *query.TotalCache
	settled    *lru.Cache[uuid.UUID, changelog.Moment] // by organization: see moment
	indexes    *index.Manager
	statements *lru.Cache[statementKey, db.ChangeStatement]
	gets       *batch.Batcher[getKey, *getCall]
	writes     *batch.Batcher[writeKey, *writeCall]
}

// New returns an engine on db that takes its schema from store.
func New(tenantDB *db.DB, store *schema.Store) *Engine {
	return &Engine{
		db:         tenantDB,
		store:      store,
		now:        time.Now,
		totals:     query.NewTotalCache(),
		settled:    newSettled(),
		indexes:    index.NewManager(tenantDB, store),
		statements: newStatementCache(),
		gets:       newGets(),
		writes:     newWrites(),
	}
}

// WithDB returns the same engine on another handle to its database, such as one that records an
// actor (db.DB.WithActor).
func (e *Engine) WithDB(tenantDB *db.DB) *Engine {
	bound := *e
	bound.db, bound.store = tenantDB, e.store.WithDB(tenantDB)
	return &bound
}

// IndexManager is the manager that knows the engine's demand for indexes, for those who build them.
func (e *Engine) IndexManager() *index.Manager { return e.indexes }

// Indexes lists the indexes of a table.
func (e *Engine) Indexes(ctx context.Context, org, table uuid.UUID) ([]index.Index, error) {
	var found []index.Index
	err := e.OnTable(ctx, org, table, func(_ *schema.Snapshot, t *schema.Table) (err error) {
		found, err = e.indexes.List(ctx, t)
		return err
	})
	return found, err
}

// How often a request begins again: after a schema change under it, and after a deadlock with
// another writer.
const (
	maxReloads   = 6
	maxDeadlocks = 4
)

// OnSchema runs fn with a snapshot of the organization's schema until its statements meet the schema
// that they were built for. An error that a snapshot caused is checked against the present schema:
// if that is newer, fn runs again. fn must not keep anything from an earlier run.
func (e *Engine) OnSchema(ctx context.Context, org uuid.UUID, fn func(s *schema.Snapshot) error) error {
	snapshot, err := e.store.Cached(ctx, org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	reloads, deadlocks, months, fresh := 0, 0, 0, false
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
		case changelog.IsMonthMissing(err) && months == 0:
			months++
			if err := changelog.AddMonth(ctx, e.db, org); err != nil {
				return err
			}
		case pgerror.Is(err, "40P01", "40001"):
			if deadlocks++; deadlocks > maxDeadlocks {
				return err
			}
			select {
			case <-ctx.Done():
				return err
			case <-time.After(time.Duration(1+rand.IntN(20*deadlocks)) * time.Millisecond): //nolint:gosec // jitter
			}
		case !fresh && isRefusal(err):
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

// isRefusal reports whether err says that the request does not fit the schema.
func isRefusal(err error) bool {
	switch problem.KindOf(err) { //nolint:exhaustive // the kinds that a schema decides
	case problem.KindInvalid, problem.KindNotFound, problem.KindConflict:
		return true
	}
	return false
}

// OnTable is OnSchema for a request that names a table.
func (e *Engine) OnTable(
	ctx context.Context,
	org, table uuid.UUID,
	fn func(s *schema.Snapshot, t *schema.Table) error,
) error {
	return e.OnSchema(ctx, org, func(s *schema.Snapshot) error {
		t := s.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		return e.indexes.DropOversized(ctx, t, fn(s, t))
	})
}

// onRecord is OnSchema for a request that names a record by its public id.
func (e *Engine) onRecord(
	ctx context.Context,
	org uuid.UUID,
	record string,
	fn func(s *schema.Snapshot, t *schema.Table, row uuid.UUID) error,
) error {
	number, row, err := id.ParseRecord(record)
	if err != nil {
		return problem.NotFound("record", record)
	}
	return e.OnSchema(ctx, org, func(s *schema.Snapshot) error {
		t := s.TableByNumber(number)
		if t == nil {
			return problem.NotFound("record", record)
		}
		return e.indexes.DropOversized(ctx, t, fn(s, t, row))
	})
}

// TableOf returns the table that a record's id names, or a not-found error when the organization
// has no such table. Whether there is such a record it does not say.
func (e *Engine) TableOf(ctx context.Context, org uuid.UUID, record string) (*schema.Table, error) {
	var table *schema.Table
	err := e.onRecord(ctx, org, record, func(_ *schema.Snapshot, t *schema.Table, _ uuid.UUID) error {
		table = t
		return nil
	})
	return table, err
}
