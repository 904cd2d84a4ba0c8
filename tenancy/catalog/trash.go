package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Deleted objects go to the trash, the table rowhouse.trash: it keeps their metadata rows, and their
// columns and tables stay where they are until the entry is purged. Restoring inserts the rows again.

// A TrashKind is the kind of an entry of the trash.
type TrashKind string

// The kinds of entry.
const (
	TrashedField TrashKind = "field" // a link with the field on its other side
	TrashedTable TrashKind = "table" // with what links to it
	TrashedView  TrashKind = "view"
	TrashedBase  TrashKind = "base" // its tables are entries of their own, which are a part of it
	// TrashedColumn is the former column of a field whose type was changed.
	TrashedColumn TrashKind = "column"
)

// TrashKinds lists every kind of entry.
var TrashKinds = []TrashKind{TrashedBase, TrashedTable, TrashedField, TrashedColumn, TrashedView}

// PublicTrashID is the public id of an entry: the id of the deleted object, or for a column its own.
func PublicTrashID(kind TrashKind, entry, object uuid.UUID) string {
	switch kind {
	case TrashedField:
		return id.Format(id.Field, object)
	case TrashedTable:
		return id.Format(id.Table, object)
	case TrashedView:
		return id.Format(id.View, object)
	case TrashedBase:
		return id.Format(id.Base, object)
	case TrashedColumn:
	}
	return id.Format(id.Column, entry)
}

// A trashEntry is a row of the trash.
type trashEntry struct {
	ID          uuid.UUID
	Kind        TrashKind
	Object      uuid.UUID
	PartOf      *uuid.UUID
	Base        uuid.UUID
	Table       *uuid.UUID
	TableNumber *int32
	FieldNumber *int32
	LinkNumber  *int32
	Name        string
	Content     trashContent
}

const trashColumns = "id, kind, object_id, part_of, base_id, table_id, table_number, field_number, link_number, " +
	"name, content"

// publicID is the entry's public id.
func (e *trashEntry) publicID() string { return PublicTrashID(e.Kind, e.ID, e.Object) }

// A metadataRow is a row of a metadata table, by column.
type metadataRow map[string]json.RawMessage

// A trashContent is the rows of deleted objects, by table.
type trashContent struct {
	Bases      []metadataRow `json:"base,omitempty"`
	Tables     []metadataRow `json:"data_table,omitempty"`
	Fields     []metadataRow `json:"field,omitempty"`
	Views      []metadataRow `json:"view,omitempty"`
	Indexes    []metadataRow `json:"record_index,omitempty"`
	Dashboards []metadataRow `json:"dashboard,omitempty"` // of bases
	// Webhooks are the webhooks of bases, and Deliveries their unsent deliveries.
	Webhooks   []metadataRow `json:"webhook,omitempty"`
	Deliveries []metadataRow `json:"webhook_delivery,omitempty"`
	// Left is what views of other tables have lost.
	Left []viewLoss `json:"views_left,omitempty"`
}

// A viewLoss is what the config of a view lost with a field. A key that is not in After was removed.
type viewLoss struct {
	View   uuid.UUID         `json:"view"`
	Before schema.ViewConfig `json:"before"`
	After  schema.ViewConfig `json:"after"`
}

// toTrash names the rows that an entry keeps.
type toTrash struct {
	bases, tables, fields, views []uuid.UUID
	numbers                      []int32 // of the tables
	left                         []viewLoss
}

// discard queues the addition of an entry. It must be queued before the rows are deleted.
func (c *Change) discard(b *pgx.Batch, e *trashEntry, keep *toTrash) {
	e.ID = id.New()
	rows := func(table, condition string) string {
		return "'" + table + "', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from rowhouse." + table +
			" r where r.org_id = $1 and " + condition + ")"
	}
	const ofBases = "r.base_id = any ($14::uuid[])"
	b.Queue(
		"insert into rowhouse.trash (org_id, id, kind, object_id, part_of, base_id, table_id, table_number, "+
			"field_number, link_number, name, change_set, person_id, content) select $1, $2, $3, $4, $5, $6, $7, $8, "+
			"$9, "+
			"$10, $11, $12, $13, jsonb_build_object('views_left', $19::jsonb, "+
			rows("base", "r.id = any ($14::uuid[])")+", "+rows("data_table", "r.id = any ($15::uuid[])")+", "+
			rows("field", "r.id = any ($16::uuid[])")+", "+rows("view", "r.id = any ($17::uuid[])")+", "+
			rows("record_index", "r.table_number = any ($18::integer[])")+", "+rows("webhook", ofBases)+", "+
			rows("dashboard", ofBases)+", "+
			rows("webhook_delivery", "(r.state = 'pending' or r.again) and r.webhook_id in (select r.id from "+
				"rowhouse.webhook r where r.org_id = $1 and "+ofBases+")")+")",
		c.Org,
		e.ID,
		e.Kind,
		e.Object,
		e.PartOf,
		e.Base,
		e.Table,
		e.TableNumber,
		e.FieldNumber,
		e.LinkNumber,
		e.Name,
		c.origin.Set,
		c.origin.Person,
		keep.bases,
		keep.tables,
		keep.fields,
		keep.views,
		keep.numbers,
		jsonvalue.Must(keep.left),
	)
}

