package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestPersonWithoutOrganizationCreatesOne(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	person := tenancytest.Person(t, s.Deps.DB)
	c := s.As(t, &authz.Principal{
		Kind:       authz.Session,
		Credential: "ses_test",
		Person:     person,
		Scopes:     authz.AllScopes(),
	})
	made := c.OK("POST", "/orgs", `{"name":" Harbour "}`)
	if made["name"] != "Harbour" || made["role"] != "owner" {
		t.Fatalf("%v", made)
	}
	rights := s.Deps.Rights.(*apitest.Rights)
	if len(rights.Persons) != 2 || rights.Persons[0] != person {
		t.Errorf("rights were told of %v", rights.Persons)
	}
	org, err := id.Parse(id.Org, made["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	owner := s.As(t, apitest.Principal(person, org, organization.Owner))
	if members := owner.OK("GET", "/orgs/"+owner.Org()+"/members", "")["members"].([]any); len(members) != 1 {
		t.Errorf("%v", members)
	}
	owner.ID("POST", "/bases", `{"name":"First"}`)
	events := owner.OK("GET", "/orgs/"+owner.Org()+"/audit?action=create_org", "")["events"].([]any)
	if len(events) != 1 || events[0].(map[string]any)["subject"] != owner.Org() {
		t.Errorf("%v", events)
	}
	c.Refused(http.StatusBadRequest, "POST", "/orgs", `{"name":"  "}`, "name")
}

func TestRestrictedCredentialCannotCreateOrganization(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	base, err := id.Parse(id.Base, w["baseId"])
	if err != nil {
		t.Fatal(err)
	}
	for _, narrow := range []func(*authz.Principal){
		func(p *authz.Principal) { p.OneOrg = true },
		func(p *authz.Principal) { p.Bases = append(p.Bases, base) },
	} {
		p := *owner.Principal
		narrow(&p)
		s.As(t, &p).Refused(http.StatusForbidden, "POST", "/orgs", `{"name":"Another"}`, "narrowed_credential")
	}
}

func TestOrganizationsPerOwnerAreLimited(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c := s.Owner(t)
	statuses := make([]int, organization.MaxOwned+5)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() { statuses[i], _, _ = c.Do("POST", "/orgs", fmt.Sprintf(`{"name":"Organization %d"}`, i)) })
	}
	all.Wait()
	made := 1 // the owner's first organization
	for _, status := range statuses {
		switch status {
		case http.StatusOK:
			made++
		case http.StatusConflict, http.StatusServiceUnavailable: // too many, or its turn did not come
		default:
			t.Errorf("status %d", status)
		}
	}
	if made > organization.MaxOwned || made < 2 {
		t.Errorf("the person owns %d organizations", made)
	}
}

func TestAnOrganizationHasAnIcon(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	org := "/orgs/" + c.Org()
	before := c.OK("GET", org, "")
	c.OK("PATCH", org, `{"icon":{"kind":"emoji","value":"⛵"}}`)
	c.OK("PATCH", org, `{"name":"Harbour"}`)
	got := c.OK("GET", org, "")
	if icon := got["icon"].(map[string]any); before["icon"] != nil || icon["value"] != "⛵" || got["name"] != "Harbour" {
		t.Errorf("the organization was %v, and is %v", before, got)
	}
	picture := `{"icon":{"kind":"image","value":"http://example.com/a.png"}}`
	c.Refused(http.StatusBadRequest, "PATCH", org, picture, "https")
}
