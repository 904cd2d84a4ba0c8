package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func formulaField(name, text string) catalog.FieldSpec {
	config, err := json.Marshal(map[string]string{"formula": text})
	if err != nil {
		panic(err) // a string
	}
	return field(name, "formula", string(config))
}

func (b *bundle) addField(t *testing.T, table uuid.UUID, spec catalog.FieldSpec) *schema.Field {
	t.Helper()
	made, err := b.store.CreateField(t.Context(), b.actor.Org, table, spec)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (b *bundle) update(t *testing.T, record, fields string) rec {
	t.Helper()
	raw, err := b.engine.UpdateOne(t.Context(), b.actor, record, jsonvaluetest.ParseObject([]byte(fields)), false)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, raw)
}

// stores skips a test whose subject is the columns of computed fields, which a table has not on Citus.
func (b *bundle) stores(t *testing.T) {
	t.Helper()
	if b.db.Distributed() {
		t.Skip("computed fields have no columns on Citus")
	}
}

// unkept has the columns of computed fields forgotten, so that values are computed where they are read,
// as before a job has filled the columns.
func (b *bundle) unkept(t *testing.T) {
	t.Helper()
	err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		for _, statement := range []string{
			"update rowhouse.computed_column set filled = false, filled_to = null where org_id = $1",
			"update rowhouse.organization set schema_version = schema_version + 1 where org_id = $1",
			`update rowhouse.data_table d set version = o.schema_version from rowhouse.organization o
				where d.org_id = $1 and o.org_id = $1`,
		} {
			if _, err := tx.Exec(t.Context(), statement, b.actor.Org); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A formula that reads a field which is gone names it, and can be written back as it was read.
func TestABrokenFormulaIsShownWithNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("Unit price", schema.Number), field("N", schema.Number),
		formulaField("Total", "{Unit price} * {N}"))
	table := b.schema(t, u)
	if err := b.store.DeleteField(t.Context(), b.actor.Org, table.FieldByName("Unit price").ID); err != nil {
		t.Fatal(err)
	}
	total := b.schema(t, u).FieldByName("Total")
	if got := total.ShownConfig().Formula; got != "{Unit price} * {N}" {
		t.Errorf("it is shown as %s", got)
	}
	if got := total.Computed.Broken; !strings.Contains(got, `the field "Unit price" is gone`) {
		t.Errorf("it is broken because %s", got)
	}
	config := []byte(`{"formula":"{Unit price} * {N}","description":"new"}`)
	if err := b.store.UpdateField(t.Context(), b.actor.Org, total.ID, catalog.FieldPatch{Config: config}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Restore(t.Context(), b.actor.Org, catalog.TrashRequest{
		Items: []string{table.FieldByName("Unit price").PublicID()}, Base: b.base,
	}); err != nil {
		t.Fatal(err)
	}
	total = b.schema(t, u).FieldByName("Total")
	if total.Computed.Broken != "" || total.ShownConfig().Formula != "{Unit price} * {N}" {
		t.Errorf("%s, %s", total.Computed.Broken, total.ShownConfig().Formula)
	}
}

// A formula is as long when it is stored, with ids, as when it is written or shown, with names.
func TestTheLengthOfAFormulaDoesNotDependOnNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	long := "N" + strings.Repeat("+N", 999)
	f := b.addField(t, u, formulaField("Sum", long))
	made := b.create(t, u, `{"Name":"a","N":2}`)
	if got := made[0].Fields["Sum"]; got != 2000.0 {
		t.Errorf("it computes %v", got)
	}
	name := strings.Repeat("n{", 120)
	n := b.schema(t, u).FieldByName("N")
	if err := b.store.UpdateField(t.Context(), b.actor.Org, n.ID, catalog.FieldPatch{Name: &name}); err != nil {
		t.Fatal(err)
	}
	shown := b.schema(t, u).FieldByName("Sum").ShownConfig()
	if len(shown.Formula) < 1000*len(name) {
		t.Fatalf("it is shown with %d bytes", len(shown.Formula))
	}
	config, err := json.Marshal(map[string]string{"formula": shown.Formula}) // what was read is written back
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.UpdateField(t.Context(), b.actor.Org, f.ID, catalog.FieldPatch{Config: config}); err != nil {
		t.Error(err)
	}
	for _, long := range []string{
		"N" + strings.Repeat("+N", 2800), strings.Repeat(" ", 30_000) + "1", `"` + strings.Repeat("x", 30_000) + `"`,
	} {
		_, err = b.store.CreateField(t.Context(), b.actor.Org, u, formulaField("Longer", strings.ReplaceAll(long, "N",
			"{Name}")))
		wantItem(t, err, problem.KindInvalid, "config.formula", "longer than 30000 characters")
	}
}

func TestFormulasAreComputedWithTheRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Orders", field("Name", schema.Text), field("Price", schema.Number),
		field("Count", schema.Number), formulaField("Total", "{Price} * {Count}"),
		formulaField("Label", `{Name} & ": " & {Total}`), formulaField("Each", "{Total} / {Count}"))
	made := b.create(t, u, `{"Name":"a","Price":2,"Count":3}`, `{"Name":"b","Price":5,"Count":0}`)
	if got := text(made[0].Fields); got != `{"Count":3,"Each":2,"Label":"a: 6","Name":"a","Price":2,"Total":6}` {
		t.Error(got)
	}
	single := b.create(t, u, `{"Name":"c","Price":7,"Count":1}`)
	if got := text(single[0].Fields["Label"]); got != `"c: 7"` {
		t.Error(got)
	}
	wrong := `{"error":"division_by_zero","message":"The formula divides by zero or by an empty value."}`
	if got := text(made[1].Fields["Each"]); got != wrong {
		t.Error(got)
	}
	changed := b.update(t, made[1].ID, `{"Count":2}`)
	if got := text(changed.Fields); got != `{"Count":2,"Each":5,"Label":"b: 10","Name":"b","Price":5,"Total":10}` {
		t.Error(got)
	}
	for _, unkept := range []bool{false, true} {
		if unkept {
			b.unkept(t)
		}
		if kept := b.schema(t, u).FieldByName("Total").Computed.Kept; kept != (!unkept && !b.db.Distributed()) {
			t.Fatalf("the column is kept: %t", kept)
		}
		b.update(t, made[1].ID, `{"Count":0}`)
		for filters, want := range map[string]string{
			`[{"fieldId":"Total","op":"gt","value":6}]`:            `["c"]`,
			`[{"fieldId":"Label","op":"contains","value":"A: "}]`:  `["a"]`,
			`[{"fieldId":"Each","op":"is_error"}]`:                 `["b"]`,
			`[{"fieldId":"Each","op":"is_empty"}]`:                 `["b"]`,
			`[{"fieldId":"Each","op":"gte","value":2}]`:            `["a","c"]`,
			`[{"fieldId":"Label","op":"eq","value":"c: 7"}]`:       `["c"]`,
			`[{"or":[{"fieldId":"Total","op":"lt","value":1}]}]`:   `["b"]`,
			`[{"fieldId":"Total","op":"between","value":[6,6.5]}]`: `["a"]`,
		} {
			page, rows := b.list(t, u, query.Request{Filters: []byte(filters)})
			if got := text(column(rows, "Name")); got != want || page.Total != int64(len(rows)) {
				t.Errorf("unkept %t: %s finds %s of %d", unkept, filters, got, page.Total)
			}
		}
		_, rows := b.list(t, u, query.Request{Sorts: []byte(`[{"fieldId":"Each","dir":"desc"}]`)})
		if got := text(column(rows, "Name")); got != `["c","a","b"]` {
			t.Errorf("unkept %t: sorted %s", unkept, got)
		}
		page, _ := b.list(t, u, query.Request{Sorts: []byte(`[{"fieldId":"Each"}]`), Limit: 1})
		_, rows = b.list(t, u, query.Request{Sorts: []byte(`[{"fieldId":"Each"}]`), Limit: 5, Cursor: page.Cursor})
		if got := text(column(rows, "Name")); got != `["c","b"]` {
			t.Errorf("unkept %t: behind the cursor %s", unkept, got)
		}
		_, rows = b.list(t, u, query.Request{Search: "A: 6"})
		if got := text(column(rows, "Name")); got != `["a"]` {
			t.Errorf("unkept %t: the search finds %s", unkept, got)
		}
		groups, err := b.engine.Aggregate(t.Context(), b.actor, u, query.Aggregation{
			Functions: []byte(`[{"fn":"sum","fieldId":"Total"},{"fn":"max","fieldId":"Each"},
				{"fn":"count","fieldId":"Each"}]`),
		})
		if err != nil || string(groups.Groups[0]) !=
			`{"key":{},"results":{"sum(Total)":13,"max(Each)":7,"count(Each)":2}}` {
			t.Errorf("unkept %t: %s %v", unkept, groups.Groups, err)
		}
		groups, err = b.engine.Aggregate(t.Context(), b.actor, u, query.Aggregation{GroupBy: []string{"Each"}})
		if err != nil || text(groups.Groups) == "" || len(groups.Groups) != 3 ||
			string(groups.Groups[2]) != `{"key":{"Each":null},"results":{"count":1}}` {
			t.Errorf("unkept %t: %s %v", unkept, groups.Groups, err)
		}
	}
}

