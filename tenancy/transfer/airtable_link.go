package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/airtable"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// bringLinks makes the link fields that are not here yet, now that all records are, and then the links.
func (r *airtableRun) bringLinks(ctx context.Context) error {
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

// tableOf finds a table of Airtable, or returns nil.
func (r *airtableRun) tableOf(airtableID string) *airtable.Table {
	for i := range r.tables {
		if r.tables[i].ID == airtableID {
			return &r.tables[i]
		}
	}
	return nil
}

// ownsLink reports whether the cells of a link field are read, and not those of the field on its other side, which say
// the same. It is the side that was read before, or the one that takes one record, or the first one.
func (r *airtableRun) ownsLink(t *airtable.Table, f *airtable.Field) bool {
	if item, known := r.items[f.ID]; known {
		return item.brought.Owns
	}
	linked := r.tableOf(f.Options.LinkedTableID)
	if linked == nil {
		return false
	}
	inverse := linked.Field(f.Options.InverseLinkFieldID)
	if inverse == nil || inverse.ID == f.ID || linked.ID != t.ID && inverse.Options.LinkedTableID != t.ID {
		return true
	}
	if f.Options.PrefersSingle != inverse.Options.PrefersSingle {
		return f.Options.PrefersSingle
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
func (r *airtableRun) makeLink(ctx context.Context, t *airtable.Table, f *airtable.Field) error {
	if airtable.MappingOf(f).Way != airtable.Linked {
		return nil
	}
	linked := r.tableOf(f.Options.LinkedTableID)
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
	stepCtx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	snapshot, err := r.snapshot(stepCtx)
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
	err = r.makeField(ctx, t, f, "link", jsonvalue.Must(config), airtableBrought{Owns: true},
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

// inverseOf is the field on the other side of a link, if Airtable has one.
func (r *airtableRun) inverseOf(f *airtable.Field) (*airtable.Field, bool) {
	linked := r.tableOf(f.Options.LinkedTableID)
	if linked == nil || f.Options.InverseLinkFieldID == f.ID {
		return nil, false
	}
	other := linked.Field(f.Options.InverseLinkFieldID)
	return other, other != nil
}

// queueInverse queues the item of the other side of a link that the transaction makes. It has no name in it until it
// has the one of Airtable.
func (r *airtableRun) queueInverse(b *pgx.Batch, t *airtable.Table, f *airtable.Field) {
	other, ok := r.inverseOf(f)
	if !ok {
		return
	}
	b.Queue(`insert into rowhouse.airtable_item (org_id, base_id, airtable_id, kind, parent, object_id, brought)
		select $1, $2, $3, 'field', $4, other.id, '{"name": ""}' from rowhouse.airtable_item i
			join rowhouse.field own on own.org_id = $1 and own.id = i.object_id
			join rowhouse.field other on other.org_id = $1 and other.link_number = own.link_number and other.id <> own.id
		where i.org_id = $1 and i.base_id = $2 and i.airtable_id = $5
		on conflict (org_id, base_id, airtable_id) do update set object_id = excluded.object_id,
			brought = excluded.brought`,
		r.j.Org, r.j.Base, other.ID, f.Options.LinkedTableID, f.ID)
}

// renameInverse gives the other side of a link its name, its place, and whether it takes one record.
func (r *airtableRun) renameInverse(ctx context.Context, linked *airtable.Table, other *airtable.Field) error {
	item, known := r.items[other.ID]
	if !known || item.brought.Name != "" {
		return nil
	}
	stepCtx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	snapshot, err := r.snapshot(stepCtx)
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
	next.table(linked, ours.Table.ID).Fields++
	brought := airtableBrought{Name: name}
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

// isSingle reports whether a link field takes one record: Airtable wants that of it, and no cell holds more. The cells
// of both sides are in those of the side that is read.
func (r *airtableRun) isSingle(ctx context.Context, t *airtable.Table, f *airtable.Field) (bool, error) {
	if !f.Options.PrefersSingle {
		return false, nil
	}
	sql, parent, key := `select exists (select from rowhouse.airtable_item where org_id = $1 and base_id = $2
		and parent = $3 and links is not null and jsonb_array_length(links -> $4) > 1)`, t.ID, f.ID
	if !r.ownsLink(t, f) {
		sql, parent, key = `select exists (select from rowhouse.airtable_item,
				jsonb_array_elements_text(links -> $4) as linked
			where org_id = $1 and base_id = $2 and parent = $3 and links is not null group by linked
			having count(*) > 1)`, f.Options.LinkedTableID, f.Options.InverseLinkFieldID
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

// maxLinked bounds the links of a step.
const maxLinked = 5000

// A pendingRecord is a record with cells that are still to be written.
type pendingRecord struct {
	airtable string
	row      uuid.UUID
	cells    map[string]json.RawMessage
}

// pending are the next records of a table with cells in a column of their items.
func (r *airtableRun) pending(ctx context.Context, t *airtable.Table, column string, limit int) ([]pendingRecord, error) {
	var found []pendingRecord
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue("select airtable_id, object_id, "+column+` from rowhouse.airtable_item
			where org_id = $1 and base_id = $2 and parent = $3 and `+column+` is not null order by airtable_id limit $4`,
			r.j.Org, r.j.Base, t.ID, limit).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var one pendingRecord
				var cells []byte
				if err := rows.Scan(&one.airtable, &one.row, &cells); err != nil {
					return err
				}
				if err := json.Unmarshal(cells, &one.cells); err != nil {
					return err
				}
				found = append(found, one)
			}
			return rows.Err()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading what is still to be written: %w", err)
	}
	return found, nil
}

// linkTable writes the links of the records of a table, block by block.
func (r *airtableRun) linkTable(ctx context.Context, t *airtable.Table) error {
	for {
		stepCtx, actor, err := r.begin(ctx)
		if err != nil {
			return err
		}
		snapshot, err := r.snapshot(stepCtx)
		if err != nil || r.ours(snapshot, t) == nil {
			return err
		}
		records, err := r.pending(stepCtx, t, "links", record.MaxBatch)
		if err != nil || len(records) == 0 {
			return err
		}
		if err := r.linkRecords(stepCtx, actor, snapshot, t, records); err != nil {
			return err
		}
	}
}

// linkRecords writes the links of some records, or of the first of them if they have very many.
func (r *airtableRun) linkRecords(
	ctx context.Context, actor record.Actor, s *schema.Snapshot, t *airtable.Table, records []pendingRecord,
) error {
	records, cells := linkedCells(records)
	there, err := r.targets(ctx, s, cells)
	if err != nil {
		return err
	}
	ours := r.ours(s, t)
	present, err := r.present(ctx, ours, rowsIn(records))
	if err != nil {
		return err
	}
	kept, err := r.ownLinks(ctx, s, records, cells)
	if err != nil {
		return err
	}
	next := r.next()
	report := next.table(t, ours.ID)
	var changes []record.Change
	for i := range records {
		if !present[records[i].row] {
			continue
		}
		var members []jsonvalue.Member
		size := 0
		for name, ids := range cells[i] {
			f := r.oursField(s, name)
			if f == nil || f.Link == nil {
				continue
			}
			value := linkValue(next, t, f, ids, there)
			if more := kept[linkCell{records[i].row, f.ID}]; !f.Single() || len(value) == 0 {
				value = append(value, more...)
			}
			report.Links += len(value)
			encoded := jsonvalue.Must(value)
			members = append(members, jsonvalue.Member{Name: f.Name, Value: encoded})
			size += len(f.Name) + len(encoded) + 6
		}
		if len(members) > 0 {
			changes = append(changes, record.Change{
				ID: id.FormatRecord(ours.Number, records[i].row), Fields: jsonvalue.NewParsedObject(members, size),
			})
		}
	}
	next.progress.Done += int64(len(records))
	return r.writePending(ctx, actor, next, t, ours, "links", records, changes, nil)
}

// A linkCell is the cell of a link field here.
type linkCell struct{ row, field uuid.UUID }

// ownLinks are the links here to records that Airtable does not have: those that were made here, and those that are
// gone there. They stay.
func (r *airtableRun) ownLinks(
	ctx context.Context, s *schema.Snapshot, records []pendingRecord, cells []map[string][]string,
) (map[linkCell][]string, error) {
	kept := map[linkCell][]string{}
	rows := rowsIn(records)
	fields := map[*schema.Field]bool{}
	for _, own := range cells {
		for name := range own {
			if f := r.oursField(s, name); f != nil && f.Link != nil && s.Table(f.Link.LinkedTable) != nil {
				fields[f] = true
			}
		}
	}
	for f := range fields {
		pairs, err := r.pairs(ctx, f, rows)
		if err != nil {
			return nil, err
		}
		linked := s.Table(f.Link.LinkedTable)
		for _, pair := range pairs {
			cell := linkCell{pair[0], f.ID}
			kept[cell] = append(kept[cell], id.FormatRecord(linked.Number, pair[1]))
		}
	}
	return kept, nil
}

// pairs are the links of rows, in their order, to records that this job has not met at Airtable.
func (r *airtableRun) pairs(ctx context.Context, f *schema.Field, rows []uuid.UUID) ([][2]uuid.UUID, error) {
	var pairs [][2]uuid.UUID
	var targets []uuid.UUID
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue("select l."+f.Link.Own+", l."+f.Link.Other+" from "+f.Link.Relation(r.j.Org)+" l where l."+f.Link.Own+
			" = any ($1) order by l.pos_"+f.Link.Own+", l."+f.Link.Other, rows).Query(func(found pgx.Rows) error {
			var pair [2]uuid.UUID
			_, err := pgx.ForEachRow(found, []any{&pair[0], &pair[1]}, func() error {
				pairs, targets = append(pairs, pair), append(targets, pair[1])
				return nil
			})
			return err
		})
	})
	if err != nil || len(pairs) == 0 {
		return nil, err //nolint:wrapcheck // nil, or of the database
	}
	met := map[uuid.UUID]bool{}
	err = r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select object_id from rowhouse.airtable_item where org_id = $1 and base_id = $2
			and object_id = any ($3) and kind = 'record' and seen = $4`, r.j.Org, r.j.Base, targets, r.j.ID).
			Query(func(found pgx.Rows) error {
				var row uuid.UUID
				_, err := pgx.ForEachRow(found, []any{&row}, func() error {
					met[row] = true
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the links of records: %w", err)
	}
	return slices.DeleteFunc(pairs, func(pair [2]uuid.UUID) bool { return met[pair[1]] }), nil
}

// linkedCells are the cells of records with the Airtable ids in them, of as many records as have maxLinked of them.
func linkedCells(records []pendingRecord) ([]pendingRecord, []map[string][]string) {
	var cells []map[string][]string
	all := 0
	for i := range records {
		own := map[string][]string{}
		n := 0
		for name, raw := range records[i].cells {
			var ids []string
			if json.Unmarshal(raw, &ids) == nil {
				own[name] = ids
				n += len(ids)
			}
		}
		if all += n; i > 0 && all > maxLinked {
			return records[:i], cells
		}
		cells = append(cells, own)
	}
	return records, cells
}

// targets finds the public ids of the linked records that are here.
func (r *airtableRun) targets(
	ctx context.Context, s *schema.Snapshot, cells []map[string][]string,
) (map[string]string, error) {
	wanted, tables := map[string]bool{}, map[uuid.UUID]*schema.Table{}
	for _, own := range cells {
		for name, ids := range own {
			if f := r.oursField(s, name); f != nil && f.Link != nil && s.Table(f.Link.LinkedTable) != nil {
				tables[f.Link.LinkedTable] = s.Table(f.Link.LinkedTable)
			}
			for _, one := range ids {
				wanted[one] = true
			}
		}
	}
	rows, err := r.rowsOf(ctx, wanted)
	if err != nil {
		return nil, err
	}
	all := slices.Collect(maps.Values(rows))
	there := make(map[string]string, len(rows))
	for _, table := range tables {
		present, err := r.present(ctx, table, all)
		if err != nil {
			return nil, err
		}
		for name, row := range rows {
			if present[row] {
				there[name] = id.FormatRecord(table.Number, row)
			}
		}
	}
	return there, nil
}

func rowsIn(records []pendingRecord) []uuid.UUID {
	rows := make([]uuid.UUID, len(records))
	for i := range records {
		rows[i] = records[i].row
	}
	return rows
}

// rowsOf finds the rows here of records of Airtable.
func (r *airtableRun) rowsOf(ctx context.Context, wanted map[string]bool) (map[string]uuid.UUID, error) {
	ids := make([]string, 0, len(wanted))
	for one := range wanted {
		ids = append(ids, one)
	}
	found := make(map[string]uuid.UUID, len(ids))
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`select airtable_id, object_id from rowhouse.airtable_item
			where org_id = $1 and base_id = $2 and airtable_id = any ($3)`, r.j.Org, r.j.Base, ids).
			Query(func(rows pgx.Rows) error {
				var name string
				var row uuid.UUID
				_, err := pgx.ForEachRow(rows, []any{&name, &row}, func() error {
					found[name] = row
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for linked records: %w", err)
	}
	return found, nil
}

// linkValue are the records that a cell links to, without those that are not here.
func linkValue(
	next *airtableStep, t *airtable.Table, f *schema.Field, ids []string, there map[string]string,
) []string {
	value := []string{}
	for _, one := range ids {
		if target, ok := there[one]; ok {
			value = append(value, target)
		}
	}
	if lost := len(ids) - len(value); lost > 0 {
		next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: lost, Why: "The linked record is not here: it was " +
			"made while the import ran, or was deleted here."})
	}
	if f.Single() && len(value) > 1 { // since the field was made
		next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: len(value) - 1, Why: "The field takes one record " +
			"here, and the cell has several; the first one came."})
		value = value[:1]
	}
	return value
}

// writePending writes cells that were still to be written, and notes it. Records that are refused together are written
// one by one.
func (r *airtableRun) writePending(
	ctx context.Context, actor record.Actor, next *airtableStep, t *airtable.Table, ours *schema.Table, column string,
	records []pendingRecord, changes []record.Change, also func(b *pgx.Batch),
) error {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = records[i].airtable
	}
	queue := func(b *pgx.Batch) {
		b.Queue("update rowhouse.airtable_item set "+column+` = null
			where org_id = $1 and base_id = $2 and airtable_id = any ($3)`, r.j.Org, r.j.Base, ids)
		if also != nil {
			also(b)
		}
	}
	if len(changes) == 0 {
		return r.commit(ctx, next, queue)
	}
	_, err := r.Records.Update(r.within(ctx, next, queue), actor, ours.ID, changes, false)
	switch {
	case err == nil:
		r.took(next)
		return nil
	case !isRefusal(err) || problem.KindOf(err) == problem.KindNotFound:
		return err //nolint:wrapcheck // it is for the person
	}
	for i := range changes {
		if _, err := r.Records.Update(ctx, actor, ours.ID, changes[i:i+1], false); isRefusal(err) {
			next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: "The " + column + " of a record were refused: " +
				whyRefused(err)})
		} else if err != nil {
			return err //nolint:wrapcheck // it is for the person
		}
	}
	return r.commit(ctx, next, queue)
}
