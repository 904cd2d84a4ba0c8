package history

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A BaseRequest selects change sets of a base: those with a change that fits. A zero member selects
// all.
type BaseRequest struct {
	Limit      int    // 1 to MaxPage
	Cursor     string // of the page before; "" begins with the latest change set
	Person     uuid.UUID
	Credential string    // its public id
	Table      uuid.UUID // of the base, or in its trash
	Since      time.Time // inclusive
	Until      time.Time // exclusive
	By         schema.Viewer
}

// A ChangeSet is what belongs together of what was changed in a base.
type ChangeSet struct {
	ID          uuid.UUID
	Name        *string // nil: it has none
	First, Last time.Time
	Person      *uuid.UUID // nil: the service itself
	PersonName  *string    // nil for who has left the organization
	Credential  string     // its public id, or ""
	Tables      []TableChanges
	Objects     []ObjectChange // the first MaxObjects of the tables, fields and views that were changed
	ObjectCount int
	Reverts     []uuid.UUID // the change sets that it took back
	RevertedBy  []uuid.UUID // those that took it back
}

// TableChanges says how many records of a table were changed. A record counts once for each kind.
type TableChanges struct {
	Table                                       *schema.Table // with ID, Number and Name alone if InTrash
	InTrash                                     bool
	Created, Updated, Deleted, Restored, Linked int64
}

// A BasePage is a part of the change sets of a base, newest first.
type BasePage struct {
	Sets   []ChangeSet
	Cursor string // of the next page; "" when there is none
}

// A position is where a page of change sets ends. The pages that follow a first one tell of the same
// entries, up to its horizon.
type position struct {
	horizon changelog.Moment
	number  int64 // of the last set's last change that fits
	set     uuid.UUID
}

func (p position) String() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d %d %s", p.horizon, p.number, p.set))
}

func parsePosition(cursor string) (position, error) {
	var p position
	var set string
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "%d %d %s", &p.horizon, &p.number, &set)
	}
	if err == nil {
		p.set, err = uuid.Parse(set)
	}
	if err != nil {
		return p, wrongCursor()
	}
	return p, nil
}

// OfBase lists the change sets of a base, by the last change of each that fits. A change set that was
// spread over several requests is told once, and whole as far as it is of this base.
func OfBase(
	ctx context.Context, tenantDB *db.DB, s *schema.Snapshot, base uuid.UUID, in BaseRequest,
) (BasePage, error) {
	of := s.Base(base)
	if of == nil {
		return BasePage{}, problem.NotFound("base", id.Format(id.Base, base))
	}
	r := &baseReader{
		db: tenantDB, org: s.Org, base: base, in: in, end: position{number: math.MaxInt64, set: uuid.Max},
		known: map[int32]*schema.Table{},
	}
	err := r.findTables(ctx, of)
	if err != nil {
		return BasePage{}, err
	}
	if in.Cursor == "" {
		r.end.horizon, err = changelog.Horizon(ctx, tenantDB, s.Org)
	} else {
		r.end, err = parsePosition(in.Cursor)
	}
	if err != nil {
		return BasePage{}, err
	}
	found, err := r.find(ctx)
	if pgerror.Is(err, "42P01") { // an organization has no log before its first table
		return BasePage{}, nil
	}
	if err != nil || len(found) == 0 {
		return BasePage{}, err
	}
	var page BasePage
	if len(found) > in.Limit {
		found = found[:in.Limit]
		page.Cursor = found[in.Limit-1].String()
	}
	page.Sets, err = r.describe(ctx, found)
	return page, err
}

type baseReader struct {
	db          *db.DB
	org, base   uuid.UUID
	known       map[int32]*schema.Table // the tables of the base, and those in its trash
	all, tables []int32                 // numbers of the tables, and of those that fit
	in          BaseRequest
	end         position // of the page before
}

