package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A row is one row of the specification's tables of endpoints.
type row struct {
	line   string // of the specification: its section, and the row's method and path
	body   string // names in braces are replaced by what earlier rows kept
	query  string
	want   shape
	keep   map[string]string // names for values of the response, by their path
	equals map[string]any    // required values of the response, by path
}

// rows are all endpoints in the order of the specification, except removals, which come last.
var rows = []row{
	{
		line:   "Meta | GET | /api/v1/me",
		want:   identity,
		keep:   map[string]string{"orgId": "orgs.0.orgId"},
		equals: map[string]any{"orgs.0.role": "owner"},
	},

	{
		line: "Workspaces | POST | /api/v1/workspaces", body: `{"orgId":"{orgId}","name":"Fleet","color":"blue"}`,
		want: made, keep: map[string]string{"workspaceId": "id"}, equals: map[string]any{"name": "Fleet"},
	},
	{
		line:   "Workspaces | PATCH | /api/v1/workspaces/{workspaceId}",
		want:   changed,
		equals: map[string]any{"id": "{workspaceId}"},
		body:   `{"name":"Vessels","icon":{"kind":"emoji","value":"⚓","color":"blue"}}`,
	},
	{
		line:   "Workspaces | GET | /api/v1/orgs/{orgId}/workspaces",
		want:   object{"workspaces": list{workspace}},
		equals: map[string]any{"workspaces.1.name": "Vessels"},
	},

	{
		line: "Bases | POST | /api/v1/bases", body: `{"name":"Harbour","workspaceId":"{workspaceId}"}`,
		want: made, keep: map[string]string{"baseId": "id"}, equals: map[string]any{"name": "Harbour"},
	},
	{line: "Bases | GET | /api/v1/bases", want: object{"bases": list{baseSummary}}},
	{
		line:   "Bases | PATCH | /api/v1/bases/{baseId}",
		body:   `{"name":"Port","icon":{"kind":"lucide","value":"anchor"}}`,
		want:   changed,
		equals: map[string]any{"id": "{baseId}"},
	},

	{
		line: "Tables | POST | /api/v1/bases/{baseId}/tables", body: `{"name":"Ships"}`,
		want: made, keep: map[string]string{"tableId": "id"}, equals: map[string]any{"name": "Ships"},
	},
	{
		line:   "Tables | GET | /api/v1/bases/{baseId}/tables",
		want:   object{"tables": list{object{"id": text, "name": text}}},
		equals: map[string]any{"tables.0.id": "{tableId}"},
	},
	{
		line: "Tables | PATCH | /api/v1/tables/{tableId}", want: changed, equals: map[string]any{"id": "{tableId}"},
		body: `{"name":"Vessels","icon":{"kind":"image","value":"https://example.com/ship.png"}}`,
	},

	{
		line:   "Fields | POST | /api/v1/tables/{tableId}/fields",
		want:   typed,
		keep:   map[string]string{"fieldId": "id"},
		body:   `{"name":"Tons","type":"number","config":{"precision":1},"position":1}`,
		equals: map[string]any{"name": "Tons", "type": "number"},
	},
	{
		line:   "Fields | POST | /api/v1/tables/{tableId}/fields",
		want:   typed,
		keep:   map[string]string{"selectId": "id"},
		body:   `{"name":"Kind","type":"single_select","config":{"options":["Tug","Ferry"]}}`,
		equals: map[string]any{"type": "single_select"},
	},
	{
		line:   "Fields | POST | /api/v1/tables/{tableId}/fields",
		want:   typed,
		body:   `{"name":"Home","type":"text"}`,
		equals: map[string]any{"type": "text"},
	},
	{
		line: "Fields | PATCH | /api/v1/fields/{fieldId}", want: changed, equals: map[string]any{"id": "{fieldId}"},
		body: `{"name":"Tonnage","config":{"precision":2},"hidden":true,"width":120}`,
	},
	{
		line: "Fields | GET | /api/v1/tables/{tableId}/fields", want: object{"fields": list{field}},
		equals: map[string]any{
			"fields.0.isPrimary": true, "fields.0.order": 0.0, "fields.1.isPrimary": false, "fields.1.order": 1.0,
			"fields.1.name": "Tonnage", "fields.1.type": "number", "fields.2.options.1": "Ferry",
		},
	},

	{
		line: "Views | POST | /api/v1/tables/{tableId}/views", want: typed, keep: map[string]string{"viewId": "id"},
		body: `{"type":"grid","name":"Heavy"}`, equals: map[string]any{"name": "Heavy", "type": "grid"},
	},
	{
		line: "Views | PATCH | /api/v1/views/{viewId}", want: changed, equals: map[string]any{"id": "{viewId}"},
		body: `{"name":"Heaviest","config":{"filters":[{"fieldId":"{fieldId}","op":"gt","value":100}],` +
			`"rowHeight":"tall","aggregates":{"{fieldId}":"sum"},"theirs":null},"unset":["frozenColumns"]}`,
	},
	{
		line: "Views | GET | /api/v1/tables/{tableId}/views", want: object{"views": list{view}},
		equals: map[string]any{
			"views.1.name":                "Heaviest",
			"views.1.type":                "grid",
			"views.1.config.filters.0.op": "gt",
			"views.1.config.rowHeight":    "tall",
		},
	},

	{
		line:   "Records | POST | /api/v1/tables/{tableId}/records",
		want:   object{"records": list{record}},
		keep:   map[string]string{"recordId": "records.0.id"},
		body:   `{"fields":{"Name":"Solveig","Tonnage":420.5,"Kind":"Ferry"}}`,
		equals: map[string]any{"records.0.fields.Kind": "Ferry", "records.0.fields.Tonnage": 420.5},
	},
	{
		line:   "Records | POST | /api/v1/tables/{tableId}/records",
		want:   object{"records": list{record}},
		keep:   map[string]string{"otherId": "records.1.id"},
		body:   `{"records":[{"fields":{"Name":"Aase","Tonnage":90}},{"fields":{"Name":"Ingrid","Home":"Bergen"}}]}`,
		equals: map[string]any{"records.0.fields.Name": "Aase", "records.1.fields.Name": "Ingrid"},
	},
	{
		line:   "Records | GET | /api/v1/tables/{tableId}/records",
		want:   page,
		equals: map[string]any{"total": 3.0, "offset": 0.0, "limit": 100.0, "hasMore": false},
	},
	{
		line:   "Records | GET | /api/v1/tables/{tableId}/records/search",
		query:  "?q=erge",
		want:   page,
		equals: map[string]any{"total": 1.0, "records.0.fields.Name": "Ingrid"},
	},
	{
		line: "Records | PATCH | /api/v1/tables/{tableId}/records", want: object{"records": list{record}},
		body: `{"records":[{"id":"{otherId}","fields":{"Tonnage":77}},{"id":"{recordId}","fields":{"Home":"Oslo"}}]}`,
		equals: map[string]any{
			"records.0.id":             "{otherId}",
			"records.0.fields.Tonnage": 77.0,
			"records.1.fields.Home":    "Oslo",
			"records.1.fields.Name":    "Solveig",
		},
	},
	{
		line:   "Records | GET | /api/v1/records/{recordId}",
		want:   record,
		equals: map[string]any{"id": "{recordId}", "fields.Name": "Solveig", "fields.Home": "Oslo"},
	},
	{
		line: "Records | PATCH | /api/v1/records/{recordId}", body: `{"fields":{"Tonnage":421,"Home":""}}`,
		want: record, equals: map[string]any{
			"id":             "{recordId}",
			"fields.Tonnage": 421.0,
			"fields.Home":    nil,
			"fields.Name":    "Solveig",
		},
	},

	{
		line:   "Public share | GET | /api/v1/bases/{baseId}/share",
		want:   unshared,
		equals: map[string]any{"publicShareId": nil},
	},
	{line: "Public share | PUT | /api/v1/bases/{baseId}/share", body: `{"regenerate":true}`, want: shared},
	{
		line:   "Public share | DELETE | /api/v1/bases/{baseId}/share",
		want:   unshared,
		equals: map[string]any{"publicShareId": nil},
	},

	{
		line: "Bases | GET | /api/v1/bases/{baseId}", want: baseSchema,
		equals: map[string]any{
			"id":                   "{baseId}",
			"name":                 "Port",
			"tables.0.id":          "{tableId}",
			"tables.0.fields.1.id": "{fieldId}",
			"tables.0.views.1.id":  "{viewId}",
		},
	},
	{
		line:   "Records | DELETE | /api/v1/records/{recordId}",
		want:   object{"deleted": list{text}},
		equals: map[string]any{"deleted.0": "{recordId}"},
	},
	{line: "Fields | DELETE | /api/v1/fields/{fieldId}", want: deleted, equals: map[string]any{"deleted": "{fieldId}"}},
	{line: "Tables | DELETE | /api/v1/tables/{tableId}", want: deleted, equals: map[string]any{"deleted": "{tableId}"}},
	{line: "Bases | DELETE | /api/v1/bases/{baseId}", want: deleted, equals: map[string]any{"deleted": "{baseId}"}},
}

