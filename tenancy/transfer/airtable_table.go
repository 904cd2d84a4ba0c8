package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
)

// makeTables makes the tables that are not here yet, with their fields that have values of their own, and gives those
// that are here what is new.
func (r *airtableRun) makeTables(ctx context.Context) error {
	for i := range r.tables {
		t := &r.tables[i]
		var err error
		if item, known := r.items[t.ID]; known {
			err = r.renewTable(ctx, t, item)
		} else {
			err = r.makeTable(ctx, t)
		}
		if err != nil {
			return err
		}
	}
	return r.noteGoneSchema(ctx)
}

// ours is the table here of one of Airtable, or nil if it was deleted here.
func (r *airtableRun) ours(s *schema.Snapshot, t *airtable.Table) *schema.Table {
	if item, known := r.items[t.ID]; known {
		return s.Table(item.object)
	}
	return nil
}

// oursField is the field here of one of Airtable, or nil.
func (r *airtableRun) oursField(s *schema.Snapshot, id string) *schema.Field {
	if item, known := r.items[id]; known {
		return s.Field(item.object)
	}
	return nil
}

func (r *airtableRun) makeTable(ctx context.Context, t *airtable.Table) error {
	ctx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	snapshot, err := r.Schema.Fresh(catalog.WithoutCaller(ctx), r.j.Org) // names that the person does not see, too
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	taken := []string{}
	if base := snapshot.Base(r.j.Base); base != nil {
		for _, other := range base.Tables {
			taken = append(taken, naming.Key(other.Name))
		}
	}
	name := unusedName(cleanName(t.Name, "Table"), &taken)
	specs, items := planFields(t)
	next := r.next()
	next.table(t.Name, uuid.Nil).Fields = len(specs)
	for i := range t.Fields {
		r.noteMapping(next, t, &t.Fields[i])
	}
	_, err = r.Schema.CreateTable(r.within(ctx, next, func(b *pgx.Batch) {
		r.queueItems(b, "table", place{}, []newItem{{t.ID, name, airtableBrought{Name: name}}})
		r.queueItems(b, "field", place{parent: t.ID, made: name}, items)
	}), r.j.Org, r.j.Base, name, specs)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	return r.reloadItems(ctx)
}

// noteMapping notes what a reader should know of how a new field came.
func (r *airtableRun) noteMapping(next *airtableStep, t *airtable.Table, f *airtable.Field) {
	switch mapping := airtable.MappingOf(f); {
	case mapping.Way == airtable.Left:
		next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: 1, Why: mapping.Note})
	case mapping.Note != "":
		next.report.note("%s, %s: the field %s.", t.Name, f.Name, mapping.Note)
	}
}

