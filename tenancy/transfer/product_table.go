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
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// makeTables makes the tables that are not here yet, with their fields that have values of their own, and gives those
// that are here what is new.
func (r *productRun) makeTables(ctx context.Context) error {
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

// ours is the table here of one of the product, or nil if it was deleted here.
func (r *productRun) ours(s *schema.Snapshot, t *product.Table) *schema.Table {
	if item, known := r.items[t.ID]; known {
		return s.Table(item.object)
	}
	return nil
}

// oursField is the field here of one of the product, or nil.
func (r *productRun) oursField(s *schema.Snapshot, id string) *schema.Field {
	if item, known := r.items[id]; known {
		return s.Field(item.object)
	}
	return nil
}

func (r *productRun) makeTable(ctx context.Context, t *product.Table) error {
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
		r.queueItems(b, "table", place{}, []newItem{{t.ID, name, productBrought{Name: name}}})
		r.queueItems(b, "field", place{parent: t.ID, made: name}, items)
	}), r.j.Org, r.j.Base, name, specs)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	r.took(next)
	return r.reloadItems(ctx)
}

// noteMapping notes what a reader should know of how a new field came.
func (r *productRun) noteMapping(next *productStep, t *product.Table, f *product.Field) {
	switch {
	case f.Way == product.Left:
		next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: 1, Why: f.Note})
	case f.Note != "":
		next.report.note("%s, %s: the field %s.", t.Name, f.Name, f.Note)
	}
}

// planFields are the fields of a new table: those with values of their own, the one that names the records first.
func planFields(t *product.Table) ([]catalog.FieldSpec, []newItem) {
	var specs []catalog.FieldSpec
	var items []newItem
	var taken []string
	add := func(key, wanted string, kind field.Type, config json.RawMessage) {
		name := unusedName(wanted, &taken)
		specs = append(specs, catalog.FieldSpec{Name: name, Type: kind, Config: config})
		items = append(items, newItem{key, name, productBrought{Name: name}})
	}
	fields := slices.Clone(t.Fields)
	slices.SortStableFunc(fields, func(a, b product.Field) int { // the primary field is the first one here
		return boolToInt(b.ID == t.Primary) - boolToInt(a.ID == t.Primary)
	})
	// Other names are taken before, so that only the one that is added gets another.
	text := ""
	if primary := t.Field(t.Primary); primary == nil || !namesRecords(primary) {
		text = "Name"
		for i := range fields {
			if naming.Key(cleanName(fields[i].Name, "Field")) == naming.Key(text) {
				text = "Name (text)"
			}
		}
		add(t.Primary+textItem, text, "text", nil)
	}
	for i := range fields {
		f := &fields[i]
		switch f.Way {
		case product.Copied, product.Kept, product.Files:
			add(f.ID, cleanName(f.Name, "Field"), f.Type, f.Config)
		case product.Linked, product.Computed, product.Left:
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
func namesRecords(f *product.Field) bool {
	return f.Way == product.Copied && f.Type.Info().Primary
}

// renewTable gives a table that came before its new name, new fields and new options.
func (r *productRun) renewTable(ctx context.Context, t *product.Table, item productItem) error {
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
			r.queueBrought(b, t.ID, productBrought{Name: name})
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
func (r *productRun) renewField(ctx context.Context, t *product.Table, f *product.Field) error {
	item, known := r.items[f.ID]
	if known {
		return r.patchField(ctx, t, f, item)
	}
	switch f.Way {
	case product.Copied, product.Kept, product.Files:
	case product.Linked, product.Computed, product.Left:
		return nil
	}
	return r.makeField(ctx, t, f, f.Type, f.Config, productBrought{}, nil)
}

// makeField makes a field at its place among the others. What the service does not take is listed.
func (r *productRun) makeField(
	ctx context.Context, t *product.Table, f *product.Field, kind field.Type, config json.RawMessage,
	brought productBrought, count func(report *Report, table *TableReport),
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
func (r *productRun) leaveField(ctx context.Context, t *product.Table, f *product.Field, why string) error {
	next := r.next()
	next.report.leave(LeftOut{Table: t.Name, Field: f.Name, Count: 1, Why: why, Formula: f.Formula.Source})
	return r.commit(ctx, next, nil)
}

// positionOf is the place of a field among those of its table that are here.
func (r *productRun) positionOf(s *schema.Snapshot, t *product.Table, f *product.Field) float64 {
	before := 0
	if _, text := r.items[t.Primary+textItem]; text {
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
func (r *productRun) patchField(ctx context.Context, t *product.Table, f *product.Field, item productItem) error {
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
func newOptions(ours *schema.Field, f *product.Field) json.RawMessage {
	var config struct {
		Options []field.Option `json:"options"`
	}
	if json.Unmarshal(f.Config, &config) != nil || f.Type != ours.Type() {
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

// noteGoneSchema notes tables and fields that came before and are no longer at the product. They stay.
func (r *productRun) noteGoneSchema(ctx context.Context) error {
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
			next.report.note("The %s %q is no longer at %s; it stays here.", item.kind, item.brought.Name,
				r.session.About().Name)
			gone++
		}
	}
	slices.Sort(next.report.Notes[len(next.report.Notes)-gone:])
	if gone == 0 {
		return nil
	}
	return r.commit(ctx, next, nil)
}
