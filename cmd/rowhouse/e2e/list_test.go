package e2e

import (
	"slices"
	"testing"
)

// The parameters of "List records" and "Search records", and the documented behaviour where the
// specification says nothing.
func testList(t *testing.T, w *world) {
	f := w.newFleet(t)
	everything := []string{"Solveig", "Aase", "Ingrid", "Ragna", "Unnumbered"}
	type filter map[string]any
	where := func(field, op string, value any) filter {
		return filter{"fieldId": f.fields[field], "op": op, "value": value}
	}

	for _, test := range []struct {
		line  string
		query string
		want  []string
	}{
		{"without parameters: all, in the order of creation", "", everything},
		{"search: text to search for", query("search", "OLVE"), everything[:1]},
		{"search: in any field", query("search", "ærø"), everything[:1]},
		{"search: a wildcard is a character like any other", query("search", "%"), []string{"Ragna"}},
		{"search: so is an underscore", query("search", "crew_list"), []string{"Ragna"}},
		{"search: nothing found", query("search", "Titanic"), []string{}},
		{"limit: page size", query("limit", "2"), everything[:2]},
		{"limit: maximum 100", query("limit", "100"), everything},
		{"offset: start position", query("offset", "3"), everything[3:]},
		{"offset: beyond the end", query("offset", "5"), []string{}},
		{"limit and offset", query("limit", "2", "offset", "1"), everything[1:3]},
		{
			"filters: {fieldId, op, value}", query("filters", []any{where("Kind", "eq", "Tug")}),
			[]string{"Aase", "Ragna"},
		},
		{
			"filters: a conjunction", query("filters", []any{where("Kind", "eq", "Tug"), where("Laid up", "eq", true)}),
			[]string{"Aase"},
		},
		{
			"filters: fieldId takes a name",
			query("filters", []any{filter{"fieldId": "Tons", "op": "gte", "value": 420.5}}),
			[]string{"Solveig", "Ingrid"},
		},
		{
			"filters: or",
			query("filters", []any{filter{"or": []any{where("Tons", "gt", 1000), where("Name", "starts_with", "aa")}}}),
			[]string{"Aase", "Ingrid"},
		},
		{"filters: none", query("filters", []any{}), everything},
		{
			"filters: is_empty", query("filters", []any{filter{"fieldId": f.fields["Tons"], "op": "is_empty"}}),
			[]string{"Unnumbered"},
		},
		{
			"filters: is_not_empty",
			query("filters", []any{filter{"fieldId": f.fields["Launched"], "op": "is_not_empty"}}),
			[]string{"Solveig", "Aase"},
		},
		{
			"filters: between", query("filters", []any{where("Tons", "between", []any{90, 420.5})}),
			[]string{"Solveig", "Aase", "Ragna"},
		},
		{
			"filters: in", query("filters", []any{where("Kind", "in", []any{"Barge", "Ferry"})}),
			[]string{"Solveig", "Ingrid"},
		},
		{
			"filters: has_all", query("filters", []any{where("Flags", "has_all", []any{"NO", "SE"})}),
			[]string{"Solveig"},
		},
		{
			"filters: has_none", query("filters", []any{where("Flags", "has_none", []any{"NO"})}),
			[]string{"Ingrid", "Ragna", "Unnumbered"},
		},
		{"filters: a date", query("filters", []any{where("Launched", "lt", "2001-12-31")}), []string{"Solveig"}},
		{
			"filters: a moment", query("filters", []any{where("Seen", "gte", "2026-01-02T03:04:05Z")}),
			[]string{"Solveig"},
		},
		{"filters: contains", query("filters", []any{where("Notes", "contains", "CARS")}), []string{"Solveig"}},
		{
			"sorts: {fieldId, dir}, empty values last, ties by creation",
			query("sorts", []any{filter{"fieldId": f.fields["Tons"], "dir": "asc"}}),
			[]string{"Aase", "Ragna", "Solveig", "Ingrid", "Unnumbered"},
		},
		{
			"sorts: dir desc, empty values last",
			query("sorts", []any{filter{"fieldId": f.fields["Tons"], "dir": "desc"}}),
			[]string{"Ingrid", "Solveig", "Aase", "Ragna", "Unnumbered"},
		},
		{
			"sorts: several",
			query("sorts", []any{filter{"fieldId": "Tons", "dir": "asc"}, filter{"fieldId": "Name", "dir": "desc"}}),
			[]string{"Ragna", "Aase", "Solveig", "Ingrid", "Unnumbered"},
		},
		{
			"all at once", query(
				"search", "a", "filters", []any{where("Kind", "eq", "Tug")}, "sorts",
				[]any{filter{"fieldId": "Name", "dir": "desc"}}, "limit", "1", "offset", "1",
			),
			[]string{"Aase"},
		},
	} {
		t.Run("List records | "+test.line, func(t *testing.T) {
			got := f.in(t).ok("GET", f.path("records")+test.query, "")
			shaped{page}.check(t, test.line, got.body)
			if have := names(got); !slices.Equal(have, test.want) {
				t.Errorf("got %v, want %v", have, test.want)
			}
		})
	}

	t.Run("List records | total, offset, limit and hasMore describe the page", func(t *testing.T) {
		for _, test := range []struct {
			query                string
			total, offset, limit float64
			more                 bool
		}{
			{"", 5, 0, 100, false},
			{"?limit=2", 5, 0, 2, true},
			{"?limit=2&offset=2", 5, 2, 2, true},
			{"?limit=2&offset=3", 5, 3, 2, false},
			{"?limit=5", 5, 0, 5, false},
			{"?limit=1&search=a", 4, 0, 1, true},
			{"?offset=100", 5, 100, 100, false},
		} {
			got := f.in(t).ok("GET", f.path("records")+test.query, "")
			if got.get("total") != test.total || got.get("offset") != test.offset || got.get("limit") != test.limit ||
				got.get("hasMore") != test.more {
				t.Errorf("%s: %.200s", test.query, got.raw)
			}
		}
	})

	t.Run("List records | view: restricts the listing to that view", func(t *testing.T) {
		f := f.in(t)
		view := f.ok("POST", f.path("views"), `{"type":"grid","name":"Tugs"}`).text("id")
		f.ok("PATCH", "/views/"+view, encode(map[string]any{"config": map[string]any{
			"filters":      []any{where("Kind", "eq", "Tug")},
			"sorts":        []any{filter{"fieldId": f.fields["Name"], "dir": "desc"}},
			"hiddenFields": []any{f.fields["Tons"]},
		}}))
		for _, test := range []struct {
			query string
			want  []string
		}{
			{query("view", view), []string{"Ragna", "Aase"}},
			{query("view", view, "sorts", []any{filter{"fieldId": "Name", "dir": "asc"}}), []string{"Aase", "Ragna"}},
			{query("view", view, "filters", []any{where("Laid up", "eq", true)}), []string{"Aase"}},
			{query("view", view, "search", "crew"), []string{"Ragna"}},
		} {
			got := f.ok("GET", f.path("records")+test.query, "")
			if have := names(got); !slices.Equal(have, test.want) {
				t.Errorf("%s: got %v, want %v", test.query, have, test.want)
			}
			if got.get("records.0.fields.Tons") != 90.0 {
				t.Errorf("a field that the view hides is not returned: %s", got.raw)
			}
		}
	})

	t.Run("Search records | q, limit, offset", func(t *testing.T) {
		f := f.in(t)
		for _, test := range []struct {
			query string
			want  []string
		}{
			{query("q", "a"), []string{"Solveig", "Aase", "Ingrid", "Ragna"}},
			{query("q", "a", "limit", "2", "offset", "1"), []string{"Aase", "Ingrid"}},
			{query("q", "barge"), []string{"Ingrid"}},
			{query("q", "1200"), []string{"Ingrid"}},
			{query("q", "dk"), []string{}},
			{query("q", "ferry"), []string{"Solveig"}},
			{query("q", "2001-12"), []string{"Aase"}},
		} {
			got := f.ok("GET", f.path("records/search")+test.query, "")
			shaped{page}.check(t, test.query, got.body)
			if have := names(got); !slices.Equal(have, test.want) {
				t.Errorf("%s: got %v, want %v", test.query, have, test.want)
			}
		}
		f.refused(400, "GET", f.path("records/search"), "", "q", "required")
	})

	t.Run("List records | An invalid query yields 400", func(t *testing.T) {
		f := f.in(t)
		one := func(member string, value any) []any { return []any{map[string]any{member: value}} }
		deep := any(where("Tons", "gt", 1))
		for range 6 {
			deep = filter{"or": []any{deep}}
		}
		many := []any{}
		for range 51 {
			many = append(many, where("Tons", "gt", 1))
		}
		for _, test := range []struct {
			query string
			words []string // that the problem must contain
		}{
			{"?limit=0", []string{"limit", "1 to 100"}},
			{"?limit=101", []string{"limit", "1 to 100"}},
			{"?limit=-1", []string{"limit"}},
			{"?limit=ten", []string{"limit"}},
			{"?limit=1.5", []string{"limit"}},
			{"?limit=", []string{"limit"}},
			{"?limit=1&limit=2", []string{"limit"}},
			{"?limit=1e400", []string{"limit"}},
			{"?offset=-1", []string{"offset"}},
			{"?offset=x", []string{"offset"}},
			{"?offset=99999999999999999999", []string{"offset"}},
			{"?ofset=1", []string{"ofset", "offset"}},
			{"?filters=" + "%7B", []string{"filters"}},
			{query("filters", "[{]"), []string{"filters"}},
			{query("filters", 7), []string{"filters"}},
			{query("filters", one("fieldId", f.fields["Tons"])), []string{"filters[0]", "op"}},
			{query("filters", []any{where("Tons", "resembles", 1)}), []string{"filters[0]", "op", "eq"}},
			{query("filters", []any{where("Tons", "contains", "1")}), []string{"filters[0]", "gte"}},
			{query("filters", []any{where("Tons", "eq", "many")}), []string{"filters[0]", "number"}},
			{query("filters", []any{where("Kind", "eq", "Tugg")}), []string{"filters[0]", "Tug"}},
			{query("filters", []any{where("Launched", "eq", "yesteryear")}), []string{"filters[0]"}},
			{
				query("filters", []any{filter{"fieldId": random(f.fields["Tons"]), "op": "eq", "value": 1}}),
				[]string{"filters[0]"},
			},
			{
				query("filters", []any{filter{"fieldId": "Tonss", "op": "eq", "value": 1}}),
				[]string{"filters[0]", "Tons"},
			},
			{
				query("filters", []any{filter{"fieldId": "Tons", "op": "eq", "value": 1, "extra": 1}}),
				[]string{"filters[0]", "extra"},
			},
			{query("filters", []any{deep}), []string{"filters", "5"}},
			{query("filters", many), []string{"filters", "50"}},
			{query("sorts", "x"), []string{"sorts"}},
			{query("sorts", one("dir", "asc")), []string{"sorts[0]", "fieldId"}},
			{
				query("sorts", []any{filter{"fieldId": f.fields["Tons"], "dir": "up"}}),
				[]string{"sorts[0]", "asc", "desc"},
			},
			{query("sorts", []any{filter{"fieldId": "Nme", "dir": "asc"}}), []string{"sorts[0]", "Name"}},
			{query("view", random(f.fields["Tons"])), []string{"view"}},
			{query("view", "nothing"), []string{"view"}},
			{"?search=%00", []string{"search"}},
			{"?search=%ff", []string{"search"}},
			{"?search=%zz", nil},
		} {
			f.refused(400, "GET", f.path("records")+test.query, "", test.words...)
		}
	})
}
