// Package record creates, reads, updates, upserts and deletes records. Package query writes the SQL
// of lists, package field knows the values, and package index the indexes.
//
// An Engine builds its statements from a schema snapshot that may be out of date. The database then
// refuses them, and the engine loads the schema and builds them again. Records come out as finished
// JSON: values go from PostgreSQL's wire format into the response's buffer. The package knows
// nothing of HTTP, of MCP, or of permissions: callers have checked those.
package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgerrcode"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxBatch is how many records one request may create, update, upsert or delete.
const MaxBatch = 100

// maxItems bounds the mistakes that one error lists.
const maxItems = 20

// An Actor is the person who acts, in an organization. The person becomes the author of what is
// written; a record that uuid.Nil creates was created by nobody known.
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
	store *catalog.Store
	now   func() time.Time

	linker     Linker // nil: files are written without addresses
	perRequest bool   // the linker is of one request: projections with it are not kept

	plans   *plan.Tokens // nil: nothing can be planned
	applied *plan.Plan   // by the request; nil for any other request

	totals     *query.TotalCache
	settled    *lru.Cache[uuid.UUID, changelog.Moment] // by organization: see moment
	indexes    *index.Manager
	statements *lru.Cache[statementKey, db.ChangeStatement]
	gets       *db.Batcher[getKey, *getCall]
	stale      *lru.Cache[uuid.UUID, time.Time] // when columns were met out of date last, by table
	days       *lru.Cache[uuid.UUID, time.Time] // when columns of another day were last queued to be filled
	suspended  *suspended                       // what Recompute has begun
	onStale    func(org uuid.UUID)              // nil: nobody computes what is marked at once
	present    presentBounds
	former     bool // see KeepingFormer
	writes     *db.Batcher[writeKey, *writeCall]
}

// New returns an engine on db that takes its schema from store.
func New(tenantDB *db.DB, store *catalog.Store) *Engine {
	return &Engine{
		db:         tenantDB,
		store:      store,
		now:        time.Now,
		totals:     query.NewTotalCache(),
		settled:    newSettled(),
		indexes:    index.NewManager(tenantDB, store),
		statements: newStatementCache(),
		gets:       newGets(),
		suspended:  &suspended{works: map[uuid.UUID]*recomputation{}},
		stale:      newStale(),
		days:       newStale(),
		writes:     newWrites(),
		present:    usualPresentBounds,
	}
}

// Schema returns the store of the schemas that the engine reads.
func (e *Engine) Schema() *catalog.Store { return e.store }

// How often a request begins again: after a schema change, after a deadlock with another writer, which
// takes a second to be detected, and after a collision with another writer of links that has locked or
// numbered a record, which takes no time.
const (
	maxReloads    = 6
	maxMisfits    = 1 // after which the same version of the schema cannot be why a statement does not fit
	maxDeadlocks  = 4
	maxEncounters = 50
	maxCrowd      = 4 // collisions, before a writer of links takes LockLinks exclusively
)

// OnSchema runs fn with a snapshot of the organization's schema, and again if the schema has changed
// before its statements ran. An error that a snapshot may have caused is checked against the present
// schema: if that is newer, fn runs again. fn must not keep anything from an earlier run.
func (e *Engine) OnSchema(ctx context.Context, org uuid.UUID, fn func(s *schema.Snapshot) error) error {
	return e.attempt(ctx, org, func(s *schema.Snapshot, _ bool) error { return fn(s) })
}

