package query

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A plan of a table of schema.Snapshot.Stored reads columns of lookups, rollups, counts and what reads them, which
// marks may say are out of date. There are two ways to an exact answer: the statement fails if a mark concerns
// what it reads (Demand), or it reads the columns of the records that no mark concerns and computes the others (Merge).

// Kept lists the fields of the plan's table, and of tables that it looks at through links, whose columns its conditions
// and its order read and may be out of date. through says that it looks at other tables or searches; ready is how
// the field that is least ready can be read.
func (p *Plan) Kept() (fields []*schema.Field, through bool, ready schema.Readiness) {
	fields, through, ready = p.Filter.kept(nil)
	for _, f := range p.colors.fields(nil) {
		ready = max(ready, f.Readiness())
		if f.Asserted() {
			fields = append(fields, f)
		}
	}
	for _, s := range p.Sorts {
		ready = max(ready, s.Field.Readiness())
		if s.Field.Asserted() {
			fields = append(fields, s.Field)
		}
	}
	return fields, through || p.Search != nil, ready
}

// Kept is Plan.Kept for an aggregation.
func (p *AggregationPlan) Kept() (fields []*schema.Field, through bool, ready schema.Readiness) {
	fields, through, ready = p.Plan.Kept()
	read := p.fields()
	for _, g := range p.by {
		if len(g.links) > 0 {
			read, through = append(read, g.field), true
		}
	}
	for _, f := range read {
		ready = max(ready, f.Readiness())
		if f.Asserted() {
			fields = append(fields, f)
		}
	}
	for _, g := range p.by { // the title of a linked record
		if linked := linkedTable(g.field); linked != nil {
			through = true
			if primary := linked.Primary(); primary != nil {
				ready = max(ready, primary.Readiness())
				if primary.Asserted() {
					fields = append(fields, primary)
				}
			}
		}
	}
	return fields, through, ready
}

// kept adds the fields that a filter compares and that marks may concern.
func (f *Filter) kept(to []*schema.Field) (fields []*schema.Field, through bool, ready schema.Readiness) {
	if fields = to; f == nil {
		return fields, false, schema.InColumns
	}
	if f.field != nil {
		ready = f.field.Readiness()
		if f.field.Asserted() {
			fields = append(fields, f.field)
		}
	}
	through = f.link != nil
	for i := range f.parts {
		more, across, filled := f.parts[i].kept(fields)
		fields, through, ready = more, through || across, max(ready, filled)
	}
	return fields, through, ready
}

// Demand has the plan's statement fail with db.StateStale if a mark concerns one of the fields or their columns are of
// another day, and with
// db.StateSchemaChanged if a table that they read is another one than the snapshot has.
func (p *Plan) Demand(s *schema.Snapshot, fields []*schema.Field) {
	p.demand = nil
	if condition := p.Table.StaleCondition(fields); condition != "" {
		p.demand = append(p.demand, "(select gate.assert("+condition+", '"+db.StateStale+"'))")
	}
	p.demand = append(append(p.demand, daysOf(fields)...), versionsOf(s, p.Table, fields)...)
}

// daysOf asserts with db.StateStale that columns which fields read are of the present day.
func daysOf(fields []*schema.Field) []string {
	var demand []string
	for _, condition := range schema.DayConditions(fields) {
		demand = append(demand, "(select gate.assert("+condition+", '"+db.StateStale+"'))")
	}
	return demand
}

// versionsOf asserts the versions of the tables, except one, that fields read. They stand in the statement as
// constants, and so in the keys of totals.
func versionsOf(s *schema.Snapshot, t *schema.Table, fields []*schema.Field) []string {
	var demand []string
	var seen []int32
	for _, f := range fields {
		for _, number := range f.Computed.Tables {
			read := s.TableByNumber(number)
			if number == t.Number || read == nil || slices.Contains(seen, number) {
				continue
			}
			ref := read.Ref()
			seen = append(seen, number)
			demand = append(demand, fmt.Sprintf("(select gate.assert(%s = %d, '%s'))", ref.VersionNow(), ref.Version,
				db.StateSchemaChanged))
		}
	}
	return demand
}

