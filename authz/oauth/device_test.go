package oauth

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// newDevice registers a client of the device grant alone.
func (b *bundle) newDevice() string {
	b.t.Helper()
	a := b.registerClient(map[string]any{
		"client_name": "Clock", "redirect_uris": nil, "response_types": nil,
		"grant_types": []string{deviceGrantType, "refresh_token"},
	})
	if a.status != http.StatusCreated {
		b.t.Fatalf("registering: %d %s", a.status, a.text)
	}
	return a.str(b.t, "client_id")
}

func (b *bundle) startDevice(client string) (deviceCode, userCode string) {
	b.t.Helper()
	a := b.form("/oauth/device_authorization", url.Values{
		"client_id": {client}, "scope": {"mcp:tools data:read data:write"},
	})
	if a.status != http.StatusOK {
		b.t.Fatalf("starting: %d %s", a.status, a.text)
	}
	return a.str(b.t, "device_code"), a.str(b.t, "user_code")
}

func (b *bundle) poll(client, deviceCode string) answer {
	b.t.Helper()
	return b.form("/oauth/token", url.Values{
		"grant_type": {deviceGrantType}, "client_id": {client}, "device_code": {deviceCode},
	})
}

func (b *bundle) typeCode(typed, session string) answer {
	b.t.Helper()
	return b.request(http.MethodGet, "/device?user_code="+url.QueryEscape(typed), nil, as(session))
}

// decide types the code and presses a button.
func (b *bundle) decide(userCode, decision string) answer {
	b.t.Helper()
	page := b.typeCode(userCode, "ada")
	if page.status != http.StatusOK {
		b.t.Fatalf("no consent page: %d %s", page.status, page.text)
	}
	form := page.inputs(b.t)
	form.Set("decision", decision)
	return b.form("/oauth/consent", form, as("ada"))
}

func TestDeviceGetsTokensAfterConsent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newDevice()
	a := b.form("/oauth/device_authorization", url.Values{
		"client_id": {client}, "scope": {"mcp:tools data:read data:write"},
	})
	device, code := a.str(t, "device_code"), a.str(t, "user_code")
	if a.str(t, "verification_uri") != b.base+"/device" || a.json(t)["expires_in"] != 600.0 ||
		a.str(t, "verification_uri_complete") != b.base+"/device?user_code="+code || a.json(t)["interval"] != 5.0 {
		t.Fatalf("starting: %s", a.text)
	}
	b.wantError(b.poll(client, device), 400, "authorization_pending")

	// Signed out, the person comes back to the code after signing in.
	out := b.request(http.MethodGet, "/device?user_code="+code, nil)
	if to, query := out.location(t); to != "/sign-in" || query.Get("next") != "/device?user_code="+code {
		t.Fatalf("signed out: %s %v", to, query)
	}
	page := b.typeCode(" "+strings.ToLower(strings.Replace(code, "-", " ", 1)), "ada")
	for _, want := range []string{">Clock</bdi> access?", code, "Unverified", "127.0.0.1", `value="data:write"`} {
		if !strings.Contains(page.text, want) {
			t.Errorf("the consent page lacks %s: %s", want, page.text)
		}
	}
	if policy := page.header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "form-action 'self'") {
		t.Errorf("the policy of the page is %s", policy)
	}
	form := page.inputs(t)
	form["scope"] = slices.DeleteFunc(form["scope"], func(s string) bool { return s == "data:write" }) // unticked
	form.Set("decision", "allow")
	if a := b.form("/oauth/consent", form, as("ada")); a.status != http.StatusOK ||
		!strings.Contains(a.text, "The device is connected") {
		t.Fatalf("allowing: %d %s", a.status, a.text)
	}

	got := b.poll(client, device)
	if got.status != http.StatusOK || got.str(t, "scope") != "data:read mcp:tools" {
		t.Fatalf("tokens: %d %s", got.status, got.text)
	}
	principal, err := b.s.ForMCP().Verify(t.Context(), got.str(t, "access_token"))
	if err != nil || principal.Person != b.person || !slices.Equal(principal.Scopes,
		[]authz.Scope{authz.DataRead, authz.MCPTools}) || len(principal.Orgs) != 1 || principal.Orgs[0].Org != b.org {
		t.Fatalf("the token is of %+v: %v", principal, err)
	}
	next := b.refresh(client, got.str(t, "refresh_token"))
	if next.status != http.StatusOK {
		t.Fatalf("refreshing: %d %s", next.status, next.text)
	}
	if actions := tenancytest.Actions(t, b.db, b.org); !slices.Equal(actions, []string{"create_org", "approve_grant"}) {
		t.Errorf("on record: %v", actions)
	}

	// The code works once: one that comes again ends what came of it.
	b.wantError(b.poll(client, device), 400, "invalid_grant")
	if b.accepts(got.str(t, "access_token")) {
		t.Error("a replayed device code leaves its tokens valid")
	}
	if a := b.typeCode(code, "ada"); a.status != http.StatusBadRequest || !strings.Contains(a.text, "not valid") {
		t.Errorf("a user code that was used: %d", a.status)
	}
}

