package query

import (
	"encoding/binary"
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A pageStatement writes the one statement that reads a page of a list and the list's total, so that
// both come from one snapshot. Its rows have the table's stamp, the total, and a record with its sort
// values, which is null in the one row of an empty page.
type pageStatement struct {
	*Compiler
	*Plan
	hint *TotalHint

	with       []CTE
	conditions []string // on every record of the list
	total      total

	limit      string // of the page and one record more, which shows whether there is another page
	skip       string // records to skip; "" after a cursor, and if a condition skips them
	hintWrites string // the stamp with which the hint is valid; "" without a hint
}

// sortColumns lists the columns that a list is sorted by.
func sortColumns(sorts []Sort) []string {
	columns := make([]string, len(sorts))
	for i, s := range sorts {
		columns[i] = sortExpression(s.Field)
	}
	return columns
}

func sortFields(sorts []Sort) []*schema.Field {
	fields := make([]*schema.Field, len(sorts))
	for i, s := range sorts {
		fields[i] = s.Field
	}
	return fields
}

// reads lists the fields whose columns the plan's conditions name, after others.
func (p *Plan) reads(others []*schema.Field) []*schema.Field {
	fields := p.Filter.fields(slices.Clip(others))
	if p.Search != nil && p.moment != 0 {
		fields = append(fields, p.Search.live...)
	}
	return fields
}

// shows lists the fields whose columns the page names in addition to its projection.
func (p *Plan) shows() []*schema.Field { return p.reads(p.colors.fields(sortFields(p.Sorts))) }

// Colored reports whether the rows of the page have colours.
func (p *Plan) Colored() bool { return p.colors != nil }

// A Row is a row of a page's statement. Its bytes are of the row that was read.
type Row struct {
	Writes, Total int64
	Record        [][]byte // of the projection; nil in the one row of an empty page
	Sort          [][]byte
	Color         string // that the rules give the record; "" for none
}

// ReadRow reads a row of the plan's statement.
func (p *Plan) ReadRow(raw [][]byte) Row {
	row := Row{
		Writes: int64(binary.BigEndian.Uint64(raw[0])), //nolint:gosec // two's complement
		Total:  int64(binary.BigEndian.Uint64(raw[1])), //nolint:gosec // two's complement
	}
	if raw[2] != nil {
		if p.colors != nil {
			last := len(raw) - 1
			if raw[last] != nil {
				row.Color = field.Colors[binary.BigEndian.Uint32(raw[last])]
			}
			raw = raw[:last]
		}
		values := len(raw) - len(p.Sorts)
		row.Record, row.Sort = raw[2:values], raw[values:]
	}
	return row
}

// A total is the SQL expression for the number of records of a list.
type total struct {
	expression string // "" is the number of all records of the table, which is in the stamp
	from       string
}

// deepOffset is the offset from which on records in the default order are skipped by the primary key
// only.
const deepOffset = 500

// Statement writes the plan as SQL that selects records by a projection, and returns what is known of
// the list's total. ReadRow reads its rows.
func (p *Plan) Statement(c *Compiler, projection *Projection, totals *TotalCache) (sql string, hint TotalHint) {
	c.shares = true
	condition, hint := totals.hint(c, p)
	s := &pageStatement{Compiler: c, Plan: p, hint: &hint}
	if condition != "" {
		s.conditions = append(s.conditions, condition)
	}
	s.addStamp()
	s.limit = c.Add(int64(p.Limit)+1) + "::bigint"
	if p.Cursor == nil {
		s.skip = c.Add(p.Offset) + "::bigint"
	}
	offset := s.skip
	switch {
	case p.live != nil:
		s.addStale()
		if condition != "" {
			s.total = s.countMerged()
		}
	case p.Search != nil:
		s.addSearch()
	case condition != "":
		s.total = s.count()
	}
	if p.Offset >= deepOffset && len(s.conditions) == 0 && len(p.Sorts) == 0 {
		first := Select{
			Columns: []string{"i.id"},
			From:    p.Table.Relation() + " i",
			OrderBy: []string{"i.id"},
			Limit:   "1",
			Offset:  s.skip,
		}
		s.conditions = append(s.conditions, "t.id >= ("+first.String()+")")
		s.skip = ""
	}
	return s.join(s.page(projection), offset), hint
}

// addStamp adds the common table expression s: the table's records, and the writes to all that the list
// shows.
func (s *pageStatement) addStamp() {
	tables := []int32{s.Table.Number}
	if s.Search != nil {
		tables = append(tables, s.Search.Linked...)
	}
	tables = s.Filter.linkedTables(tables)
	stamp := stampOf(s.Table.CountRelation(), s.Add(s.Table.Number), s.Add(tables))
	s.with = []CTE{{Name: "s", Body: And(append([]string{stamp}, s.demand...)...)}}
	if s.hint.applies() {
		s.hintWrites = s.Add(s.hint.writes) + "::bigint"
	}
}

// addSearch adds the common table expression hits, the positions of the records that the search finds,
// and the condition on them.
func (s *pageStatement) addSearch() {
	if len(s.conditions) > 0 || len(s.Sorts) > 0 || s.Cursor != nil || !s.Search.inOrder() || s.Table.Rows() != nil {
		s.with = append(s.with, CTE{Name: "hits", Body: s.Search.places(s.Compiler, "null", "")})
		s.conditions = append(s.conditions, s.isAt("select places from hits"))
		s.total = s.count()
		return
	}
	// The search itself yields the page, because its result is in the list's order. It may stop after
	// the page if the total is known.
	most := "case when s.writes = " + s.hintWrites + " then " + s.skip + " + " + s.limit + " end"
	s.with = append(s.with, CTE{Name: "hits", Body: s.Search.places(s.Compiler, most, "s")})
	s.conditions = append(s.conditions, s.isAt("select places["+s.skip+" + 1 : "+s.skip+" + "+s.limit+"] from hits"))
	s.skip = ""
	s.total = total{"cardinality(hits.places)::bigint", "s cross join hits"}
}

// isAt is the condition that a record is at one of the positions that a query yields as an array.
func (c *Compiler) isAt(places string) string {
	if !c.topology.HasPositions() {
		return "t.id = any ((" + places + ")::uuid[])"
	}
	return "t.ctid = any ((" + places + ")::tid[])"
}

// count is the total that counts by the conditions so far.
func (s *pageStatement) count() total {
	if len(s.Compiler.with) == 1 && len(s.conditions) == 1 && s.Table.Rows() == nil {
		if shared := s.Compiler.with[0].Name; s.conditions[0] == isAmong(shared) { // ids of records, each once
			return total{"(select count(*) from " + shared + ")", "s"}
		}
	}
	counted := Select{Columns: []string{"count(*)"}, From: s.Table.From(s.reads(nil)), Where: s.conditions}
	return total{"(" + counted.String() + ")", "s"}
}

// columns are the columns of a page of a plan: of the projection, of the order, and the rule of the colour.
func (p *Plan) columns(c *Compiler, projection *Projection) []string {
	return slices.Concat([]string{projection.columns}, sortColumns(p.Sorts), p.colors.columns(c))
}

// page selects the records of the page. After a cursor that may be two lists, one after the other, each
// served by an index.
func (s *pageStatement) page(projection *Projection) string {
	if s.live != nil {
		return s.mergedPage(projection)
	}
	columns := s.Plan.columns(s.Compiler, projection)
	behind := []string{""}
	if s.Cursor != nil {
		behind = s.after(s.Cursor, s.Sorts)
	}
	lists := make([]string, len(behind))
	for i, condition := range behind {
		list := Select{
			Columns: columns, From: s.Table.From(s.shows()),
			Where:   append(slices.Clone(s.conditions), condition),
			OrderBy: orderBy(s.Sorts), Limit: s.limit, Offset: s.skip,
		}
		if s.skip != "" && s.Offset > 0 {
			list = behindSkipped(list)
		}
		lists[i] = list.String()
	}
	return s.together(lists)
}

// together selects lists, of which each is behind the one before.
func (s *pageStatement) together(lists []string) string {
	if len(lists) == 1 {
		return lists[0]
	}
	s.with = append(s.with, CTE{Name: "p1", Body: lists[0]}, CTE{Name: "p2", Body: lists[1]})
	return "select * from p1 union all select * from p2 limit " + s.limit
}

// behindSkipped selects the same records with the columns outside, because PostgreSQL computes the columns of the
// records that it skips as well.
func behindSkipped(list Select) Select {
	page := list
	page.Columns = []string{"t.*"}
	return Select{Columns: list.Columns, From: "(" + page.String() + ") t", OrderBy: list.OrderBy}
}

// join selects the stamp, the total and the page together.
func (s *pageStatement) join(page, offset string) string {
	joined := Select{
		With:    append(s.Compiler.with, s.with...),
		Columns: []string{"s.writes", "s.records", "p.*"},
		From:    "s left join (" + page + ") p on true",
	}
	if s.total.expression != "" {
		joined.With = append(joined.With, CTE{Name: "p", Body: page})
		from, short := s.total.from, ""
		if from == "s" && s.Cursor == nil {
			// The end of the list is on the page, so nothing needs to be counted.
			joined.With = append(joined.With, CTE{Name: "shown", Body: "select count(*) as records from p"})
			from = "s cross join shown"
			short = " when shown.records < " + s.limit + " and (shown.records > 0 or " + offset + " = 0) then " +
				offset + " + shown.records"
		}
		joined.Columns[1] = "case when s.writes = " + s.hintWrites + " then " + s.hint.expression(s.Compiler) + short +
			" else " + s.total.expression + " end"
		joined.From = from + " left join p on true"
	}
	joined.With = append(s.present.parts(joined.String()), joined.With...)
	return joined.String()
}
