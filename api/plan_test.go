package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// The plan of a deletion shows values of records to those alone who may read them.
func TestPlanShowsValuesToReadersAlone(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner := s.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Base"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"T","fields":[{"name":"Name","type":"text"},{"name":"Secret","type":"text"}]}`)
	owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Secret":"hidden"}}`)
	fields := owner.OK("GET", "/tables/"+table+"/fields", "")["fields"].([]any)
	path := "/fields/" + fields[1].(map[string]any)["id"].(string) + "?plan=true"

	p := apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Owner)
	p.Scopes = []authz.Scope{authz.SchemaRead, authz.SchemaWrite}
	for _, c := range []struct {
		client *apitest.Client
		shown  int
	}{{owner, 1}, {s.As(t, p), 0}} {
		plan := c.client.OK("DELETE", path, "")
		sample, _ := plan["sample"].([]any)
		if len(sample) != c.shown || plan["records"] != 1.0 || plan["planToken"] == nil {
			t.Errorf("the plan is %v", plan)
		}
	}
}

// A change of type that would lose values quotes them to those alone who may read them, planned or not.
func TestRefusedTypeQuotesValuesToReadersAlone(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner := s.Owner(t)
	base := owner.ID("POST", "/bases", `{"name":"Base"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables",
		`{"name":"T","fields":[{"name":"Name","type":"text"},{"name":"Secret","type":"text"}]}`)
	owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Secret":"hidden"}}`)
	fields := owner.OK("GET", "/tables/"+table+"/fields", "")["fields"].([]any)
	path := "/fields/" + fields[1].(map[string]any)["id"].(string)

	p := apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Owner)
	p.Scopes = []authz.Scope{authz.SchemaRead, authz.SchemaWrite}
	for _, c := range []struct {
		client *apitest.Client
		quoted bool
	}{{owner, true}, {s.As(t, p), false}} {
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