// leaveViews queues the removal of fields from the configs of the views of their tables, and returns
// what the views lose.
func (c *Change) leaveViews(b *pgx.Batch, gone []*schema.Field) []viewLoss {
	var left []viewLoss
	for _, f := range gone {
		for _, v := range f.Table.Views {
			config, changed := v.Config.Without(f)
			if !changed {
				continue
			}
			b.Queue("update rowhouse.view set config = $3 where org_id = $1 and id = $2", c.Org, v.ID, config)
			left = append(left, lossOf(v.ID, v.Config, config))
			v.Config = config // another field of this view may be deleted in the same change
		}
	}
	return left
}

func lossOf(view uuid.UUID, before, after schema.ViewConfig) viewLoss {
	loss := viewLoss{View: view, Before: schema.ViewConfig{}, After: schema.ViewConfig{}}
	for key, value := range before {
		now, still := after[key]
		if still && EqualJSON(now, value) {
			continue
		}
		loss.Before[key] = value
		if still {
			loss.After[key] = now
		}
	}
	return loss
}

// trashField puts a field into the trash, a link with the field on its other side, and removes both
// from views. The caller must have locked the tables involved.
func (c *Change) trashField(ctx context.Context, f *schema.Field) error {
	gone := []*schema.Field{f}
	e := &trashEntry{
		Kind: TrashedField, Object: f.ID, Base: f.Table.Base.ID, Table: &f.Table.ID, TableNumber: &f.Table.Number,
		FieldNumber: &f.Number, Name: f.Name,
	}
	if f.Link != nil {
		e.LinkNumber = &f.Link.Number
		if inverse := c.Snapshot.Field(f.Link.Inverse); inverse != nil {
			gone = append(gone, inverse)
		}
	}
	batch := &pgx.Batch{}
	left := c.leaveViews(batch, gone)
	c.discard(batch, e, &toTrash{fields: fieldIDs(gone), left: left})
	batch.Queue("delete from rowhouse.field where org_id = $1 and id = any ($2)", c.Org, fieldIDs(gone))
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("deleting the field: %w", err)
	}
	if f.Link != nil {
		return c.detachLinks(ctx, f.Link.Number)
	}
	return c.releaseColumn(ctx, f)
}

// releaseColumn drops the indexes on the column of a field that goes to the trash, so that writers of
// the table need not maintain them. A default or an identity of the column stays.
func (c *Change) releaseColumn(ctx context.Context, f *schema.Field) error {
	if f.Info().Column == "" {
		return nil
	}
	indexes, err := c.lines(ctx, `select distinct d.objid::regclass::text from pg_depend d
		join pg_class i on i.oid = d.objid and i.relkind = 'i'
		join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
		where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
			and d.refobjid = to_regclass($1::text) and a.attname = $2`,
		f.Table.Relation(), strings.Trim(f.Column(), `"`))
	if err != nil {
		return err
	}
	for _, index := range indexes {
		if _, err := c.Exec(ctx, "drop index "+index); err != nil {
			return fmt.Errorf("dropping an index on the column: %w", err)
		}
	}
	return nil
}

// detachLinks drops the foreign keys of a join table, so that records of a live table can be deleted.
// attachLinks adds them again.
func (c *Change) detachLinks(ctx context.Context, number int32) error {
	batch := &pgx.Batch{}
	for _, side := range []string{"a", "b"} {
		pairs := schema.Relation(c.Org, "l_", number)
		batch.Queue("alter table " + pairs + " drop constraint if exists " + side + "_record")
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("keeping the links: %w", err)
	}
	return nil
}

