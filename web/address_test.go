package web_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// A person changes the address of their account by a link to the new one, and signs in with that.
func TestAddressIsChangedByMail(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	owner, reader := s.newBrowser(), s.newBrowser()
	former := owner.signUp(t)
	next := "new." + former
	ask := func(status int, email, password string) string {
		t.Helper()
		body, err := json.Marshal(map[string]string{"email": email, "password": password})
		if err != nil {
			t.Fatal(err)
		}
		if status == 204 {
			owner.call(t, "POST", "/email", string(body), status, nil)
			return ""
		}
		var out json.RawMessage
		owner.call(t, "POST", "/email", string(body), status, &out)
		return string(out)
	}
	for _, one := range []struct {
		status                int
		email, password, want string
	}{
		{400, next, "nine calm houses", "is not your password"},
		{400, "kari", password, "must be an e-mail address"},
		{400, former, password, "is your address already"},
		{409, reader.signUp(t), password, "address_taken"},
	} {
		if got := ask(one.status, one.email, one.password); !strings.Contains(got, one.want) {
			t.Errorf("%s: %s", one.email, got)
		}
	}
	ask(204, next, password)
	link := s.waitForMail(t, next, "Use this e-mail address")
	token := strings.TrimPrefix(link, "/change-email?token=")
	if p := owner.get(t, link).wantPage(t, 200, former, next); strings.Contains(p.body, `name="password"`) {
		t.Error("the signed-in browser is asked for the password")
	}
	// Somebody else's session is no proof, and neither is their password.
	reader.get(t, link).wantPage(t, 200, `name="password"`, "somebody mistyped")
	reader.post(t, "/change-email", "token", token).wantPage(t, 401, "Is not the password of this account")
	reader.post(t, "/change-email", "token", token, "password", "nine calm houses").wantPage(t, 401, token)
	var profile struct {
		Email         string
		EmailVerified bool
	}
	if owner.call(t, "GET", "/profile", "", 200, &profile); profile.Email != former {
		t.Fatalf("the address is %s before the link was used", profile.Email)
	}
	confirm := s.waitForMail(t, former, "Confirm")
	owner.post(t, "/change-email", "token", token).wantRedirect(t, "/change-email?done=1")
	owner.get(t, "/change-email?done=1").wantPage(t, 200, "has the new e-mail address")
	if owner.call(t, "GET", "/profile", "", 200, &profile); profile.Email != next || !profile.EmailVerified {
		t.Errorf("the profile is %+v", profile)
	}
	// The former address gets a notice. Links that were mailed before do not work any more.
	s.waitForMail(t, former, "has another e-mail address")
	owner.get(t, link).wantPage(t, 404)
	owner.get(t, confirm).wantPage(t, 404)
	fresh := s.newBrowser()
	fresh.post(t, "/sign-in", "email", former, "password", password).wantPage(t, 401)
	fresh.post(t, "/sign-in", "email", next, "password", password).wantRedirect(t, "/account")
}

// An address that got an account after the link was mailed stays with that account.
func TestAddressThatWasTakenMeanwhileIsRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	owner, other := s.newBrowser(), s.newBrowser()
	former := owner.signUp(t)
	next := "new." + former
	owner.call(t, "POST", "/email", `{"email":"`+next+`","password":"`+password+`"}`, 204, nil)
	link := s.waitForMail(t, next, "Use this e-mail address")
	other.post(t, "/sign-up", "name", "Ola", "organization", "Ola", "email", next, "password", password).
		wantRedirect(t, "/account")
	owner.post(t, "/change-email", "token", strings.TrimPrefix(link, "/change-email?token=")).
		wantPage(t, 409, "has an account already")
	var profile struct{ Email string }
	if owner.call(t, "GET", "/profile", "", 200, &profile); profile.Email != former {
		t.Errorf("the address is %s", profile.Email)
	}
}

// A link to a new address ends with the password that asked for it: somebody else may have known that one.
func TestAddressLinkEndsWithThePassword(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, s *site, owner *browser, email string){
		"changed": func(t *testing.T, _ *site, owner *browser, _ string) {
			t.Helper()
			owner.call(t, "POST", "/password",
				`{"currentPassword":"`+password+`","newPassword":"nine calm houses"}`, 204, nil)
		},
		"reset": func(t *testing.T, s *site, owner *browser, email string) {
			t.Helper()
			owner.post(t, "/forgot-password", "email", email).wantRedirect(t, "/forgot-password?sent=1")
			token := strings.TrimPrefix(s.waitForMail(t, email, "Reset"), "/reset-password?token=")
			owner.post(t, "/reset-password", "token", token, "password", "nine calm houses").wantRedirect(t, "/account")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			owner := s.newBrowser()
			former := owner.signUp(t)
			next := "new." + former
			owner.call(t, "POST", "/email", `{"email":"`+next+`","password":"`+password+`"}`, 204, nil)
			link := s.waitForMail(t, next, "Use this e-mail address")
			owner.get(t, link).wantPage(t, 200, next)
			change(t, s, owner, former)
			owner.get(t, link).wantPage(t, 404)
		})
	}
}
