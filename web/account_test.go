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

func TestAKeyIsShownOnceAndWorks(t *testing.T) {
	t.Parallel()
	s := setup(t)
	v := s.visitor()
	v.signUp(t)
	v.get(t, "/account/keys").shows(t, 200, "No API keys yet")
	form := v.get(t, "/account/keys/new").shows(t, 200, `value="data:read" checked`, "Everything you can reach")
	key := regexp.MustCompile(`name="id" value="(key_\w+)"`).FindStringSubmatch(form.body)[1]
	v.get(t, "/account/keys/new?preset=mcp&name=Nightly&reach=all&expiry=7").
		shows(t, 200, `value="mcp:tools" checked`, `value="Nightly"`, `value="7" selected`)

	v.post(t, "/account/keys", "id", key, "name", "Nightly import", "scopes", "data:read", "scopes", "mcp:tools", "reach", "all", "expiry", "30").
		leads(t, "/account/keys")
	p := v.get(t, "/account/keys").shows(t, 200, "Your new key: Nightly import", "curl "+s.URL+"/api/v1/me -H 'x-api-key: rhk_", `"url": "`+s.URL+`/mcp"`)
	secret := shown(t, p)
	principal, err := s.keys.Verify(t.Context(), secret)
	if err != nil || !principal.Has(authz.MCPTools) || principal.Has(authz.DataWrite) {
		t.Fatalf("%+v, %v", principal, err)
	}
	p = v.get(t, "/account/keys").shows(t, 200, "Nightly import", secret[:8]+"…"+secret[36:], "data:read", "Never")
	if strings.Contains(p.body, secret[8:36]) {
		t.Error("the key is shown twice")
	}

	next := regexp.MustCompile(`name="next" value="(key_\w+)"`).FindStringSubmatch(p.body)[1]
	for range 2 {
		v.post(t, "/account/keys/"+key+"/rotate", "next", next, "overlap", "24").leads(t, "/account/keys")
	}
	p = v.get(t, "/account/keys").shows(t, 200, "Replaced")
	rotated := shown(t, p)
	for _, works := range []string{secret, rotated} {
		if _, err := s.keys.Verify(t.Context(), works); err != nil {
			t.Errorf("during the overlap: %v", err)
		}
	}
	v.post(t, "/account/keys/"+key+"/revoke").leads(t, "/account/keys?did=revoked")
	if _, err := s.keys.Verify(t.Context(), secret); err == nil {
		t.Error("the revoked key works")
	}
	v.post(t, "/account/keys/"+key+"/rotate", "next", next, "overlap", "0").shows(t, 404)
}

func TestAKeyIsNarrowedInTheForm(t *testing.T) {
	t.Parallel()
	s := setup(t)
	v := s.visitor()
	email := v.signUp(t)
	org := s.orgOf(t, email)
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
	create("reach", "bases").shows(t, 400, "Choose at least one base.", `value="Narrow"`, `value="data:read" checked`, `value="never" selected`)
	create("reach", "org").shows(t, 400, "Choose an organization.")
	create("reach", "").shows(t, 400, "Choose what the key reaches.")
	create("reach", "org", "orgId", id.Format(id.Org, uuid.New())).shows(t, 400, "is not an organization of yours")
	create("reach", "bases", "baseIds", id.Format(id.Base, uuid.New())).shows(t, 400, "is not a base of yours")
	create("reach", "bases", "baseIds", id.Format(id.Base, base)).leads(t, "/account/keys")
	secret := shown(t, v.get(t, "/account/keys").shows(t, 200, "Nordmann & Co: Pilots"))
	principal, err := s.keys.Verify(t.Context(), secret)
	if err != nil || !principal.ReachesBase(base) || principal.ReachesBase(uuid.New()) || principal.Role(org) != organization.Owner {
		t.Fatalf("%+v, %v", principal, err)
	}
}

