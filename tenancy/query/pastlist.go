package query

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Statement is SQL with its arguments.
type Statement struct {
	SQL  string
	Args []any
}

// Statement writes a list with filters, sorts or a search as SQL. ReadRow reads its rows; their stamp
// is zero.
func (p *Past) Statement(now time.Time, plan *Plan, projection *Projection, fields []*schema.Field) Statement {
	c := p.compiler(now)
	s := &pageStatement{Compiler: c, Plan: plan}
	with, found := p.read(c, plan, fields)
	for _, condition := range []string{c.condition(plan.Filter), found} {
		if condition != "" {
			s.conditions = append(s.conditions, condition)
		}
	}
	s.with = with
	s.limit = c.Add(int64(plan.Limit)+1) + "::bigint"
	if plan.Cursor == nil {
		s.skip = c.Add(plan.Offset) + "::bigint"
	}
	page := s.page(projection)
	counted := s.count()
	joined := Select{
		With:    append(s.with, CTE{Name: "p", Body: page}),
		Columns: []string{"0::bigint", "s.total", "p.*"},
		From:    "(select " + counted.expression + " as total) s left join p on true",
	}
	return Statement{joined.String(), c.Values()}
}

// LongValues is Plan.LongValues.
func (p *Past) LongValues(now time.Time, plan *Plan) (Statement, bool) {
	_, row := plan.LongValues()
	if row == uuid.Nil {
		return Statement{}, false
	}
	c := p.compiler(now)
	query := Select{
		Columns: sortColumns(plan.Sorts), From: p.Table.From(sortFields(plan.Sorts)),
		Where: []string{"t.id = " + c.Add(row)},
	}
	query.With, _ = p.read(c, &Plan{}, nil)
	return Statement{query.String(), c.Values()}, true
}

// Aggregate writes an aggregation as SQL. AggregationPlan.AppendGroup reads its rows.
func (p *Past) Aggregate(now time.Time, plan *AggregationPlan) Statement {
	c := p.compiler(now)
	plan.moment = p.Moment // so that the records are joined with the computed values that a search reads
	with, found := p.read(c, plan.Plan, plan.fields())
	groups := plan.groups(c, found)
	groups.With = with
	return Statement{groups.String(), c.Values()}
}

// InOrder reports whether a plan lists all records in the order of their ids, which needs only the
// past of the records on the page.
func (p *Past) InOrder(plan *Plan) bool {
	const mostSkipped = 1000
	return plan.Filter.Empty() && plan.Search == nil && len(plan.Sorts) == 0 && plan.Offset <= mostSkipped
}

// Behind is the record after which a list in the order of ids begins.
func (p *Plan) Behind() uuid.UUID {
	if p.Cursor != nil {
		return p.Cursor.row
	}
	return uuid.Nil
}

// A Stretch is a part of the table in the order of ids: records after one. Of the records that it
// skips, and of the one after its limit, the statement only asks whether they existed.
type Stretch struct {
	Behind      uuid.UUID
	Skip, Limit int64
}

// Most is how many records the statement looks at.
func (s Stretch) Most() int64 { return s.Skip + s.Limit + 1 }

// gone selects the records that have been deleted since, with the numbers of their deletions.
func (p *Past) gone(condition string) string {
	if p.now.Rows() != nil { // the person does not read them now
		return "select null::uuid as id, 0::bigint as version where false"
	}
	return "select u.id, max(c.number) as version from " + changelog.Relation(p.now.Org) + " c " +
		"cross join lateral unnest(c.records) as u(id) where c.table_number = " + itoa(p.now.Number) +
		" and c.kind = " + changelog.SQLDeleted + " and c.number > " + momentParameter + condition +
		" and not exists (select from " +
		p.now.Relation() + " n where n.id = u.id) group by u.id"
}

// StretchStatement writes a stretch as SQL; ReadStretch reads its rows. Some of the records that it
// looks at may not have existed.
func (p *Past) StretchStatement(
	now time.Time, stretch Stretch, projection *Projection, fields []*schema.Field,
) Statement {
	c := p.compiler(now)
	behind, skip, limit := c.Add(stretch.Behind), c.Add(stretch.Skip)+"::bigint", c.Add(stretch.Limit)+"::bigint"
	before := c.Add(idAt(p.Moment.Time().Add(wrongClocks)))
	text := kept(&p.texts.stretch, projection == p.Whole, func() string {
		// If no record was created or restored since, each that it looks at existed.
		candidates := strings.NewReplacer(
			"{records}", p.now.Whole().Relation(), "{seen}", p.andSeen("n"),
			"{row}", p.rowOf("n"), "{no row}", p.rowOf(""), "{behind}", behind,
			"{before}", before, "{time}", momentTime, "{moment}", momentParameter, "{skip}", skip, "{limit}", limit,
			"{most}", "("+skip+" + "+limit+" + 1)", "{gone}", p.gone(" and u.id > "+behind),
			"{log}", changelog.Relation(p.now.Org), "{table}", itoa(p.now.Number),
		).Replace(`select k.id, k.version, k.row,
				row_number() over (order by k.id) - 1 - {skip} between 0 and {limit} - 1
				or (select exists (select from {log} c
					where c.table_number = {table} and c.kind in (` + changelog.SQLCreated + `, ` +
			changelog.SQLRestored + `) and c.number > {moment})) as shown
			from ((select n.id, n.version, {row} as row from {records} n
					where n.id > {behind} and n.id < {before} and n.created_at <= (select {time}){seen}
					order by n.id limit {most})
				union all (select g.id, g.version, {no row} from ({gone}) g order by g.id limit {most})) k
			order by k.id limit {most}`)
		return p.some(candidates, projection, fields)
	})
	return Statement{text, c.Values()}
}

