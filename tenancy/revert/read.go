package revert

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A run is one revert or restoration, from what it reads to what it writes.
type run struct {
	engine  *Engine
	actor   record.Actor
	origin  changelog.Origin
	schema  *schema.Snapshot
	limit   *limit // nil: nothing limits the person
	mode    OnConflict
	subject string // of the audit event

	own    selection // of the log: the reverted entries
	since  int64     // the number of its first change of the schema
	sets   []uuid.UUID
	tables map[int32]*table

	evolved map[int32]*changelog.Evolution
	pending []changelog.ObjectChange // the run's own changes of fields

	others    map[uuid.UUID]bool // change sets that reverts have cancelled, and these reverts
	members   map[uuid.UUID]bool // of the organization; nil until they are asked for
	conflicts []*conflict        // of records
	objects   []catalog.ObjectConflict
	plan      Plan
}

func newRun(ctx context.Context, e *Engine, actor record.Actor, s *schema.Snapshot, in Request) *run {
	return &run{
		engine: e, actor: actor, origin: changelog.OriginOf(ctx), schema: s, mode: in.OnConflict,
		own:    selectionOf(in),
		tables: map[int32]*table{}, others: map[uuid.UUID]bool{}, evolved: map[int32]*changelog.Evolution{},
		plan: Plan{ChangeSets: []string{}, Tables: []TablePlan{}, Conflicts: []Conflict{}},
	}
}

func (r *run) log() string { return changelog.Relation(r.actor.Org) }

// A table is the state of the run for one table.
type table struct {
	*schema.Table
	fields  map[string]*schema.Field // by their key in the log, those that can be written
	rows    []*row                   // in the order of their ids
	byID    map[uuid.UUID]*row
	files   map[uuid.UUID]bool // that entries name and that still exist; nil until they are looked up
	leftOut map[string]int     // records by the key of a deleted field
	parked  []*row             // that give up a unique value before another record takes it
	buried  []*buried          // fields in the trash, which records that come back get their values of
}

// table returns the run's state of a table.
func (r *run) table(t *schema.Table) *table {
	known := r.tables[t.Number]
	if known == nil {
		known = &table{
			Table: t, fields: map[string]*schema.Field{}, byID: map[uuid.UUID]*row{}, leftOut: map[string]int{},
		}
		for _, f := range t.Fields {
			if f.Info().Column != "" || f.Link != nil {
				known.fields[changelog.Key(&f.Field)] = f
			}
		}
		r.tables[t.Number] = known
	}
	return known
}

// ordered lists the tables in the order of their numbers.
func (r *run) ordered() []*table {
	var out []*table
	for _, t := range r.tables {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *table) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

// A row is the state of the run for one record.
type row struct {
	id      uuid.UUID
	there   bool
	version int64
	own     []entry // the reverted entries, the oldest first
	foreign []entry // the changes of others since, if the record has moved on

	present map[string][]byte // values that were read, as JSON; lists of links as well

	// What the run decides.
	does    deed
	image   []byte            // of a restored record: its former values
	deleted int64             // the number of its deletion
	values  map[string][]byte // what is written into columns
	lists   map[*schema.Field][]uuid.UUID
	blocked map[*schema.Field]bool // fields that stay as they are; nil is the whole record
	sized   int                    // how many values there were when its size was checked
	notes   []string               // what does not come back with it, and why
	past    bool                   // the whole record is set to its former state, so that missing values are noted

	reported bool // as written
}

// A deed is what a run does with a record.
type deed int

const (
	leave deed = iota
	update
	remove
	restore
)

// An entry is an entry of the log about one record.
type entry struct {
	number, previous int64
	kind             changelog.Kind
	was              []byte
	set              uuid.UUID
	by               *author // of foreign entries
	moved            bool    // a change of the schema moved the values; see changelog.Past
}

// withoutReturns leaves out the links that a record got from the other side when it was restored. Its
// deletion has its former links, so the restoration changed nothing in it.
func withoutReturns(entries []entry) []entry {
	back := map[int64]bool{}
	for i := range entries {
		if entries[i].kind == changelog.Restored {
			back[entries[i].number] = true
		}
	}
	if len(back) == 0 {
		return entries
	}
	return slices.DeleteFunc(entries, func(e entry) bool { return e.kind == changelog.Linked && back[e.number] })
}

// An author is where a foreign entry came from.
type author struct {
	set        uuid.UUID
	person     *uuid.UUID
	credential string
}

// rank orders the entries of one record with the same number in the order in which they happened.
func (e *entry) rank() int {
	return slices.Index([]changelog.Kind{
		changelog.Created, changelog.Restored, changelog.Updated, changelog.Linked, changelog.Deleted,
	}, e.kind)
}

func byTime(a, b entry) int {
	return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.rank(), b.rank()))
}

