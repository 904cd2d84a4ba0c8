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
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// maxLinked bounds the links of a step.
const maxLinked = 5000

// A pendingRecord is a record with cells that are still to be written.
type pendingRecord struct {
	theirs string
	row    uuid.UUID
	cells  map[string]json.RawMessage
}

// pending are the next records of a table with cells in a column of their items.
func (r *productRun) pending(
	ctx context.Context, t *product.Table, column string, limit int,
) ([]pendingRecord, error) {
	var found []pendingRecord
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue("select airtable_id, object_id, "+column+` from rowhouse.airtable_item
			where org_id = $1 and base_id = $2 and parent = $3 and `+column+` is not null
			order by airtable_id limit $4`,
			r.j.Org, r.j.Base, t.ID, limit).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var one pendingRecord
				var cells []byte
				if err := rows.Scan(&one.theirs, &one.row, &cells); err != nil {
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
func (r *productRun) linkTable(ctx context.Context, t *product.Table) error {
	for {
		stepCtx, actor, snapshot, err := r.beginFresh(ctx)
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
func (r *productRun) linkRecords(
	ctx context.Context, actor record.Actor, s *schema.Snapshot, t *product.Table, records []pendingRecord,
) error {
	records, cells := linkedCells(records)
	there, err := r.targets(ctx, s, cells)
	if err != nil {
		return err
	}
	ours := r.ours(s, t)
	present, err := r.Records.Existing(ctx, ours, rowsIn(records))
	if err != nil {
		return err
	}
	kept, err := r.ownLinks(ctx, s, records, cells)
	if err != nil {
		return err
	}
	next := r.next()
	report := next.table(t.Name, ours.ID)
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

// ownLinks are the links here to records that the product does not have: those that were made here, and those that are
// gone there. They stay.
func (r *productRun) ownLinks(
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

// pairs are the links of rows, in their order, to records that this job has not met at the product.
func (r *productRun) pairs(ctx context.Context, f *schema.Field, rows []uuid.UUID) ([][2]uuid.UUID, error) {
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

// linkedCells are the cells of records with ids of the product, of as many records as have maxLinked of them.
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
func (r *productRun) targets(
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
		present, err := r.Records.Existing(ctx, table, all)
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

// rowsOf finds the rows here of records of the product.
func (r *productRun) rowsOf(ctx context.Context, wanted map[string]bool) (map[string]uuid.UUID, error) {
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
	next *productStep, t *product.Table, f *schema.Field, ids []string, there map[string]string,
) []string {
	value := []string{}
	for _, one := range ids {
		if target, ok := there[one]; ok {
			value = append(value, target)
		}
	}
	if lost := len(ids) - len(value); lost > 0 {
		next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: lost, Why: "The linked record is not here: " +
			"it was made while the import ran, or was deleted here."})
	}
	if f.Single() && len(value) > 1 { // since the field was made
		next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: len(value) - 1, Why: "The field takes one " +
			"record here, and the cell has several; the first one came."})
		value = value[:1]
	}
	return value
}

// writePending writes cells that were still to be written, and notes it. Records that are refused together are written
// one by one.
func (r *productRun) writePending(
	ctx context.Context, actor record.Actor, next *productStep, t *product.Table, ours *schema.Table, column string,
	records []pendingRecord, changes []record.Change, also func(b *pgx.Batch),
) error {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = records[i].theirs
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