func (s *site) orgOf(t *testing.T, email string) (org uuid.UUID) {
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

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	s := setup(t)
	one, two, three := s.visitor(), s.visitor(), s.visitor()
	two.agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 " + uuid.NewString()
	email := one.signUp(t)
	for _, v := range []*visitor{two, three} {
		v.post(t, "/sign-in", "email", email, "password", password).leads(t, "/account")
	}
	p := one.get(t, "/account/sessions").shows(t, 200, "This browser", "Firefox on Linux", "Sign out everywhere else")
	ends := regexp.MustCompile(`/account/sessions/(ses_\w+)/end`).FindAllStringSubmatch(p.body, -1)
	if len(ends) != 2 {
		t.Fatalf("%d other sessions", len(ends))
	}
	for range 2 {
		one.post(t, "/account/sessions/"+ends[0][1]+"/end").leads(t, "/account/sessions?did=session")
	}
	one.post(t, "/account/sessions/end", "which", "others").leads(t, "/account/sessions?did=sessions")
	two.get(t, "/account").leads(t, "/sign-in?next=%2Faccount")
	three.get(t, "/account").leads(t, "/sign-in?next=%2Faccount")
	one.get(t, "/account").shows(t, 200)
	one.post(t, "/account/sessions/end", "which", "all").leads(t, "/sign-in?after=sign-out")
	one.get(t, "/account").leads(t, "/sign-in?next=%2Faccount")
}

func TestTheAccountPageChangesNameAndPassword(t *testing.T) {
	t.Parallel()
	v := setup(t).visitor()
	email := v.signUp(t)
	v.post(t, "/account/name", "name", "Kari Hansen").leads(t, "/account?did=name")
	v.get(t, "/account?did=name").shows(t, 200, "Your name was changed.", `value="Kari Hansen"`)
	v.post(t, "/account/name", "name", " ").shows(t, 400, "Must not be empty.")
	v.post(t, "/account/password", "currentPassword", "wrong", "newPassword", "eight calm houses").shows(t, 400, "Is not your password.", `value="Kari Hansen"`)
	v.post(t, "/account/password", "currentPassword", password, "newPassword", "eight calm houses").leads(t, "/account?did=password")
	v.get(t, "/account").shows(t, 200)
	v.visitor().post(t, "/sign-in", "email", email, "password", "eight calm houses").leads(t, "/account")
	v.post(t, "/account/verification").leads(t, "/account?did=verification")
}

func (v *visitor) call(t *testing.T, method, path, body string, status int, out any) {
	t.Helper()
	kind := ""
	if body != "" {
		kind = "application/json"
	}
	p := v.send(t, method, "/account/api"+path, kind, body)
	if p.status != status {
		t.Fatalf("%s %s: %d, want %d: %s", method, path, p.status, status, p.body)
	}
	if out != nil {
		if err := json.Unmarshal([]byte(p.body), out); err != nil {
			t.Fatalf("%s: %v", p.body, err)
		}
	}
	if status >= 400 && (p.header.Get("Content-Type") != "application/problem+json" || p.header.Get("X-Request-Id") == "") {
		t.Fatalf("%s %s: %v", method, path, p.header)
	}
}

func TestTheApplicationManagesTheAccountWithTheSession(t *testing.T) {
	t.Parallel()
	s := setup(t)
	v := s.visitor()
	v.call(t, "GET", "/profile", "", 401, nil)
	email := v.signUp(t)
	org := id.Format(id.Org, s.orgOf(t, email))

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

	other := s.visitor()
	other.post(t, "/sign-in", "email", email, "password", password).leads(t, "/account")
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

func TestTheApplicationIsToldWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := setup(t)
	v := s.visitor()
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
	if p := v.send(t, "POST", "/account/api/keys", "text/plain", `{"name":"x","scopes":["data:read"]}`); p.status != 400 {
		t.Errorf("a form of another site could send text/plain: %d", p.status)
	}
	v.call(t, "GET", "/nothing", "", 404, nil)
	v.call(t, "PUT", "/keys", `{}`, 405, nil)
	// A key never makes another key.
	stranger := s.visitor()
	if p := stranger.send(t, "GET", "/account/api/keys", "", "", "X-API-Key", "rhk_x"); p.status != 401 {
		t.Errorf("%d", p.status)
	}
}