// attempt is OnSchema. It sets exclusive if other writers of links have caused collisions
// (queueLinkLock).
func (e *Engine) attempt(
	ctx context.Context, org uuid.UUID, fn func(s *schema.Snapshot, exclusive bool) error,
) error {
	snapshot, err := e.store.Cached(ctx, org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	reloads, misfits, deadlocks, collisions, months, fresh := 0, 0, 0, 0, 0, false
	for {
		err := fn(snapshot, collisions > maxCrowd || deadlocks > 0)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, db.ErrSchemaChanged):
			if reloads++; reloads > maxReloads {
				return (&problem.Error{
					Kind: problem.KindUnavailable, Code: problem.CodeSchemaBusy, RetryAfter: time.Second,
					Message: "The table's fields are being changed at this moment; try again shortly.",
				}).Because(err)
			}
			former, misfit := snapshot.Version, db.Misfit(err)
			if snapshot, err = e.store.Reload(ctx, org); err != nil {
				return fmt.Errorf("reading the schema: %w", err)
			}
			fresh = true
			switch {
			case misfit == nil || snapshot.Version != former:
				misfits = 0
			case misfits == maxMisfits:
				return fmt.Errorf("a statement does not fit the schema, which has not changed since version %d: %w",
					former, misfit)
			default:
				misfits++
			}
		case changelog.IsMonthMissing(err) && months == 0:
			months++
			if err := changelog.AddMonth(ctx, e.db, org); err != nil {
				return err
			}
		case pgerror.Is(err, pgerrcode.DeadlockDetected), pgerror.IsLockTimeout(err):
			if deadlocks++; deadlocks > maxDeadlocks || !pause(ctx, 20*deadlocks) {
				return err
			}
		case pgerror.Is(err, pgerrcode.SerializationFailure), pgerror.IsRowTaken(err):
			if collisions++; collisions > maxEncounters || !pause(ctx, min(4*collisions, 40)) {
				return err
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

// pause waits for a random time of up to longest milliseconds, so that writers that collided do not
// collide again. It reports whether the caller still waits.
func pause(ctx context.Context, longest int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(1+rand.IntN(longest)) * time.Millisecond): //nolint:gosec // jitter
		return true
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
	return e.attemptTable(ctx, org, table, func(s *schema.Snapshot, t *schema.Table, _ bool) error { return fn(s, t) })
}

// attemptTable is attempt for a request that names a table.
func (e *Engine) attemptTable(
	ctx context.Context,
	org, table uuid.UUID,
	fn func(s *schema.Snapshot, t *schema.Table, exclusive bool) error,
) error {
	return e.attempt(ctx, org, func(s *schema.Snapshot, exclusive bool) error {
		t := s.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		return e.indexes.DropOversized(ctx, t, fn(s, t, exclusive))
	})
}

// onRecord is OnSchema for a request that names a record by its public id.
func (e *Engine) onRecord(
	ctx context.Context,
	org uuid.UUID,
	record string,
	fn func(s *schema.Snapshot, t *schema.Table, row uuid.UUID) error,
) error {
	return e.attemptRecord(ctx, org, record, func(s *schema.Snapshot, t *schema.Table, row uuid.UUID, _ bool) error {
		return fn(s, t, row)
	})
}

// attemptRecord is attempt for a request that names a record by its public id.
func (e *Engine) attemptRecord(
	ctx context.Context,
	org uuid.UUID,
	record string,
	fn func(s *schema.Snapshot, t *schema.Table, row uuid.UUID, exclusive bool) error,
) error {
	number, row, err := id.ParseRecord(record)
	if err != nil {
		return problem.NotFound("record", record)
	}
	return e.attempt(ctx, org, func(s *schema.Snapshot, exclusive bool) error {
		t := s.TableByNumber(number)
		if t == nil {
			return problem.NotFound("record", record)
		}
		return e.indexes.DropOversized(ctx, t, fn(s, t, row, exclusive))
	})
}

// TableOf returns the table that a record's id names, or a not-found error if the organization has no
// such table. It does not check whether the record exists.
func (e *Engine) TableOf(ctx context.Context, org uuid.UUID, record string) (*schema.Table, error) {
	var table *schema.Table
	err := e.onRecord(ctx, org, record, func(_ *schema.Snapshot, t *schema.Table, _ uuid.UUID) error {
		table = t
		return nil
	})
	return table, err
}

// A Page is a part of a list, with the records as finished JSON.
type Page struct {
	Records  [][]byte // each a JSON object {id, createdTime, version, fields}, of one shared buffer
	Total    int64    // of the whole list, exact
	Offset   int64    // of the first record in the list
	Limit    int
	HasMore  bool
	Cursor   string         // of the next page; "" when there is none
	Colors   []string       // of the records, "" for none; nil unless the request asks for them
	Problems []problem.Item // why the list of a view is empty: its filter no longer fits the table
}

// AppendJSON writes {records, total, offset, limit, hasMore}, and cursor, colors and problems when there are any.
func (p Page) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"records":[`...)
	dst = appendJoined(dst, p.Records)
	return p.AppendPosition(append(dst, ']'))
}

// AppendPosition writes what AppendJSON writes after the records: ,"total":… up to the end of the
// object.
func (p Page) AppendPosition(dst []byte) []byte {
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, p.Total, 10)
	dst = append(dst, `,"offset":`...)
	dst = strconv.AppendInt(dst, p.Offset, 10)
	dst = append(dst, `,"limit":`...)
	dst = strconv.AppendInt(dst, int64(p.Limit), 10)
	dst = append(dst, `,"hasMore":`...)
	dst = strconv.AppendBool(dst, p.HasMore)
	if p.Cursor != "" {
		dst = append(dst, `,"cursor":"`...)
		dst = append(dst, p.Cursor...) // base64url
		dst = append(dst, '"')
	}
	for i, color := range p.Colors {
		separator := ","
		if i == 0 {
			separator = `,"colors":[`
		}
		if dst = append(dst, separator...); color == "" {
			dst = append(dst, "null"...)
		} else {
			dst = field.AppendString(dst, color)
		}
	}
	if len(p.Colors) > 0 {
		dst = append(dst, ']')
	}
	for i, one := range p.Problems {
		separator := ","
		if i == 0 {
			separator = `,"problems":[`
		}
		dst = field.AppendString(append(append(dst, separator...), `{"path":`...), one.Path)
		dst = append(field.AppendString(append(dst, `,"message":`...), one.Message), '}')
	}
	if len(p.Problems) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// appendJoined grows dst once for all records, because growing it record by record copies a page four
// times.
func appendJoined(dst []byte, records [][]byte) []byte {
	const around = 256 // for what a page or a write has in addition to its records
	size := around
	for _, r := range records {
		size += len(r) + 1
	}
	dst = slices.Grow(dst, size)
	for i, r := range records {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, r...)
	}
	return dst
}

// MarshalJSON is AppendJSON for encoding/json.
func (p Page) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// Groups are the results, each a JSON object {key, results}: the values of the fields that were grouped
// by, and the results by the name of their function, as in "sum(Price)". They are in the order of their
// keys, empty values last.
type Groups struct {
	Groups  [][]byte
	HasMore bool
}

// AppendJSON writes {groups, hasMore}.
func (g Groups) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"groups":[`...)
	dst = appendJoined(dst, g.Groups)
	dst = append(dst, `],"hasMore":`...)
	dst = strconv.AppendBool(dst, g.HasMore)
	return append(dst, '}')
}

// MarshalJSON is AppendJSON for encoding/json.
func (g Groups) MarshalJSON() ([]byte, error) { return g.AppendJSON(nil), nil }

// A Record is one record as finished JSON.
type Record []byte

// AppendJSON writes {id, createdTime, version, fields}.
func (r Record) AppendJSON(dst []byte) []byte { return append(dst, r...) }

// Version returns the number of the record's latest change, and false for no record.
func (r Record) Version() (int64, bool) {
	_, rest, found := bytes.Cut(r, []byte(`,"version":`)) // before it is nothing that a person wrote
	digits, _, _ := bytes.Cut(rest, []byte(","))
	version, err := strconv.ParseInt(string(digits), 10, 64)
	return version, found && err == nil
}

// MarshalJSON is AppendJSON for encoding/json.
func (r Record) MarshalJSON() ([]byte, error) { return r, nil }

// Written is what a write returns: the records in the order of the input.
type Written struct {
	Records [][]byte // each a JSON object {id, createdTime, version, fields}
	// Upsert lists which records were new; nil for other writes.
	Upsert *Upserted
}

// Upserted lists the ids of the records that an upsert created and updated, in the order of the
// input.
type Upserted struct {
	Created, Updated []string
}

// AppendJSON writes {records}, and for an upsert also created and updated.
func (w Written) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"records":[`...)
	dst = appendJoined(dst, w.Records)
	dst = append(dst, ']')
	if w.Upsert != nil {
		dst = appendIDs(append(dst, `,"created":`...), w.Upsert.Created)
		dst = appendIDs(append(dst, `,"updated":`...), w.Upsert.Updated)
	}
	return append(dst, '}')
}

func appendIDs(dst []byte, ids []string) []byte {
	dst = append(dst, '[')
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = field.AppendString(dst, id)
	}
	return append(dst, ']')
}

// MarshalJSON is AppendJSON for encoding/json.
func (w Written) MarshalJSON() ([]byte, error) { return w.AppendJSON(nil), nil }

// copyValue copies a value into the memory of another; null stays null.
func copyValue(into, value []byte) []byte {
	if value == nil {
		return nil
	}
	if into == nil {
		into = []byte{} // an empty value is not null
	}
	return append(into[:0], value...)
}
