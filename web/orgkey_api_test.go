package web_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func (s *site) personIDOf(t *testing.T, email string) (person uuid.UUID) {
	t.Helper()
	err := s.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "select id from rowhouse.person where email = $1", email).Scan(&person)
	})
	if err != nil {
		t.Fatal(err)
	}
	return person
}

func TestAdminListsAndRevokesMemberKeys(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	owner, editor, stranger := s.newBrowser(), s.newBrowser(), s.newBrowser()
	org := s.orgIDOf(t, owner.signUp(t))
	email := editor.signUp(t)
	stranger.signUp(t)
	if err := tenancytest.Join(t, s.DB, org, s.personIDOf(t, email), organization.Editor); err != nil {
		t.Fatal(err)
	}
	if err := s.keys.Invalidate(t.Context(), s.personIDOf(t, email)); err != nil {
		t.Fatal(err)
	}
	path := "/orgs/" + id.Format(id.Org, org) + "/keys"
	var made struct {
		Key   struct{ ID string }
		Value string
	}
	editor.call(t, "POST", "/keys", `{"name":"Narrow","scopes":["data:read"],"orgId":"`+id.Format(id.Org, org)+`"}`,
		200, &made)
	editor.call(t, "POST", "/keys", `{"name":"Wide","scopes":["data:read"]}`, 200, nil)

	var listed struct {
		Keys []struct {
			ID, Name, Prefix, UserName, Email string
			OrgID                             *string
			Revocable                         bool
		}
	}
	owner.call(t, "GET", path, "", 200, &listed)
	if len(listed.Keys) != 2 || listed.Keys[0].Name != "Wide" || listed.Keys[0].Revocable ||
		listed.Keys[0].OrgID != nil ||
		listed.Keys[1].ID != made.Key.ID || !listed.Keys[1].Revocable || listed.Keys[1].Email != email ||
		listed.Keys[1].Prefix != made.Value[:8] {
		t.Fatalf("%+v", listed)
	}
	editor.call(t, "GET", path, "", 403, nil)
	editor.call(t, "DELETE", path+"/"+made.Key.ID, "", 403, nil)
	stranger.call(t, "GET", path, "", 404, nil)
	stranger.call(t, "DELETE", path+"/"+made.Key.ID, "", 404, nil)
	s.newBrowser().call(t, "GET", path, "", 401, nil)
	owner.call(t, "DELETE", path+"/"+listed.Keys[0].ID, "", 409, nil)
	owner.call(t, "DELETE", path+"/key_nonsense", "", 404, nil)
	owner.call(t, "GET", "/orgs/org_nonsense/keys", "", 404, nil)
	if _, err := s.keys.Verify(t.Context(), made.Value); err != nil {
		t.Fatal(err)
	}
	owner.call(t, "DELETE", path+"/"+made.Key.ID, "", 204, nil)
	if _, err := s.keys.Verify(t.Context(), made.Value); err == nil {
		t.Error("the revoked key works")
	}
}
