package e2e

import (
	"fmt"
	"testing"
)

// testRetype changes fields to every type in turn. Each change is made or refused with a problem;
// the records can be read and written afterwards.
func testRetype(t *testing.T, w *world) {
	for n, start := range []struct{ typ, value string }{
		{"text", `"12"`},
		{"number", `1e300`},
		{"date", `"2024-02-29"`},
		{"multi_select", `["a","b"]`},
		{"json", `{"a":[1]}`},
		{"checkbox", `true`},
		{"long_text", `"true, x"`},
		{"datetime", `"9999-12-31T23:59:59Z"`},
		{"user", `"` + w.owner.id + `"`},
		{"single_select", `"a"`},
	} {
		t.Run(start.typ, func(t *testing.T) {
			c := w.caller.in(t)
			base := c.ok("POST", "/bases", `{"name":"Types"}`).text("id")
			table := c.ok("POST", "/bases/"+base+"/tables", `{"name":"T"}`).text("id")
			config := `{}`
			if start.typ == "multi_select" || start.typ == "single_select" {
				config = `{"options":["a","b"]}`
			}
			field := c.ok("POST", "/tables/"+table+"/fields",
				fmt.Sprintf(`{"name":"F","type":%q,"config":%s}`, start.typ, config)).text("id")
			record := c.ok("POST", "/tables/"+table+"/records",
				fmt.Sprintf(`{"fields":{"Name":"one","F":%s}}`, start.value)).text("records.0.id")
			c.ok("POST", "/tables/"+table+"/records", `{"fields":{"Name":"two"}}`)
			types := typesOf(w)
			for i := range types {
				to := types[(i*7+n)%len(types)] // 7 and the number of types have no common divisor
				for _, discard := range []bool{false, true} {
					a := c.do("PATCH", "/fields/"+field, fmt.Sprintf(`{"type":%q,"discard":%t}`, to, discard))
					if a.status != 200 && a.status != 400 && a.status != 409 {
						t.Errorf("to %s: %d %s", to, a.status, a.raw)
					}
					if (to == "link" || to == "button") && a.status == 200 {
						t.Errorf("a key makes a field of type %s: %s", to, a.raw)
					}
				}
				got := c.ok("GET", "/records/"+record, "")
				if got.get("fields.Name") != "one" {
					t.Fatalf("after %s: %s", to, got.raw)
				}
				c.ok("GET",
					"/tables/"+table+"/records"+query("sorts", `[{"fieldId":"Name","dir":"asc"}]`, "search", "one"), "")
				c.ok("PATCH", "/records/"+record, `{"fields":{"Name":"one"}}`)
			}
		})
	}
}
