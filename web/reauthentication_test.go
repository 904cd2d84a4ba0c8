package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// ageSessions makes all sessions of a person an hour older.
func (s *site) ageSessions(t *testing.T, email string) {
	t.Helper()
	err := s.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `update rowhouse.session set created_at = created_at - interval '1 hour'
			where person_id = (select id from rowhouse.person where email = $1)`, email)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func verified(t *testing.T, v *browser) bool {
	t.Helper()
	var profile struct{ EmailVerified bool }
	v.call(t, "GET", "/profile", "", 200, &profile)
	return profile.EmailVerified
}

func TestVerificationLinkRequiresSessionOrPassword(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	holder, reader := s.newBrowser(), s.newBrowser()
	email := holder.signUp(t)
	link := s.waitForMail(t, email, "Confirm")
	token := strings.TrimPrefix(link, "/verify-email?token=")
	if p := holder.get(t, link).wantPage(t, 200, email); strings.Contains(p.body, `name="password"`) {
		t.Error("the signed-in browser is asked for the password")
	}
	reader.get(t, link).wantPage(t, 200, email, `name="password"`, "You did not sign up?")
	reader.post(t, "/verify-email", "token", token).wantPage(t, 401, "Is not the password of this account")
	reader.post(t, "/verify-email", "token", token, "password", "nine calm houses").wantPage(t, 401, token)
	if verified(t, holder) {
		t.Error("the address is verified without the password")
	}
	reader.post(t, "/verify-email", "token", token, "password", password).wantRedirect(t, "/verify-email?done=1")
	if !verified(t, holder) {
		t.Error("the address is not verified")
	}
}

func TestPasswordResetOffersToRevokeKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form []string
		ends bool
	}{
		"ticked":               {[]string{"asked", "1", "end", "1"}, true},
		"not ticked":           {[]string{"asked", "1"}, false},
		"without the question": {nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			owner, v := s.newBrowser(), s.newBrowser()
			email := owner.signUp(t)
			token := strings.TrimPrefix(s.waitForMail(t, email, "Confirm"), "/verify-email?token=")
			owner.post(t, "/verify-email", "token", token).wantRedirect(t, "/verify-email?done=1")
			var created struct{ Value string }
			owner.call(t, "POST", "/keys", `{"name":"One","scopes":["data:read"]}`, 200, &created)
			v.post(t, "/forgot-password", "email", email)
			link := s.waitForMail(t, email, "Reset")
			v.get(t, link).wantPage(t, 200, `name="end" value="1" checked`)
			reset := []string{"token", strings.TrimPrefix(link, "/reset-password?token="), "password"}
			v.post(t, "/reset-password", append(append(reset, "short"), c.form...)...).
				wantPage(t, 400, "Must be at least")
			v.post(t, "/reset-password", append(append(reset, "nine calm houses"), c.form...)...).
				wantRedirect(t, "/account")
			if _, err := s.keys.Verify(t.Context(), created.Value); (err != nil) != c.ends {
				t.Errorf("the key: %v", err)
			}
		})
	}
}

func TestNonExpiringKeyRequiresPassword(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	email := v.signUp(t)
	s.ageSessions(t, email)
	v.call(t, "POST", "/keys", `{"name":"Two","scopes":["data:read"]}`, 400, nil)
	v.call(t, "POST", "/keys", `{"name":"Two","scopes":["data:read"],"password":"wrong password"}`, 400, nil)
	var created struct {
		Key   struct{ ID string }
		Value string
	}
	v.call(t, "POST", "/keys", `{"name":"Two","scopes":["data:read"],"password":"`+password+`"}`, 200, &created)
	v.call(t, "POST", "/keys/"+created.Key.ID+"/rotate", `{"overlapSeconds":0}`, 400, nil)
	v.call(t, "POST", "/keys/"+created.Key.ID+"/rotate", `{"overlapSeconds":0,"password":"`+password+`"}`, 200, nil)
	v.call(
		t, "POST", "/keys",
		`{"name":"Three","scopes":["data:read"],"expiresTime":"`+time.Now().AddDate(0, 0, 7).Format(time.RFC3339)+`"}`,
		200, nil,
	)
}

func TestPasswordChangeRotatesSessionToken(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.newBrowser()
	v.signUp(t)
	change := func(current, next string) {
		v.call(t, "POST", "/password", `{"currentPassword":"`+current+`","newPassword":"`+next+`"}`, 204, nil)
	}
	base, _ := url.Parse(v.URL)
	former := v.client.Jar.Cookies(base)
	change(password, "nine calm houses")
	v.call(t, "GET", "/profile", "", 200, nil)
	thief := s.newBrowser()
	thief.client.Jar.SetCookies(base, former)
	thief.call(t, "GET", "/profile", "", 401, nil)
}
