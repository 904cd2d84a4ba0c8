package query

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Past is the records of a table as they were at a moment, with today's fields. A record that has not
// changed since is in the record table. Other records are computed from the log of changes: for each
// field, the earliest entry after the moment has the value.
//
// Statements of a Past have common table expressions, whose names end in the number of the table:
//
//	entries  the entries of the log after the moment, one row for each record
//	undone   for each record in entries, its state before all of them
//	links    for each link field, the records that it linked
//	changed  the records that existed and have changed since, as they were
type Past struct {
	Moment changelog.Moment
	// Table is the table for parsing requests and for projections: statements for it read the records
	// as they were, of the relation that the Past puts into them.
	Table *schema.Table
	Whole *Projection // of all fields

	schema    *schema.Snapshot
	now       *schema.Table
	topology  db.Topology
	hasColumn func(field int32) bool
	texts     *pastTexts
}

// pastTexts keeps the texts of statements with the projection Whole. They are the same at each moment, and
// writing them takes as long as a tenth of reading a page.
type pastTexts struct{ stretch, record, total atomic.Pointer[string] }

// kept returns the text that is kept, or the one that write writes, and keeps it unless keep is false.
func kept(text *atomic.Pointer[string], keep bool, write func() string) string {
	if !keep {
		return write()
	}
	if known := text.Load(); known != nil {
		return *known
	}
	written := write()
	text.Store(&written)
	return written
}

// NewPast returns a table's records in the past, for At. files is as in NewProjection.
// hasColumn reports whether the record table still has the column of a field's number: a
// type that a field has no longer may have lost it.
func NewPast(
	s *schema.Snapshot, t *schema.Table, files field.FileLinks, topology db.Topology, hasColumn func(field int32) bool,
) *Past {
	past := t.ReadFrom("past_"+itoa(t.Number), pastPairs)
	return &Past{
		Table: past, Whole: NewProjection(past, past.Listed(), files), schema: s, now: t, topology: topology,
		hasColumn: hasColumn, texts: &pastTexts{},
	}
}

// At returns the records at a moment.
func (p *Past) At(moment changelog.Moment) *Past {
	out := *p
	out.Moment = moment
	return &out
}

// Now is the table with the records as they are.
func (p *Past) Now() *schema.Table { return p.now }

func itoa(n int32) string { return strconv.Itoa(int(n)) }

// momentParameter is the first parameter of every statement of a Past: its moment.
const momentParameter = "$1::bigint"

// compiler begins a statement.
func (p *Past) compiler(now time.Time) *Compiler {
	c := NewCompiler(now, db.Topology{})
	c.Add(int64(p.Moment))
	return c
}

const epoch = "timestamptz '1970-01-01 00:00:00Z'"

// momentTime is the moment as a time.
const momentTime = "(" + epoch + " + " + momentParameter + " * interval '1 microsecond')"

// linkColumn is the column with the list of a link field's records, an array. It is null in a record
// that has not changed since, whose links are in the join table.
func linkColumn(f *schema.Field) string { return `"f_` + itoa(f.Number) + `"` }

// pastPairs is the relation with the pairs of a link field of the record t.
func pastPairs(f *schema.Field) string {
	own, other := f.Link.Own, f.Link.Other
	pairs := fmt.Sprintf("(select x.%[1]s, x.%[2]s, x.pos_%[1]s from %[3]s x where x.%[1]s = t.id and t.%[4]s is null "+
		"union all select t.id, u.other, u.place::integer from unnest(t.%[4]s) with ordinality as u(other, place))",
		own, other, f.Link.Relation(f.Table.Org), linkColumn(f))
	if seen := f.LinkedSeen(); seen != "" {
		return fmt.Sprintf("(select y.* from %s y where y.%s in (select v.id from %s v))", pairs, other, seen)
	}
	return pairs
}

// seenNow is the condition that the person reads a record now, by an alias of the whole table, for somebody who does
// not read all of them: of the past, they read what was of the records that they read now. It is "" for all others.
func seenNow(t *schema.Table, alias string) string {
	if t.Rows() == nil {
		return ""
	}
	return alias + ".id in (select v.id from " + t.Relation() + " v)"
}

// A side is a table whose past a statement reads: the table of the records, or one that they are linked
// to.
type side struct {
	table *schema.Table   // as it is now
	links []*schema.Field // whose pairs the statement reads
	from  string          // the entries, a query; see everything and chain
	page  bool            // only of the records in candidates
	rows  bool            // candidates has the rows of the record table, as row

	hasColumn func(field int32) bool // as in Past; nil is all
}