// members reads the fields of an entry.
func (e *entry) members() map[string][]byte { return membersOf(e.was) }

func membersOf(object []byte) map[string][]byte {
	out := map[string][]byte{}
	each(object, func(key string, value []byte) bool {
		out[key] = value
		return true
	})
	return out
}

// expanded is the FROM of a SELECT of the log's entries under the alias c, with one row under the alias
// e for each record in them. was is null in a creation, and in the deletion of a purged record.
func (r *run) expanded() string {
	return r.log() + " c, rows from (unnest(c.records), unnest(coalesce(c.previous, '{}')), " +
		"jsonb_array_elements(coalesce(c.before, '[]'))) as p(id, previous, was), " +
		"lateral (select p.id, p.previous, nullif(p.was, 'null') as was) e"
}

// readOwn reads the entries to revert.
func (r *run) readOwn(ctx context.Context, tx pgx.Tx) error {
	numbers := make([]int32, 0, len(r.tables))
	for number := range r.tables {
		numbers = append(numbers, number)
	}
	own, args := r.own.sql(2)
	result, err := tx.Query(ctx, "select c.table_number, c.number, c.kind, e.previous, e.id, e.was::text, "+
		"c.change_set from "+
		r.expanded()+" where c.table_number = any ($1) and c.kind <= 5 and "+own+" and "+r.sees(),
		append([]any{numbers}, args...)...)
	if err != nil {
		return fmt.Errorf("reading the changes to revert: %w", err)
	}
	defer result.Close()
	count, size := 0, 0
	for result.Next() {
		var number int32
		var u uuid.UUID
		var previous *int64
		e := entry{}
		if err := result.Scan(&number, &e.number, &e.kind, &previous, &u, &e.was, &e.set); err != nil {
			return fmt.Errorf("reading a change: %w", err)
		}
		if previous != nil {
			e.previous = *previous
		}
		t := r.tables[number]
		if !r.show(t, &e) {
			continue
		}
		one := t.byID[u]
		if one == nil {
			if count++; count > MaxRecords {
				return tooMuch("more than %d records", MaxRecords)
			}
			one = &row{id: u}
			t.byID[u] = one
			t.rows = append(t.rows, one)
		}
		if size += len(e.was); size > maxValues {
			return tooMuch("more than %d MB of values", maxValues>>20)
		}
		one.own = append(one.own, e)
	}
	if err := result.Err(); err != nil {
		return fmt.Errorf("reading the changes to revert: %w", err)
	}
	for _, t := range r.tables {
		slices.SortFunc(t.rows, func(a, b *row) int { return bytes.Compare(a.id[:], b.id[:]) })
		for _, one := range t.rows {
			if len(one.own) > 1 {
				slices.SortStableFunc(one.own, byTime)
				one.own = withoutReturns(one.own)
			}
		}
	}
	return nil
}

func tooMuch(format string, args ...any) error {
	return (&problem.Error{
		Kind: problem.KindTooLarge,
		Message: fmt.Sprintf("The changes are of "+format+", which is more than one revert takes back. Nothing was "+
			"changed; name fewer change sets, or a later moment.", args...),
	}).WithCode(problem.CodeRevertTooLarge)
}

func (t *table) ids() []uuid.UUID {
	ids := make([]uuid.UUID, len(t.rows))
	for i, one := range t.rows {
		ids[i] = one.id
	}
	return ids
}

