package api_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/formula/formulatest"
)

var randomFormulas = flag.Int("formulas", 300, "random formulas of TestRandomFormulasAreCheckedOrRefused")

// formulaTable makes a table with every field that random formulas name, and three records, of which the first is
// linked with itself and the second.
func formulaTable(t *testing.T, c *apitest.Client) string {
	t.Helper()
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"Boats","fields":[
		{"name":"Name","type":"text"},{"name":"Notes","type":"long_text"},{"name":"Word","type":"text"},
		{"name":"Kind","type":"single_select","config":{"options":["Ferry","Tug"]}},
		{"name":"Tags","type":"multi_select","config":{"options":["a","b"]}},
		{"name":"Price","type":"number"},{"name":"Qty","type":"number"},{"name":"Done","type":"checkbox"},
		{"name":"Due","type":"date"},{"name":"Start Time","type":"datetime"}]}`)
	add := func(name, kind string, config map[string]any) {
		body, err := json.Marshal(map[string]any{"name": name, "type": kind, "config": config})
		if err != nil {
			t.Fatal(err)
		}
		c.ID("POST", "/tables/"+table+"/fields", string(body))
	}
	add("Others", "link", map[string]any{"linkedTableId": table})
	for name, text := range map[string]string{
		"Broken": "1 / 0", "Broken text": `IF(1 / 0, "a", "b")`, "Broken date": `DATEADD("2026-01-01", 1 / 0, "days")`,
		"Broken time": `DATEADD(NOW(), 1 / 0, "days")`,
	} {
		add(name, "formula", map[string]any{"formula": text})
	}
	for name, of := range map[string]string{
		"Scores": "Price", "Days": "Due", "Moments": "Start Time", "Broken list": "Broken text",
		"Broken scores": "Broken",
	} {
		add(name, "lookup", map[string]any{"linkFieldId": "Others", "fieldId": of})
	}
	var ids []string
	for _, record := range []string{
		`{"Name":"Solveig","Notes":"Two masts,\nthree decks","Word":"Ærø 🚢","Kind":"Ferry","Tags":["b","a"],
			"Price":12.5,"Qty":4,"Done":true,"Due":"2026-03-15","Start Time":"2026-03-15T22:30:00Z"}`,
		`{"Name":"","Notes":"%_$1\\1","Price":-1e300,"Qty":0,"Due":"9999-12-31","Start Time":"0001-01-01T00:00:00Z"}`,
		`{}`,
	} {
		ids = append(ids, newRecord(c, table, record))
	}
	c.OK("PATCH", "/records/"+ids[0], fmt.Sprintf(`{"fields":{"Others":[%q,%q]}}`, ids[0], ids[1]))
	return table
}

func newRecord(c *apitest.Client, table, fields string) string {
	made := c.OK("POST", "/tables/"+table+"/records", `{"records":[{"fields":`+fields+`}]}`)
	return made["records"].([]any)[0].(map[string]any)["id"].(string)
}

// A formula is either computed or refused with its mistakes; no formula makes the service fail.
//
// A long run: go test ./api -run RandomFormulas -formulas 20000
func TestRandomFormulasAreCheckedOrRefused(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	c.Kind = authz.Session // only the application creates links
	table := formulaTable(t, c)
	w := formulatest.Writer{Rand: rand.New(rand.NewPCG(1, 7))}
	var computed, mistaken, refused int
	for range *randomFormulas {
		text := w.Formula()
		body, err := json.Marshal(map[string]string{"formula": text}) // replaces bytes that are not UTF-8 by U+FFFD
		if err != nil {
			t.Fatal(err)
		}
		status, answer, raw := c.Do("POST", "/tables/"+table+"/formula/check", string(body))
		problems, _ := answer["problems"].([]any)
		values, _ := answer["values"].([]any)
		switch {
		case status == http.StatusBadRequest:
			refused++
		case status != http.StatusOK:
			t.Errorf("%s: %d %s", text, status, raw)
		case len(problems) > 0:
			mistaken++
		case len(values) == 3:
			computed++
		default:
			t.Errorf("%s has neither problems nor three values: %s", text, raw)
		}
	}
	t.Logf("%d computed, %d with mistakes, %d refused", computed, mistaken, refused)
	if computed < *randomFormulas/4 || refused > *randomFormulas/10 {
		t.Errorf("%d of %d were computed and %d refused", computed, *randomFormulas, refused)
	}
}

// A replacement that would take very long is an error, so that its record can be written. Writers
// of other records of the table do not wait for it.
func TestSlowPatternHoldsUpNobody(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	c.Kind = authz.Session // only the application creates links
	table := formulaTable(t, c)
	long := strings.Repeat("ab", 40_000)
	slow := newRecord(c, table, fmt.Sprintf(`{"Notes":%q}`, long))
	for name, text := range map[string]string{
		"Replaced": `REGEX_REPLACE({Notes}, "a*?b?", "x")`, "Nested": `REGEX_REPLACE({Notes}, "(a*)*c", "x")`,
		"Matched": `REGEX_MATCH({Notes}, "(.*a){30}.*c.*(.*a){30}")`,
	} {
		config := map[string]string{"formula": text}
		body, err := json.Marshal(map[string]any{"name": name, "type": "formula", "config": config})
		if err != nil {
			t.Fatal(err)
		}
		c.ID("POST", "/tables/"+table+"/fields", string(body))
	}
	other := newRecord(c, table, `{"Notes":"ab"}`)
	written := make(chan string, 1)
	go func() {
		began := time.Now()
		status, _, raw := c.Do("PATCH", "/records/"+slow, fmt.Sprintf(`{"fields":{"Notes":%q}}`, long+"a"))
		if status == http.StatusOK {
			raw = ""
		}
		t.Logf("%d for the slow record after %s", status, time.Since(began))
		written <- raw
	}()
	n := 0
	for {
		select {
		case refused := <-written:
			if refused != "" {
				t.Fatalf("the slow record was not written: %s", refused)
			}
			t.Logf("%d writes of another record meanwhile", n)
			fields := c.OK("GET", "/records/"+slow, "")["fields"].(map[string]any)
			if _, is := fields["Replaced"].(map[string]any); !is {
				t.Errorf("the slow replacement is %.100v, want an error", fields["Replaced"])
			}
			if n == 0 {
				t.Error("another record was not written meanwhile")
			}
			return
		default:
			n++
			c.OK("PATCH", "/records/"+other, fmt.Sprintf(`{"fields":{"Notes":"ab %d"}}`, n))
		}
	}
}