// RetireColumn puts the column of a field into the trash, whose row is about to get another type and
// number. The caller must have locked the table.
func (c *Change) RetireColumn(ctx context.Context, f *schema.Field) error {
	batch := &pgx.Batch{}
	c.discard(batch, &trashEntry{
		Kind: TrashedColumn, Object: f.ID, Base: f.Table.Base.ID, Table: &f.Table.ID, TableNumber: &f.Table.Number,
		FieldNumber: &f.Number, Name: f.Name,
	}, &toTrash{fields: []uuid.UUID{f.ID}})
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("keeping the former column: %w", err)
	}
	return c.releaseColumn(ctx, f)
}

// trashTables puts tables into the trash, each with the fields on the other side of its links. partOf
// is the entry of their base if that goes with them.
func (c *Change) trashTables(ctx context.Context, tables []*schema.Table, partOf *uuid.UUID) error {
	involved := slices.Clone(tables)
	for _, t := range tables {
		for _, f := range t.Fields {
			if f.Link != nil {
				involved = append(involved, c.Snapshot.Table(f.Link.LinkedTable))
			}
		}
	}
	if err := c.lockTables(ctx, involved...); err != nil {
		return err
	}
	if err := c.Weigh(ctx, tables...); err != nil || c.OnlyPlanned() {
		return err
	}
	batch := &pgx.Batch{}
	var gone []uuid.UUID
	var links []int32 // with live tables
	for _, t := range tables {
		fields := slices.Clone(t.Fields)
		var outside []*schema.Field
		for _, f := range t.Fields {
			if f.Link == nil {
				continue
			}
			inverse := c.Snapshot.Field(f.Link.Inverse)
			if inverse != nil && !slices.Contains(tables, inverse.Table) {
				outside = append(outside, inverse)
				links = append(links, f.Link.Number)
			}
		}
		left := c.leaveViews(batch, outside)
		keep := &toTrash{
			tables: []uuid.UUID{t.ID}, fields: fieldIDs(append(fields, outside...)), numbers: []int32{t.Number},
			left: left,
		}
		for _, v := range t.Views {
			keep.views = append(keep.views, v.ID)
		}
		c.discard(batch, &trashEntry{
			Kind: TrashedTable, Object: t.ID, PartOf: partOf, Base: t.Base.ID, Table: &t.ID, TableNumber: &t.Number,
			Name: t.Name,
		}, keep)
		gone = append(gone, keep.fields...)
	}
	batch.Queue("delete from rowhouse.field where org_id = $1 and id = any ($2)", c.Org, gone)
	for _, t := range tables {
		batch.Queue("delete from rowhouse.data_table where org_id = $1 and id = $2", c.Org, t.ID)
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("deleting the tables: %w", err)
	}
	for _, number := range links {
		if err := c.detachLinks(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

// trashBase puts a base and its tables into the trash.
func (c *Change) trashBase(ctx context.Context, b *schema.Base) error {
	batch := &pgx.Batch{}
	e := &trashEntry{Kind: TrashedBase, Object: b.ID, Base: b.ID, Name: b.Name}
	c.discard(batch, e, &toTrash{bases: []uuid.UUID{b.ID}})
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("keeping the base: %w", err)
	}
	if err := c.trashTables(ctx, b.Tables, &e.ID); err != nil || c.OnlyPlanned() {
		return err
	}
	if _, err := c.Exec(ctx, "delete from rowhouse.base where org_id = $1 and id = $2", c.Org, b.ID); err != nil {
		return fmt.Errorf("deleting the base: %w", err)
	}
	return nil
}

// trashView puts a view into the trash.
func (c *Change) trashView(ctx context.Context, v *schema.View) error {
	t := v.Table
	batch := &pgx.Batch{}
	c.discard(batch, &trashEntry{
		Kind: TrashedView, Object: v.ID, Base: t.Base.ID, Table: &t.ID, TableNumber: &t.Number, Name: v.Name,
	}, &toTrash{views: []uuid.UUID{v.ID}})
	batch.Queue("delete from rowhouse.view where org_id = $1 and id = $2", c.Org, v.ID)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("deleting the view: %w", err)
	}
	return nil
}

func fieldIDs(fields []*schema.Field) []uuid.UUID {
	ids := make([]uuid.UUID, len(fields))
	for i, f := range fields {
		ids[i] = f.ID
	}
	return ids
}
