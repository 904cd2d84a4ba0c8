package record_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func (b *bundle) export(t *testing.T, table uuid.UUID, in record.Export) (string, record.Exported) {
	t.Helper()
	var text bytes.Buffer
	out, err := b.engine.Export(t.Context(), b.actor, table, in, func(part []byte) error {
		text.Write(part)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), out
}

func rowsOf(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// What is exported and imported again has the same values, whatever people have written.
func TestExportComesBackByImport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.table(t, "Other", field("Name", schema.Text))
	var specs []catalog.FieldSpec
	var names []string
	for _, f := range everyField {
		if f.Name != "Files" {
			specs, names = append(specs, f), append(names, f.Name)
		}
	}
	names = append(names, "Linked")
	table := b.table(t, "All", specs...)
	if _, err := b.store.CreateField(t.Context(), b.actor.Org, table,
		field("Linked", schema.LinkType, `{"linkedTableId":"`+id.Format(id.Table, other)+`"}`)); err != nil {
		t.Fatal(err)
	}
	titles := []string{
		"plain", "with, comma", "A", "B", "A, B", "twin", "twin", " space", "=1+1", "rec_x", `quo"te`, "'=x", "",
	}
	var linked []string
	for _, title := range titles {
		encoded, _ := json.Marshal(map[string]string{"Name": title})
		linked = append(linked, b.create(t, other, string(encoded))[0].ID)
	}
	random := rand.New(rand.NewPCG(1, 9))
	nasty := []string{
		"", "plain", "=1+1", "'=1", "''=1", "+47 22 33", "+x", "-", "-1", "-a", "@me", "\ttab", "a,b", `say "so"`,
		"two\nlines", " space ", "'", "'+", "[1]", "[\"a\"]", "ü — 漢字 🎉", "1,5", "true", "null", "a;b;c", "'-1",
	}
	pick := func() string { return nasty[random.IntN(len(nasty))] }
	some := func(of ...any) any { return of[random.IntN(len(of))] }
	me := id.Format(id.User, b.actor.Person)
	var objects []string
	for range 300 {
		var links []string
		for _, at := range random.Perm(len(linked))[:random.IntN(4)] {
			links = append(links, linked[at])
		}
		fields := map[string]any{
			"Name": pick(), "Notes": pick(), "Mail": some(nil, "a.b+c@example.com"),
			"Site": some(nil, "https://example.com/?a=1,2&b=%20"), "Phone": some(nil, "+47 22 33 44", "=tel"),
			"N": some(nil, 0, -1.5, 1e21, 0.1), "Price": some(nil, 12.5, -3), "Share": some(nil, 12.5, 0),
			"Stars": some(nil, 1, 5), "Took": some(nil, 0, 90, 3600), "Done": some(true, false),
			"Day":   some(nil, "2024-02-29", "1999-12-31"),
			"At":    some(nil, "2024-01-01T03:00:00Z", "2024-06-01T12:30:00.5Z"),
			"State": some(nil, "Open", "Closed, gone"),
			"Tags":  some(nil, []string{"a"}, []string{"c,d", "a"}, []string{`b "q"`, "c,d"}),
			"Who":   some(nil, me), "Team": some(nil, []string{me}),
			"Doc":    some(nil, map[string]any{"a": []any{1.0, "x"}}, []any{"x"}, "text", 5, true),
			"Linked": links,
		}
		encoded, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, string(encoded))
	}
	for from := 0; from < len(objects); from += 100 {
		b.create(t, table, objects[from:from+100]...)
	}
	text, out := b.export(t, table, record.Export{})
	if out.Rows != 300 || out.Total != 300 || out.HasMore || out.Guarded == 0 {
		t.Errorf("exported %+v", out)
	}
	if got := rowsOf(t, text); !reflect.DeepEqual(got[0], names) || len(got) != 301 {
		t.Errorf("%d rows, of %q", len(got), got[0])
	}
	imported := b.importCSV(t, table, record.Import{CSV: text})
	if imported.Created != 300 || fmt.Sprint(imported.Ignored) != "[No Made Changed Author Editor]" &&
		len(imported.Ignored) != 5 {
		t.Fatalf("imported %+v", imported)
	}
	var all []rec
	for offset := int64(0); offset < 600; offset += 100 {
		_, page := b.list(t, table, query.Request{Limit: 100, Offset: offset})
		all = append(all, page...)
	}
	for i := range 300 {
		for _, f := range everyField {
			switch f.Name {
			case "No", "Made", "Changed", "Author", "Editor":
				continue
			}
			was, is := all[i].Fields[f.Name], all[300+i].Fields[f.Name]
			if !reflect.DeepEqual(was, is) {
				t.Errorf("%s: %#v came back as %#v", f.Name, was, is)
			}
		}
		if was, is := all[i].Fields["Linked"], all[300+i].Fields["Linked"]; !reflect.DeepEqual(was, is) {
			t.Errorf("Linked: %v came back as %v", was, is)
		}
	}
}

