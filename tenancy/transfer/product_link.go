package transfer

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// bringLinks makes the link fields that are not here yet, now that all records are, and then the links.
func (r *productRun) bringLinks(ctx context.Context) error {
	for i := range r.tables {
		t := &r.tables[i]
		for j := range t.Fields {
			if err := r.makeLink(ctx, t, &t.Fields[j]); err != nil {
				return err
			}
		}
	}
	for i := range r.tables {
		if err := r.linkTable(ctx, &r.tables[i]); err != nil {
			return err
		}
	}
	return nil
}

// tableOf finds a table of the product, or returns nil.
func (r *productRun) tableOf(theirs string) *product.Table {
	for i := range r.tables {
		if r.tables[i].ID == theirs {
			return &r.tables[i]
		}
	}
	return nil
}

// ownsLink reports whether the cells of a link field are read, and not those of the field on its other side, which say
// the same. It is the side that was read before, or the one that takes one record, or the first one.
func (r *productRun) ownsLink(t *product.Table, f *product.Field) bool {
	if item, known := r.items[f.ID]; known {
		return item.brought.Owns
	}
	linked := r.tableOf(f.LinkedTable)
	if linked == nil {
		return false
	}
	if f.Unread {
		return false
	}
	inverse := linked.Field(f.Inverse)
	if inverse == nil || inverse.ID == f.ID || linked.ID != t.ID && inverse.LinkedTable != t.ID {
		return true
	}
	if inverse.Unread {
		return true
	}
	if f.Single != inverse.Single {
		return f.Single
	}
	for i := range r.tables {
		for j := range r.tables[i].Fields {
			switch r.tables[i].Fields[j].ID {
			case f.ID:
				return true
			case inverse.ID:
				return false
			}
		}
	}
	return true
}

// makeLink makes a link field with the one on its other side.
func (r *productRun) makeLink(ctx context.Context, t *product.Table, f *product.Field) error {
	if f.Way != product.Linked {
		return nil
	}
	linked := r.tableOf(f.LinkedTable)
	item, known := r.items[f.ID]
	switch {
	case known && item.brought.Owns:
		if other, ok := r.inverseOf(f); ok { // it may still have the name that it was made with
			return r.renameInverse(ctx, linked, other)
		}
		return nil
	case known:
		return nil
	case linked == nil:
		return r.leaveField(ctx, t, f, "The table that it links to is not among those that the token shows.")
	case !r.ownsLink(t, f):
		return nil
	}
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	target := r.ours(snapshot, linked)
	if target == nil {
		return r.leaveField(stepCtx, t, f, "The table that it links to was deleted here.")
	}
	single, err := r.isSingle(stepCtx, t, f)
	if err != nil {
		return err
	}
	config := map[string]any{"linkedTableId": target.PublicID(), "multiple": !single}
	if f.Description != "" {
		config["description"] = f.Description
	}
	err = r.makeField(ctx, t, f, "link", jsonvalue.Must(config), productBrought{Owns: true},
		func(_ *Report, table *TableReport) { table.Fields++ })
	if err != nil {
		return err
	}
	if other, ok := r.inverseOf(f); ok {
		return r.renameInverse(ctx, linked, other)
	}
	if _, made := r.items[f.ID]; !made {
		return nil // it is listed
	}
	next := r.next()
	next.report.note("%s, %s: links are seen from both sides here, so the table %s got a field for them.", t.Name,
		f.Name, linked.Name)
	return r.commit(ctx, next, nil)
}

// inverseOf is the field on the other side of a link, if the product has one.
func (r *productRun) inverseOf(f *product.Field) (*product.Field, bool) {
	linked := r.tableOf(f.LinkedTable)
	if linked == nil || f.Inverse == f.ID {
		return nil, false
	}
	other := linked.Field(f.Inverse)
	return other, other != nil
}

// queueInverse queues the item of the other side of a link that the transaction makes. It has no name in it until it
// has the one of the product.
func (r *productRun) queueInverse(b *pgx.Batch, t *product.Table, f *product.Field) {
	other, ok := r.inverseOf(f)
	if !ok {
		return
	}
	b.Queue(`insert into rowhouse.airtable_item (org_id, base_id, airtable_id, kind, parent, object_id, brought)
		select $1, $2, $3, 'field', $4, other.id, '{"name": ""}' from rowhouse.airtable_item i
			join rowhouse.field own on own.org_id = $1 and own.id = i.object_id
			join rowhouse.field other on other.org_id = $1 and other.link_number = own.link_number
				and other.id <> own.id
		where i.org_id = $1 and i.base_id = $2 and i.airtable_id = $5
		on conflict (org_id, base_id, airtable_id) do update set object_id = excluded.object_id,
			brought = excluded.brought`,
		r.j.Org, r.j.Base, other.ID, f.LinkedTable, f.ID)
}

// renameInverse gives the other side of a link its name, its place, and whether it takes one record.
func (r *productRun) renameInverse(ctx context.Context, linked *product.Table, other *product.Field) error {
	item, known := r.items[other.ID]
	if !known || item.brought.Name != "" {
		return nil
	}
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	ours := snapshot.Field(item.object)
	if ours == nil {
		return nil
	}
	single, err := r.isSingle(stepCtx, linked, other)
	if err != nil {
		return err
	}
	config := map[string]any{"multiple": !single}
	if other.Description != "" {
		config["description"] = other.Description
	}
	var taken []string
	for _, field := range ours.Table.Fields {
		if field != ours {
			taken = append(taken, naming.Key(field.Name))
		}
	}
	name := unusedName(cleanName(other.Name, "Field"), &taken)
	position := r.positionOf(snapshot, linked, other)
	next := r.next()
	next.table(linked.Name, ours.Table.ID).Fields++
	brought := productBrought{Name: name}
	err = r.Schema.UpdateField(r.within(stepCtx, next, func(b *pgx.Batch) { r.queueBrought(b, other.ID, brought) }),
		r.j.Org, ours.ID, catalog.FieldPatch{Name: &name, Position: &position, Config: jsonvalue.Must(config)})
	if isRefusal(err) {
		return r.leaveField(stepCtx, linked, other, whyRefused(err))
	}
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	item.brought = brought
	r.items[other.ID] = item
	return nil
}

// isSingle reports whether a link field takes one record: the product wants that of it, and no cell holds more. The
// cells of both sides are in those of the side that is read.
func (r *productRun) isSingle(ctx context.Context, t *product.Table, f *product.Field) (bool, error) {
	if !f.Single {
		return false, nil
	}
	sql, parent, key := `select exists (select from rowhouse.airtable_item where org_id = $1 and base_id = $2
		and parent = $3 and links is not null and jsonb_array_length(links -> $4) > 1)`, t.ID, f.ID
	if !r.ownsLink(t, f) {
		sql, parent, key = `select exists (select from rowhouse.airtable_item,
				jsonb_array_elements_text(links -> $4) as linked
			where org_id = $1 and base_id = $2 and parent = $3 and links is not null group by linked
			having count(*) > 1)`, f.LinkedTable, f.Inverse
	}
	var several bool
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(sql, r.j.Org, r.j.Base, parent, key).QueryRow(func(row pgx.Row) error { return row.Scan(&several) })
	})
	if err != nil {
		return false, fmt.Errorf("looking for cells with several links: %w", err)
	}
	return !several, nil
}
