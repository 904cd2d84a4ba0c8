package api_test

import (
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A caller who may write records but not read them gets back only the values that it wrote itself.
func TestResponsesToWritesRevealNothingElse(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner := s.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Base"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"T","fields":[{"name":"Name","type":"text"},`+
		`{"name":"Secret","type":"text"},{"name":"N","type":"number"}]}`)
	records := "/tables/" + table + "/records"
	made := owner.OK("POST", records, `{"fields":{"Name":"hidden one","Secret":"hidden two","N":1}}`)["records"].([]any)
	record := made[0].(map[string]any)["id"].(string)
	p := apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Owner)
	p.Scopes = []authz.Scope{authz.SchemaRead, authz.DataWrite}
	blind := s.As(t, p)

	shows := func(client *apitest.Client, method, path, body, want string) {
		t.Helper()
		_, _, text := client.Do(method, path, body)
		if !strings.Contains(text, want) {
			t.Errorf("%s %s %s: no %s in %s", method, path, body, want, text)
		}
		if strings.Contains(text, "hidden") != (client == owner) {
			t.Errorf("%s %s %s: %s", method, path, body, text)
		}
	}
	for _, client := range []*apitest.Client{owner, blind} {
		shows(client, "PATCH", "/records/"+record, `{"fields":{}}`, `"fields":{`)
		shows(client, "PATCH", "/records/"+record, `{"fields":{"N":2}}`, `"N":2`)
		shows(client, "PATCH", records, `{"records":[{"id":"`+record+`","fields":{"N":3}}]}`, `"N":3`)
		shows(client, "POST", records, `{"upsertOn":["N"],"fields":{"N":3}}`, `"updated":["`+record)
		shows(client, "PATCH", records, `{"records":[{"id":"`+record+`","version":1,"fields":{"N":3}}]}`,
			"version_changed")
	}
	// The response contains what was stored.
	shows(blind, "PATCH", "/records/"+record, `{"fields":{"N":" 7 "},"typecast":true}`,
		`"fields":{"N":7},"changeSet":"chs_`)

	// Conflicts of a revert quote the old and the current values.
	changed := blind.OK("PATCH", "/records/"+record, `{"fields":{"Secret":"mine"}}`)
	if changed["fields"].(map[string]any)["Secret"] != "mine" {
		t.Errorf("the write answers %v", changed)
	}
	sets := owner.OK("GET", "/bases/"+base+"/change-sets?detail=full&limit=1", "")["changeSets"].([]any)
	set := sets[0].(map[string]any)["id"].(string)
	owner.OK("PATCH", "/records/"+record, `{"fields":{"Secret":"hidden three"}}`)
	for _, client := range []*apitest.Client{owner, blind} {
		shows(client, "POST", "/bases/"+base+"/changes/revert", `{"changeSets":["`+set+`"],"dryRun":true}`, "conflicts")
		shows(client, "POST", "/bases/"+base+"/changes/revert", `{"changeSets":["`+set+`"]}`, "revert_conflict")
	}
	for _, client := range []*apitest.Client{owner, blind} {
		client.OK("DELETE", "/records/"+record, "")
		shows(client, "POST", "/bases/"+base+"/trash/restore", `{"items":["`+record+`"]}`, record)
	}
}
