package api_test

import (
	"net/http"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestADeletedOrganizationComesBackAsItWas(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c := s.Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	table := c.ID("POST", "/bases/"+base+"/tables", `{"name":"Rows"}`)
	c.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"Ada"}}`)
	hook := c.ID("POST", "/bases/"+base+"/webhooks", `{"url":"https://example.com/hook"}`)

	admin := *c.Principal
	admin.Orgs = []authz.Membership{{Org: c.Orgs[0].Org, Role: organization.Admin}}
	admin.Person = tenancytest.Person(t, s.Deps.DB)
	if err := tenancytest.Join(t, s.Deps.DB, c.Orgs[0].Org, admin.Person, organization.Admin); err != nil {
		t.Fatal(err)
	}
	other := s.As(t, &admin)

	c.OK("DELETE", "/orgs/"+c.Org(), "")
	// The principals are of the moment before, as in a request that had begun.
	for _, of := range []string{"/bases/" + base, "/tables/" + table + "/records", "/bases/" + base + "/webhooks"} {
		c.Refused(http.StatusNotFound, "GET", of, "")
	}
	c.Refused(http.StatusNotFound, "GET", "/orgs/"+c.Org(), "")
	if bases := c.OK("GET", "/bases", "")["bases"].([]any); len(bases) > 0 {
		t.Errorf("bases of a deleted organization: %v", bases)
	}

	listed := c.OK("GET", "/deleted-orgs", "")["orgs"].([]any)
	if len(listed) != 1 || listed[0].(map[string]any)["id"] != c.Org() {
		t.Fatalf("the deleted organizations are %v", listed)
	}
	restore := "/deleted-orgs/" + c.Org() + "/restore"
	if seen := other.OK("GET", "/deleted-orgs", "")["orgs"].([]any); len(seen) > 0 {
		t.Errorf("somebody who is no owner sees %v", seen)
	}
	other.Refused(http.StatusNotFound, "POST", restore, "")
	other.Refused(http.StatusNotFound, "DELETE", "/deleted-orgs/"+c.Org(), "")
	narrow := *c.Principal
	narrow.OneOrg = true
	s.As(t, &narrow).Refused(http.StatusNotFound, "POST", restore, "")

	c.OK("POST", restore, "")
	c.Refused(http.StatusNotFound, "POST", restore, "")
	if got := c.OK("GET", "/tables/"+table+"/records", "")["total"]; got != 1.0 {
		t.Errorf("%v records came back", got)
	}
	if got := c.OK("GET", "/bases/"+base+"/webhooks/"+hook, "")["enabled"]; got != true {
		t.Errorf("the webhook is enabled: %v", got)
	}
	c.Refused(http.StatusNotFound, "DELETE", "/deleted-orgs/"+c.Org(), "")

	c.OK("DELETE", "/orgs/"+c.Org(), "")
	c.OK("DELETE", "/deleted-orgs/"+c.Org(), "")
	c.Refused(http.StatusNotFound, "POST", restore, "")
	c.Refused(http.StatusNotFound, "GET", "/tables/"+table+"/records", "")
}
