package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// peopleAndTasks makes two linked tables: people, with a formula for the whole name, and tasks that
// are linked to them.
func peopleAndTasks(t *testing.T) (c *apitest.Client, base, people, tasks, whole string) {
	t.Helper()
	c = apitest.New(t).Owner(t)
	c.Kind = authz.Session // only the application creates links
	base = c.ID("POST", "/bases", `{"name":"Base"}`)
	people = c.ID("POST", "/bases/"+base+"/tables", `{"name":"People","fields":[{"name":"Last","type":"text"},
		{"name":"First","type":"text"},{"name":"Age","type":"number"}]}`)
	tasks = c.ID("POST", "/bases/"+base+"/tables", `{"name":"Tasks","fields":[{"name":"Name","type":"text"}]}`)
	whole = c.ID("POST", "/tables/"+people+"/fields",
		`{"name":"Whole","type":"formula","config":{"formula":"{First} & \" \" & {Last}"}}`)
	c.ID("POST", "/tables/"+tasks+"/fields", `{"name":"Who","type":"link","config":{"linkedTableId":"`+people+`"}}`)
	return c, base, people, tasks, whole
}

// A formula of text can be the primary field: its values name the records wherever names are shown
// or searched.
func TestAFormulaAsPrimaryFieldNamesItsRecords(t *testing.T) {
	t.Parallel()
	c, base, people, tasks, whole := peopleAndTasks(t)
	grace := newRecord(c, people, `{"First":"Grace","Last":"Hopper","Age":85}`)
	newRecord(c, people, `{"First":"Ada","Last":"Lovelace","Age":36}`)
	c.OK("PATCH", "/fields/"+whole, `{"isPrimary":true}`)

	table := c.OK("GET", "/tables/"+people, "")
	var order []string
	for _, f := range table["fields"].([]any) {
		name := f.(map[string]any)["name"].(string)
		if f.(map[string]any)["isPrimary"].(bool) {
			name = "*" + name
		}
		order = append(order, name)
	}
	if got := strings.Join(order, " "); !strings.HasPrefix(got, "*Whole Last First Age") {
		t.Errorf("fields: %s", got)
	}

	created := c.OK("POST", "/tables/"+tasks+"/records", `{"typecast":true,"records":[{"fields":{"Name":"Compile",
		"Who":"Grace Hopper"}}]}`)
	if raw, _ := json.Marshal(created); !strings.Contains(string(raw), grace) {
		t.Errorf("a link by the computed name: %s", raw)
	}
	c.ID("POST", "/tables/"+tasks+"/fields",
		`{"name":"Names","type":"formula","config":{"formula":"UPPER({Who} & \"\")"}}`)
	says := func(method, path, body, want string) {
		t.Helper()
		status, _, raw := c.Do(method, path, body)
		if status != http.StatusOK && status != http.StatusCreated || !strings.Contains(string(raw), want) {
			t.Errorf("%s %s: %d, no %s in %s", method, path, status, want, raw)
		}
	}
	says("GET", "/tables/"+tasks+"/records", "", "GRACE HOPPER")
	says("GET", "/tables/"+tasks+"/records/search?q=hopper", "", "Compile")
	says("GET", "/bases/"+base+"/search?q="+url.QueryEscape("grace hopper"), "", `"title":"Grace Hopper"`)
	says("GET", "/tables/"+tasks+"/records/aggregate?groupBy=Who&aggregates="+url.QueryEscape(`[{"fn":"count"}]`), "",
		"Grace Hopper")
	says("POST", "/tables/"+tasks+"/records/export", `{}`, "Grace Hopper")
	c.OK("POST", "/records/"+grace+"/comments", `{"text":"Hello"}`)

	// Records of the past, and deleted ones, have the name of their time.
	then := url.QueryEscape(time.Now().UTC().Format(time.RFC3339Nano))
	c.OK("PATCH", "/records/"+grace, `{"fields":{"Last":"Murray"}}`)
	says("GET", "/tables/"+tasks+"/records", "", "GRACE MURRAY")
	says("GET", "/tables/"+people+"/records?asOf="+then, "", `"Whole":"Grace Hopper"`)
	if !tenancytest.DB(t).Distributed() { // where a formula that is computed as it is read has the present name
		says("GET", "/tables/"+tasks+"/records?search=hopper&asOf="+then, "", "Compile")
	}
	c.OK("DELETE", "/records/"+grace, "")
	says("GET", "/bases/"+base+"/trash?kinds=record", "", `"name":"Grace Murray"`)
}

// A field that cannot name records cannot become the primary field, and the primary field cannot
// become such a field.
func TestThePrimaryFieldHoldsText(t *testing.T) {
	t.Parallel()
	c, base, people, tasks, whole := peopleAndTasks(t)
	add := func(table, name, formula string) string {
		return c.ID("POST", "/tables/"+table+"/fields",
			`{"name":"`+name+`","type":"formula","config":{"formula":"`+formula+`"}}`)
	}
	fieldOf := func(name string) string {
		for _, f := range c.OK("GET", "/tables/"+people, "")["fields"].([]any) {
			if f := f.(map[string]any); f["name"] == name {
				return f["id"].(string)
			}
		}
		t.Fatal("no field", name)
		return ""
	}
	for _, refused := range []struct{ field, why string }{
		{fieldOf("Age"), "a formula whose value is text"},
		{add(people, "Twice", "{Age} * 2"), "the primary field holds text"},
		{add(people, "Today", "{Last} & TODAY()"), "reads only other fields of its record"},
		{add(tasks, "Of", "{Who} & \\\"\\\""), "reads only other fields of its record"},
	} {
		c.Refused(http.StatusBadRequest, "PATCH", "/fields/"+refused.field, `{"isPrimary":true}`, refused.why)
	}
	c.Refused(http.StatusBadRequest, "PATCH", "/fields/"+fieldOf("Last"), `{"isPrimary":false}`, "can only become true")

	made := c.OK("PATCH", "/fields/"+whole, `{"isPrimary":true}`)
	c.Refused(http.StatusBadRequest, "PATCH", "/fields/"+whole, `{"config":{"formula":"{Age} * 2"}}`,
		"the primary field holds text")
	c.Refused(http.StatusConflict, "DELETE", "/fields/"+whole, "", "primary")

	// The former primary field is like any other, and the change can be undone and redone.
	primary := func() string {
		return c.OK("GET", "/tables/"+people, "")["fields"].([]any)[0].(map[string]any)["name"].(string)
	}
	revert := func(set any) any {
		body, _ := json.Marshal(map[string]any{"changeSets": []any{set}})
		return c.OK("POST", "/bases/"+base+"/changes/revert", string(body))["changeSet"]
	}
	back := revert(made["changeSet"])
	if got := primary(); got != "Last" {
		t.Errorf("after the revert the primary field is %q", got)
	}
	revert(back)
	if got := primary(); got != "Whole" {
		t.Errorf("after the revert of the revert the primary field is %q", got)
	}
	c.OK("DELETE", "/fields/"+fieldOf("Age"), "")
	c.OK("PATCH", "/fields/"+fieldOf("First"), `{"isPrimary":true}`)
	c.OK("DELETE", "/fields/"+fieldOf("Last"), "")
	if got := primary(); got != "First" {
		t.Errorf("the primary field is %q", got)
	}
}