func (s *side) named(what string) string { return what + "_" + itoa(s.table.Number) }

// everything selects the contents of all entries of a table after the moment. Entries of comments and
// of the schema name no records.
func everything(t *schema.Table) string {
	return "select u.id, c.number, c.kind, u.previous, u.before from " + unnested(changelog.Relation(t.Org)+" c") +
		" where c.table_number = " + itoa(t.Number) + " and c.number > " + momentParameter +
		" and c.kind <= 5 and u.id is not null"
}

// unnested joins entries c with their content for each record.
func unnested(from string) string {
	return from + " cross join lateral rows from (unnest(c.records), unnest(c.previous), " +
		"jsonb_array_elements(c.before)) " +
		"as u(id, previous, before)"
}

// CTEs writes the common table expressions of the past of a table.
func (s *side) ctes() []CTE {
	entries, undone := s.named("entries"), s.named("undone")
	out := []CTE{
		{Name: entries, Body: s.from, Inline: len(s.links) == 0}, {Name: undone, Body: undoneOf(entries, !s.page)},
	}
	for _, f := range s.links {
		out = append(out, CTE{Name: "links_" + itoa(f.Number), Body: pastLinks(f, entries, undone)})
	}
	if s.page {
		return out
	}
	return append(out, CTE{Name: s.named("changed"), Body: s.changed()})
}

// purged is the condition that an entry e is the deletion of a record that was deleted for good.
const purged = "(e.kind = " + changelog.SQLDeleted + " and coalesce(e.before, 'null') = 'null')"

// undoneOf combines the entries about each record: the record's former version, whether it did not
// exist, whether its next change was its deletion, whose entry has all values, and the former values of
// changed fields. A purged record, whose deletion has no values, is absent from all of the past.
//
// The entries of a page are merged in order, because an aggregate with an order of its own would sort
// for each record. Of many entries, the smallest text decides: a number, which has 16 digits until the
// year 2286, a digit for the kind of entry, and the value. Sorting is slower for many entries, and
// faster for a page.
func undoneOf(entries string, many bool) string {
	if !many {
		return "select e.id, min(e.previous) as version, " +
			"coalesce(min(e.number) = min(e.number) filter (where e.kind in (" + changelog.SQLCreated + ", " +
			changelog.SQLRestored + ")), false) or bool_or(" + purged +
			") as absent, " +
			"coalesce(min(e.number) = min(e.number) filter (where e.kind = " + changelog.SQLDeleted +
			"), false) as deleted, " +
			"coalesce(gate.jsonb_merge(e.before) filter (where e.kind in (" + changelog.SQLUpdated + ", " +
			changelog.SQLDeleted + ") and not " + purged +
			"), '{}') as was from (select * from " + entries +
			" order by id, number desc, kind desc) e group by e.id"
	}
	return `with first as (
			select e.id, v.key, min(e.number || case e.kind when 1 then '0' when 5 then '0' when 2 then '1' when 3 then
			'2'
				else '3' end || v.value::text collate "C") as text, min(e.previous) as previous,
				bool_or(` + purged + `) as purged
			from ` + entries + ` e cross join lateral jsonb_each(
				case when e.kind in (` + changelog.SQLUpdated + `, ` + changelog.SQLDeleted + `) and not ` + purged +
		` then e.before else '{}' end || '{"": 0}') v
			group by e.id, v.key)
		select f.id, min(f.previous) as version,
			bool_or(f.key = '' and substr(f.text, 17, 1) = '0' or f.purged) as absent,
			bool_or(f.key = '' and substr(f.text, 17, 1) = '2') as deleted,
			coalesce(jsonb_object_agg(f.key, substr(f.text, 18)::jsonb) filter (where f.key <> ''), '{}') as was
		from first f group by f.id`
}