func TestAnEmptyPercentIsEmptyInFormulas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("P", schema.Percent))
	for _, one := range [][2]string{
		{"Text", `{P} & ""`},
		{"Blank", "{P} = BLANK()"},
		{"Average", "AVERAGE({P}, 5)"},
		{"Count", "COUNT({P})"},
		{"Bare", "{P}"},
		{"Sum", "{P} + 1"},
	} {
		b.addField(t, u, formulaField(one[0], one[1]))
	}
	made := b.create(t, u, `{"Name":"empty"}`, `{"Name":"full","P":25}`)
	for i, want := range []string{
		`{"Average":5,"Bare":null,"Blank":true,"Count":0,"Sum":1,"Text":null}`,
		`{"Average":2.625,"Bare":0.25,"Blank":false,"Count":1,"Sum":1.25,"Text":"0.25"}`,
	} {
		delete(made[i].Fields, "Name")
		delete(made[i].Fields, "P")
		if got := text(made[i].Fields); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestAFormulaIsNeverWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), formulaField("Twice", "{Name} & {Name}"))
	made := b.create(t, u, `{"Name":"a"}`)
	_, err := b.engine.UpdateOne(t.Context(), b.actor, made[0].ID, jsonvaluetest.ParseObject([]byte(`{"Twice":"x"}`)),
		true)
	wantItem(t, err, problem.KindInvalid, "fields.Twice", "cannot be set")
}

func TestAWrongFormulaIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("Price", schema.Number))
	a := b.addField(t, u, formulaField("A", "{Price} + 1"))
	b.addField(t, u, formulaField("B", "{A} * 2"))
	for formula, message := range map[string]string{
		"{Prce} * 2": `line 1, column 1: there is no field "Prce", did you mean "Price"?`, "": "is missing",
		"{Price} * ":       "line 1, column 1",
		"{Name} * 2":       "line 1, column 1: expected a number, found text",
		"1 +\n{Price} + (": "line 2",
	} {
		_, err := b.store.CreateField(t.Context(), b.actor.Org, u, formulaField("X", formula))
		wantItem(t, err, problem.KindInvalid, "config.formula")
		if !strings.Contains(err.Error(), message) {
			t.Errorf("%q: %v", formula, err)
		}
	}
	err := b.store.UpdateField(t.Context(), b.actor.Org, a.ID, catalog.FieldPatch{
		Config: json.RawMessage(`{"formula":"{B} + 1"}`),
	})
	wantItem(t, err, problem.KindInvalid, "config.formula", `"A" reads "B" reads "A"`)
	err = b.store.UpdateField(t.Context(), b.actor.Org, a.ID, catalog.FieldPatch{
		Config: json.RawMessage(`{"resultType":"text"}`),
	})
	wantItem(t, err, problem.KindInvalid, "config.resultType")
}