func TestDeviceIsDenied(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newDevice()
	device, code := b.startDevice(client)
	open := b.typeCode(code, "ada").inputs(t)
	if a := b.decide(code, "deny"); a.status != http.StatusOK || !strings.Contains(a.text, "gets no access") {
		t.Fatalf("denying: %d %s", a.status, a.text)
	}
	b.wantError(b.poll(client, device), 400, "access_denied")
	open.Set("decision", "allow") // a form that was still open
	b.wantFormRejected(t, "after the denial", b.form("/oauth/consent", open, as("ada")))
	b.wantError(b.poll(client, device), 400, "access_denied")
}

func TestDeviceThatAsksTooOftenIsSlowedDown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newDevice()
	device, code := b.startDevice(client)
	for _, step := range []struct {
		wait time.Duration
		want string
	}{
		{0, "authorization_pending"},
		{5 * time.Second, "authorization_pending"},
		{2 * time.Second, "slow_down"}, // 10 seconds from now on
		{6 * time.Second, "slow_down"}, // 15
		{15 * time.Second, "authorization_pending"},
	} {
		b.advance(step.wait)
		b.wantError(b.poll(client, device), 400, step.want)
	}
	b.decide(code, "allow")
	if a := b.poll(client, device); a.status != http.StatusOK { // whoever is allowed does not wait
		t.Fatalf("tokens: %d %s", a.status, a.text)
	}
}

func TestDeviceCodeExpires(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{db: newDatabase(t)}) // because the sweep deletes what has expired by this test's clock
	client := b.newDevice()
	device, code := b.startDevice(client)
	open := b.typeCode(code, "ada").inputs(t)
	open.Set("decision", "allow")
	late, lateCode := b.startDevice(client)
	b.decide(lateCode, "allow")
	b.advance(deviceLife)
	b.wantError(b.poll(client, device), 400, "expired_token")
	b.wantError(b.poll(client, late), 400, "expired_token") // it was allowed, and fetched too late
	if a := b.typeCode(code, "ada"); a.status != http.StatusBadRequest {
		t.Errorf("an expired user code: %d", a.status)
	}
	b.wantFormRejected(t, "after the code expired", b.form("/oauth/consent", open, as("ada")))
	b.advance(deviceRetention)
	if err := b.s.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantError(b.poll(client, device), 400, "invalid_grant")
}

func TestDeviceCodeIsOfItsClientAndSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client, other := b.newDevice(), b.newDevice()
	device, code := b.startDevice(client)
	b.wantError(b.poll(other, device), 400, "invalid_grant")
	b.wantError(b.poll(client, devicePrefix+base64url.EncodeToString(random(32))), 400, "invalid_grant")
	b.wantError(b.poll(client, code), 400, "invalid_grant")
	b.wantError(b.form("/oauth/token", url.Values{
		"grant_type": {"authorization_code"}, "client_id": {b.newClient()}, "code": {device},
		"code_verifier": {testVerifier},
	}), 400, "invalid_grant")
	b.wantError(b.form("/oauth/device_authorization", url.Values{"client_id": {b.newClient()}}), 400,
		"unauthorized_client")
	b.wantError(b.form("/oauth/device_authorization", url.Values{
		"client_id": {client}, "resource": {"https://other.example"},
	}), 400, "invalid_target")
	b.wantError(b.form("/oauth/token", url.Values{
		"grant_type": {deviceGrantType}, "client_id": {client}, "device_code": {device},
		"resource": {b.s.RESTResource()},
	}), 400, "invalid_target")

	// A session that ends takes what it allowed with it, before the device has fetched it.
	b.sessions.endBeforeLock = true
	b.wantFormRejected(t, "of a session that ended", b.decide(code, "allow"))
	b.sessions.endBeforeLock = false
	b.decide(code, "allow")
	b.exec(`update rowhouse.oauth_grant set revoked_at = now(), revoked_why = 'test' where person_id = $1`, b.person)
	b.wantError(b.poll(client, device), 400, "invalid_grant")
}

// Fails if redeem or approve is not conditional.
func TestDeviceCodeIsRedeemedOnceByParallelRequests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newDevice()
	device, code := b.startDevice(client)
	forms := []url.Values{b.typeCode(code, "ada").inputs(t), b.typeCode(code, "ada").inputs(t)}
	var allowed, redeemed atomic.Int32
	var wg sync.WaitGroup
	for _, form := range forms {
		form.Set("decision", "allow")
		wg.Go(func() {
			if b.form("/oauth/consent", form, as("ada")).status == http.StatusOK {
				allowed.Add(1)
			}
		})
	}
	wg.Wait()
	for range 8 {
		wg.Go(func() {
			if a := b.poll(client, device); a.status == http.StatusOK {
				redeemed.Add(1)
			} else if a.status != http.StatusBadRequest {
				t.Errorf("a request that lost: %d %s", a.status, a.text)
			}
		})
	}
	wg.Wait()
	if allowed.Load() != 1 || redeemed.Load() != 1 {
		t.Errorf("allowed %d times, redeemed %d times", allowed.Load(), redeemed.Load())
	}
}

// Fails without userCodeRate: 34 bits are safe only against somebody who may try a few times.
func TestGuessesOfUserCodesAreBounded(t *testing.T) {
	t.Parallel()
	b := setupWith(t, options{limiter: limiter(t)})
	b.sessions.signIn("eve", tenancytest.Person(t, b.db))
	_, code := b.startDevice(b.newDevice())
	for range userCodeRate.Burst {
		if a := b.typeCode("BCDF-GHJK", "eve"); a.status != http.StatusBadRequest {
			t.Fatalf("a wrong code: %d %s", a.status, a.text)
		}
	}
	if a := b.typeCode(code, "eve"); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" ||
		strings.Contains(a.text, "Clock") {
		t.Errorf("after %d wrong codes: %d", userCodeRate.Burst, a.status)
	}
	if a := b.typeCode(code, "ada"); a.status != http.StatusOK {
		t.Errorf("another person: %d", a.status)
	}
	seen := map[string]bool{}
	for range 1000 {
		code := newUserCode()
		if canonicalUserCode(shownUserCode(code)) != code || seen[code] {
			t.Fatalf("the code %s", code)
		}
		seen[code] = true
	}
	for _, typed := range []string{"", "BCDF-GHJ", "BCDF-GHJA", "BCDFGHJKL", "BCDF GHJÉ"} {
		if canonicalUserCode(typed) != "" {
			t.Errorf("%q is taken for a code", typed)
		}
	}
}