// findTables finds the tables of the base, and those of its trash.
func (r *baseReader) findTables(ctx context.Context, of *schema.Base) error {
	for _, t := range of.Tables {
		r.known[t.Number] = t
	}
	err := r.db.Batch(ctx, r.org, func(b *pgx.Batch) {
		b.Queue("select object_id, table_number, name from rowhouse.trash where org_id = $1 and kind = 'table' and "+
			"base_id = $2", r.org, r.base).Query(func(rows pgx.Rows) error {
			var t schema.Table
			_, err := pgx.ForEachRow(rows, []any{&t.ID, &t.Number, &t.Name}, func() error {
				if r.known[t.Number] == nil {
					trashed := t
					r.known[t.Number] = &trashed
				}
				return nil
			})
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("looking for deleted tables: %w", err)
	}
	for number, t := range r.known {
		r.all = append(r.all, number)
		if r.in.Table == uuid.Nil || t.ID == r.in.Table {
			r.tables = append(r.tables, number)
		}
	}
	if len(r.tables) == 0 && r.in.Table != uuid.Nil {
		return problem.Invalid("table", "no table of this base has the id %q", id.Format(id.Table, r.in.Table))
	}
	return nil
}

// find returns where the change sets of a page are, and one more if there is.
func (r *baseReader) find(ctx context.Context) ([]position, error) {
	log := changelog.Relation(r.org)
	low, high := int64(0), int64(math.MaxInt64)
	if !r.in.Since.IsZero() {
		low = r.in.Since.UnixMicro()
	}
	if !r.in.Until.IsZero() {
		high = r.in.Until.UnixMicro()
	}
	var person *uuid.UUID
	if r.in.Person != uuid.Nil {
		person = &r.in.Person
	}
	fits := func(alias string) string {
		return strings.ReplaceAll("(~.kind <= 5 and ~.table_number = any ($1::integer[]) or "+
			r.tellsOfSchema("$1", r.in.Table == uuid.Nil, 10)+") and "+
			"~.number <= $2::bigint and ~.number >= $3::bigint and ~.number < $4::bigint and ($5::uuid is null or "+
			"~.person = $5) and "+
			"($6::text = '' or ~.credential = $6)", "~", alias)
	}
	// A set with a fitting change at or above the position was on a page before.
	fresh := " and l.number <= $7::bigint and (l.number, l.change_set) < ($7::bigint, $8::uuid)"
	if r.in.Cursor != "" {
		fresh += " and not exists (select from " + log + " x where x.change_set = l.change_set and " + fits("x") +
			" and x.number >= $7::bigint and (x.number, x.change_set) >= ($7::bigint, $8::uuid))"
	}
	latest := func(seen, condition string) string {
		return "select l.number, l.change_set, " + seen + " || l.change_set as seen from " + log + " l where " +
			fits("l") + fresh + condition + " order by l.number desc, l.change_set desc limit 1"
	}
	statement := "with recursive found as ((" + latest("'{}'::uuid[]", "") + ") union all select n.* from found f " +
		"cross join lateral (" + latest("f.seen", " and l.number <= f.number and l.change_set <> all (f.seen)") +
		") n where cardinality(f.seen) <= $9::integer) select number, change_set from found"
	var found []position
	err := r.db.Batch(ctx, r.org, func(b *pgx.Batch) {
		args := []any{
			r.tables, r.end.horizon, low, high, person, r.in.Credential, r.end.number, r.end.set, r.in.Limit,
		}
		b.Queue(statement, append(args, r.schemaArgs()...)...).Query(func(rows pgx.Rows) error {
			p := position{horizon: r.end.horizon}
			_, err := pgx.ForEachRow(rows, []any{&p.number, &p.set}, func() error {
				found = append(found, p)
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for change sets: %w", err)
	}
	return found, nil
}

// describe tells what change sets have changed in the base.
func (r *baseReader) describe(ctx context.Context, found []position) ([]ChangeSet, error) {
	sets, at := make([]ChangeSet, len(found)), map[uuid.UUID]*ChangeSet{}
	ids := make([]uuid.UUID, len(found))
	for i, p := range found {
		sets[i].ID, ids[i] = p.set, p.set
		at[p.set] = &sets[i]
	}
	// A record is created once, and it is in an entry once; only what is in several is worth unnesting.
	const statement = `with entry as materialized (
			select l.change_set, l.table_number, l.kind, l.number, l.person, l.credential, l.records, count(*) over (
				partition by l.change_set, l.table_number, l.kind) as entries
			from %s l where l.change_set = any ($1) and l.table_number = any ($2) and l.number <= $3 and l.kind <= 5),
		several as (
			select e.change_set, e.table_number, e.kind, count(distinct r.id) as records
			from entry e cross join lateral unnest(e.records) as r(id) where e.entries > 1 and e.kind <> 1
			group by 1, 2, 3),
		whole as (
			select e.change_set, e.table_number, e.kind, min(e.number) as first, max(e.number) as last,
				(array_agg(e.person))[1] as person, min(e.credential) as credential,
				sum(cardinality(e.records)) as records
			from entry e group by 1, 2, 3)
		select w.change_set, w.table_number, w.kind, w.first, w.last, w.person, p.name, w.credential,
			coalesce(m.records, w.records)
		from whole w left join several m using (change_set, table_number, kind)
			left join rowhouse.person p on p.id = w.person`
	err := r.db.Batch(ctx, r.org, func(b *pgx.Batch) {
		b.Queue(fmt.Sprintf(statement, changelog.Relation(r.org)), ids, r.all, r.end.horizon).
			Query(func(rows pgx.Rows) error {
				var g setGroup
				_, err := pgx.ForEachRow(rows, g.targets(), func() error {
					at[g.set].add(r.known[g.table], &g)
					return nil
				})
				return err
			})
		r.queueObjects(b, ids, at)
		b.Queue("select id, name from rowhouse.change_set where org_id = $1 and id = any ($2)", r.org, ids).
			Query(func(rows pgx.Rows) error {
				var set uuid.UUID
				var name string
				_, err := pgx.ForEachRow(rows, []any{&set, &name}, func() error {
					named := name
					at[set].Name = &named
					return nil
				})
				return err
			})
		b.Queue("select change_set, reverted from rowhouse.change_set_revert where org_id = $1 and "+
			"(change_set = any ($2) or reverted = any ($2)) order by change_set, reverted", r.org, ids).
			Query(func(rows pgx.Rows) error {
				var set, reverted uuid.UUID
				_, err := pgx.ForEachRow(rows, []any{&set, &reverted}, func() error {
					if by := at[set]; by != nil {
						by.Reverts = append(by.Reverts, reverted)
					}
					if back := at[reverted]; back != nil {
						back.RevertedBy = append(back.RevertedBy, set)
					}
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading change sets: %w", err)
	}
	for i := range sets {
		slices.SortFunc(sets[i].Tables, func(a, b TableChanges) int { return int(a.Table.Number - b.Table.Number) })
		sets[i].foldObjects()
	}
	return sets, nil
}

// A setGroup counts what a change set did of one kind in one table.
type setGroup struct {
	set         uuid.UUID
	table       int32
	kind        changelog.Kind
	first, last int64
	person      *uuid.UUID
	name        *string
	credential  string
	records     int64
}

func (g *setGroup) targets() []any {
	return []any{&g.set, &g.table, &g.kind, &g.first, &g.last, &g.person, &g.name, &g.credential, &g.records}
}

// made notes when and by whom some of the change set was made.
func (c *ChangeSet) made(g *setGroup) {
	first, last := changelog.TimeOf(g.first), changelog.TimeOf(g.last)
	if c.First.IsZero() || first.Before(c.First) {
		c.First = first
	}
	if last.After(c.Last) {
		c.Last = last
	}
	c.Person, c.PersonName, c.Credential = g.person, g.name, g.credential
}

func (c *ChangeSet) add(table *schema.Table, g *setGroup) {
	c.made(g)
	i := slices.IndexFunc(c.Tables, func(t TableChanges) bool { return t.Table.Number == g.table })
	if i < 0 {
		i = len(c.Tables)
		c.Tables = append(c.Tables, TableChanges{Table: table, InTrash: table.Base == nil})
	}
	t := &c.Tables[i]
	switch g.kind { //nolint:exhaustive // the statement reads no others
	case changelog.Created:
		t.Created = g.records
	case changelog.Updated:
		t.Updated = g.records
	case changelog.Deleted:
		t.Deleted = g.records
	case changelog.Linked:
		t.Linked = g.records
	case changelog.Restored:
		t.Restored = g.records
	}
}
