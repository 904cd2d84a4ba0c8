package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// nasty are values that some type refuses, and values at the bounds of the types that accept them.
var nasty = []string{
	`null`, `""`, `"x"`, `" "`, `"12"`, `"true"`, `true`, `false`, `0`, `-0.0`, `1e-400`, `1.7976931348623157e308`,
	`1e309`, `9007199254740993`, `-1e999`, `123456789012345678901234567890`, `"2024-02-29"`, `"2023-02-29"`,
	`"0000-00-00"`, `"0001-01-01"`, `"9999-12-31"`, `"10000-01-01"`, `"-0001-01-01"`, `"2024-01-01T00:00:00Z"`,
	`"2024-01-01T24:00:00Z"`, `"9999-12-31T23:59:59.999999999+23:59"`, `"0000-01-01T00:00:00-23:59"`, `"infinity"`,
	`"NaN"`, `"today"`, `[]`, `[""]`, `["a","a"]`, `["a",1]`, `[null]`, `[[]]`, `{}`, `{"a":null}`,
	`{"unit":"day","offset":1e300}`, `{"unit":"year","offset":-99999}`, `{"unit":"eon","offset":1}`, `"a\u0000b"`,
	`{"a":"\u0000"}`, `{"\u0000":1}`, `["\u0000"]`, "\"\xff\"", `"\ud800"`, `"'; drop table x; --"`, `"%_\\"`,
	`"\u202e\u0007"`, `"rec_00000000000000000000000000000000"`, `["rec_00000000000000000000000000000000"]`,
	`"usr_00000000000000000000000000"`, `["usr_00000000000000000000000000"]`, `"javascript:alert(1)"`,
	`"https://exa mple"`, `"a@b"`, `"+47"`,
}

