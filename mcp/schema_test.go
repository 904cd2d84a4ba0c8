package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// Some clients drop a server over a subschema that is true, or empty.
func TestOutputSubschemasHaveTypes(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	for _, tool := range s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp", nil).Tools() {
		encoded, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema any
		if err := json.Unmarshal(encoded, &schema); err != nil {
			t.Fatal(err)
		}
		var walk func(at string, schema any)
		walk = func(at string, schema any) {
			s, ok := schema.(object)
			if !ok || len(s) == 0 {
				t.Errorf("%s: %s is %v", tool.Name, at, schema)
				return
			}
			properties, _ := s["properties"].(object)
			if s["type"] == nil && properties == nil {
				t.Errorf("%s: %s says no type", tool.Name, at)
			}
			for name, property := range properties {
				walk(at+"."+name, property)
			}
			if items, ok := s["items"]; ok {
				walk(at+"[]", items)
			}
		}
		walk("", schema)
	}
}

func TestSchemaOmitsApplicationOnlyTypes(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	for _, tool := range c.Tools() {
		encoded, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(encoded), `"button"`) || strings.Contains(string(encoded), `"link"`) {
			t.Errorf("%s offers link or button", tool.Name)
		}
	}
	for _, kind := range []string{"link", "button"} {
		c.Refused("create_field", object{"tableId": table, "name": "X", "type": kind}, "application_only", "openInApp",
			s.URL+"/base/"+base+"/"+table)
		c.Refused("create_table", object{"baseId": base, "name": "X", "fields": []object{{"name": "X", "type": kind}}},
			"application_only", "fields[0].type", "openInApp", s.URL+"/base/"+base)
	}
}

func TestNamesDetailKeepsLinksAndFilters(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	other := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"Companies"}`)
	session := *owner.Principal
	session.Kind = "session"
	s.REST.As(t, &session).ID("POST", "/tables/"+table+"/fields",
		`{"name":"Company","type":"link","config":{"linkedTableId":"`+other+`"}}`)
	view := owner.ID("POST", "/tables/"+table+"/views", `{"type":"grid","name":"Large"}`)
	owner.OK("PATCH", "/views/"+view,
		`{"config":{"filters":[{"fieldId":"Amount","op":"gt","value":5}],"rowHeight":"tall"}}`)
	got := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil).OK("describe_base",
		object{"baseId": base, "detail": "names", "tableIds": []string{table}})
	encoded, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"Company":"link to Companies"`, `"Large":"grid, filtered"`} {
		if !strings.Contains(string(encoded), want) {
			t.Errorf("names do not tell %s: %s", want, encoded)
		}
	}
	if strings.Contains(string(encoded), "rowHeight") {
		t.Errorf("names tell the layout: %s", encoded)
	}
}

func TestMisspelledViewKeyIsRejected(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	view := owner.ID("POST", "/tables/"+table+"/views", `{"type":"grid","name":"Large"}`)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	for wrong, meant := range map[string]string{
		"rowHieght":    "rowHeight",
		"hiddenFeilds": "hiddenFields",
		"stackBy":      "stackFieldId",
		"endDate":      "endFieldId",
		"sortBy":       "sorts",
	} {
		c.Refused("update_view", object{"viewId": view, "config": object{wrong: []string{}}}, "config."+wrong, meant)
		owner.Refused(400, "PATCH", "/views/"+view, `{"config":{"`+wrong+`":[]}}`, "config."+wrong, meant)
	}
	for other, meant := range map[string]string{
		"filter":       "filters",
		"Filters":      "filters",
		"hiddenfields": "hiddenFields",
		"sort":         "sorts",
		"groupby":      "groupBy",
		"stackFieldID": "stackFieldId",
		"coverField":   "coverFieldId",
		"columnWidth":  "columnWidths",
	} {
		other := owner.ID("POST", "/tables/"+table+"/views", `{"type":"grid","config":{"`+other+`":null}}`)
		if config := owner.OK("GET", "/views/"+other, "")["config"].(object); len(config) != 1 {
			t.Errorf("the view has the configuration %v", config)
		} else if _, ok := config[meant]; !ok {
			t.Errorf("the view has the configuration %v, without %s", config, meant)
		}
	}
	c.OK("update_view", object{
		"viewId": view,
		"config": object{"myColours": []string{"red"}, "x-note": "kept", "colorBy": "Stage", "titleField": "Name"},
	})
	config := c.OK("get_view", object{"viewId": view})["config"].(object)
	keys := []string{}
	for key := range config {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if !slices.Equal(keys, []string{"colorBy", "myColours", "titleField", "x-note"}) {
		t.Errorf("the config holds %v", keys)
	}
}

func TestViewGroupsAndSummarizesFieldsThatCan(t *testing.T) {
	t.Parallel()
	s, owner, base, _ := setup(t)
	table := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"Offers","fields":[{"name":"Name","type":"text"},
		{"name":"Amount","type":"number"},{"name":"Done","type":"checkbox"},
		{"name":"Stage","type":"single_select","config":{"options":["New"]}},
		{"name":"Tags","type":"multi_select","config":{"options":["Big"]}}]}`)
	view := owner.ID("POST", "/tables/"+table+"/views",
		`{"type":"grid","config":{"groupBy":["Stage"],"aggregates":{"Amount":"median"},"colorFieldId":"Stage"}}`)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	for _, refused := range []struct {
		config object
		words  []string
	}{
		{object{"groupBy": []string{"Stage", "Amount", "Name", "Done"}}, []string{"config.groupBy", "at most 3"}},
		{object{"groupBy": []string{"Tags"}}, []string{"config.groupBy", "cannot be grouped by"}},
		{object{"aggregates": object{"Name": "sum"}}, []string{"config.aggregates.Name", "has no sum"}},
		{object{"aggregates": object{"Amount": "medium"}}, []string{"config.aggregates.Amount", "median"}},
		{object{"colorFieldId": "Amount"}, []string{"config.colorFieldId", "cannot serve"}},
	} {
		c.Refused("update_view", object{"viewId": view, "config": refused.config}, refused.words...)
	}
}
