package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
)

// Operators, directions, functions, types and keys as other products name them are read as what they certainly mean,
// and stored and answered under their own names.
func TestOtherWordsForNamesOfTheAPI(t *testing.T) {
	t.Parallel()
	owner := apitest.New(t).Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"CRM"}`)
	made := owner.OK("POST", "/bases/"+base+"/tables", `{"name":"Deals","fields":[{"name":"Name","type":"string"},`+
		`{"name":"Amount","type":"money"},{"name":"Closed","type":"date"},`+
		`{"name":"Stage","type":"Single select","config":{"options":["Open","Won"]}}]}`)
	if len(made["fields"].([]any)) != 4 {
		t.Errorf("the table answers %v", made)
	}
	table := made["id"].(string)
	owner.OK("POST", "/tables/"+table+"/records", `{"records":[`+
		`{"fields":{"Name":"A","Amount":5,"Closed":"2026-05-01","Stage":"Open"}},`+
		`{"fields":{"Name":"B","Amount":7,"Closed":"2026-07-01","Stage":"Won"}}]}`)
	records := "/tables/" + table + "/records"
	for _, c := range [][3]string{
		{"filters", `[{"field":"Amount","op":">","value":5}]`, "[B]"},
		{"filters", `[{"fieldId":"Amount","OP":"!=","value":5}]`, "[B]"},
		{"filters", `[{"fieldId":"Closed","operator":"before","value":"2026-06-01"}]`, "[A]"},
		{"filters", `[{"fieldId":"Stage","op":"is","value":"won"}]`, "[B]"},
		{"filters", `[{"fieldId":"Stage","op":"in","value":["OPEN","Won"]}]`, "[A B]"},
		{"sorts", `[{"field":"Amount","direction":"descending"}]`, "[B A]"},
	} {
		var names []any
		for _, record := range owner.OK("GET", records+"?"+c[0]+"="+url.QueryEscape(c[1]), "")["records"].([]any) {
			names = append(names, record.(map[string]any)["fields"].(map[string]any)["Name"])
		}
		if got := fmt.Sprint(names); got != c[2] {
			t.Errorf("%s=%s finds %s, not %s", c[0], c[1], got, c[2])
		}
	}
	sum := owner.OK("GET", records+"/aggregate?format=Records&aggregates="+
		url.QueryEscape(`[{"fn":"total","field":"Amount"}]`), "")
	if got := fmt.Sprint(sum); !strings.Contains(got, "sum(Amount):12") {
		t.Errorf("the sum is %s", got)
	}
	view := owner.ID("POST", "/tables/"+table+"/views", `{"type":"board","name":"Open","config":{"stackField":"Stage",`+
		`"filter":[{"field":"Stage","op":"is","value":"open"}]}}`)
	got := fmt.Sprint(owner.OK("GET", "/views/"+view, ""))
	for _, part := range []string{"type:kanban", "stackFieldId:fld_", "op:eq", "value:Open"} {
		if !strings.Contains(got, part) {
			t.Errorf("the view has no %s: %s", part, got)
		}
	}
	owner.Refused(400, "GET", records+"?filters="+
		url.QueryEscape(`[{"fieldId":"Amount","op":"like","value":5}]`), "", "filters[0].op", "the operators are")
	owner.Refused(400, "POST", "/tables/"+table+"/fields", `{"name":"X","type":"hyperthing"}`, "type",
		"the valid values")
}
