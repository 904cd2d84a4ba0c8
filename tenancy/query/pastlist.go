package query

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/statement"
)

// A Statement is SQL with its arguments.
type Statement struct {
	SQL  string
	Args []any
}

// Statement writes a list with filters, sorts or a search as SQL. Its rows are read by ReadRow; their
// stamp is zero.
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
	joined := statement.Select{
		With:    append(s.with, statement.CTE{Name: "p", Body: page}),
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
	query := statement.Select{
		Columns: sortColumns(plan.Sorts), From: p.Table.Relation() + " t", Where: []string{"t.id = " + c.Add(row)},
	}
	query.With, _ = p.read(c, &Plan{}, nil)
	return Statement{query.String(), c.Values()}, true
}

// Aggregate writes an aggregation as SQL, whose rows are read by AggregationPlan.AppendGroup.
func (p *Past) Aggregate(now time.Time, plan *AggregationPlan) Statement {
	c := p.compiler(now)
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

// Behind is the record behind which a list in the order of ids begins.
func (p *Plan) Behind() uuid.UUID {
	if p.Cursor != nil {
		return p.Cursor.row
	}
	return uuid.Nil
}

// A Stretch is a part of the table in the order of ids: at most a number of records, behind one.
type Stretch struct {
	Behind uuid.UUID
	Most   int64
}

// gone selects the records that have been deleted since, with the numbers of their deletions.
func (p *Past) gone(condition string) string {
	return "select u.id, max(c.number) as version from " + changelog.Relation(p.now.Org) + " c " +
		"cross join lateral unnest(c.records) as u(id) where c.table_number = " + itoa(p.now.Number) +
		" and c.kind = 3 and c.number > " + momentParameter + condition + " and not exists (select from " +
		p.now.Relation() + " n where n.id = u.id) group by u.id"
}

// StretchStatement writes a stretch as SQL; its rows are read by ReadStretch. Some of the records
// that it looks at may not have been there, so that it may yield fewer than there are behind it.
func (p *Past) StretchStatement(
	now time.Time, stretch Stretch, projection *Projection, fields []*schema.Field,
) Statement {
	c := p.compiler(now)
	behind, most := c.Add(stretch.Behind), c.Add(stretch.Most)+"::bigint"
	candidates := "select k.id, k.version from ((select n.id, n.version from " + p.now.Relation() + " n where n.id > " +
		behind + " and n.id < " + c.Add(idAt(p.Moment.Time().Add(wrongClocks))) + " and n.created_at <= " + momentTime +
		" order by n.id limit " + most +
		") union all (select g.id, g.version from (" + p.gone(" and u.id > "+behind) + ") g order by g.id limit " +
		most +
		")) k order by k.id limit " + most
	return p.some(c, candidates, projection, fields)
}

// RecordStatement writes the look-up of one record as SQL; its row is read by ReadStretch.
func (p *Past) RecordStatement(now time.Time, record uuid.UUID, projection *Projection) Statement {
	c := p.compiler(now)
	id := c.Add(record)
	candidates := "select n.id, n.version from " + p.now.Relation() + " n where n.id = " + id + " union all (" +
		p.gone(" and u.id = "+id+" and c.records @> array["+id+"::uuid]") + ")"
	return p.some(c, candidates, projection, p.now.Fields)
}

// some selects the records among candidates that were there, in the order of their ids.
func (p *Past) some(c *Compiler, candidates string, projection *Projection, fields []*schema.Field) Statement {
	s := &side{
		table: p.now, links: p.linksIn(fields), from: chain(p.now), only: "select k.id from candidates k",
	}
	query := statement.Select{
		With: append([]statement.CTE{{Name: "candidates", Body: candidates}}, s.ctes()...),
		Columns: []string{
			"(select count(*) from candidates)", "(select k.id from candidates k order by k.id desc limit 1)", "p.*",
		},
		From: "(select 1) o left join (select " + projection.columns + " from (" + s.relation() +
			") t order by t.id) p on true",
	}
	return Statement{query.String(), c.Values()}
}

// A StretchRow is a row of a stretch.
type StretchRow struct {
	Seen   int64     // how many records were looked at
	Last   uuid.UUID // of those
	Record [][]byte  // of the projection; nil in the one row of an empty stretch
}

// ReadStretch reads a row of a stretch.
func ReadStretch(raw [][]byte) StretchRow {
	row := StretchRow{Seen: int64(binary.BigEndian.Uint64(raw[0]))} //nolint:gosec // a count
	if raw[1] != nil {
		row.Last = uuid.UUID(raw[1])
	}
	if raw[2] != nil {
		row.Record = raw[2:]
	}
	return row
}

// Total writes the number of all records as SQL: of those that are there now, without those that have
// come since, and with those that have gone.
func (p *Past) Total(now time.Time) Statement {
	c := p.compiler(now)
	counts := c.Add(p.now.Number)
	query := statement.Select{
		With: []statement.CTE{{Name: "s", Body: stampOf(p.now.CountRelation(), counts, "array["+counts+"]")}},
		Columns: []string{
			// The log has an index for each of these kinds.
			"s.records - (select coalesce(sum(k.counted * n.records), 0) from (values (1, 1), (5, 1), (3, -1)) as " +
				"k(kind, counted) cross join lateral (select sum(cardinality(c.records)) as records from " +
				changelog.Relation(p.now.Org) + " c where c.table_number = " + itoa(p.now.Number) +
				" and c.kind in (1, 3, 5) and c.kind = k.kind and c.number > " + momentParameter + ") n)::bigint",
		},
		From: "s",
	}
	return Statement{query.String(), c.Values()}
}
