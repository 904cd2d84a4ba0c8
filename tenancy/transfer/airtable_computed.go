package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
)

// makeComputed makes the fields that compute, each after those that it reads, and then the ones that name records.
func (r *airtableRun) makeComputed(ctx context.Context) error {
	made := false
	for _, item := range airtable.Order(r.tables) {
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
	if made {
		next := r.next()
		next.report.noteOnce("Airtable does not report the filters of counts, lookups and rollups, nor how lookups " +
			"are sorted: what has some at Airtable has other values here.")
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

// A missingError says what a computed field lacks.
type missingError string

func (e missingError) Error() string { return string(e) }

// compute makes a computed field, or lists why it cannot be.
func (r *airtableRun) compute(ctx context.Context, item airtable.Item) error {
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	if r.ours(snapshot, item.Table) == nil {
		return nil // it was deleted here, which is listed
	}
	config, notes, err := r.computedConfig(stepCtx, snapshot, item)
	if missing, ok := err.(missingError); ok { //nolint:errorlint // it is never wrapped
		return r.leaveField(stepCtx, item.Table, item.Field, string(missing))
	}
	if err != nil {
		return err
	}
	mapping := airtable.MappingOf(item.Field)
	return r.makeField(ctx, item.Table, item.Field, mapping.Type, config,
		airtableBrought{Says: mapping.Hash(json.RawMessage(item.Field.Options.Formula))},
		func(report *Report, table *TableReport) {
			table.Formulas++
			for _, note := range notes {
				report.note("%s, %s: %s.", item.Table.Name, item.Field.Name, note)
			}
		})
}

// renewComputed gives a formula that came before what it says now, unless it was changed here.
func (r *airtableRun) renewComputed(ctx context.Context, item airtable.Item, known airtableItem) error {
	mapping := airtable.MappingOf(item.Field)
	says := mapping.Hash(json.RawMessage(item.Field.Options.Formula))
	if item.Field.Type != "formula" || known.brought.Says == says {
		return nil
	}
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	ours := snapshot.Field(known.object)
	if ours == nil || ours.Type() != mapping.Type {
		return nil
	}
	config, _, err := r.computedConfig(stepCtx, snapshot, item)
	if missing, ok := err.(missingError); ok { //nolint:errorlint // it is never wrapped
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
// missingError says why there can be none.
func (r *airtableRun) computedConfig(
	ctx context.Context, s *schema.Snapshot, item airtable.Item,
) (json.RawMessage, []string, error) {
	f := item.Field
	mapping := airtable.MappingOf(f)
	config := map[string]any{}
	if err := json.Unmarshal(mapping.Config(f), &config); err != nil {
		return nil, nil, fmt.Errorf("reading the config of a field: %w", err)
	}
	if valid := f.Options.IsValid; valid != nil && !*valid {
		return nil, nil, missingError("It is broken at Airtable.")
	}
	if mapping.Type == "formula" {
		translation, err := airtable.Translate(f.Options.Formula, func(field string) (string, error) {
			return r.idOf(s, item.Table, field)
		})
		if err != nil {
			return nil, nil, err //nolint:wrapcheck // of idOf
		}
		config["formula"] = translation.Formula
		return jsonvalue.Must(config), translation.Notes, nil
	}
	link, err := r.idOf(s, item.Table, f.Options.RecordLinkFieldID)
	if err != nil {
		return nil, nil, err
	}
	config["linkFieldId"] = link
	if mapping.Type == "count" {
		return jsonvalue.Must(config), nil, nil
	}
	through := item.Table.Field(f.Options.RecordLinkFieldID)
	linked := r.tableOf(through.Options.LinkedTableID)
	if linked == nil {
		return nil, nil, missingError("The table that it reads is not here.")
	}
	if config["fieldId"], err = r.idOf(s, linked, f.Options.FieldIDInLinkedTable); err != nil {
		return nil, nil, err
	}
	var notes []string
	if target := linked.Field(f.Options.FieldIDInLinkedTable); target.Type == "percent" {
		delete(config, "format")
		notes = append(notes, "values of percent fields are per cent to lookups and rollups here, 12.5 and not 0.125")
	}
	if mapping.Type == "rollup" {
		note, err := r.rollup(ctx, item, linked, config)
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, note)
	}
	return jsonvalue.Must(config), notes, nil
}

// idOf is the id here of a field.
func (r *airtableRun) idOf(s *schema.Snapshot, t *airtable.Table, field string) (string, error) {
	if f := r.oursField(s, field); f != nil {
		return f.PublicID(), nil
	}
	if f := t.Field(field); f != nil {
		return "", missingError(fmt.Sprintf("It reads %q, which did not come.", f.Name))
	}
	return "", missingError("It reads a field that is not there any more.")
}

// rollup adds to a config what a rollup computes. Airtable says what it reads and not what it makes of that, so it is
// found by values.
func (r *airtableRun) rollup(
	ctx context.Context, item airtable.Item, linked *airtable.Table, config map[string]any,
) (note string, err error) {
	samples, err := r.samples(ctx, item, linked)
	if err != nil {
		return "", err
	}
	result := ""
	if item.Field.Options.Result != nil {
		result = item.Field.Options.Result.Type
	}
	found := airtable.Guess(result, samples)
	if len(found) == 0 {
		return "", missingError("Airtable does not say what it computes, and its values are those of none of the " +
			"usual functions.")
	}
	if found[0].Function != "" {
		config["function"] = found[0].Function
	} else {
		config["formula"] = found[0].Formula
	}
	note = fmt.Sprintf("Airtable does not say what it computes; by the values of %d records it is %s", len(samples),
		found[0])
	if len(found) > 1 {
		note += fmt.Sprintf(", but could be %s, too", found[1])
	}
	return note, nil
}

// samples are values of a rollup next to those that it was made of, of the first records with links.
func (r *airtableRun) samples(
	ctx context.Context, item airtable.Item, linked *airtable.Table,
) ([]airtable.Sample, error) {
	o := &item.Field.Options
	records, err := r.session.Sample(ctx, item.Table.ID, []string{o.RecordLinkFieldID, item.Field.ID})
	if err != nil {
		return nil, err //nolint:wrapcheck // Problem reads it
	}
	wanted := map[string]bool{}
	links := make([][]string, len(records))
	for i := range records {
		var ids []string
		raw := records[i].Fields[o.RecordLinkFieldID]
		if raw == nil || json.Unmarshal(raw, &ids) != nil || len(wanted)+len(ids) > airtable.PageSize {
			continue
		}
		links[i] = ids
		for _, one := range ids {
			wanted[one] = true
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	targets, err := r.session.Some(ctx, linked.ID, slices.Sorted(maps.Keys(wanted)), []string{o.FieldIDInLinkedTable})
	if err != nil {
		return nil, err //nolint:wrapcheck // Problem reads it
	}
	values := map[string]json.RawMessage{}
	for i := range targets {
		values[targets[i].ID] = targets[i].Fields[o.FieldIDInLinkedTable]
	}
	var samples []airtable.Sample
	for i := range records {
		if len(links[i]) == 0 {
			continue
		}
		one := airtable.Sample{Value: records[i].Fields[item.Field.ID]}
		for _, target := range links[i] {
			one.Entries = append(one.Entries, values[target])
		}
		samples = append(samples, one)
	}
	return samples, nil
}

// nameRecords makes the primary field of Airtable the one here, if it can be: a formula with a text, or a formula of
// it. Otherwise the field of text stays, with the names of the import.
func (r *airtableRun) nameRecords(ctx context.Context, t *airtable.Table) error {
	text, has := r.items[t.PrimaryFieldID+textItem]
	if !has {
		return nil
	}
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	field, primary := snapshot.Field(text.object), r.oursField(snapshot, t.PrimaryFieldID)
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
		t.Field(t.PrimaryFieldID).Name, field.Name)
	return r.commit(stepCtx, next, func(b *pgx.Batch) { r.queueBrought(b, t.PrimaryFieldID+textItem, text.brought) })
}

// nameByFormula makes a formula of the text of a field the primary field.
func (r *airtableRun) nameByFormula(ctx context.Context, t *schema.Table, primary *schema.Field) error {
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
func (r *airtableRun) dropText(ctx context.Context, t *airtable.Table, text airtableItem) error {
	next := r.next()
	err := r.Schema.DeleteField(r.within(ctx, next, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.airtable_item where org_id = $1 and base_id = $2 and airtable_id = $3", r.j.Org,
			r.j.Base, t.PrimaryFieldID+textItem)
	}), r.j.Org, text.object)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	delete(r.items, t.PrimaryFieldID+textItem)
	return nil
}