// planFields are the fields of a new table: those with values of their own, the one that names the records first.
func planFields(t *airtable.Table) ([]catalog.FieldSpec, []newItem) {
	var specs []catalog.FieldSpec
	var items []newItem
	var taken []string
	add := func(key, wanted string, kind field.Type, config json.RawMessage) {
		name := unusedName(wanted, &taken)
		specs = append(specs, catalog.FieldSpec{Name: name, Type: kind, Config: config})
		items = append(items, newItem{key, name, airtableBrought{Name: name}})
	}
	fields := slices.Clone(t.Fields)
	slices.SortStableFunc(fields, func(a, b airtable.Field) int { // the primary field is the first one here
		return boolToInt(b.ID == t.PrimaryFieldID) - boolToInt(a.ID == t.PrimaryFieldID)
	})
	// Other names are taken before, so that only the one that is added gets another.
	text := ""
	if primary := t.Field(t.PrimaryFieldID); primary == nil || !namesRecords(primary) {
		text = "Name"
		for i := range fields {
			if naming.Key(cleanName(fields[i].Name, "Field")) == naming.Key(text) {
				text = "Name (text)"
			}
		}
		add(t.PrimaryFieldID+textItem, text, "text", nil)
	}
	for i := range fields {
		mapping := airtable.MappingOf(&fields[i])
		switch mapping.Way {
		case airtable.Copied, airtable.Kept, airtable.Files:
			add(fields[i].ID, cleanName(fields[i].Name, "Field"), mapping.Type, mapping.Config(&fields[i]))
		case airtable.Linked, airtable.Computed, airtable.Left:
		}
	}
	return specs, items
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// namesRecords reports whether a field can name the records of a table as it comes.
func namesRecords(f *airtable.Field) bool {
	mapping := airtable.MappingOf(f)
	return mapping.Way == airtable.Copied && mapping.Type.Info().Primary
}

// renewTable gives a table that came before its new name, new fields and new options.
func (r *airtableRun) renewTable(ctx context.Context, t *airtable.Table, item airtableItem) error {
	stepCtx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	ours := r.ours(snapshot, t)
	if ours == nil {
		next := r.next()
		next.report.leave(LeftOut{Table: t.Name, Count: 1, Why: "The table was deleted here, and was not made again."})
		return r.commit(stepCtx, next, nil)
	}
	if name := cleanName(t.Name, "Table"); name != item.brought.Name {
		next := r.next()
		patch := catalog.Patch{Name: &name}
		if ours.Name != item.brought.Name { // somebody has chosen another one here
			patch.Name = &ours.Name
		}
		err := r.Schema.UpdateTable(r.within(stepCtx, next, func(b *pgx.Batch) {
			r.queueBrought(b, t.ID, airtableBrought{Name: name})
		}), r.j.Org, ours.ID, patch)
		if err == nil {
			r.took(next)
		} else if !isRefusal(err) {
			return err //nolint:wrapcheck // it is for the person
		}
	}
	for i := range t.Fields {
		if err := r.renewField(ctx, t, &t.Fields[i]); err != nil {
			return err
		}
	}
	return nil
}

// renewField makes a field that is new, or gives one that came before its new name and options. Fields that link and
// compute have their own time.
func (r *airtableRun) renewField(ctx context.Context, t *airtable.Table, f *airtable.Field) error {
	mapping := airtable.MappingOf(f)
	item, known := r.items[f.ID]
	if known {
		return r.patchField(ctx, t, f, item)
	}
	switch mapping.Way {
	case airtable.Copied, airtable.Kept, airtable.Files:
	case airtable.Linked, airtable.Computed, airtable.Left:
		return nil
	}
	return r.makeField(ctx, t, f, mapping.Type, mapping.Config(f), airtableBrought{}, nil)
}

// makeField makes a field at its place among the others. What the service does not take is listed.
func (r *airtableRun) makeField(
	ctx context.Context, t *airtable.Table, f *airtable.Field, kind field.Type, config json.RawMessage,
	brought airtableBrought, count func(report *Report, table *TableReport),
) error {
	ctx, _, err := r.begin(ctx)
	if err != nil {
		return err
	}
	snapshot, err := r.Schema.Fresh(catalog.WithoutCaller(ctx), r.j.Org)
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	ours := r.ours(snapshot, t)
	if ours == nil {
		return nil // the table was deleted here, which is listed
	}
	var taken []string
	for _, other := range ours.Fields {
		taken = append(taken, naming.Key(other.Name))
	}
	position := r.positionOf(snapshot, t, f)
	brought.Name = unusedName(cleanName(f.Name, "Field"), &taken)
	next := r.next()
	report := next.table(t.Name, ours.ID)
	if count == nil {
		report.Fields++
		r.noteMapping(next, t, f)
	} else {
		count(next.report, report)
	}
	_, err = r.Schema.CreateField(r.within(ctx, next, func(b *pgx.Batch) {
		r.queueItems(b, "field", place{parent: t.ID, table: ours.ID}, []newItem{{f.ID, brought.Name, brought}})
		if kind == "link" {
			r.queueInverse(b, t, f)
		}
	}), r.j.Org, ours.ID, catalog.FieldSpec{Name: brought.Name, Type: kind, Config: config, Position: &position})
	if isRefusal(err) {
		return r.leaveField(ctx, t, f, whyRefused(err))
	}
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	return r.reloadItems(ctx)
}

// leaveField lists a field that did not come.
func (r *airtableRun) leaveField(ctx context.Context, t *airtable.Table, f *airtable.Field, why string) error {
	next := r.next()
	next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: 1, Why: why, Formula: f.Options.Formula})
	return r.commit(ctx, next, nil)
}

