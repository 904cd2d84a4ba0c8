package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// secret makes a table whose field Secret contains "hidden", and returns a client of the same
// person who may change the schema but not read records.
func secret(t *testing.T, s *apitest.Server) (owner, blind *apitest.Client, field string) {
	t.Helper()
	owner = s.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Base"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"T","fields":[{"name":"Name","type":"text"},{"name":"Secret","type":"text"}]}`)
	owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Secret":"hidden"}}`)
	fields := owner.OK("GET", "/tables/"+table+"/fields", "")["fields"].([]any)
	p := apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Owner)
	p.Scopes = []authz.Scope{authz.SchemaRead, authz.SchemaWrite}
	return owner, s.As(t, p), fields[1].(map[string]any)["id"].(string)
}

// The plan of a deletion shows values of records only to those who may read them.
func TestPlanShowsValuesOnlyToReaders(t *testing.T) {
	t.Parallel()
	owner, blind, field := secret(t, apitest.New(t))
	for _, c := range []struct {
		client *apitest.Client
		shown  int
	}{{owner, 1}, {blind, 0}} {
		plan := c.client.OK("DELETE", "/fields/"+field+"?plan=true", "")
		sample, _ := plan["sample"].([]any)
		if len(sample) != c.shown || plan["records"] != 1.0 || plan["planToken"] == nil {
			t.Errorf("the plan is %v", plan)
		}
	}
}

// The plan of a change of records shows them only to those who may read them.
func TestPlanShowsRecordsOnlyToReaders(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner := s.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Base"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"T","fields":[{"name":"Secret","type":"text"}]}`)
	made := owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Secret":"hidden"}}`)["records"].([]any)
	path := "/tables/" + table + "/records?plan=true&ids=" + made[0].(map[string]any)["id"].(string)
	p := apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Owner)
	p.Scopes = []authz.Scope{authz.DataWrite}
	for _, c := range []struct {
		client *apitest.Client
		shown  bool
	}{{owner, true}, {s.As(t, p), false}} {
		plan := c.client.OK("DELETE", path, "")
		if plan["count"] != 1.0 || plan["planToken"] == nil || strings.Contains(fmt.Sprint(plan), "hidden") != c.shown {
			t.Errorf("the plan is %v", plan)
		}
	}
}

// A change of type that would lose values quotes them only to those who may read them, planned or
// not.
func TestRefusedTypeQuotesValuesOnlyToReaders(t *testing.T) {
	t.Parallel()
	owner, blind, field := secret(t, apitest.New(t))
	path := "/fields/" + field
	for _, c := range []struct {
		client *apitest.Client
		quoted bool
	}{{owner, true}, {blind, false}} {
		status, _, text := c.client.Do("PATCH", path, `{"type":"number"}`)
		if status != 409 || !strings.Contains(text, "1 value of") || strings.Contains(text, "hidden") != c.quoted {
			t.Errorf("the refusal is %d %s", status, text)
		}
		planned := fmt.Sprint(c.client.OK("PATCH", path, `{"type":"number","plan":true}`))
		if !strings.Contains(planned, "1 value of") || strings.Contains(planned, "hidden") != c.quoted {
			t.Errorf("the plan is %s", planned)
		}
	}
}
