package web_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestPeopleDeleteTheirAccounts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	email := v.signUp(t)
	person, own := s.personIDOf(t, email), s.orgIDOf(t, email)
	shared, owner := tenancytest.Org(t, s.DB)
	if err := tenancytest.Join(t, s.DB, shared, person, organization.Owner); err != nil {
		t.Fatal(err)
	}
	setRole := func(role organization.Role) {
		if err := organization.SetRole(t.Context(), s.DB, shared, organization.Owner, owner, role); err != nil {
			t.Fatal(err)
		}
	}
	setRole(organization.Editor)
	fates := func() map[string]string {
		var found struct {
			Organizations []struct{ ID, Fate string }
		}
		v.call(t, "GET", "/deletion", "", 200, &found)
		out := map[string]string{}
		for _, one := range found.Organizations {
			out[one.ID] = one.Fate
		}
		return out
	}
	ours, theirs := organization.SchemaName(own), organization.SchemaName(shared)
	if got := fates(); got[ours] != "deleted" || got[theirs] != "kept" || len(got) != 2 {
		t.Fatalf("the organizations would be %v", got)
	}
	v.call(t, "POST", "/deletion", `{"password":"wrong"}`, 400, nil)
	v.call(t, "POST", "/deletion", `{"password":"`+password+`"}`, 409, nil)
	s.wantRole(t, email, own, organization.Owner)

	setRole(organization.Owner)
	if got := fates(); got[theirs] != "left" {
		t.Fatalf("the organizations would be %v", got)
	}
	var key struct{ Value string }
	v.call(t, "POST", "/keys", `{"name":"Nightly","scopes":["data:read"]}`, 200, &key)
	v.call(t, "POST", "/deletion", `{"password":"`+password+`"}`, 204, nil)
	v.call(t, "GET", "/profile", "", http.StatusUnauthorized, nil)
	if principal, err := s.keys.Verify(t.Context(), key.Value); err == nil && principal != nil {
		t.Errorf("the key is good for %v", principal)
	}
	members, err := organization.ListMembers(t.Context(), s.DB, shared)
	if err != nil || len(members) != 1 {
		t.Errorf("the members are %v, %v", members, err)
	}
	if left, err := organization.Get(t.Context(), s.DB, []uuid.UUID{own}); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	s.newBrowser().post(t, "/sign-in", "email", email, "password", password).wantPage(t, http.StatusUnauthorized)

	s.waitForMail(t, email, "Your account was deleted")

	// The address is free again.
	again := s.newBrowser()
	again.post(t, "/sign-up", "name", "Ada", "email", email, "password", password, "organization", "Anew").
		wantRedirect(t, "/account")
}