// endpoints is the number of endpoints in the specification.
const endpoints = 30

func testRows(t *testing.T, w *world) {
	kept := map[string]string{}
	put := func(template string) string {
		for name, value := range kept {
			template = strings.ReplaceAll(template, "{"+name+"}", value)
		}
		return template
	}
	stranger := w.signUp(t)
	seen := map[string]bool{}
	for i, row := range rows {
		seen[row.line] = true
		parts := strings.Split(row.line, " | ")
		method, template := parts[1], strings.TrimPrefix(parts[2], "/api/v1")
		ok := t.Run(row.line, func(t *testing.T) {
			caller := w.caller.in(t)
			path, body := put(template)+row.query, put(row.body)
			refuse(caller, stranger.caller.in(t), method, template, path, body)
			if i%2 == 0 {
				// "Every request carries the key in either header"
				caller = caller.with("Authorization", "Bearer "+w.secret)
			}
			got := caller.ok(method, path, body)
			shaped{row.want}.check(t, row.line, got.body)
			for path, want := range row.equals {
				if text, ok := want.(string); ok {
					want = put(text)
				}
				if have := got.get(path); have != want {
					t.Errorf("%s is %v, want %v in %s", path, have, want, got.raw)
				}
			}
			for name, path := range row.keep {
				if kept[name] = got.text(path); kept[name] == "" {
					t.Fatalf("no %s in %s", path, got.raw)
				}
			}
		})
		if !ok && row.keep != nil {
			t.Fatal("the rows after this one need what it makes")
		}
	}
	if len(seen) != endpoints {
		t.Errorf("%d of %d endpoints have a row", len(seen), endpoints)
	}
}