// Computed values stand in a file as in a cell of the application.
func TestExportWritesComputedValues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	items := b.table(t, "Items", field("Name", schema.Text), field("Size", schema.Number),
		field("Done", schema.Checkbox))
	made := b.create(t, items, `{"Name":"x","Size":10,"Done":true}`, `{"Name":"y"}`, `{"Name":"z","Size":9.5}`)
	boxes := b.table(t, "Boxes", field("Name", schema.Text), formulaField("Bad", "1 / 0"),
		formulaField("Good", "1 / 2"))
	b.addField(t, boxes, field("Items", schema.LinkType,
		fmt.Sprintf(`{"linkedTableId":%q}`, b.schema(t, items).PublicID())))
	for _, name := range []string{"Name", "Size", "Done"} {
		b.addField(t, boxes, field(name+"s", "lookup", fmt.Sprintf(`{"linkFieldId":"Items","fieldId":%q}`, name)))
	}
	b.create(t, boxes, fmt.Sprintf(`{"Name":"a","Items":[%q,%q,%q]}`, made[0].ID, made[1].ID, made[2].ID),
		fmt.Sprintf(`{"Name":"b","Items":[%q]}`, made[1].ID), `{"Name":"c"}`)
	b.addField(t, boxes, field("Half", "formula", `{"formula":"-1 / 2","format":"percent"}`))
	b.addField(t, boxes, field("Cost", "rollup",
		`{"linkFieldId":"Items","fieldId":"Size","function":"MAX","format":"currency","symbol":"=x"}`))
	file, _ := b.export(t, boxes, record.Export{Request: query.Request{
		Fields: []string{"Name", "Bad", "Good", "Names", "Sizes", "Dones", "Half", "Cost"},
	}})
	want := [][]string{
		{"Name", "Bad", "Good", "Names", "Sizes", "Dones", "Half", "Cost"},
		{"a", "#ERROR", "0.5", "x, y, z", "10, 9.5", "true, false, false", "-50%", "'=x10.00"},
		{"b", "#ERROR", "0.5", "y", "", "false", "-50%", ""},
		{"c", "#ERROR", "0.5", "", "", "", "-50%", ""},
	}
	if got := rowsOf(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	_, rows := b.list(t, boxes, query.Request{}) // values stay numbers
	if got := text(column(rows, "Half")) + text(column(rows, "Cost")); got != "[-0.5,-0.5,-0.5][10,null,null]" {
		t.Error(got)
	}
}

func TestExportGuardsFormulas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("=Name", schema.Text), field("N", schema.Number))
	b.create(t, table, `{"=Name":"=HYPERLINK(\"http://x\")","N":-5}`, `{"=Name":"+47 22"}`, `{"=Name":"-cmd"}`,
		`{"=Name":"'@x"}`, `{}`)
	text, out := b.export(t, table, record.Export{Request: query.Request{Fields: []string{"=Name"}}})
	want := "'=Name\r\n\"'=HYPERLINK(\"\"http://x\"\")\"\r\n+47 22\r\n'-cmd\r\n''@x\r\n\"\"\r\n"
	if text != want || out.Guarded != 3 {
		t.Errorf("%q, %+v", text, out)
	}
	if got := b.importCSV(t, table, record.Import{CSV: text}); got.Created != 5 {
		t.Errorf("imported %+v", got)
	}
	if text, _ = b.export(t, table, record.Export{Request: query.Request{
		Filters: []byte(`[{"field":"N","op":"eq","value":-5}]`),
	}}); !strings.HasSuffix(text, ",-5\r\n") {
		t.Errorf("%q", text)
	}
}

func TestExportIsCutAndContinued(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	var rows strings.Builder
	rows.WriteString("Name,N\n")
	for i := range 2500 {
		fmt.Fprintf(&rows, "row %d,%d\n", i, (i*7919)%2500)
	}
	b.importCSV(t, table, record.Import{CSV: rows.String()})
	sorted := query.Request{Sorts: []byte(`[{"fieldId":"N","dir":"asc"}]`)}
	whole, out := b.export(t, table, record.Export{Request: sorted})
	if all := rowsOf(t, whole); out.Rows != 2500 || len(all) != 2501 || all[1][1] != "0" || all[2500][1] != "2499" {
		t.Fatalf("%+v", out)
	}
	var parts [][]string
	in := record.Export{Request: sorted, MaxBytes: 9000}
	for calls := 0; calls < 10; calls++ {
		text, out := b.export(t, table, in)
		if len(text) > in.MaxBytes || len(text) < in.MaxBytes/2 && out.HasMore {
			t.Errorf("%d bytes", len(text))
		}
		got := rowsOf(t, text)
		if len(got) != out.Rows+1 || got[0][0] != "Name" || out.Total != 2500 {
			t.Errorf("%d rows and %+v", len(got), out)
		}
		parts = append(parts, got[1:]...)
		if in.Cursor = out.Cursor; !out.HasMore {
			break
		}
	}
	if !reflect.DeepEqual(parts, rowsOf(t, whole)[1:]) {
		t.Errorf("the parts have %d rows", len(parts))
	}
	limited := sorted
	limited.Limit = 1200
	_, out = b.export(t, table, record.Export{Request: limited})
	if out.Rows != 1200 || !out.HasMore || out.Cursor == "" {
		t.Errorf("%+v", out)
	}
	_, err := b.engine.Export(t.Context(), b.actor, table, record.Export{MaxBytes: 10},
		func([]byte) error { return nil })
	var wrong *problem.Error
	if !errors.As(err, &wrong) || wrong.Code != "result_too_large" {
		t.Error(err)
	}
}
