package catalog_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

type bundle struct {
	db    *db.DB
	store *catalog.Store
	org   uuid.UUID
	base  *schema.Base
}

func setup(t testing.TB) *bundle {
	t.Helper()
	db := tenancytest.DB(t)
	store := catalog.NewStore(db, catalog.Options{})
	org, _ := tenancytest.Org(t, db)
	base, err := store.CreateBase(t.Context(), org, uuid.Nil, "Test Base")
	if err != nil {
		t.Fatal(err)
	}
	return &bundle{db, store, org, base}
}

func (b *bundle) table(t testing.TB, name string, fields ...catalog.FieldSpec) *schema.Table {
	t.Helper()
	made, err := b.store.CreateTable(t.Context(), b.org, b.base.ID, name, fields)
	if err != nil {
		t.Fatal(err)
	}
	return b.fresh(t).Table(made.ID)
}

func (b *bundle) fresh(t testing.TB) *schema.Snapshot {
	t.Helper()
	snapshot, err := b.store.Fresh(t.Context(), b.org)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

func (b *bundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	err := b.db.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), sql, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// computedConfig is the config of a computed field of a table with a field "A number" and a link "A link".
func computedConfig(kind schema.Type) json.RawMessage {
	return json.RawMessage(map[schema.Type]string{
		"formula": `{"formula":"{A number} * 2"}`, "lookup": `{"linkFieldId":"A link","fieldId":"A number"}`,
		"rollup": `{"linkFieldId":"A link","fieldId":"A number","function":"SUM"}`, "count": `{"linkFieldId":"A link"}`,
	}[kind])
}

func TestEveryTypeOfFieldCanBeMadeAndDropped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "All types")
	for _, kind := range field.All() {
		info := kind.Info()
		spec := catalog.FieldSpec{Name: "A " + string(info.Type), Type: info.Type}
		if info.Paired {
			spec.Config = json.RawMessage(`{"linkedTableId":"` + table.PublicID() + `"}`)
		}
		if info.Computed {
			spec.Config = computedConfig(info.Type)
		}
		field, err := b.store.CreateField(t.Context(), b.org, table.ID, spec)
		if err != nil {
			t.Fatalf("%s: %v", info.Type, err)
		}
		if got := b.fresh(t).Field(field.ID); got == nil || got.Name != spec.Name {
			t.Fatalf("%s: not in the snapshot: %+v", info.Type, got)
		}
	}
	table = b.fresh(t).Table(table.ID)
	b.exec(t, "insert into "+table.Relation()+" (id) values ($1)", uuid.Must(uuid.NewV7()))
	for i, field := range table.Fields {
		if float64(i) != field.Position {
			t.Errorf("field %d has position %v", i, field.Position)
		}
		snapshot := b.fresh(t)
		if field.IsPrimary || snapshot.Field(field.ID) == nil { // the inverse of a link goes with it
			continue
		}
		if err := b.store.DeleteField(t.Context(), b.org, field.ID); err != nil {
			t.Fatalf("deleting %s: %v", field.Type(), err)
		}
	}
	if left := len(b.fresh(t).Table(table.ID).Fields); left != 1 {
		t.Fatalf("%d fields are left, want the primary one", left)
	}
	if err := b.store.DeleteBase(t.Context(), b.org, b.base.ID); err != nil {
		t.Fatal(err)
	}
}

