package web_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

func TestNewKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	v.signUp(t)
	v.get(t, "/account/keys").wantPage(t, 200, "No API keys yet")
	form := v.get(t, "/account/keys/new").wantPage(t, 200, `value="data:read" checked`, "Everything you can access")
	key := regexp.MustCompile(`name="id" value="(key_\w+)"`).FindStringSubmatch(form.body)[1]
	v.get(t, "/account/keys/new?preset=mcp&name=Nightly&reach=all&expiry=7").
		wantPage(t, 200, `value="mcp:tools" checked`, `value="Nightly"`, `value="7" selected`)

	v.post(t, "/account/keys", "id", key, "name", "Nightly import", "scopes", "data:read", "scopes", "mcp:tools", "reach", "all", "expiry", "30").
		wantRedirect(t, "/account/keys")
	newBrowser := v.get(t, "/account/keys").wantPage(t, 200, "Your new key: Nightly import", "curl "+s.URL+"/api/v1/me -H 'x-api-key: rhk_", `"url": "`+s.URL+`/mcp"`)
	secret := shownKey(t, newBrowser)
	principal, err := s.keys.Verify(t.Context(), secret)
	if err != nil || !principal.Has(authz.MCPTools) || principal.Has(authz.DataWrite) {
		t.Fatalf("%+v, %v", principal, err)
	}
	newBrowser = v.get(t, "/account/keys").wantPage(t, 200, "Nightly import", secret[:8]+"…"+secret[36:], "data:read", "Never")
	if strings.Contains(newBrowser.body, secret[8:36]) {
		t.Error("the key is shown again after a reload")
	}

	next := regexp.MustCompile(`name="next" value="(key_\w+)"`).FindStringSubmatch(newBrowser.body)[1]
	for range 2 {
		v.post(t, "/account/keys/"+key+"/rotate", "next", next, "overlap", "24").wantRedirect(t, "/account/keys")
	}
	newBrowser = v.get(t, "/account/keys").wantPage(t, 200, "Replaced")
	rotated := shownKey(t, newBrowser)
	for _, valid := range []string{secret, rotated} {
		if _, err := s.keys.Verify(t.Context(), valid); err != nil {
			t.Errorf("during the overlap: %v", err)
		}
	}
	v.post(t, "/account/keys/"+key+"/revoke").wantRedirect(t, "/account/keys?did=revoked")
	if _, err := s.keys.Verify(t.Context(), secret); err == nil {
		t.Error("the revoked key works")
	}
	v.post(t, "/account/keys/"+key+"/rotate", "next", next, "overlap", "0").wantPage(t, 404)
}

func TestKeyFormRestrictsOrganizationAndBases(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	email := v.signUp(t)
	org := s.orgIDOf(t, email)
	base := id.New()
	err := s.DB.Tx(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `insert into rowhouse.base (org_id, id, workspace_id, name, position)
			select org_id, $2, id, 'Pilots', 1 from rowhouse.workspace where org_id = $1`, org, base)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	create := func(more ...string) page {
		return v.post(t, "/account/keys", append([]string{"id", id.Format(id.Key, id.New()), "name", "Narrow", "scopes", "data:read", "expiry", "never"}, more...)...)
	}
	create("reach", "bases").wantPage(t, 400, "Choose at least one base.", `value="Narrow"`, `value="data:read" checked`, `value="never" selected`)
	create("reach", "org").wantPage(t, 400, "Choose an organization.")
	create("reach", "").wantPage(t, 400, "Choose what the key reaches.")
	create("reach", "org", "orgId", id.Format(id.Org, uuid.New())).wantPage(t, 400, "is not an organization of yours")
	create("reach", "bases", "baseIds", id.Format(id.Base, uuid.New())).wantPage(t, 400, "is not a base of yours")
	create("reach", "bases", "baseIds", id.Format(id.Base, base)).wantRedirect(t, "/account/keys")
	secret := shownKey(t, v.get(t, "/account/keys").wantPage(t, 200, "Nordmann & Co: Pilots"))
	principal, err := s.keys.Verify(t.Context(), secret)
	if err != nil || !principal.ReachesBase(base) || principal.ReachesBase(uuid.New()) || principal.Role(org) != organization.Owner {
		t.Fatalf("%+v, %v", principal, err)
	}
}