// positionOf is the place of a field among those of its table that are here.
func (r *airtableRun) positionOf(s *schema.Snapshot, t *airtable.Table, f *airtable.Field) float64 {
	before := 0
	if _, text := r.items[t.PrimaryFieldID+textItem]; text {
		before++
	}
	for i := range t.Fields {
		if t.Fields[i].ID == f.ID {
			break
		}
		if r.oursField(s, t.Fields[i].ID) != nil {
			before++
		}
	}
	return float64(max(1, before))
}

// patchField gives a field that came before its new name and its new options.
func (r *airtableRun) patchField(ctx context.Context, t *airtable.Table, f *airtable.Field, item airtableItem) error {
	ctx, _, snapshot, err := r.beginFresh(ctx)
	if err != nil {
		return err
	}
	ours := snapshot.Field(item.object)
	if ours == nil {
		next := r.next()
		next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: 1, Why: "The field was deleted here, and was " +
			"not made again."})
		return r.commit(ctx, next, nil)
	}
	var patch catalog.FieldPatch
	brought := item.brought
	if name := cleanName(f.Name, "Field"); name != item.brought.Name && ours.Table.RefuseFieldName(name, ours) == nil {
		brought.Name = name
		if ours.Name == item.brought.Name || item.brought.Name == "" {
			patch.Name = &name
		}
	}
	patch.Config = newOptions(ours, f)
	if item.brought.Name == "" { // the other side of a link, which stands last
		position := r.positionOf(snapshot, t, f)
		patch.Position = &position
	}
	if brought == item.brought && patch.Config == nil {
		return nil
	}
	next := r.next()
	err = r.Schema.UpdateField(r.within(ctx, next, func(b *pgx.Batch) { r.queueBrought(b, f.ID, brought) }), r.j.Org,
		ours.ID, patch)
	if isRefusal(err) {
		return r.leaveField(ctx, t, f, whyRefused(err))
	}
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	item.brought = brought
	r.items[f.ID] = item
	return nil
}

// newOptions is the config with the options of a select that are not here yet, after those that are; nil if there are
// none.
func newOptions(ours *schema.Field, f *airtable.Field) json.RawMessage {
	mapping := airtable.MappingOf(f)
	var config struct {
		Options []field.Option `json:"options"`
	}
	if json.Unmarshal(mapping.Config(f), &config) != nil || mapping.Type != ours.Type() {
		return nil
	}
	all := slices.Clone(ours.Config.Options)
	for _, option := range config.Options {
		if !ours.Config.HasOption(option.Name) && len(all) < field.MaxOptions {
			all = append(all, option)
		}
	}
	if len(all) == len(ours.Config.Options) {
		return nil
	}
	return jsonvalue.Must(map[string]any{"options": all})
}

// noteGoneSchema notes tables and fields that came before and are no longer at Airtable. They stay.
func (r *airtableRun) noteGoneSchema(ctx context.Context) error {
	there := map[string]bool{}
	for i := range r.tables {
		there[r.tables[i].ID] = true
		for j := range r.tables[i].Fields {
			there[r.tables[i].Fields[j].ID] = true
		}
	}
	next := r.next()
	gone := 0
	for name, item := range r.items {
		isText := len(name) > len(textItem) && name[len(name)-len(textItem):] == textItem
		if (item.kind == "table" || item.kind == "field") && !there[name] && !isText && item.brought.Name != "" {
			next.report.note("The %s %q is no longer at Airtable; it stays here.", item.kind, item.brought.Name)
			gone++
		}
	}
	slices.Sort(next.report.Notes[len(next.report.Notes)-gone:])
	if gone == 0 {
		return nil
	}
	return r.commit(ctx, next, nil)
}