// Present has the plan, which is of schema.Snapshot.Present, read present values of the fields. all has them computed
// for all records at once. The statement fails with db.StateStale if columns are of another day.
func (p *Plan) Present(s, present *schema.Snapshot, fields []*schema.Field, all bool) {
	p.demand = append(daysOf(fields), versionsOf(s, p.Table, fields)...)
	p.present = &presentValues{present, fields, all}
}

// presentValues are the fields of which a statement reads present values.
type presentValues struct {
	snapshot *schema.Snapshot
	fields   []*schema.Field
	all      bool
}

// parts are the common table expressions that the statement needs.
func (p *presentValues) parts(statement string) []CTE {
	if p == nil {
		return nil
	}
	var with []CTE
	for _, part := range p.snapshot.Parts(statement, p.fields, p.all) {
		with = append(with, CTE(part))
	}
	return with
}

// Merge has the plan's statement read the columns of the fields, which are of its own table, in records that no mark
// concerns, and list the others as another plan of the same request does, which has Present. The statement fails with
// db.StateStale if columns are of another day.
func (p *Plan) Merge(s *schema.Snapshot, live *Plan, fields []*schema.Field) {
	p.demand = append(daysOf(fields), versionsOf(s, p.Table, fields)...)
	p.live, p.present = live, live.present
}

// isStale and isClean are the conditions that marks concern a record, or not. PostgreSQL looks through all stale
// records for each record of the table unless it expects a hash table of them to fit into its memory (PresentMemory).
const (
	isStale = "t.id = any (array(select id from stale))"
	isClean = "t.id not in (select id from stale)"
)

// PresentMemory is a statement to be sent before that of a plan with Present or Merge; "" for other plans.
func (p *Plan) PresentMemory() string {
	if p.present == nil {
		return ""
	}
	return "select set_config('work_mem', '64MB', true), set_config('jit', 'off', true)"
}

// addStale adds the common table expressions with the ids of the records that marks concern, and fresh: those of
// them that the list has, with what they are computed to.
func (s *pageStatement) addStale() {
	s.with = append(s.with, CTE{Name: "stale", Body: schema.Stale(s.present.fields)})
	fresh := Select{
		Columns: []string{"t.*"}, From: s.live.Table.From(s.live.shows()),
		Where: []string{isStale, s.condition(s.live.Filter)},
	}
	s.with = append(s.with, CTE{Name: "fresh", Body: fresh.String()})
}

// countMerged is the total of a merged list. It counts by columns alone, for which an index may serve, and takes away
// the records whose columns are out of date.
func (s *pageStatement) countMerged() total {
	all := Select{Columns: []string{"count(*)"}, From: s.Table.From(s.reads(nil)), Where: s.conditions}
	wrong := all
	wrong.Where = append([]string{isStale}, s.conditions...)
	return total{"((" + all.String() + ") - (" + wrong.String() + ") + (select count(*) from fresh))", "s"}
}

// mergedPage is page for a merged list.
func (s *pageStatement) mergedPage(projection *Projection) string {
	behind, liveBehind := []string{""}, []string{""}
	if s.Cursor != nil {
		behind, liveBehind = s.after(s.Cursor, s.Sorts), s.after(s.Cursor, s.live.Sorts)
	}
	order := make([]string, 0, len(s.Sorts)+1)
	for i, one := range s.Sorts {
		by := strconv.Itoa(projection.width + i + 1)
		if one.Desc {
			by += " desc nulls last"
		}
		order = append(order, by)
	}
	order = append(order, "1")
	most := s.limit
	if s.skip != "" {
		most += " + " + s.skip
	}
	columns, liveColumns := s.Plan.columns(s.Compiler, projection), s.live.columns(s.Compiler, projection)
	lists := make([]string, len(behind))
	for i := range behind {
		clean := Select{
			Columns: columns,
			From:    s.Table.From(s.shows()),
			Where:   append(slices.Clone(s.conditions), isClean, behind[i]),
			OrderBy: orderBy(s.Sorts), Limit: most,
		}
		stale := Select{
			Columns: liveColumns,
			From:    "fresh t",
			Where:   []string{liveBehind[i]},
			OrderBy: orderBy(s.live.Sorts), Limit: most,
		}
		list := Select{
			Columns: []string{"*"}, From: "((" + clean.String() + ") union all (" + stale.String() + ")) u",
			OrderBy: order, Limit: s.limit, Offset: s.skip,
		}
		lists[i] = list.String()
	}
	return s.together(lists)
}
