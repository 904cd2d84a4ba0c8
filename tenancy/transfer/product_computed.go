package transfer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// makeComputed makes the fields that compute, each after those that it reads, and then the ones that name records.
func (r *productRun) makeComputed(ctx context.Context) error {
	made := false
	for _, item := range product.Order(r.tables) {
		known, there := r.items[item.Field.ID]
		var err error
		if there {
			err = r.renewComputed(ctx, item, known)
		} else {
			made, err = true, r.compute(ctx, item)
		}
		if err != nil {
			return err
		}
	}
	if made && r.session.About().Computed != "" {
		next := r.next()
		next.report.noteOnce(r.session.About().Computed)
		if err := r.commit(ctx, next, nil); err != nil {
			return err
		}
	}
	for i := range r.tables {
		if err := r.nameRecords(ctx, &r.tables[i]); err != nil {
			return err
		}
	}
	return nil
}

// saysOf identifies what the formula of a field says.
func saysOf(f *product.Field) string {
	return product.Hash(product.Computed, json.RawMessage(f.Formula.Source))
}

// compute makes a computed field, or lists why it cannot be.
func (r *productRun) compute(ctx context.Context, item product.Item) error {
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	if r.ours(snapshot, item.Table) == nil {
		return nil // it was deleted here, which is listed
	}
	config, notes, err := r.computedConfig(stepCtx, snapshot, item)
	if missing, ok := err.(product.Missing); ok { //nolint:errorlint // it is never wrapped
		return r.leaveField(stepCtx, item.Table, item.Field, string(missing))
	}
	if err != nil {
		return err
	}
	return r.makeField(ctx, item.Table, item.Field, item.Field.Type, config,
		productBrought{Says: saysOf(item.Field)},
		func(report *Report, table *TableReport) {
			table.Formulas++
			for _, note := range notes {
				report.note("%s, %s: %s.", item.Table.Name, item.Field.Name, note)
			}
		})
}

// renewComputed gives a formula that came before what it says now, unless it was changed here.
func (r *productRun) renewComputed(ctx context.Context, item product.Item, known productItem) error {
	says := saysOf(item.Field)
	if item.Field.Type != "formula" || known.brought.Says == says {
		return nil
	}
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	ours := snapshot.Field(known.object)
	if ours == nil || ours.Type() != item.Field.Type {
		return nil
	}
	config, _, err := r.computedConfig(stepCtx, snapshot, item)
	if missing, ok := err.(product.Missing); ok { //nolint:errorlint // it is never wrapped
		return r.leaveField(stepCtx, item.Table, item.Field, string(missing))
	}
	if err != nil {
		return err
	}
	brought := known.brought
	brought.Says = says
	next := r.next()
	next.table(item.Table.Name, ours.Table.ID).Formulas++
	queue := func(b *pgx.Batch) { r.queueBrought(b, item.Field.ID, brought) }
	err = r.Schema.UpdateField(r.within(stepCtx, next, queue), r.j.Org, ours.ID, catalog.FieldPatch{Config: config})
	if isRefusal(err) {
		return r.leaveField(stepCtx, item.Table, item.Field, whyRefused(err))
	}
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	return nil
}