func TestATableLinkedFromAnotherCanBeDropped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	countries, regions := b.table(t, "Countries"), b.table(t, "Regions")
	link, err := b.store.CreateField(t.Context(), b.org, regions.ID, catalog.FieldSpec{
		Name:   "Country",
		Type:   schema.LinkType,
		Config: json.RawMessage(`{"linkedTableId":"` + countries.PublicID() + `"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	inverse := b.fresh(t).Field(link.Link.Inverse)
	if inverse == nil || inverse.Table.Name != "Countries" || inverse.Name != "Regions" {
		t.Fatalf("the inverse is %+v", inverse)
	}
	if err := b.store.DeleteTable(t.Context(), b.org, countries.ID); err != nil {
		t.Fatal(err)
	}
	if b.fresh(t).Field(link.ID) != nil {
		t.Error("the link outlived the table it points at")
	}
}

func TestOptionsCarryTheirRecordsAlong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "Tasks",
		catalog.FieldSpec{Name: "Title", Type: schema.Text},
		catalog.FieldSpec{
			Name:   "Stage",
			Type:   schema.SingleSelect,
			Config: json.RawMessage(`{"options":["Open","Done"]}`),
		},
		catalog.FieldSpec{Name: "Tags", Type: schema.MultiSelect, Config: json.RawMessage(`{"options":["a","b","c"]}`)})
	stage, tags := table.FieldByName("Stage"), table.FieldByName("Tags")
	b.exec(
		t, "insert into "+table.Relation()+" (id, "+stage.Column()+", "+tags.Column()+") values ($1, 'Open', '{a,b}')",
		uuid.New(),
	)

	swap := json.RawMessage(`{"options":[{"name":"Done","previousName":"Open"},{"name":"Open","previousName":"Done"}]}`)
	err := b.store.UpdateField(t.Context(), b.org, stage.ID, catalog.FieldPatch{Config: swap})
	if problem.KindOf(err) != problem.KindInvalid { // a swap would rename and keep at once
		t.Fatalf("want invalid, got %v", err)
	}
	rename := json.RawMessage(`{"options":[{"name":"Started","previousName":"Open"},"Done"]}`)
	if err := b.store.UpdateField(t.Context(), b.org, stage.ID, catalog.FieldPatch{Config: rename}); err != nil {
		t.Fatal(err)
	}
	remove := json.RawMessage(`{"options":["c",{"name":"bb","previousName":"b"}]}`)
	err = b.store.UpdateField(t.Context(), b.org, tags.ID, catalog.FieldPatch{Config: remove})
	if problem.KindOf(err) != problem.KindConflict {
		t.Fatalf("removing an option in use: want a conflict, got %v", err)
	}
	if err := b.store.UpdateField(t.Context(), b.org, tags.ID, catalog.FieldPatch{
		Config:  remove,
		Discard: true,
	}); err != nil {
		t.Fatal(err)
	}
	var gotStage string
	var gotTags []string
	err = b.db.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select "+stage.Column()+", "+tags.Column()+" from "+table.Relation()).
			Scan(&gotStage, &gotTags)
	})
	if err != nil || gotStage != "Started" || len(gotTags) != 1 || gotTags[0] != "bb" {
		t.Fatalf("got %q %q, %v", gotStage, gotTags, err)
	}
}

func TestStatementsForAnOldSchemaAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "Moving")
	if _, err := b.store.CreateField(t.Context(), b.org, table.ID, catalog.FieldSpec{
		Name: "New",
		Type: schema.Number,
	}); err != nil {
		t.Fatal(err)
	}
	try := map[string]func(ref db.TableRef) error{
		"a reading": func(ref db.TableRef) error {
			return b.db.TableBatch(t.Context(), b.org, ref, func(batch *pgx.Batch) {
				batch.Queue("select from " + table.Relation())
			})
		},
		"a write": func(ref db.TableRef) error {
			return b.db.TableWrite(t.Context(), b.org, ref, func(batch *db.WriteBatch) {
				batch.Change(ref.ChangeStatement(func(assertion string) string {
					return "insert into " + table.Relation() + " (id) select $2 where " + assertion + " returning id"
				}), uuid.New())
			})
		},
		"a transaction": func(ref db.TableRef) error {
			return b.db.TableTx(t.Context(), b.org, ref, func(pgx.Tx) error { return nil })
		},
	}
	now := b.fresh(t).Table(table.ID)
	gone := b.table(t, "Gone")
	if err := b.store.DeleteTable(t.Context(), b.org, gone.ID); err != nil {
		t.Fatal(err)
	}
	for name, do := range try {
		for range 7 { // PostgreSQL plans the first five times for the values at hand
			if err := do(table.Ref()); !isSchemaChanged(err) {
				t.Fatalf("%s for a former version: want ErrSchemaChanged, got %v", name, err)
			}
			if err := do(now.Ref()); err != nil {
				t.Fatalf("%s for the present version: %v", name, err)
			}
		}
		if err := do(gone.Ref()); !isSchemaChanged(err) {
			t.Fatalf("%s for a table that is gone: %v", name, err)
		}
	}
}

func TestADeletedFieldLeavesTheViews(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "Viewed", catalog.FieldSpec{Name: "Title", Type: schema.Text}, catalog.FieldSpec{
		Name: "Age",
		Type: schema.Number,
	})
	view := table.Views[0]
	age := table.FieldByName("Age")
	err := b.store.UpdateView(t.Context(), b.org, view.ID, catalog.ViewPatch{Config: schema.ViewConfig{
		"hiddenFields": json.RawMessage(`["Age"]`),
		"sorts":        json.RawMessage(`[{"fieldId":"` + age.PublicID() + `","dir":"asc"}]`),
		"theirs":       json.RawMessage(`{"kept":null}`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.DeleteField(t.Context(), b.org, age.ID); err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(b.fresh(t).View(view.ID).Config)
	if string(got) != `{"theirs":{"kept":null}}` {
		t.Fatalf("the view says %s", got)
	}
}

func TestAViewIsMadeWithItsConfig(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "Viewed", catalog.FieldSpec{Name: "Title", Type: schema.Text},
		catalog.FieldSpec{Name: "Age", Type: schema.Number},
		catalog.FieldSpec{
			Name: "State", Type: "single_select", Config: json.RawMessage(`{"options":[{"name":"Open"}]}`),
		})
	spec := catalog.ViewSpec{Type: schema.Grid, Name: "Short", Config: schema.ViewConfig{
		"hiddenFields": json.RawMessage(`["Age"]`), "calendarScale": json.RawMessage(`"week"`),
	}}
	view, err := b.store.CreateView(t.Context(), b.org, table.ID, spec)
	if err != nil {
		t.Fatal(err)
	}
	stored, _ := json.Marshal(b.fresh(t).View(view.ID).Config)
	want := `{"calendarScale":"week","hiddenFields":["` + table.FieldByName("Age").PublicID() + `"]}`
	if string(stored) != want {
		t.Errorf("stored %s, not %s", stored, want)
	}
	spec.Name, spec.Config = "Wrong", schema.ViewConfig{"hiddenFields": json.RawMessage(`["Height"]`)}
	if _, err := b.store.CreateView(t.Context(), b.org, table.ID, spec); problem.KindOf(err) != problem.KindInvalid {
		t.Errorf("a field that is not there: %v", err)
	}
	open := `{"fieldId":"State","value":"Open","limit":`
	for _, wrong := range [][2]string{
		{"calendarScale", `"year"`},
		{"timeScale", `"hour"`},
		{"stackLimits", `{"Open":3}`},
		{"stackLimits", `[{"fieldId":"Age","value":"Open","limit":3}]`},
		{"stackLimits", `[{"fieldId":"State","value":["Open"],"limit":3}]`},
		{"stackLimits", "[" + open + "0}]"},
		{"stackLimits", "[" + open + "100001}]"},
		{"stackLimits", "[" + open + "1.5}]"},
		{"stackLimits", "[" + open + "1}," + open + "2}]"},
	} {
		spec.Name, spec.Config = "Wrong", schema.ViewConfig{wrong[0]: json.RawMessage(wrong[1])}
		_, err := b.store.CreateView(t.Context(), b.org, table.ID, spec)
		if problem.KindOf(err) != problem.KindInvalid {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	spec.Name, spec.Config = "Right", schema.ViewConfig{"stackLimits": json.RawMessage("[" + open + "1}]")}
	if _, err := b.store.CreateView(t.Context(), b.org, table.ID, spec); err != nil {
		t.Error(err)
	}
	spec.Name = "Refused"
	spec.Config = nil
	spec.Check = func(*schema.Table, schema.ViewConfig) (schema.ViewConfig, error) {
		return nil, errors.New("refused")
	}
	if _, err := b.store.CreateView(t.Context(), b.org, table.ID, spec); err == nil {
		t.Error("the check was not asked")
	}
	if views := b.fresh(t).Table(table.ID).Views; len(views) != 3 {
		t.Errorf("%d views", len(views))
	}
}

func isSchemaChanged(err error) bool { return errors.Is(err, db.ErrSchemaChanged) }