// RecordStatement writes the look-up of one record as SQL; ReadStretch reads its row.
func (p *Past) RecordStatement(now time.Time, record uuid.UUID) Statement {
	c := p.compiler(now)
	id := c.Add(record)
	text := kept(&p.texts.record, true, func() string {
		candidates := "select k.id, k.version, k.row, true as shown from (select n.id, n.version, " + p.rowOf("n") +
			" as row from " + p.now.Whole().Relation() + " n where n.id = " + id + p.andSeen("n") +
			" union all select g.id, g.version, " + p.rowOf("") + " from (" +
			p.gone(" and u.id = "+id+" and c.records @> array["+id+"::uuid]") + ") g) k"
		return p.some(candidates, p.Whole, p.now.Fields)
	})
	return Statement{text, c.Values()}
}

// rowOf is the row of the record table under an alias, as a value, or none. It is left out where rows do not pass
// (db.Topology.PassesRows).
func (p *Past) rowOf(alias string) string {
	switch {
	case !p.topology.PassesRows():
		return "null::integer"
	case alias == "":
		return "null::" + p.now.Whole().Relation()
	}
	return alias
}

// andSeen is seenNow behind another condition.
func (p *Past) andSeen(alias string) string {
	if seen := seenNow(p.now, alias); seen != "" {
		return " and " + seen
	}
	return ""
}

// some selects candidates as they were, in the order of their ids.
func (p *Past) some(candidates string, projection *Projection, fields []*schema.Field) string {
	s := &side{
		table: p.now, links: p.linksIn(fields), from: chain(p.now), page: true, rows: p.topology.PassesRows(),
		hasColumn: p.hasColumn,
	}
	query := Select{
		With:    append([]CTE{{Name: "candidates", Body: candidates}}, s.ctes()...),
		Columns: []string{"t.candidate", "t.there", "t.shown", projection.columns},
		From:    "(" + s.relation() + ") t",
		OrderBy: []string{"t.candidate"},
	}
	return query.String()
}

// A StretchRow is a row of a stretch: a record that was looked at.
type StretchRow struct {
	ID     uuid.UUID
	There  bool     // whether the record existed
	Record [][]byte // of the projection; nil if only the record's existence was asked
}

// StretchColumns is the number of columns of a stretch before those of the projection.
const StretchColumns = 3

// ReadStretch reads a row of a stretch.
func ReadStretch(raw [][]byte) StretchRow {
	row := StretchRow{ID: uuid.UUID(raw[0]), There: raw[1][0] != 0}
	if row.There && raw[2][0] != 0 {
		row.Record = raw[StretchColumns:]
	}
	return row
}

// Total writes the number of all records as SQL: the present ones, without those created since, and
// with those deleted since and not purged.
func (p *Past) Total(now time.Time) Statement {
	c := p.compiler(now)
	if p.now.Rows() != nil {
		query := Select{Columns: []string{"count(*)::bigint"}, From: p.Table.Relation() + " t"}
		query.With, _ = p.read(c, &Plan{}, nil)
		return Statement{query.String(), c.Values()}
	}
	counts := c.Add(p.now.Number)
	text := kept(&p.texts.total, true, func() string {
		log := changelog.Relation(p.now.Org) + " c"
		after := " and c.table_number = " + itoa(p.now.Number) + " and c.number > " + momentParameter
		query := Select{
			With: []CTE{{Name: "s", Body: stampOf(p.now.CountRelation(), counts, "array["+counts+"]")}},
			Columns: []string{
				// The log has an index for each of these kinds. The deletions of purged records have no
				// values, and are not counted.
				"s.records - (with purged as materialized (select array_agg(u.id) as ids from " + log +
					" cross join lateral unnest(c.records) as u(id) where c.kind = " + changelog.SQLDeleted +
					" and c.before is null" + after +
					") select coalesce(sum(k.counted * n.records), 0) from " +
					"(values (1, 1), (5, 1), (3, -1)) as k(kind, counted) cross join lateral " +
					"(select sum(case when (select p.ids from purged p) is null then cardinality(c.records) else " +
					"(select count(*) from unnest(c.records) u(id) where u.id <> all ((select p.ids from purged " +
					"p)::uuid[])) end) as records from " + log + " where c.kind in (" + changelog.SQLCreated + ", " +
					changelog.SQLDeleted + ", " + changelog.SQLRestored + ") and c.kind = " +
					"k.kind" + after +
					") n)::bigint",
			},
			From: "s",
		}
		return query.String()
	})
	return Statement{text, c.Values()}
}
