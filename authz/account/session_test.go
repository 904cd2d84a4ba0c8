package account_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestSignInReplacesTheSessionToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	planted := &browser{cookies: map[string]*http.Cookie{
		"rowhouse_session": {Name: "rowhouse_session", Value: strings.Repeat("A", 43)},
	}}
	b.signedOut(t, planted)
	b.begin(t, planted, person)
	if planted.cookies["rowhouse_session"].Value == strings.Repeat("A", 43) {
		t.Fatal("a planted token became a session")
	}
	before := &browser{cookies: map[string]*http.Cookie{"rowhouse_session": planted.cookies["rowhouse_session"]}}
	b.signedIn(t, before)
	b.begin(t, planted, person)
	b.signedIn(t, planted)
	b.signedOut(t, before)
}

func TestSessionCookieAttributes(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://rowhouse.example.com": "__Host-rowhouse",
		"http://127.0.0.1:8080":        "rowhouse_session",
	} {
		b := setup(t, func(d *account.Deps) { d.BaseURL = base })
		person, _ := b.signUp(t)
		w := httptest.NewRecorder()
		if err := b.Begin(w, (&browser{}).request(t), b.trust(t, person)); err != nil {
			t.Fatal(err)
		}
		c := w.Result().Cookies()[0]
		if c.Name != want || c.Secure != strings.HasPrefix(base, "https") || !c.HttpOnly ||
			c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
			t.Errorf("%s: %v", base, c)
		}
	}
}

func TestCachedSessionCostsOneRedisRoundTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, person := tenancytest.Org(t, b.DB) // not SignUp, whose tombstones bypass Redis for a few seconds
	br := &browser{}
	b.begin(t, br, person)
	if postgres, _ := b.Cost(func() { b.signedIn(t, br) }); postgres != 1 {
		t.Errorf("a miss cost %d round trips to Postgres", postgres)
	}
	if postgres, redis := b.Cost(func() { b.signedIn(t, br) }); postgres != 0 || redis != 1 {
		t.Errorf("a hit cost %d round trips to Postgres and %d to Redis", postgres, redis)
	}
	if postgres, redis := b.Cost(func() { b.signedOut(t, &browser{}) }); postgres != 0 || redis != 0 {
		t.Errorf("no cookie cost %d round trips to Postgres and %d to Redis", postgres, redis)
	}
}

func TestSignOutAppliesToEveryProcess(t *testing.T) {
	t.Parallel()
	b, second := setup(t), setup(t)
	person, _ := b.signUp(t)
	one, two, three := &browser{}, &browser{}, &browser{}
	for _, br := range []*browser{one, two, three} {
		b.begin(t, br, person)
		second.signedIn(t, br)
		second.signedIn(t, br)
	}
	copied := &browser{cookies: map[string]*http.Cookie{"rowhouse_session": one.cookies["rowhouse_session"]}}
	w := httptest.NewRecorder()
	if err := b.SignOut(w, one.request(t)); err != nil {
		t.Fatal(err)
	}
	if one.keep(w); one.cookies["rowhouse_session"] != nil {
		t.Error("the cookie is still there")
	}
	second.signedOut(t, copied)
	keep := second.signedIn(t, two)
	sessions, err := b.Sessions(t.Context(), person)
	if err != nil || len(sessions) != 2 || sessions[0].UserAgent != "Test Browser" {
		t.Fatalf("%+v, %v", sessions, err)
	}
	w = httptest.NewRecorder()
	if err := b.EndOtherSessions(w, two.request(t), keep); err != nil {
		t.Fatal(err)
	}
	two.keep(w)
	second.signedOut(t, three)
	second.signedIn(t, two)
	outsider, _ := b.signUp(t)
	if err := b.EndSession(t.Context(), outsider, keep.ID); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("another person ended it: %v", err)
	}
	if err := b.EndSession(t.Context(), person, keep.ID); err != nil {
		t.Fatal(err)
	}
	second.signedOut(t, two)
}

func TestSessionExpiresWhenIdleAndAtItsMaximumAge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, change := range map[string]string{
		"idle": "seen_at = now() - interval '14 days 1 second'",
		"old":  "expires_at = now() - interval '1 second'",
	} {
		person, _ := b.signUp(t)
		br := &browser{}
		b.begin(t, br, person)
		err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), "update rowhouse.session set "+change+" where person_id = $1", person)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := b.Current(br.request(t)); problem.KindOf(err) != problem.KindUnauthenticated {
				t.Errorf("%s: %v", name, err)
			}
		}
		if sessions, err := b.Sessions(t.Context(), person); err != nil || len(sessions) != 0 {
			t.Errorf("%s: %v, %v", name, sessions, err)
		}
	}
}

func TestSessionsPerPersonAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	first := &browser{}
	b.begin(t, first, person)
	for range 50 {
		b.begin(t, &browser{}, person)
	}
	b.signedOut(t, first)
	if sessions, err := b.Sessions(t.Context(), person); err != nil || len(sessions) != 50 {
		t.Fatalf("%d, %v", len(sessions), err)
	}
}

func TestSessionsWorkWithoutRedis(t *testing.T) {
	t.Parallel()
	cut := credentialtest.NewProxy(t)
	cut.Cut()
	b := setupAt(t, cut.URL())
	person, known := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	b.signedIn(t, br)
	if _, err := b.SignIn(t.Context(), known, password, address()); err != nil {
		t.Error(err)
	}
	if err := b.EndAllSessions(t.Context(), person); err != nil {
		t.Fatal(err)
	}
	b.signedOut(t, br)
}