// readVersions reads which records exist.
func (t *table) readVersions(ctx context.Context, tx pgx.Tx) error {
	result, err := tx.Query(ctx, "select t.id, t.version from "+t.Relation()+" t where t.id = any ($1)", t.ids())
	if err != nil {
		return fmt.Errorf("reading versions: %w", err)
	}
	var u uuid.UUID
	var version int64
	_, err = pgx.ForEachRow(result, []any{&u, &version}, func() error {
		one := t.byID[u]
		one.there, one.version = true, version
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading versions: %w", err)
	}
	return nil
}

// movedOn reports whether other changes than the reverted ones may have followed in a record.
func (one *row) movedOn() bool {
	last := len(one.own) - 1
	if !one.there || one.own[last].number != one.version {
		return true
	}
	for i := 1; i <= last; i++ {
		e, before := one.own[i], one.own[i-1]
		if e.previous != e.number && e.previous != before.number && e.number != before.number {
			return true
		}
	}
	return false
}

// readForeign reads the changes of others in records that have moved on, since the first reverted
// change.
func (r *run) readForeign(ctx context.Context, tx pgx.Tx, t *table) error {
	var moved []uuid.UUID
	var from int64
	for _, one := range t.rows {
		if one.movedOn() {
			if len(moved) == 0 || one.own[0].number < from {
				from = one.own[0].number
			}
			moved = append(moved, one.id)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	own, args := r.own.sql(5)
	// The run's own entries of a change of the schema are not foreign.
	result, err := tx.Query(ctx, "select c.number, c.kind, e.previous, e.id, e.was::text, c.change_set, c.person, "+
		"c.credential from "+r.expanded()+" where c.table_number = $1 and c.kind <= 5 and c.number > $2 and not ("+own+
		") and e.id = any ($3) and c.change_set <> $4", append([]any{t.Number, from, moved, r.origin.Set}, args...)...)
	if err != nil {
		return fmt.Errorf("reading later changes: %w", err)
	}
	defer result.Close()
	authors := map[uuid.UUID]*author{}
	for result.Next() {
		var u uuid.UUID
		var previous *int64
		e, by := entry{}, author{}
		if err := result.Scan(
			&e.number, &e.kind, &previous, &u, &e.was, &by.set, &by.person, &by.credential,
		); err != nil {
			return fmt.Errorf("reading a later change: %w", err)
		}
		if previous != nil {
			e.previous = *previous
		}
		if authors[by.set] == nil {
			authors[by.set] = &by
		}
		e.by, e.set = authors[by.set], by.set
		if one := t.byID[u]; e.number > one.own[0].number && r.show(t, &e) {
			one.foreign = append(one.foreign, e)
		}
	}
	if err := result.Err(); err != nil {
		return fmt.Errorf("reading later changes: %w", err)
	}
	for _, one := range t.rows {
		slices.SortStableFunc(one.foreign, byTime)
		one.foreign = withoutReturns(one.foreign)
	}
	return nil
}

// readOthers finds out which of the foreign change sets are reverts, or were reverted. Two of them may
// cancel each other.
func (r *run) readOthers(ctx context.Context, tx pgx.Tx) error {
	seen := map[uuid.UUID]bool{}
	for _, t := range r.tables {
		for _, one := range t.rows {
			for _, e := range one.foreign {
				seen[e.by.set] = true
			}
		}
	}
	if len(seen) == 0 {
		return nil
	}
	sets := make([]uuid.UUID, 0, len(seen))
	for set := range seen {
		sets = append(sets, set)
	}
	result, err := tx.Query(ctx, `select s from unnest($2::uuid[]) s where exists (
		select from rowhouse.change_set_revert v where v.org_id = $1 and v.change_set = s)
		or exists (select from rowhouse.change_set_revert v where v.org_id = $1 and v.reverted = s)`, r.actor.Org, sets)
	if err != nil {
		return fmt.Errorf("looking for reverts: %w", err)
	}
	var set uuid.UUID
	_, err = pgx.ForEachRow(result, []any{&set}, func() error { r.others[set] = true; return nil })
	if err != nil {
		return fmt.Errorf("looking for reverts: %w", err)
	}
	return nil
}