func TestFormulasFollowTheirSources(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org := b.actor.Org
	u := b.table(t, "T", field("Name", schema.Text), field("Price", schema.Number), field("Rate", schema.Number))
	b.create(t, u, `{"Name":"a","Price":2,"Rate":10}`)
	total := b.addField(t, u, formulaField("Total", "{Price} * {Rate}"))
	b.addField(t, u, formulaField("Plus", "{Total} + 1"))
	values := func() string {
		_, rows := b.list(t, u, query.Request{})
		return text(column(rows, "Total")) + text(column(rows, "Plus"))
	}
	if got := values(); got != `[20][21]` {
		t.Fatal(got)
	}
	// A new name.
	price := b.schema(t, u).FieldByName("Price").ID
	name := "Cost"
	if err := b.store.UpdateField(t.Context(), org, price, catalog.FieldPatch{Name: &name}); err != nil {
		t.Fatal(err)
	}
	if got := b.schema(t, u).FieldByName("Total").ShownConfig().Formula; got != "{Cost} * {Rate}" {
		t.Error(got)
	}
	if got := values(); got != `[20][21]` {
		t.Error(got)
	}
	// Gone, and back.
	if err := b.store.DeleteField(t.Context(), org, price); err != nil {
		t.Fatal(err)
	}
	gone := `[{"error":"source_missing","message":"A field that the formula reads was deleted or has become ` +
		`another type."}]`
	if got := values(); got != gone+gone {
		t.Error(got)
	}
	b.create(t, u, `{"Name":"b","Rate":5}`)
	_, err := b.store.Restore(t.Context(), org, catalog.TrashRequest{
		Items: []string{total.Table.FieldByName("Name").PublicID()}, Base: b.base,
	})
	if problem.KindOf(err) != problem.KindNotFound {
		t.Fatal(err)
	}
	_, err = b.store.Restore(t.Context(), org, catalog.TrashRequest{
		Items: []string{publicField(price)}, Base: b.base,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := values(); got != `[20,0][21,1]` {
		t.Error(got)
	}
	if b.schema(t, u).FieldByName("Plus").Computed.Kept == b.db.Distributed() {
		t.Error("it has no column again")
	}
	// Another formula, of another type.
	err = b.store.UpdateField(t.Context(), org, total.ID, catalog.FieldPatch{
		Config: json.RawMessage(`{"formula":"{Name} & \"!\""}`), Discard: true, // Plus reads a number
	})
	if err != nil {
		t.Fatal(err)
	}
	_, rows := b.list(t, u, query.Request{})
	if got := text(column(rows, "Total")); got != `["a!","b!"]` {
		t.Error(got)
	}
	// Through the trash itself.
	if err := b.store.DeleteField(t.Context(), org, total.ID); err != nil {
		t.Fatal(err)
	}
	b.create(t, u, `{"Name":"c","Rate":5}`)
	if _, err = b.store.Restore(t.Context(), org, catalog.TrashRequest{
		Items: []string{total.PublicID()}, Base: b.base,
	}); err != nil {
		t.Fatal(err)
	}
	_, rows = b.list(t, u, query.Request{})
	if got := text(column(rows, "Total")); got != `["a!","b!","c!"]` {
		t.Error(got)
	}
}

func TestFormulasAreComputedInThePast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("Price", schema.Number),
		formulaField("Twice", "{Price} * 2"), formulaField("Next", "{Twice} + 1"))
	made := b.create(t, u, `{"Name":"a","Price":1}`, `{"Name":"b","Price":10}`)
	then := b.moment(t)
	b.update(t, made[0].ID, `{"Price":100}`)
	for _, q := range []query.Request{
		{AsOf: then},
		{AsOf: then, Sorts: []byte(`[{"fieldId":"Next"}]`)},
		{AsOf: then, Filters: []byte(`[{"fieldId":"Next","op":"lt","value":22}]`)},
	} {
		_, rows := b.list(t, u, q)
		if got := text(column(rows, "Twice")) + text(column(rows, "Next")); got != `[2,20][3,21]` {
			t.Errorf("%s: %s", q.Filters, got)
		}
	}
	for _, unkept := range []bool{false, true} {
		if unkept {
			b.unkept(t)
		}
		_, rows := b.list(t, u, query.Request{AsOf: then, Search: "21"})
		if got := text(column(rows, "Name")); got != `["b"]` {
			t.Errorf("without columns %t: %s", unkept, got)
		}
	}
}

func TestALargeTableIsFilledByAJob(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	objects := make([]string, 1100)
	for i := range objects {
		objects[i] = fmt.Sprintf(`{"Name":"r%d","N":%d}`, i, i)
	}
	b.create(t, u, objects...)
	b.addField(t, u, formulaField("Twice", "{N} * 2"))
	read := func() string {
		_, rows := b.list(t, u, query.Request{Filters: []byte(`[{"fieldId":"Twice","op":"gte","value":2196}]`)})
		return text(column(rows, "Twice"))
	}
	if b.schema(t, u).FieldByName("Twice").Computed.Kept {
		t.Error("the columns are read before they are filled")
	}
	if got := read(); got != `[2196,2198]` {
		t.Error(got)
	}
	number := b.schema(t, u).Number
	if done, err := b.store.Fill(t.Context(), b.actor.Org, number, time.Now()); done || err != nil {
		t.Fatalf("%t %v", done, err)
	}
	if done, err := b.store.Fill(t.Context(), b.actor.Org, number, time.Now().Add(time.Minute)); !done || err != nil {
		t.Fatalf("%t %v", done, err)
	}
	if !b.schema(t, u).FieldByName("Twice").Computed.Kept {
		t.Error("the columns are not read after they were filled")
	}
	if got := read(); got != `[2196,2198]` {
		t.Error(got)
	}
}

func TestVolatileFormulasAreComputedWhenTheyAreRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if b.db.Distributed() {
		t.Skip("formulas cannot read names of people on Citus")
	}
	u := b.table(t, "T", field("Name", schema.Text), field("By", schema.CreatedBy),
		formulaField("Now", `DATETIME_DIFF(NOW(), CREATED_TIME(), "hours")`), formulaField("Who", `{By} & "!"`))
	made := b.create(t, u, `{"Name":"a"}`)
	if made[0].Fields["Now"] != 0.0 || !strings.HasSuffix(fmt.Sprint(made[0].Fields["Who"]), "!") ||
		len(fmt.Sprint(made[0].Fields["Who"])) < 3 {
		t.Error(text(made[0].Fields))
	}
	_, rows := b.list(t, u, query.Request{Filters: []byte(`[{"fieldId":"Now","op":"lt","value":1}]`)})
	if len(rows) != 1 {
		t.Error(text(rows))
	}
}

func publicField(u uuid.UUID) string { return id.Format(id.Field, u) }