// computedConfig is the config of a computed field with the ids here, and what a reader should know of it. A
// product.Missing says why there can be none.
func (r *productRun) computedConfig(
	ctx context.Context, s *schema.Snapshot, item product.Item,
) (json.RawMessage, []string, error) {
	f := item.Field
	config := map[string]any{}
	if err := json.Unmarshal(f.Config, &config); err != nil {
		return nil, nil, fmt.Errorf("reading the config of a field: %w", err)
	}
	if f.Broken != "" {
		return nil, nil, product.Missing(f.Broken)
	}
	if f.Type == "formula" {
		formula, err := f.Formula.With(func(field string) (string, error) { return r.idOf(s, item.Table, field) })
		if err != nil {
			return nil, nil, err //nolint:wrapcheck // of idOf
		}
		config["formula"] = formula
		return jsonvalue.Must(config), f.Formula.Notes, nil
	}
	link, err := r.idOf(s, item.Table, f.Link)
	if err != nil {
		return nil, nil, err
	}
	config["linkFieldId"] = link
	if f.Type == "count" {
		return jsonvalue.Must(config), nil, nil
	}
	linked := r.tableOf(item.Table.Field(f.Link).LinkedTable)
	if linked == nil {
		return nil, nil, product.Missing("The table that it reads is not here.")
	}
	if config["fieldId"], err = r.idOf(s, linked, f.Target); err != nil {
		return nil, nil, err
	}
	var notes []string
	if target := linked.Field(f.Target); target.Type == "percent" {
		delete(config, "format")
		notes = append(notes, "values of percent fields are per cent to lookups and rollups here, 12.5 and not 0.125")
	}
	if f.Type == "rollup" {
		note, err := r.rollup(ctx, item, linked, config)
		if err != nil {
			return nil, nil, err
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	return jsonvalue.Must(config), notes, nil
}

// idOf is the id here of a field.
func (r *productRun) idOf(s *schema.Snapshot, t *product.Table, field string) (string, error) {
	if f := r.oursField(s, field); f != nil {
		return f.PublicID(), nil
	}
	if f := t.Field(field); f != nil {
		return "", product.Missing(fmt.Sprintf("It reads %q, which did not come.", f.Name))
	}
	return "", product.Missing("It reads a field that is not there any more.")
}

// rollup adds to a config what a rollup computes, and returns a note about it.
func (r *productRun) rollup(
	ctx context.Context, item product.Item, linked *product.Table, config map[string]any,
) (note string, err error) {
	computes := item.Field.Rollup
	if finder, ok := r.session.(product.RollupFinder); ok {
		if computes, note, err = finder.FindRollup(ctx, item.Table, linked, item.Field); err != nil {
			return "", err //nolint:wrapcheck // Problem reads it
		}
	}
	if computes.Function != "" {
		config["function"] = computes.Function
	} else {
		config["formula"] = computes.Formula
	}
	return note, nil
}

// nameRecords makes the primary field of the product the one here, if it can be: a formula with a text, or a formula of
// it. Otherwise the field of text stays, with the names of the import.
func (r *productRun) nameRecords(ctx context.Context, t *product.Table) error {
	text, has := r.items[t.Primary+textItem]
	if !has {
		return nil
	}
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	field, primary := snapshot.Field(text.object), r.oursField(snapshot, t.Primary)
	if field == nil || !field.IsPrimary || text.brought.Says != "" {
		return nil // it is done
	}
	if primary != nil && primary.Type() == "formula" {
		err = r.Schema.UpdateField(stepCtx, r.j.Org, primary.ID, catalog.FieldPatch{Primary: true})
		if err == nil {
			return r.dropText(stepCtx, t, text)
		}
	} else if primary != nil {
		err = r.nameByFormula(stepCtx, field.Table, primary)
		if err == nil {
			return r.dropText(stepCtx, t, text)
		}
	}
	if err != nil && !isRefusal(err) {
		return err //nolint:wrapcheck // it is for the person
	}
	text.brought.Says = "kept" // so that it is noted once
	next := r.next()
	next.report.note("%s: %q cannot name the records here; %q does, with the names of the import.", t.Name,
		t.Field(t.Primary).Name, field.Name)
	return r.commit(stepCtx, next, func(b *pgx.Batch) { r.queueBrought(b, t.Primary+textItem, text.brought) })
}

// nameByFormula makes a formula of the text of a field the primary field.
func (r *productRun) nameByFormula(ctx context.Context, t *schema.Table, primary *schema.Field) error {
	var taken []string
	for _, f := range t.Fields {
		taken = append(taken, naming.Key(f.Name))
	}
	spec := catalog.FieldSpec{
		Name: unusedName("Record name", &taken), Type: "formula",
		Config: jsonvalue.Must(map[string]any{"formula": "{" + primary.PublicID() + `} & ""`}),
	}
	made, err := r.Schema.CreateField(ctx, r.j.Org, t.ID, spec)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	err = r.Schema.UpdateField(ctx, r.j.Org, made.ID, catalog.FieldPatch{Primary: true})
	if isRefusal(err) {
		if undone := r.Schema.DeleteField(ctx, r.j.Org, made.ID); undone != nil {
			return undone //nolint:wrapcheck // it is for the person
		}
	}
	return err //nolint:wrapcheck // it is for the person
}

// dropText deletes the field of text that another one replaces.
func (r *productRun) dropText(ctx context.Context, t *product.Table, text productItem) error {
	next := r.next()
	err := r.Schema.DeleteField(r.within(ctx, next, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.airtable_item where org_id = $1 and base_id = $2 and airtable_id = $3", r.j.Org,
			r.j.Base, t.Primary+textItem)
	}), r.j.Org, text.object)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	delete(r.items, t.Primary+textItem)
	return nil
}
