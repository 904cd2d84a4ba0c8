package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// The "Value rules on write", "Create records body" and "Update record" of the specification.
func testWrite(t *testing.T, w *world) {
	t.Run("Record | A single-select field accepts the option name", func(t *testing.T) {
		f := w.newFleet(t)
		got := f.ok("PATCH", "/records/"+f.records["Ingrid"], `{"fields":{"Kind":"Ferry"}}`)
		if got.get("fields.Kind") != "Ferry" {
			t.Error(got.raw)
		}
		f.refused(400, "PATCH", "/records/"+f.records["Ingrid"], `{"fields":{"Kind":"Fery"}}`, "fields.Kind", "Ferry")
	})

	t.Run("the history of a record and of its base tell of a change", func(t *testing.T) {
		f := w.newFleet(t)
		f.ok("PATCH", "/records/"+f.records["Ingrid"], `{"fields":{"Kind":"Ferry"}}`)
		last := f.ok("GET", "/records/"+f.records["Ingrid"]+"/history?detail=full&limit=1", "")
		if last.get("entries.0.changes.0.to") != "Ferry" || last.get("entries.0.changes.0.field.name") != "Kind" {
			t.Error(last.raw)
		}
		changes := f.ok("GET", "/bases/"+f.base+"/change-sets?detail=full&limit=1", "")
		if changes.get("changeSets.0.id") != last.get("entries.0.changeSet") ||
			changes.get("changeSets.0.tables.0.updated") != 1.0 ||
			changes.get("changeSets.0.credential.kind") != "api_key" ||
			changes.get("changeSets.0.credential.name") == nil {
			t.Error(changes.raw)
		}
	})

	t.Run("Record | A link field accepts record ids", func(t *testing.T) {
		f := w.newFleet(t)
		quays := f.ok("POST", "/bases/"+f.base+"/tables", `{"name":"Quays"}`).text("id")
		quay := f.ok("POST", "/tables/"+quays+"/records", `{"fields":{"Name":"North"}}`).text("records.0.id")
		link := fmt.Sprintf(`{"name":"Quay","type":"link","config":{"linkedTableId":%q}}`, quays)
		f.refused(400, "POST", f.path("fields"), link, "type", "application")
		made := w.owner.session.in(t).ok("POST", f.path("fields"), link).text("id")

		got := f.ok("PATCH", "/records/"+f.records["Aase"], fmt.Sprintf(`{"fields":{"Quay":[%q]}}`, quay))
		if got.get("fields.Quay.0") != quay {
			t.Error(got.raw)
		}
		created := f.ok("POST", f.path("records"), fmt.Sprintf(`{"fields":{"Name":"Berit","Quay":[%q]}}`, quay))
		back := f.ok("GET", "/records/"+quay, "")
		if !strings.Contains(back.raw, f.records["Aase"]) || !strings.Contains(back.raw, created.text("records.0.id")) {
			t.Errorf("the other side does not show the links: %s", back.raw)
		}
		fields := f.ok("GET", f.path("fields"), "")
		if at(find(fields, "fields", "id", made), "linkedTableId") != quays {
			t.Errorf("Field | linkedTableId: %s", fields.raw)
		}
		for _, wrong := range []string{random(quay), f.records["Aase"], "nothing"} {
			f.refused(400, "PATCH", "/records/"+f.records["Aase"], fmt.Sprintf(`{"fields":{"Quay":[%q]}}`, wrong),
				"fields.Quay")
		}
		for _, clear := range []string{`""`, `null`, `[]`} {
			f.ok("PATCH", "/records/"+f.records["Aase"], fmt.Sprintf(`{"fields":{"Quay":[%q]}}`, quay))
			if got := f.ok(
				"PATCH", "/records/"+f.records["Aase"], `{"fields":{"Quay":`+clear+`}}`,
			); len(asList(got.get("fields.Quay"))) != 0 {
				t.Errorf("%s does not clear a link: %s", clear, got.raw)
			}
		}
	})

	t.Run("Record | Setting a field to an empty string clears it", func(t *testing.T) {
		f := w.newFleet(t)
		got := f.ok("PATCH", "/records/"+f.records["Solveig"],
			`{"fields":{"Tons":"","Kind":"","Flags":"","Laid up":"","Launched":"","Seen":"","Notes":""}}`)
		for _, name := range []string{"Tons", "Kind", "Launched", "Seen", "Notes"} {
			if value := got.get("fields." + name); value != nil {
				t.Errorf("%s is %v", name, value)
			}
		}
		if len(asList(got.get("fields.Flags"))) != 0 || got.get("fields.Laid up") == true ||
			got.get("fields.Name") != "Solveig" {
			t.Error(got.raw)
		}
	})

	t.Run("Update record (single) | the given fields are merged into the record", func(t *testing.T) {
		f := w.newFleet(t)
		before := f.ok("GET", "/records/"+f.records["Solveig"], "")
		got := f.ok("PATCH", "/records/"+f.records["Solveig"], `{"fields":{"Tons":421}}`)
		if got.get("fields.Tons") != 421.0 || got.get("fields.Launched") != "1987-05-17" ||
			got.get("createdTime") != before.get("createdTime") {
			t.Errorf("%s, before %s", got.raw, before.raw)
		}
		if again := f.ok("GET", "/records/"+f.records["Solveig"], ""); again.get("fields.Tons") != 421.0 {
			t.Errorf("what was answered is not what was kept: %s", again.raw)
		}
	})

	t.Run("Create records | upsertOn: rows matching on those fields are updated instead of "+
		"inserted", func(t *testing.T) {
		f := w.newFleet(t)
		got := f.ok("POST", f.path("records"), `{"upsertOn":["Name"],"records":[{"fields":{"Name":"Berit","Tons":5}},`+
			`{"fields":{"Name":"Aase","Tons":91}}]}`)
		if have := names(got); !slices.Equal(have, []string{"Berit", "Aase"}) {
			t.Errorf("the response contains the created or upserted records, in order: %v", have)
		}
		if got.get("records.1.id") != f.records["Aase"] || got.get("records.1.fields.Tons") != 91.0 ||
			got.get("records.1.fields.Kind") != "Tug" {
			t.Error(got.raw)
		}
		if asList(got.get("created"))[0] != got.get("records.0.id") ||
			asList(got.get("updated"))[0] != f.records["Aase"] {
			t.Errorf("created and updated: %s", got.raw)
		}
		if total := f.ok("GET", f.path("records"), "").get("total"); total != 6.0 {
			t.Errorf("%v records", total)
		}
		f.ok("POST", f.path("records"),
			`{"upsertOn":["Kind","Tons"],"fields":{"Name":"Ingrid II","Kind":"Barge","Tons":1200}}`)
		if name := f.ok("GET", "/records/"+f.records["Ingrid"], "").get("fields.Name"); name != "Ingrid II" {
			t.Errorf("single, on two fields: %v", name)
		}
		for body, word := range map[string]string{
			`{"upsertOn":["Nme"],"fields":{"Name":"x"}}`:                                                "upsertOn",
			`{"upsertOn":[],"fields":{"Name":"x"}}`:                                                     "upsertOn",
			`{"upsertOn":"Name","fields":{"Name":"x"}}`:                                                 "upsertOn",
			`{"upsertOn":["Name","Tons","Kind","Notes"],"fields":{"Name":"x"}}`:                         "upsertOn",
			`{"upsertOn":["Flags"],"fields":{"Flags":["NO"]}}`:                                          "upsertOn",
			`{"upsertOn":["Kind"],"fields":{"Kind":"Ferry","Name":"a"},"records":[]}`:                   "records",
			`{"upsertOn":["Tons"],"records":[{"fields":{"Tons":7}},{"fields":{"Tons":7}}]}`:             "records[1]",
			`{"upsertOn":["Laid up"],"records":[{"fields":{"Laid up":true}},{"fields":{"Tons":"no"}}]}`: "",
		} {
			f.refused(http.StatusBadRequest, "POST", f.path("records"), body, word)
		}
		f.add(`{"Name":"Twin"}`, `{"Name":"Twin"}`)
		f.refused(http.StatusBadRequest, "POST", f.path("records"),
			`{"upsertOn":["Name"],"fields":{"Name":"Twin","Tons":1}}`, f.records["Twin"])
		if total := f.ok("GET", f.path("records"), "").get("total"); total != 8.0 {
			t.Errorf("a refused request wrote something: %v records", total)
		}
	})

	t.Run("Limits | up to 100 records a request, all or nothing", func(t *testing.T) {
		f := w.newFleet(t)
		many := func(n int) string {
			return `{"records":[` + strings.TrimSuffix(strings.Repeat(`{"fields":{"Name":"N"}},`, n), ",") + `]}`
		}
		if got := names(f.ok("POST", f.path("records"), many(100))); len(got) != 100 {
			t.Errorf("%d records came back", len(got))
		}
		f.refused(400, "POST", f.path("records"), many(101), "records", "100")
		f.refused(400, "POST", f.path("records"), many(0))
		f.refused(400, "POST", f.path("records"),
			`{"records":[{"fields":{"Name":"good"}},{"fields":{"Tons":"heavy"}}]}`, "records[1].fields.Tons", "number")
		f.refused(404, "PATCH", f.path("records"),
			fmt.Sprintf(`{"records":[{"id":%q,"fields":{"Tons":1}},{"id":%q,"fields":{"Tons":2}}]}`,
				f.records["Aase"], random(f.records["Aase"])), random(f.records["Aase"]))
		if got := f.ok("GET", f.path("records")+"?limit=1", ""); got.get("total") != 105.0 {
			t.Errorf("a refused request wrote something: %v records", got.get("total"))
		}
		if got := f.ok("GET", "/records/"+f.records["Aase"], ""); got.get("fields.Tons") != 90.0 {
			t.Errorf("a refused update wrote something: %s", got.raw)
		}
		var ids []string
		for _, r := range asList(f.ok("GET", f.path("records"), "").get("records")) {
			ids = append(ids, at(r, "id").(string))
		}
		if got := f.ok(
			"DELETE", f.path("records"), encode(map[string]any{"ids": ids}),
		); len(asList(got.get("deleted"))) != 100 {
			t.Errorf("deleted: %.200s", got.raw)
		}
		if got := f.ok("GET", f.path("records"), ""); got.get("total") != 5.0 {
			t.Errorf("%v records are left", got.get("total"))
		}
	})

	t.Run("Records | a selection is deleted", func(t *testing.T) {
		f := w.newFleet(t)
		f.ok("POST", f.path("records"), `{"fields":{"Name":"Aase"}}`)
		selected := `{"filters":[{"fieldId":"Name","op":"eq","value":"Aase"}],"except":["` + f.records["Aase"] + `"]}`
		if got := f.ok("DELETE", f.path("records/selected"), selected); got.get("count") != 1.0 {
			t.Errorf("deleted %s", got.raw)
		}
		f.ok("GET", "/records/"+f.records["Aase"], "")
	})

	t.Run("Records | changes by filter, with a plan, and CSV", func(t *testing.T) {
		f := w.newFleet(t)
		if got := f.ok("POST", f.path("records/import"),
			`{"csv":"Name,Tons\nAase,91\nNew,5\n","upsertOn":["Name"]}`); got.get("created") != 1.0 ||
			got.get("updated") != 1.0 {
			t.Errorf("imported %s", got.raw)
		}
		if got := f.ok("GET", "/bases/"+f.base+"/search?q=aase+91", ""); got.get("results.0.title") != "Aase" {
			t.Errorf("found %s", got.raw)
		}
		f.refused(400, "POST", f.path("records/import"), `{"csv":"Name,Tons\nHeavy,much\n"}`,
			"csv line 2, column 2 (Tons)")
		filters := `"filters":[{"fieldId":"Tons","op":"lt","value":100}]`
		plan := f.ok("PATCH", f.path("records/where"), `{`+filters+`,"fields":{"Notes":"small"},"plan":true}`)
		if plan.get("count") != 3.0 || len(asList(plan.get("sample"))) != 3 {
			t.Errorf("planned %s", plan.raw)
		}
		apply := `,"apply":"` + plan.text("planToken") + `"`
		if got := f.ok("PATCH", f.path("records/where"),
			`{`+filters+`,"fields":{"Notes":"small"}`+apply+`}`); got.get("count") != 3.0 {
			t.Errorf("changed %s", got.raw)
		}
		f.refused(409, "PATCH", f.path("records/where"), `{`+filters+`,"fields":{"Notes":"small"}`+apply+`}`,
			"applied already", "plan again")
		exported := f.ok("POST", f.path("records/export"), `{`+filters+`,"fields":["Name","Notes"]}`)
		if exported.get("rows") != 3.0 || !strings.HasPrefix(exported.text("csv"), "Name,Notes\r\n") {
			t.Errorf("exported %s", exported.raw)
		}
		streamed := f.do("GET", f.path("records/export")+"?fields=Name&fields=Notes&filters="+
			url.QueryEscape(`[{"fieldId":"Tons","op":"lt","value":100}]`), "")
		if streamed.status != 200 || streamed.raw != exported.text("csv") {
			t.Errorf("streamed %d %s", streamed.status, streamed.raw)
		}
		f.refused(400, "DELETE", f.path("records/where"), `{}`, "filters")
		if got := f.ok("DELETE", f.path("records/where"), `{`+filters+`}`); got.get("count") != 3.0 {
			t.Errorf("deleted %s", got.raw)
		}
	})

	t.Run("Errors | 400 on create base, add field, create records, update record", func(t *testing.T) {
		f := w.newFleet(t)
		for _, test := range []struct{ method, path, body, word string }{
			{"POST", "/bases", `{}`, "name"},
			{"POST", "/bases", `{"name":""}`, "name"},
			{"POST", "/bases", `{"name":7}`, "name"},
			{"POST", "/bases", `{"name":"x","colour":"red"}`, "colour"},
			{"POST", f.path("fields"), `{"name":"x"}`, "type"},
			{"POST", f.path("fields"), `{"name":"x","type":"txt"}`, "text"},
			{"POST", f.path("fields"), `{"name":"x","type":"text","config":{"precision":1}}`, "precision"},
			{"POST", f.path("fields"), `{"name":"x","type":"number","config":{"precision":9}}`, "precision"},
			{"POST", f.path("fields"), `{"name":"x","type":"button"}`, "application"},
			{"POST", f.path("fields"), `{"name":"x","type":"text","position":"first"}`, "position"},
			{"POST", f.path("records"), `{}`, ""},
			{"POST", f.path("records"), `{"fields":{"Nme":"x"}}`, "Name"},
			{"POST", f.path("records"), `{"fields":{"Tons":"12"}}`, "typecast"},
			{"POST", f.path("records"), `{"fields":{"Tons":true}}`, "fields.Tons"},
			{"POST", f.path("records"), `{"fields":{"Launched":"31.12.2001"}}`, "YYYY-MM-DD"},
			{"POST", f.path("records"), `{"fields":{"Launched":"2001-02-30"}}`, "fields.Launched"},
			{"POST", f.path("records"), `{"fields":{"Seen":"2001-02-03"}}`, "fields.Seen"},
			{"POST", f.path("records"), `{"fields":{"Flags":["NO","FI"]}}`, "fields.Flags"},
			{"POST", f.path("records"), `{"records":[{"Name":"x"}]}`, "records[0]"},
			{"PATCH", "/records/" + f.records["Aase"], `{}`, "fields"},
			{"PATCH", "/records/" + f.records["Aase"], `{"fields":[]}`, "fields"},
			{"PATCH", "/records/" + f.records["Aase"], `{"fields":{"Tons":"heavy"}}`, "fields.Tons"},
			{"PATCH", "/records/" + f.records["Aase"], `{"fields":{"Laid up":"yes"}}`, "fields.Laid up"},
		} {
			f.refused(400, test.method, test.path, test.body, test.word)
		}
		f.refused(409, "POST", f.path("fields"), `{"name":"Tons","type":"text"}`, "Tons")
		got := f.ok("POST", f.path("records"),
			`{"fields":{"Name":"Cast","Tons":"12","Laid up":"yes","Kind":"Pilot"},"typecast":true}`)
		if got.get("records.0.fields.Tons") != 12.0 || got.get("records.0.fields.Laid up") != true ||
			got.get("records.0.fields.Kind") != "Pilot" {
			t.Errorf("typecast: %s", got.raw)
		}
	})
}

func asList(value any) []any {
	l, _ := value.([]any)
	if l == nil {
		return []any{}
	}
	return l
}

// find returns the element of a list in the answer whose member has this value.
func find(a answer, path, member string, value any) any {
	for _, element := range asList(a.get(path)) {
		if at(element, member) == value {
			return element
		}
	}
	return nil
}
