package catalog

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// addLink creates a link field, its inverse in the linked table, and their join table.
func (c *Change) addLink(ctx context.Context, t *schema.Table, spec *FieldSpec, place float64) (*schema.Field, error) {
	linkedID, err := id.Parse(id.Table, spec.parsed.LinkedTableID)
	if err != nil {
		return nil, problem.Invalid("config.linkedTableId", "must be the id of a table of the same base")
	}
	linked := c.Snapshot.Table(linkedID)
	if linked == nil || linked.Base != t.Base {
		return nil, problem.Invalid("config.linkedTableId", "no table of this base has the id %q",
			spec.parsed.LinkedTableID)
	}
	if len(linked.Fields) >= MaxFields {
		return nil, problem.Conflict("The linked table has %d fields already, the most it may have.", MaxFields)
	}
	if err := c.lockTables(ctx, t, linked); err != nil {
		return nil, err
	}
	if err := c.makeRoom(ctx, t, place); err != nil {
		return nil, err
	}
	field := schema.NewField(t, spec.Type, spec.Name, spec.parsed, place)
	inverse := schema.NewField(linked, spec.Type, linked.FreeFieldName(t.Name, spec.Name),
		schema.Config{LinkedTableID: t.PublicID()}, float64(len(linked.Fields))+1)
	field.Config.InverseFieldID, inverse.Config.InverseFieldID = inverse.PublicID(), field.PublicID()
	var number int32
	if err := c.QueryRow(ctx, "select nextval('rowhouse.next_link')").Scan(&number); err != nil {
		return nil, fmt.Errorf("numbering the link: %w", err)
	}
	field.Link = &schema.Link{Number: number, Own: "a", Other: "b", LinkedTable: linked.ID, Inverse: inverse.ID}
	inverse.Link = &schema.Link{Number: number, Own: "b", Other: "a", LinkedTable: t.ID, Inverse: field.ID}

	batch := &pgx.Batch{}
	for _, f := range []*schema.Field{field, inverse} {
		batch.Queue(`insert into rowhouse.field
			(org_id, id, table_id, number, name, type, config, position, link_number, link_side, linked_table_id)
			values ($1, $2, $3, nextval('rowhouse.next_field'), $4, $5, $6, $7, $8, $9, $10) returning number`,
			c.Org, f.ID, f.Table.ID, f.Name, f.Type(), f.Config, f.Position, number, f.Link.Own, f.Link.LinkedTable).
			QueryRow(func(row pgx.Row) error { return row.Scan(&f.Number) })
	}
	c.queueLinkRelation(batch, field, linked)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("creating the link: %w", err)
	}
	return field, nil
}

// queueLinkRelation queues the creation of the join table of a link, of which field is the side a.
func (c *Change) queueLinkRelation(b *pgx.Batch, field *schema.Field, linked *schema.Table) {
	relation := field.Link.Relation(c.Org)
	b.Queue("create table " + relation + ` (
		a     uuid    not null constraint a_record references ` + field.Table.Relation() + ` on delete cascade,
		b     uuid    not null constraint b_record references ` + linked.Relation() + ` on delete cascade,
		pos_a integer not null default 0,
		pos_b integer not null default 0,
		primary key (a, b))`)
	b.Queue("create index on " + relation + " (b, a)")
	b.Queue("select gate.protect_records(to_regclass($1::text), $2)", relation, c.Org)
}
