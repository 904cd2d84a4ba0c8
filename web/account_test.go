package web_test

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

func TestFormerAccountPagesRedirectToTheApplication(t *testing.T) {
	t.Parallel()
	v := newSite(t).newBrowser()
	for path, want := range map[string]string{
		"/account":                     "/settings/profile",
		"/account?did=name":            "/settings/profile",
		"/account/sessions":            "/settings/security",
		"/account/keys":                "/settings/keys",
		"/account/keys/new?preset=mcp": "/settings/keys",
	} {
		if p := v.get(t, path); p.status != http.StatusMovedPermanently || p.location != want {
			t.Errorf("%s: %d to %q", path, p.status, p.location)
		}
	}
	v.post(t, "/account/name", "name", "x").wantPage(t, 404)
}

func TestKeyIsCreatedOnceAndRotatedWithOverlap(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	v.signUp(t)
	type created struct {
		Key   struct{ ID, Prefix, LastFour string }
		Value string
	}
	type list struct {
		Keys []struct {
			ID         string
			ReplacedBy *string
		}
	}
	keys := func() (out list) {
		v.call(t, "GET", "/keys", "", 200, &out)
		return out
	}
	body := `{"name":"Nightly import","scopes":["data:read","mcp:tools"]}`
	var first, again created
	header := []string{"Idempotency-Key", uuid.NewString()}
	v.call(t, "POST", "/keys", body, 200, &first, header...)
	v.call(t, "POST", "/keys", body, 200, &again, header...)
	if first.Key.ID != again.Key.ID || len(keys().Keys) != 1 {
		t.Fatalf("a request that was sent twice created two keys: %+v %+v", first, again)
	}
	principal, err := s.keys.Verify(t.Context(), again.Value)
	if err != nil || !principal.Has(authz.MCPTools) || principal.Has(authz.DataWrite) {
		t.Fatalf("%+v, %v", principal, err)
	}
	if !strings.HasPrefix(again.Value, again.Key.Prefix) || !strings.HasSuffix(again.Value, again.Key.LastFour) {
		t.Errorf("%+v", again)
	}
	if p := v.send(t, "GET", "/account/api/keys", "", ""); strings.Contains(p.body, again.Value[8:36]) {
		t.Error("the list contains a key's value")
	}
	v.call(t, "POST", "/keys", body, 400, nil, "Idempotency-Key", "x")

	var rotated created
	header[1] = uuid.NewString()
	for range 2 {
		v.call(t, "POST", "/keys/"+first.Key.ID+"/rotate", `{"overlapSeconds":86400}`, 200, &rotated, header...)
	}
	if found := keys(); len(found.Keys) != 2 || found.Keys[1].ReplacedBy == nil ||
		*found.Keys[1].ReplacedBy != rotated.Key.ID {
		t.Fatalf("%+v", found)
	}
	for _, works := range []string{again.Value, rotated.Value} {
		if _, err := s.keys.Verify(t.Context(), works); err != nil {
			t.Errorf("during the overlap: %v", err)
		}
	}
	v.call(t, "DELETE", "/keys/"+first.Key.ID, "", 204, nil)
	if _, err := s.keys.Verify(t.Context(), again.Value); err == nil {
		t.Error("the revoked key works")
	}
	v.call(t, "POST", "/keys/"+first.Key.ID+"/rotate", `{"overlapSeconds":0}`, 404, nil)
}