// refuse proves what the section "Errors" says of every endpoint: 401 without a valid credential;
// and if the path has an identifier, 404 for malformed, missing and foreign ids.
func refuse(caller, stranger *caller, method, template, path, body string) {
	caller.t.Helper()
	caller.with("", "").refused(http.StatusUnauthorized, method, path, body)
	for _, key := range []string{"rhk_" + strings.Repeat("0", 36), "anything"} {
		caller.key(key).refused(http.StatusUnauthorized, method, path, body)
		caller.with("Authorization", "Bearer "+key).refused(http.StatusUnauthorized, method, path, body)
	}
	caller.with("Authorization", "Basic YTpi").refused(http.StatusUnauthorized, method, path, body)

	before, rest, has := strings.Cut(template, "{")
	if !has {
		return
	}
	_, rest, _ = strings.Cut(rest, "}")
	given, _, _ := strings.Cut(strings.TrimPrefix(path, before), "/")
	given, _, _ = strings.Cut(given, "?")
	stranger.refused(http.StatusNotFound, method, path, body)
	for _, id := range []string{"nothing", random(given), strings.ToUpper(given), given + "0", "%F0%9F%92%A9"} {
		caller.refused(http.StatusNotFound, method, before+id+rest+strings.TrimPrefix(path, before+given+rest), body)
	}
}

// random returns an id of the same form that belongs to nothing.
func random(id string) string {
	b := []byte(id)
	for i := len(b) - 9; i < len(b)-1; i++ {
		b[i] = "0123456789abcdefghjkmnpqrstvwxyz"[(int(b[i])*7+i)%32]
	}
	if string(b) == id {
		panic(fmt.Sprintf("%s stays as it is", id))
	}
	return string(b)
}