// testValues writes nasty values to a field of every type, and filters by them with every operator.
// Each is accepted or refused with a problem that names the field; accepted values can be read
// again.
func testValues(t *testing.T, w *world) {
	c := w.caller.in(t)
	base := c.ok("POST", "/bases", `{"name":"Every type"}`).text("id")
	table := c.ok("POST", "/bases/"+base+"/tables", `{"name":"T"}`).text("id")
	records := "/tables/" + table + "/records"
	var types []string
	for _, name := range typesOf(w) {
		config := `{}`
		caller := c
		switch name {
		case "single_select", "multi_select":
			config = `{"options":["a","b"]}`
		case "link":
			config = fmt.Sprintf(`{"linkedTableId":%q}`, table)
			caller = w.owner.session.in(t)
		case "formula":
			config = `{"formula":"{number} * 2"}`
		case "lookup":
			config = `{"linkFieldId":"link","fieldId":"number"}`
		case "rollup":
			config = `{"linkFieldId":"link","fieldId":"number","function":"SUM"}`
		case "count":
			config = `{"linkFieldId":"link"}`
		case "rank":
			caller = w.owner.session.in(t)
		case "button":
			config = `{"label":"Go","url":"https://example.com"}`
			caller = w.owner.session.in(t)
		}
		caller.ok("POST", "/tables/"+table+"/fields",
			fmt.Sprintf(`{"name":%q,"type":%q,"config":%s}`, name, name, config))
		types = append(types, name)
	}
	c.ok("POST", records, `{"fields":{"Name":"one"}}`)
	long := encode(strings.Repeat("ø", 100_001))
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for n, name := range types {
		t.Run("write "+name, func(t *testing.T) {
			c := c.in(t)
			for i, value := range append(slices.Clone(nasty), long, deep) {
				for way, body := range []string{
					fmt.Sprintf(`{"fields":{%q:%s}}`, name, value),
					fmt.Sprintf(`{"fields":{%q:%s},"typecast":true}`, name, value),
					fmt.Sprintf(`{"upsertOn":[%q],"fields":{%q:%s}}`, name, name, value),
				} {
					if (i+n+way)%3 > 0 {
						continue // each type meets a value in one way, and all types together in every way
					}
					a := c.do("POST", records, body)
					switch a.status {
					case 200:
						id := a.text("records.0.id")
						again := c.ok("GET", "/records/"+id, "")
						if got, want := encode(again.get("fields")), encode(a.get("records.0.fields")); got != want {
							t.Errorf("%.100s: answered %s, and read again %s", body, want, got)
						}
						c.ok("DELETE", "/records/"+id, "")
					case 400:
						if !strings.Contains(a.raw, "fields") && !strings.Contains(a.raw, "upsertOn") {
							t.Errorf("%.100s: the problem names no place: %s", body, a.raw)
						}
					default:
						t.Errorf("%.100s: %d %.300s", body, a.status, a.raw)
					}
				}
			}
		})
		t.Run("filter "+name, func(t *testing.T) {
			c := c.in(t)
			for k, op := range []string{
				"eq", "neq", "contains", "not_contains", "starts_with", "ends_with", "in", "not_in", "gt", "gte", "lt",
				"lte", "between", "has_any", "has_all", "has_none", "is_exactly", "is_within", "is_empty",
				"is_not_empty",
			} {
				for i, value := range append(
					slices.Clone(nasty), deep, `["2024-01-01","2023-01-01"]`, `[1,"2"]`, `[2,1]`,
				) {
					if (i+n+k)%4 > 0 {
						continue
					}
					a := c.do("GET", records+query("limit", "1", "filters",
						fmt.Sprintf(`[{"fieldId":%q,"op":%q,"value":%s}]`, name, op, value)), "")
					if a.status != 200 && (a.status != 400 || !strings.Contains(a.raw, "filters")) {
						t.Errorf("%s %.100s: %d %.300s", op, value, a.status, a.raw)
					}
					if a.status == 400 && strings.HasSuffix(a.text("errors.0.path"), ".op") {
						break // the type does not have the operator
					}
				}
			}
			for _, dir := range []string{"asc", "desc"} {
				if a := c.do(
					"GET", records+query("sorts", fmt.Sprintf(`[{"fieldId":%q,"dir":%q}]`, name, dir)), "",
				); a.status != 200 && a.status != 400 {
					t.Errorf("sorted %s: %d %s", dir, a.status, a.raw)
				}
			}
		})
	}
	t.Run("search", func(t *testing.T) {
		for _, value := range nasty {
			if a := c.in(t).do("GET", records+"/search"+query("q", value), ""); a.status != 200 && a.status != 400 {
				t.Errorf("%s: %d %s", value, a.status, a.raw)
			}
		}
	})
	t.Run("config", func(t *testing.T) {
		c := c.in(t)
		for n, of := range []struct{ name, key string }{
			{"text", "description"},
			{"text", "required"},
			{"text", "unique"},
			{"text", "default"},
			{"number", "default"},
			{"date", "default"},
			{"datetime", "default"},
			{"checkbox", "default"},
			{"single_select", "default"},
			{"multi_select", "default"},
			{"user", "default"},
			{"json", "default"},
			{"single_select", "options"},
			{"number", "precision"},
			{"currency", "symbol"},
			{"rating", "max"},
			{"rating", "icon"},
			{"duration", "format"},
			{"date", "dateFormat"},
			{"datetime", "timeFormat"},
			{"datetime", "timeZone"},
			{"user", "multiple"},
			{"auto_number", "default"},
		} {
			for i, value := range nasty {
				if (i+n)%3 > 0 {
					continue // fields are expensive
				}
				a := c.do("POST", "/tables/"+table+"/fields",
					fmt.Sprintf(`{"name":"n%d","type":%q,"config":{%q:%s}}`, i, of.name, of.key, value))
				switch a.status {
				case 200:
					c.ok("DELETE", "/fields/"+a.text("id"), "")
				case 400:
					if !strings.Contains(a.raw, "config") {
						t.Errorf("%s: %s: %s: the problem names no place: %s", of.name, of.key, value, a.raw)
					}
				default:
					t.Errorf("%s: %s: %s: %d %.300s", of.name, of.key, value, a.status, a.raw)
				}
			}
		}
	})
}

// typesOf are the field types that the OpenAPI document lists.
func typesOf(w *world) []string {
	schema := w.contract.document.Paths.Value("/api/v1/tables/{tableId}/fields").
		Post.RequestBody.Value.Content.Get("application/json").Schema.Value
	var names []string
	for _, name := range schema.Properties["type"].Value.Enum {
		names = append(names, name.(string))
	}
	return names
}