func TestKeyIsRestrictedToOrganizationAndBases(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	email := v.signUp(t)
	org := s.orgIDOf(t, email)
	base := id.New()
	err := s.DB.SchemaTx(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `insert into rowhouse.base (org_id, id, workspace_id, name, position)
			select org_id, $2, id, 'Pilots', 1 from rowhouse.workspace where org_id = $1`, org, base)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	create := func(more string, status int, out any) {
		v.call(t, "POST", "/keys", `{"name":"Narrow","scopes":["data:read"],`+more+`}`, status, out)
	}
	create(`"orgId":"`+id.Format(id.Org, uuid.New())+`"`, 400, nil)
	create(`"baseIds":["`+id.Format(id.Base, uuid.New())+`"]`, 400, nil)
	var created struct{ Value string }
	create(`"baseIds":["`+id.Format(id.Base, base)+`"]`, 200, &created)
	principal, err := s.keys.Verify(t.Context(), created.Value)
	if err != nil || !principal.ReachesBase(base) || principal.ReachesBase(uuid.New()) ||
		principal.Role(org) != organization.Owner {
		t.Fatalf("%+v, %v", principal, err)
	}
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	one, two, three := s.newBrowser(), s.newBrowser(), s.newBrowser()
	two.agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 " + uuid.NewString()
	email := one.signUp(t)
	for _, v := range []*browser{two, three} {
		v.post(t, "/sign-in", "email", email, "password", password).wantRedirect(t, "/account")
	}
	var list struct {
		Sessions []struct {
			ID, UserAgent string
			Current       bool
		}
	}
	one.call(t, "GET", "/sessions", "", 200, &list)
	if len(list.Sessions) != 3 {
		t.Fatalf("%+v", list)
	}
	for _, session := range list.Sessions {
		if session.UserAgent == two.agent {
			one.call(t, "DELETE", "/sessions/"+session.ID, "", 204, nil)
			one.call(t, "DELETE", "/sessions/"+session.ID, "", 404, nil)
		}
	}
	two.call(t, "GET", "/profile", "", 401, nil)
	three.call(t, "GET", "/profile", "", 200, nil)
	one.call(t, "DELETE", "/sessions", "", 204, nil)
	three.call(t, "GET", "/profile", "", 401, nil)
	one.call(t, "GET", "/profile", "", 200, nil)
}

func TestNameAndPasswordAreChanged(t *testing.T) {
	t.Parallel()
	v := newSite(t).newBrowser()
	email := v.signUp(t)
	var profile struct{ Name string }
	v.call(t, "PATCH", "/profile", `{"name":"Kari Hansen"}`, 200, &profile)
	if profile.Name != "Kari Hansen" {
		t.Errorf("%+v", profile)
	}
	v.call(t, "PATCH", "/profile", `{"name":" "}`, 400, nil)
	var read struct{ Name, Locale, FirstDay, Language, TimeZone string }
	v.call(t, "PATCH", "/profile", `{"locale":"de-ch","firstDay":"sunday","language":"fr"}`, 200, nil)
	v.call(t, "PATCH", "/profile", `{"timeZone":"Asia/Tokyo"}`, 200, nil)
	for _, wrong := range []string{
		`{"name":"Other","locale":"no such"}`, `{"firstDay":"someday"}`, `{"language":"it"}`, `{"timeZone":"Local"}`,
		`{"name":" ","locale":"en-GB"}`,
	} {
		v.call(t, "PATCH", "/profile", wrong, 400, nil)
	}
	// Each language has texts in the application, and is one that the database takes.
	for _, language := range slices.Backward(account.Languages) {
		if _, err := os.Stat("app/src/text/" + language + "/index.ts"); err != nil {
			t.Error(err)
		}
		v.call(t, "PATCH", "/profile", `{"language":"`+language+`"}`, 200, nil)
	}
	v.call(t, "PATCH", "/profile", `{"firstDay":"","language":"fr"}`, 200, nil)
	v.call(t, "GET", "/profile", "", 200, &read)
	if read.Name != "Kari Hansen" || read.Locale != "de-CH" || read.FirstDay != "" || read.Language != "fr" ||
		read.TimeZone != "Asia/Tokyo" {
		t.Errorf("%+v", read)
	}
	v.call(t, "POST", "/password", `{"currentPassword":"wrong","newPassword":"eight calm houses"}`, 400, nil)
	v.call(t, "POST", "/password", `{"currentPassword":"`+password+`","newPassword":"eight calm houses"}`, 204, nil)
	v.call(t, "GET", "/profile", "", 200, nil)
	v.newBrowser().post(t, "/sign-in", "email", email, "password", "eight calm houses").wantRedirect(t, "/account")
	v.call(t, "POST", "/verification", `{}`, 204, nil)
}