func (s *site) orgIDOf(t *testing.T, email string) (org uuid.UUID) {
	t.Helper()
	err := s.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), `select m.org_id from rowhouse.member m join rowhouse.person p on p.id = m.person_id
			where p.email = $1`, email).Scan(&org)
	})
	if err != nil {
		t.Fatal(err)
	}
	return org
}

func TestSessionsPageListsAndEndsSessions(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	one, two, three := s.newBrowser(), s.newBrowser(), s.newBrowser()
	two.agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 " + uuid.NewString()
	email := one.signUp(t)
	for _, v := range []*browser{two, three} {
		v.post(t, "/sign-in", "email", email, "password", password).wantRedirect(t, "/account")
	}
	newBrowser := one.get(t, "/account/sessions").wantPage(t, 200, "This browser", "Firefox on Linux", "Sign out everywhere else")
	ends := regexp.MustCompile(`/account/sessions/(ses_\w+)/end`).FindAllStringSubmatch(newBrowser.body, -1)
	if len(ends) != 2 {
		t.Fatalf("%d other sessions", len(ends))
	}
	for range 2 {
		one.post(t, "/account/sessions/"+ends[0][1]+"/end").wantRedirect(t, "/account/sessions?did=session")
	}
	one.post(t, "/account/sessions/end", "which", "others").wantRedirect(t, "/account/sessions?did=sessions")
	two.get(t, "/account").wantRedirect(t, "/sign-in?next=%2Faccount")
	three.get(t, "/account").wantRedirect(t, "/sign-in?next=%2Faccount")
	one.get(t, "/account").wantPage(t, 200)
	one.post(t, "/account/sessions/end", "which", "all").wantRedirect(t, "/sign-in?after=sign-out")
	one.get(t, "/account").wantRedirect(t, "/sign-in?next=%2Faccount")
}

func TestAccountPageChangesNameAndPassword(t *testing.T) {
	t.Parallel()
	v := newSite(t).newBrowser()
	email := v.signUp(t)
	v.post(t, "/account/name", "name", "Kari Hansen").wantRedirect(t, "/account?did=name")
	v.get(t, "/account?did=name").wantPage(t, 200, "Your name was changed.", `value="Kari Hansen"`)
	v.post(t, "/account/name", "name", " ").wantPage(t, 400, "Must not be empty.")
	v.post(t, "/account/password", "currentPassword", "wrong", "newPassword", "eight calm houses").wantPage(t, 400, "Is not your password.", `value="Kari Hansen"`)
	v.post(t, "/account/password", "currentPassword", password, "newPassword", "eight calm houses").wantRedirect(t, "/account?did=password")
	v.get(t, "/account").wantPage(t, 200)
	v.newBrowser().post(t, "/sign-in", "email", email, "password", "eight calm houses").wantRedirect(t, "/account")
	v.post(t, "/account/verification").wantRedirect(t, "/account?did=verification")
}

func (v *browser) call(t *testing.T, method, path, body string, status int, out any) {
	t.Helper()
	kind := ""
	if body != "" {
		kind = "application/json"
	}
	newBrowser := v.send(t, method, "/account/api"+path, kind, body)
	if newBrowser.status != status {
		t.Fatalf("%s %s: %d, want %d: %s", method, path, newBrowser.status, status, newBrowser.body)
	}
	if out != nil {
		if err := json.Unmarshal([]byte(newBrowser.body), out); err != nil {
			t.Fatalf("%s: %v", newBrowser.body, err)
		}
	}
	if status >= 400 && (newBrowser.header.Get("Content-Type") != "application/problem+json" || newBrowser.header.Get("X-Request-Id") == "") {
		t.Fatalf("%s %s: %v", method, path, newBrowser.header)
	}
}

