package e2e

import (
	"fmt"
	"sync"
	"testing"
)

// testRaces lets writers compete.
func testRaces(t *testing.T, w *world) {
	t.Run("writers that upsert the same keys never create duplicates", func(t *testing.T) {
		f := w.newFleet(t)
		const writers, rounds, keys = 4, 8, 5
		together(writers, func(writer int) {
			for round := range rounds {
				body := ""
				for key := range keys { // each writer has its own order
					body += fmt.Sprintf(`,{"fields":{"Name":"key %d","Tons":%d}}`, (key*(writer+1)+round)%keys, writer)
				}
				if a := f.do(
					"POST", f.path("records"), `{"upsertOn":["Name"],"records":[`+body[1:]+`]}`,
				); a.status != 200 {
					t.Errorf("%d %s", a.status, a.raw)
				}
			}
		})
		if got := f.ok("GET", f.path("records")+query("search", "key "), ""); got.get("total") != float64(keys) {
			t.Errorf("%v records for %d keys", got.get("total"), keys)
		}
	})
	t.Run("a field that is deleted while records are written gives clean errors and no wrong "+
		"column", func(t *testing.T) {
		f := w.newFleet(t)
		stop := make(chan struct{})
		var schema sync.WaitGroup
		schema.Go(func() {
			defer close(stop)
			for i := range 12 {
				made := f.ok("POST", f.path("fields"),
					fmt.Sprintf(`{"name":"Passing","type":%q}`, []string{"number", "text", "checkbox"}[i%3]))
				f.ok("DELETE", "/fields/"+made.text("id"), "")
			}
		})
		together(3, func(writer int) {
			values := []string{`7`, `"seven"`, `true`}
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				name := fmt.Sprintf("w%d n%d", writer, n)
				a := f.do("POST", f.path("records"),
					fmt.Sprintf(`{"fields":{"Name":%q,"Passing":%s,"Tons":5,"Notes":"mine"}}`, name, values[n%3]))
				switch {
				case a.status == 200 && (a.get("records.0.fields.Name") != name ||
					a.get("records.0.fields.Tons") != 5.0 || a.get("records.0.fields.Notes") != "mine"):
					t.Errorf("a value went into another column: %s", a.raw)
				case a.status != 200 && a.status != 400 && a.status != 409 && a.status != 503:
					t.Errorf("%d %s", a.status, a.raw)
				}
			}
		})
		schema.Wait()
		for _, r := range asList(f.ok(
			"GET", f.path("records")+query("filters", `[{"fieldId":"Notes","op":"eq","value":"mine"}]`), "",
		).get("records")) {
			if at(r, "fields.Tons") != 5.0 {
				t.Errorf("a value went into another column: %v", r)
			}
		}
	})
}

// together runs n writers and waits for them.
func together(n int, write func(writer int)) {
	var writers sync.WaitGroup
	for i := range n {
		writers.Go(func() { write(i) })
	}
	writers.Wait()
}