func TestPeopleHaveRecentAndFavoriteBases(t *testing.T) {
	t.Parallel()
	v := newSite(t).newBrowser()
	v.signUp(t)
	var bases []string
	for range 14 {
		bases = append(bases, id.Format(id.Base, id.New()))
		v.call(t, "PUT", "/bases/"+bases[len(bases)-1]+"/opened", "", 204, nil)
	}
	v.call(t, "PUT", "/bases/"+bases[5]+"/opened", "", 204, nil)
	for range 2 {
		v.call(t, "PUT", "/bases/"+bases[3]+"/favorite", "", 204, nil)
		v.call(t, "PUT", "/bases/"+bases[1]+"/favorite", "", 204, nil)
	}
	v.call(t, "DELETE", "/bases/"+bases[1]+"/favorite", "", 204, nil)
	v.call(t, "PUT", "/bases/base_nonsense/favorite", "", 404, nil)
	var found struct{ Recent, Favorites []string }
	v.call(t, "GET", "/bases", "", 200, &found)
	if len(found.Recent) != 12 || found.Recent[0] != bases[5] || found.Recent[1] != bases[13] {
		t.Errorf("the last ones are %v of %v", found.Recent, bases)
	}
	if !slices.Equal(found.Favorites, []string{bases[3]}) {
		t.Errorf("the favourites are %v", found.Favorites)
	}
}

func (s *site) orgIDOf(t *testing.T, email string) (org uuid.UUID) {
	t.Helper()
	err := s.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(),
			`select m.org_id from rowhouse.member m join rowhouse.person p on p.id = m.person_id
			where p.email = $1`, email).Scan(&org)
	})
	if err != nil {
		t.Fatal(err)
	}
	return org
}

func (v *browser) call(t *testing.T, method, path, body string, status int, out any, headers ...string) {
	t.Helper()
	kind := ""
	if body != "" {
		kind = "application/json"
	}
	newBrowser := v.send(t, method, "/account/api"+path, kind, body, headers...)
	if newBrowser.status != status {
		t.Fatalf("%s %s: %d, want %d: %s", method, path, newBrowser.status, status, newBrowser.body)
	}
	if out != nil {
		if err := json.Unmarshal([]byte(newBrowser.body), out); err != nil {
			t.Fatalf("%s: %v", newBrowser.body, err)
		}
	}
	if status >= 400 && (newBrowser.header.Get("Content-Type") != "application/problem+json" ||
		newBrowser.header.Get("X-Request-Id") == "") {
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
	v.call(t, "POST", "/keys",
		`{"name":"One","scopes":["data:read"],"orgId":"`+org+`","expiresTime":"2100-01-01T00:00:00Z"}`, 200, &created)
	if _, err := s.keys.Verify(t.Context(), created.Value); err != nil || created.Key.OrgID == nil ||
		*created.Key.OrgID != org || created.Key.ExpiresTime == nil {
		t.Fatalf("%+v, %v", created, err)
	}
	var rotated struct {
		Key   key
		Value string
	}
	v.call(t, "POST", "/keys/"+created.Key.ID+"/rotate", `{"overlapSeconds":3600}`, 200, &rotated)
	var list struct{ Keys []key }
	v.call(t, "GET", "/keys", "", 200, &list)
	if len(list.Keys) != 2 || list.Keys[0].ID != rotated.Key.ID || list.Keys[1].ReplacedBy == nil ||
		*list.Keys[1].ReplacedBy != rotated.Key.ID {
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
	if newBrowser := v.send(
		t, "POST", "/account/api/keys", "text/plain", `{"name":"x","scopes":["data:read"]}`,
	); newBrowser.status != 400 {
		t.Errorf("another site's form, which can send text/plain, is accepted: %d", newBrowser.status)
	}
	v.call(t, "GET", "/nothing", "", 404, nil)
	v.call(t, "PUT", "/keys", `{}`, 405, nil)
	// A key cannot be used here, so it cannot create another key.
	stranger := s.newBrowser()
	if newBrowser := stranger.send(
		t, "GET", "/account/api/keys", "", "", "X-API-Key", "rhk_x",
	); newBrowser.status != 401 {
		t.Errorf("%d", newBrowser.status)
	}
}
