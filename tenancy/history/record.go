// Package history reads the log of changes for people: what happened to a record, and what changed
// lately in a base. It lists deleted objects, restores and purges them, and ends old history, in the
// trash and in the log. It knows the form of the log from package changelog, and nothing of HTTP or
// MCP. Callers have checked permissions.
package history

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// MaxPage bounds the entries of a page.
const MaxPage = 100

// A RecordRequest selects a part of the history of a record.
type RecordRequest struct {
	Limit  int    // 1 to MaxPage
	Cursor string // of the page before; "" begins with the latest change
	State  bool   // with all values of the record after each change
}

// A RecordPage is a part of the history of a record, newest first.
type RecordPage struct {
	Entries []Entry
	// Complete says that the page ends with the creation of the record. On a last page it is false if
	// the record is older than the log.
	Complete bool
	Cursor   string // of the next page; "" when there is none
}

// An Entry is one change of a record.
type Entry struct {
	Version    int64 // of the record after it
	ChangeSet  string
	Request    string
	Person     *uuid.UUID // nil for the service itself
	Name       *string    // of the person; nil if they have left the organization
	Credential string
	Kind       changelog.Kind
	Changes    []FieldChange
	State      []byte // all fields after the change, as a JSON object or null; nil unless the request asks for it
}

// A FieldChange has the values of a field before and after a change, as JSON.
type FieldChange struct {
	Field    *schema.Field
	From, To []byte
}

// Time is when the change was made, as JSON.
func (e *Entry) Time() []byte { return changelog.AppendTime(nil, e.Version) }