// pastLinks selects the former links of a link field of the records in undone. For each pair the
// earliest entry that mentions it decides. An update or a deletion of the record mentions all pairs,
// because it has the whole list. A change from the other side mentions the pairs that it has added or
// removed. The log has no positions of these, so they come last.
func pastLinks(f *schema.Field, entries, undone string) string {
	return strings.NewReplacer(
		"{key}", changelog.Key(&f.Field), "{entries}", entries, "{undone}", undone,
		"{own}", f.Link.Own, "{other}", f.Link.Other, "{join}", f.Link.Relation(f.Table.Org),
	).Replace(`with list as materialized (
			select distinct on (e.id) e.id, e.number, e.kind, coalesce(e.before -> '{key}', '[]') as held from
			{entries} e
			where e.kind = ` + changelog.SQLDeleted + ` or e.kind = ` + changelog.SQLUpdated + `
			and e.before ? '{key}' order by e.id, e.number, e.kind),
		named as materialized (
			select distinct on (e.id, d.other) e.id, d.other, d.there from {entries} e left join list l on l.id = e.id
			cross join lateral (
				select r::uuid as other, false as there from jsonb_array_elements_text(e.before #> '{{key},added}') r
				union all select r::uuid, true from jsonb_array_elements_text(e.before #> '{{key},removed}') r) d
			where e.kind = ` + changelog.SQLLinked + ` and e.before ? '{key}' and (l.id is null
			or (e.number, e.kind) < (l.number, l.kind))
			order by e.id, d.other, e.number),
		pair as (
			select l.id, r.other::uuid as other, r.place from list l
			cross join lateral jsonb_array_elements_text(l.held) with ordinality as r(other, place)
			union all select u.id, x.{other}, x.pos_{own} from {undone} u join {join} x on x.{own} = u.id
			where not exists (select from list l where l.id = u.id))
		select h.id, array_agg(h.other order by h.place, h.other) as others from (
			select p.id, p.other, p.place from pair p
			where not exists (select from named n where n.id = p.id and n.other = p.other)
			union all select n.id, n.other, 2147483647 from named n where n.there) h group by h.id`)
}

// asItWas is the SQL for the relation r with a record as it was, computed from now, its row in the
// record table, and u, its row of undone. A deleted record has no field that is younger than its
// deletion.
func (s *side) asItWas(now string) string {
	unset := []string{"'id'", "u.id"}
	for _, f := range s.table.Fields {
		if value := f.Unset(); value != nil && f.Info().Column != "" {
			unset = append(unset, "'"+changelog.Key(&f.Field)+"'", fmt.Sprintf("%v", value))
		}
	}
	return " cross join lateral jsonb_populate_record(" + now + ", case when (" + now + ").id is null then " +
		"jsonb_build_object(" + strings.Join(unset, ", ") + ") || u.was else coalesce(u.was, '{}') end) r"
}

// joinLinks joins the former links of u.
func (s *side) joinLinks() (join string) {
	for _, f := range s.links {
		join += fmt.Sprintf(" left join links_%[1]d h%[1]d on h%[1]d.id = u.id", f.Number)
	}
	return join
}

func linksNow(*schema.Field) string { return "null::uuid[]" }

func linksThen(f *schema.Field) string { return fmt.Sprintf("coalesce(h%d.others, '{}')", f.Number) }

// changed selects the records that existed and have changed since, as they were.
func (s *side) changed() string {
	query := Select{
		Columns: s.columns("r", "u.version", "u.deleted", linksThen),
		From: s.named("undone") + " u left join " + s.table.Whole().Relation() + " n on n.id = u.id" + s.joinLinks() +
			s.asItWas("n"),
		Where: []string{"not u.absent"},
	}
	if seen := seenNow(s.table, "n"); seen != "" {
		query.Where = append(query.Where, seen)
	}
	return query.String()
}

// relation is the records as they were, in the columns of the record table and of linkColumn.
func (s *side) relation() string {
	if s.page {
		return s.pageRelation()
	}
	unchanged := Select{
		Columns: s.columns("n", "n.version", "true", linksNow),
		From:    s.table.Whole().Relation() + " n",
		Where:   []string{"n.version <= " + momentParameter},
	}
	if seen := seenNow(s.table, "n"); seen != "" {
		unchanged.Where = append(unchanged.Where, seen)
	}
	return unchanged.String() + " union all select * from " + s.named("changed")
}

// pageRelation is relation for the records in candidates, which may have their rows. A further column
// says for each candidate whether the record existed.
func (s *side) pageRelation() string {
	now, join := "k.row", ""
	if !s.rows {
		now, join = "n", " left join "+s.table.Whole().Relation()+" n on n.id = k.id"
	}
	query := Select{
		Columns: s.columns("r", "coalesce(u.version, k.version)", "coalesce(u.deleted, true)",
			func(f *schema.Field) string {
				return "case when u.id is null then " + linksNow(f) + " else " + linksThen(f) + " end"
			}),
		From: "candidates k left join " + s.named("undone") + " u on u.id = k.id" + join + s.joinLinks() +
			s.asItWas(now),
	}
	query.Columns = append(query.Columns, "k.id as candidate", "k.shown", "case when not k.shown then true "+
		"when u.id is null then k.version <= "+momentParameter+" else not u.absent end as there")
	return query.String()
}

