package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var keyField = regexp.MustCompile(`name="id" value="(key_\w+)"`)

// later makes all sessions of a person an hour old.
func (s *site) later(t *testing.T, email string) {
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

func TestTheLinkOfAMailAsksForTheAccount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	holder, reader := s.visitor(), s.visitor()
	email := holder.signUp(t)
	link := s.mailTo(t, email, "Confirm")
	token := strings.TrimPrefix(link, "/verify-email?token=")
	if p := holder.get(t, link).shows(t, 200, email); strings.Contains(p.body, `name="password"`) {
		t.Error("the account's own browser is asked for the password")
	}
	reader.get(t, link).shows(t, 200, email, `name="password"`, "You did not sign up?")
	reader.post(t, "/verify-email", "token", token).shows(t, 401, "Is not the password of this account")
	reader.post(t, "/verify-email", "token", token, "password", "nine calm houses").shows(t, 401, token)
	holder.get(t, "/account").shows(t, 200, "Not verified yet")
	reader.post(t, "/verify-email", "token", token, "password", password).leads(t, "/verify-email?done=1")
	holder.get(t, "/account").shows(t, 200, "Verified")
}

func TestAResetOffersToEndKeysAndApps(t *testing.T) {
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
			s := setup(t)
			owner, v := s.visitor(), s.visitor()
			email := owner.signUp(t)
			token := strings.TrimPrefix(s.mailTo(t, email, "Confirm"), "/verify-email?token=")
			owner.post(t, "/verify-email", "token", token).leads(t, "/verify-email?done=1")
			var made struct{ Value string }
			owner.call(t, "POST", "/keys", `{"name":"One","scopes":["data:read"]}`, 200, &made)
			v.post(t, "/forgot-password", "email", email)
			link := s.mailTo(t, email, "Reset")
			v.get(t, link).shows(t, 200, `name="end" value="1" checked`)
			reset := []string{"token", strings.TrimPrefix(link, "/reset-password?token="), "password"}
			v.post(t, "/reset-password", append(append(reset, "short"), c.form...)...).shows(t, 400, "Must be at least")
			v.post(t, "/reset-password", append(append(reset, "nine calm houses"), c.form...)...).leads(t, "/account")
			if _, err := s.keys.Verify(t.Context(), made.Value); (err != nil) != c.ends {
				t.Errorf("the key: %v", err)
			}
		})
	}
}

func TestAKeyWithoutEndAsksForThePassword(t *testing.T) {
	t.Parallel()
	s := setup(t)
	v := s.visitor()
	email := v.signUp(t)
	s.later(t, email)
	form := func() []string {
		key := keyField.FindStringSubmatch(v.get(t, "/account/keys/new").shows(t, 200).body)[1]
		return []string{"id", key, "name", "Mine", "scopes", "data:read", "reach", "all", "expiry", "never"}
	}
	draft := form()
	p := v.post(t, "/account/keys", draft...).shows(t, 400, "Is needed for a key that does not expire within a year", `name="password"`)
	if strings.Contains(p.body, `formmethod="get"`) {
		t.Error("a button of the form would send the password in the address")
	}
	v.post(t, "/account/keys", append(draft, "password", "wrong password")...).shows(t, 400, "Is not your password")
	v.post(t, "/account/keys", append(draft, "password", password)...).leads(t, "/account/keys")
	v.get(t, "/account/keys").shows(t, 200, "Your new key: Mine", `name="password"`)

	v.call(t, "POST", "/keys", `{"name":"Two","scopes":["data:read"]}`, 400, nil)
	v.call(t, "POST", "/keys", `{"name":"Two","scopes":["data:read"],"password":"wrong password"}`, 400, nil)
	var made struct {
		Key   struct{ ID string }
		Value string
	}
	v.call(t, "POST", "/keys", `{"name":"Two","scopes":["data:read"],"password":"`+password+`"}`, 200, &made)
	v.call(t, "POST", "/keys/"+made.Key.ID+"/rotate", `{"overlapSeconds":0}`, 400, nil)
	v.call(t, "POST", "/keys/"+made.Key.ID+"/rotate", `{"overlapSeconds":0,"password":"`+password+`"}`, 200, nil)
	v.call(t, "POST", "/keys", `{"name":"Three","scopes":["data:read"],"expiresTime":"`+time.Now().AddDate(0, 0, 7).Format(time.RFC3339)+`"}`, 200, nil)
}

func TestAnotherPasswordGivesTheSessionAnotherToken(t *testing.T) {
	t.Parallel()
	s := setup(t)
	v := s.visitor()
	v.signUp(t)
	for _, change := range []func(current, next string){
		func(current, next string) {
			v.post(t, "/account/password", "currentPassword", current, "newPassword", next).leads(t, "/account?did=password")
		},
		func(current, next string) {
			v.call(t, "POST", "/password", `{"currentPassword":"`+current+`","newPassword":"`+next+`"}`, 204, nil)
		},
	} {
		base, _ := url.Parse(v.URL)
		former := v.client.Jar.Cookies(base)
		change(password, "nine calm houses")
		v.get(t, "/account").shows(t, 200)
		copied := s.visitor()
		copied.client.Jar.SetCookies(base, former)
		if p := copied.get(t, "/account"); p.status != http.StatusSeeOther {
			t.Errorf("the token from before the change works: %d", p.status)
		}
		change("nine calm houses", password)
	}
}
