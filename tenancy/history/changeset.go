package history

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// describe returns change sets with what they have changed in the base.
func (r *baseReader) describe(ctx context.Context, found []position) ([]ChangeSet, error) {
	sets, at := make([]ChangeSet, len(found)), map[uuid.UUID]*ChangeSet{}
	ids := setsOf(found)
	for i, set := range ids {
		sets[i].ID, at[set] = set, &sets[i]
	}
	low, high := stretches(ids)
	first, last := span(found)
	last = min(last, int64(r.end.horizon))
	// A record is created once, and is in an entry once; only kinds that can repeat are worth unnesting.
	const statement = `with entry as materialized (
			select l.change_set, l.table_number, l.kind, l.number, l.person, l.credential, s.records, count(*) over (
				partition by l.change_set, l.table_number, l.kind) as entries
			from %s l cross join lateral (select %s as records) s where %s and l.table_number = any ($4)
				and l.number <= $5 and l.number >= $6 and l.kind <= 5 and cardinality(s.records) > 0),
		several as (
			select e.change_set, e.table_number, e.kind, count(distinct r.id) as records
			from entry e cross join lateral unnest(e.records) as r(id) where e.entries > 1 and e.kind <> ` +
		changelog.SQLCreated + `
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
	err := r.send(ctx, func(b *pgx.Batch) {
		b.Queue(planWithValues)
		of := ofSets("$1", "$2", "$3", len(low))
		b.Queue(fmt.Sprintf(statement, changelog.Relation(r.org), r.sight.ofEntry(), of),
			ids, low, high, r.all, last, first).
			Query(func(rows pgx.Rows) error {
				var g setGroup
				_, err := pgx.ForEachRow(rows, g.targets(), func() error {
					at[g.set].add(r.known[g.table], &g)
					return nil
				})
				return err
			})
		r.queueObjects(b, ids, at, first, last)
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
	if err := r.hideReverts(ctx, sets); err != nil {
		return nil, err
	}
	for i := range sets {
		slices.SortFunc(sets[i].Tables, func(a, b TableChanges) int {
			return cmp.Or(cmp.Compare(placeOf(a.Table), placeOf(b.Table)), cmp.Compare(a.Table.Number, b.Table.Number))
		})
		sets[i].foldObjects()
	}
	return sets, nil
}

// placeOf is the place of a table in the base; those in the trash come last.
func placeOf(t *schema.Table) int {
	if t.Base == nil {
		return math.MaxInt
	}
	return slices.Index(t.Base.Tables, t)
}

// A setGroup counts the changes of one kind that a change set made in one table.
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

// made records when and by whom a part of the change set was made.
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