func TestAccountAPIWithSession(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	v.call(t, "GET", "/profile", "", 401, nil)
	email := v.signUp(t)
	org := id.Format(id.Org, s.orgIDOf(t, email))

	var profile struct {
		ID, Name, Email string
		EmailVerified   bool
	}
	v.call(t, "GET", "/profile", "", 200, &profile)
	if profile.Email != email || profile.EmailVerified || !strings.HasPrefix(profile.ID, "usr_") {
		t.Fatalf("%+v", profile)
	}
	v.call(t, "PATCH", "/profile", `{"name":"Kari Hansen"}`, 200, &profile)
	if profile.Name != "Kari Hansen" {
		t.Fatalf("%+v", profile)
	}

	type key struct {
		ID, Name, Prefix, LastFour string
		Scopes                     []string
		OrgID                      *string
		BaseIDs                    []string
		ExpiresTime, LastUsedTime  *string
		ReplacedBy                 *string
	}
	var created struct {
		Key   key
		Value string
	}
	v.call(t, "POST", "/keys", `{"name":"One","scopes":["data:read"],"orgId":"`+org+`","expiresTime":"2100-01-01T00:00:00Z"}`, 200, &created)
	if _, err := s.keys.Verify(t.Context(), created.Value); err != nil || created.Key.OrgID == nil || *created.Key.OrgID != org || created.Key.ExpiresTime == nil {
		t.Fatalf("%+v, %v", created, err)
	}
	var rotated struct {
		Key   key
		Value string
	}
	v.call(t, "POST", "/keys/"+created.Key.ID+"/rotate", `{"overlapSeconds":3600}`, 200, &rotated)
	var list struct{ Keys []key }
	v.call(t, "GET", "/keys", "", 200, &list)
	if len(list.Keys) != 2 || list.Keys[0].ID != rotated.Key.ID || list.Keys[1].ReplacedBy == nil || *list.Keys[1].ReplacedBy != rotated.Key.ID {
		t.Fatalf("%+v", list)
	}
	v.call(t, "DELETE", "/keys/"+rotated.Key.ID, "", 204, nil)
	v.call(t, "DELETE", "/keys/"+rotated.Key.ID, "", 404, nil)
	if _, err := s.keys.Verify(t.Context(), rotated.Value); err == nil {
		t.Error("the revoked key works")
	}

	other := s.newBrowser()
	other.post(t, "/sign-in", "email", email, "password", password).wantRedirect(t, "/account")
	var sessions struct {
		Sessions []struct {
			ID      string
			Current bool
		}
	}
	v.call(t, "GET", "/sessions", "", 200, &sessions)
	if len(sessions.Sessions) != 2 {
		t.Fatalf("%+v", sessions)
	}
	v.call(t, "DELETE", "/sessions", "", 204, nil)
	other.call(t, "GET", "/profile", "", 401, nil)
	v.call(t, "DELETE", "/sessions/ses_nonsense", "", 404, nil)
	v.call(t, "POST", "/password", `{"currentPassword":"`+password+`","newPassword":"eight calm houses"}`, 204, nil)
	v.call(t, "POST", "/verification", `{}`, 204, nil)
	v.call(t, "POST", "/sign-out", "", 204, nil)
	v.call(t, "GET", "/profile", "", 401, nil)
}

func TestAccountAPIRejectsInvalidInput(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	v.signUp(t)
	for body, want := range map[string]int{
		`{"name":"x","scopes":["data:read"],"orgId":"org_x"}`:                      400,
		`{"name":"x","scopes":["data:read"],"baseIds":[]}`:                         400,
		`{"name":"x","scopes":["data:read"],"baseIds":["bas_x"]}`:                  400,
		`{"name":"x","scopes":[]}`:                                                 400,
		`{"name":"x","scopes":"data:read"}`:                                        400,
		`{"name":"x","scopes":["data:read"],"more":1}`:                             400,
		`{"name":"x","scopes":["data:read"],"expiresTime":"2001-01-01T00:00:00Z"}`: 400,
		`{"name":"x","scopes":["data:read"]} {}`:                                   400,
		`{`:                                                                        400,
		`null`:                                                                     400,
		`{"name":"` + strings.Repeat("x", 70_000) + `"}`:                           413,
	} {
		v.call(t, "POST", "/keys", body, want, nil)
	}
	if newBrowser := v.send(t, "POST", "/account/api/keys", "text/plain", `{"name":"x","scopes":["data:read"]}`); newBrowser.status != 400 {
		t.Errorf("another site's form, which can send text/plain, is accepted: %d", newBrowser.status)
	}
	v.call(t, "GET", "/nothing", "", 404, nil)
	v.call(t, "PUT", "/keys", `{}`, 405, nil)
	// A key cannot be used here, so it cannot create another key.
	stranger := s.newBrowser()
	if newBrowser := stranger.send(t, "GET", "/account/api/keys", "", "", "X-API-Key", "rhk_x"); newBrowser.status != 401 {
		t.Errorf("%d", newBrowser.status)
	}
}