// AppendJSON writes {version, time, changeSet, request, person, credential, kind, changes, state}.
func (e *Entry) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"version":`...), e.Version, 10)
	dst = changelog.AppendTime(append(dst, `,"time":`...), e.Version)
	dst = field.AppendString(append(dst, `,"changeSet":`...), e.ChangeSet)
	dst = field.AppendString(append(dst, `,"request":`...), e.Request)
	dst = changelog.AppendPerson(append(dst, `,"person":`...), e.Person, e.Name)
	dst = field.AppendString(append(dst, `,"credential":`...), e.Credential)
	dst = field.AppendString(append(dst, `,"kind":`...), e.Kind.Name())
	dst = append(dst, `,"changes":[`...)
	for i := range e.Changes {
		if i > 0 {
			dst = append(dst, ',')
		}
		c := &e.Changes[i]
		dst = field.AppendString(append(dst, `{"field":{"id":`...), c.Field.PublicID())
		dst = append(field.AppendString(append(dst, `,"name":`...), c.Field.Name), '}')
		dst = append(append(dst, `,"from":`...), c.From...)
		dst = append(append(append(dst, `,"to":`...), c.To...), '}')
	}
	dst = append(dst, ']')
	if e.State != nil {
		dst = append(append(dst, `,"state":`...), e.State...)
	}
	return append(dst, '}')
}

// size is the approximate size of the entry in bytes.
func (e *Entry) size() int {
	const ids = 400 // and names of members, of an entry
	size := ids + len(e.State)
	for i := range e.Changes {
		c := &e.Changes[i]
		size += ids/4 + len(c.Field.Name) + len(c.From) + len(c.To)
	}
	return size
}

// AppendJSON writes {entries, complete, nextCursor}.
func (p RecordPage) AppendJSON(dst []byte) []byte {
	return p.AppendWith(dst, func(dst []byte, i int) []byte { return p.Entries[i].AppendJSON(dst) })
}

// AppendWith is AppendJSON with entries as the caller writes them.
func (p RecordPage) AppendWith(dst []byte, entry func(dst []byte, i int) []byte) []byte {
	dst = append(dst, `{"entries":[`...)
	for i := range p.Entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = entry(dst, i)
	}
	dst = strconv.AppendBool(append(dst, `],"complete":`...), p.Complete)
	dst = append(dst, `,"nextCursor":`...)
	if p.Cursor == "" {
		return append(dst, "null}"...)
	}
	return append(field.AppendString(dst, p.Cursor), '}')
}

// OfRecord returns the changes of a record, which may be deleted. It leaves out fields that the table
// no longer has. Former values have the type that the field had then.
//
// Somebody from whom something of the base is hidden gets the changes of records that they read now, of fields that
// they see, and of links to tables of which they read all records.
//
// A record's changes are a chain from its version, so a page deep in a long history is read through all
// newer changes.
func OfRecord(
	ctx context.Context, tenantDB *db.DB, engine *record.Engine, org uuid.UUID, public string, in RecordRequest,
) (RecordPage, error) {
	number, row, err := id.ParseRecord(public)
	if err != nil {
		return RecordPage{}, problem.NotFound("record", public)
	}
	below := int64(math.MaxInt64)
	if in.Cursor != "" {
		if below, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil || below <= 0 {
			return RecordPage{}, wrongCursor()
		}
	}
	var page RecordPage
	memory, release := membudget.Of(ctx)
	defer release()
	err = engine.OnSchema(ctx, org, func(s *schema.Snapshot) error {
		t := s.TableByNumber(number)
		if t == nil {
			return problem.NotFound("record", public)
		}
		evolution, err := engine.Evolution(ctx, s, t)
		if err != nil {
			return err
		}
		w := newWalk(changelog.CellsOfAll(t, engine.FileLinks(org), evolution), t, row)
		if t.Base != nil && s.IsPartial(t.Base.ID) {
			w.limit(s)
		}
		if err := w.begin(ctx, tenantDB); err != nil {
			return err
		}
		if !w.known {
			return problem.NotFound("record", public)
		}
		return memory.Read(ctx, func() error {
			var err error
			page, err = w.read(ctx, tenantDB, memory, in, below)
			return err
		})
	})
	if err != nil {
		var known *problem.Error
		if errors.As(err, &known) {
			return RecordPage{}, err
		}
		return RecordPage{}, fmt.Errorf("reading the history of a record: %w", err)
	}
	return page, nil
}

func wrongCursor() error {
	return problem.Invalid("cursor", "must be the nextCursor of an earlier page")
}

// A walk goes from a record's present back to its creation.
type walk struct {
	table *schema.Table
	row   uuid.UUID
	cells []changelog.Cell
	known bool  // the record is there, or its deletion is in the log
	start int64 // number of the record's latest change
	changelog.State

	seen map[string]bool // the keys of cells in the log, for somebody from whom something is hidden; nil for all others
}

func newWalk(cells []changelog.Cell, t *schema.Table, row uuid.UUID) *walk {
	w := &walk{table: t, row: row, cells: cells}
	w.Values = make([]changelog.Value, len(w.cells))
	return w
}

// limit leaves out what somebody does not see from whom something of the base is hidden.
func (w *walk) limit(s *schema.Snapshot) {
	w.cells = slices.DeleteFunc(w.cells, func(c changelog.Cell) bool { return s.ReadsSome(c.Field) })
	w.Values = make([]changelog.Value, len(w.cells))
	w.seen = map[string]bool{}
	for i := range w.cells {
		w.seen[changelog.Key(&w.cells[i].Field.Field)] = true
	}
}

// sees reports whether an entry of the log is about something that the reader sees.
func (w *walk) sees(kind changelog.Kind, keys []string) bool {
	return w.seen == nil || kind != changelog.Updated && kind != changelog.Linked ||
		slices.ContainsFunc(keys, func(key string) bool { return w.seen[key] })
}

// begin reads the present state of the record, or finds its deletion.
func (w *walk) begin(ctx context.Context, tenantDB *db.DB) error {
	present := "select t.version" + changelog.PresentColumns(
		w.cells,
	) + " from " + w.table.Relation() + " t where t.id = $1"
	err := tenantDB.TableBatch(ctx, w.table.Org, w.table.Ref(), func(b *pgx.Batch) {
		b.Queue(present, w.row).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := w.ScanPresent(rows, w.cells, &w.start); err != nil {
					return fmt.Errorf("reading the present record: %w", err)
				}
				w.known = true
			}
			return rows.Err()
		})
		if w.seen != nil { // deleted records are for those who see everything
			return
		}
		b.Queue("select l.number from "+changelog.Relation(w.table.Org)+" l where l.kind = "+
			changelog.SQLDeleted+" and l.table_number = $2 "+
			"and $1::uuid = any (l.records) and not exists (select from "+w.table.Relation()+" t where t.id = $1) "+
			"order by l.number desc limit 1", w.row, w.table.Number).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if w.known {
					continue // deleted since
				}
				if err := rows.Scan(&w.start); err != nil {
					return fmt.Errorf("reading a deletion: %w", err)
				}
				w.known = true
			}
			return rows.Err()
		})
	})
	if err != nil {
		return fmt.Errorf("looking for a record: %w", err)
	}
	return nil
}

// chainSQL is the statement that reads the entries of a record, each number's in the order in which
// they are undone: at most $5 and one more with a number below $4, and all newer ones.
func (w *walk) chainSQL() string {
	log := changelog.Relation(w.table.Org)
	next := func(number string) string {
		return "(select min(l.previous[p.place]) from " + log + " l cross join lateral " +
			"(select array_position(l.records, $1::uuid) as place) p where l.number = " + number +
			" and l.table_number = $3 and p.place is not null and l.previous[p.place] <> l.number)"
	}
	columns := "l.number, l.kind, l.change_set, l.person, l.credential, l.request, " +
		"array(select jsonb_object_keys(l.was))" + changelog.ChangeColumns(w.cells)
	names := ""
	for i := range w.cells {
		names += ", v" + strconv.Itoa(i)
	}
	// Citus joins the log, which is on another node, with people only after it has read it.
	return "with entry(number, kind, change_set, person, credential, request, keys" + names +
		", nth) as materialized (with recursive chain(number, next, place) as (" +
		"select $2::bigint, " + next("$2::bigint") + ", ($2::bigint < $4::bigint)::integer union all " +
		"select c.next, " + next("c.next") + ", c.place + (c.next < $4::bigint)::integer from chain c " +
		"where c.next is not null and c.place <= $5::integer) " +
		"select " + columns + ", row_number() over (order by " + changelog.UndoOrder + ") from chain c " +
		// OFFSET keeps the planner from reading the log other than by number, and from reading an
		// element of before once for each column.
		"cross join lateral (select l.*, array_position(l.records, $1::uuid) as place from " + log + " l " +
		"where l.number = c.number and l.table_number = $3 and l.kind <> " + changelog.SQLReturned + " offset 0) f " +
		"cross join lateral (select f.number, f.kind, f.change_set, f.person, f.credential, f.request, " +
		"f.previous[f.place] as previous, " +
		"coalesce(nullif(f.before -> (f.place - 1), 'null'), '{}') as was offset 0) l " +
		changelog.Populate(w.table, w.cells) + "where f.place is not null) " +
		"select e.number, e.kind, e.change_set, e.person, n.name, e.credential, coalesce(e.request, ''), " +
		"e.keys" + names +
		" from entry e left join rowhouse.person n on n.id = e.person order by e.nth"
}

// read walks to the end of a page. It may be called again.
func (w *walk) read(
	ctx context.Context, tenantDB *db.DB, memory *membudget.Reservation, in RecordRequest, below int64,
) (RecordPage, error) {
	r := &reader{walk: *w, memory: memory, below: below, in: in}
	r.Values = slices.Clone(w.Values)
	limit := in.Limit
	if w.seen != nil {
		limit = math.MaxInt32 // nobody knows how many entries are left out
	}
	err := tenantDB.TableBatch(ctx, w.table.Org, w.table.Ref(), func(b *pgx.Batch) {
		b.Queue(w.chainSQL(), w.row, w.start, w.table.Number, below, limit).Query(r.collect)
	})
	if err != nil {
		return RecordPage{}, fmt.Errorf("reading the changes of a record: %w", err)
	}
	memory.Done(r.size)
	return r.page, nil
}