// columns lists the columns of a relation, for a record under an alias. The record table says when a
// record was last written, and by whom. If that was after the moment, or is unknown, the time and
// author of the record's former version are used instead. known is the condition that the record
// table's version is the former one.
func (s *side) columns(alias, version, known string, links func(f *schema.Field) string) []string {
	at, by := alias+".updated_at", alias+".updated_by"
	known += " and " + at + " <= " + momentTime
	reads := func(column string) bool {
		return slices.ContainsFunc(s.table.Fields, func(f *schema.Field) bool { return f.Info().System == column })
	}
	if reads("updated_at") {
		at = "case when " + known + " then " + at + " when " + version + " = 0 then " + alias + ".created_at else " +
			epoch +
			" + " + version + " * interval '1 microsecond' end"
	}
	if reads("updated_by") {
		by = "case when " + known + " then " + by + " when " + version + " = 0 then " + alias + ".created_by else " +
			"(select c.person from " + changelog.Relation(s.table.Org) + " c where c.number = " + version +
			" and c.table_number = " + itoa(s.table.Number) + " and " + alias + ".id = any (c.records) " +
			"order by c.kind limit 1) end"
	}
	columns := []string{
		alias + ".id", alias + ".created_at", at + " as updated_at", alias + ".created_by", by + " as updated_by",
		version + " as version",
	}
	for _, f := range s.table.Fields {
		switch column := f.Info().Column; {
		case column == "":
		case s.hasColumn == nil || s.hasColumn(f.Number):
			columns = append(columns, alias+"."+f.Column())
		case alias == "r":
			columns = append(columns, fmt.Sprintf("(select x.v from jsonb_to_record(jsonb_build_object('v', "+
				"u.was -> '%s')) as x(v %s)) as %s", changelog.Key(&f.Field), column, f.Column()))
		default: // all former values of the record are in its log
			columns = append(columns, "null::"+column+" as "+f.Column())
		}
	}
	for _, f := range s.links {
		columns = append(columns, links(f)+" as "+linkColumn(f))
	}
	return columns
}

// linksIn lists the link fields of the table that are among fields, which may be of a Past's table.
func (p *Past) linksIn(fields []*schema.Field) []*schema.Field {
	var out []*schema.Field
	for _, f := range p.now.Fields {
		if f.Link != nil && slices.ContainsFunc(fields, func(g *schema.Field) bool { return g.ID == f.ID }) {
			out = append(out, f)
		}
	}
	return out
}

// fields adds the fields that a filter compares.
func (f *Filter) fields(to []*schema.Field) []*schema.Field {
	if f == nil || f.link != nil { // of another table
		return to
	}
	if f.field != nil {
		to = append(to, f.field)
	}
	for i := range f.parts {
		to = f.parts[i].fields(to)
	}
	return to
}

// foreign reports whether the filter compares values that change without a stamp: computed values that
// depend on more than their record, in the table or in linked ones.
func (f *Filter) foreign() bool {
	switch {
	case f == nil:
		return false
	case f.field != nil && f.field.Computed != nil && f.field.Computed.Foreign:
		return true
	}
	return slices.ContainsFunc(f.parts, func(part Filter) bool { return part.foreign() })
}

// read begins a statement that reads the table's records with the links of some fields, and
// returns its common table expressions, and the condition of a search.
func (p *Past) read(c *Compiler, plan *Plan, fields []*schema.Field) (with []CTE, found string) {
	fields = plan.Filter.fields(slices.Clone(fields))
	var names []CTE
	if plan.Search != nil {
		fields = p.now.Fields
		with, names, found = p.search(c, plan.Search)
	}
	s := &side{table: p.now, links: p.linksIn(fields), from: everything(p.now), hasColumn: p.hasColumn}
	return slices.Concat(with, s.ctes(), []CTE{s.past()}, names), found
}

// past is the common table expression with the records as they were. Statements read it in place of the
// record table, so that the indexes of the record table serve unchanged records.
func (s *side) past() CTE {
	return CTE{Name: s.named("past"), Body: s.relation(), Inline: true}
}

// wrongClocks bounds the difference between the clock that gives ids and the clock of the database.
const wrongClocks = time.Hour

// idAt is the smallest id that can be given at a time.
func idAt(t time.Time) uuid.UUID {
	var id uuid.UUID
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], uint64(max(t.UnixMilli(), 0)))
	copy(id[:6], stamp[2:])
	return id
}
