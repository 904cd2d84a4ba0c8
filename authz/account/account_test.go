package account_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

const password = "seven calm houses"

type testBundle struct {
	*account.Service
	*credentialtest.Process
	box *mailer.Box

	mu        sync.Mutex
	reclaimed []uuid.UUID
}

func setup(t *testing.T, change ...func(*account.Deps)) *testBundle {
	t.Helper()
	return setupAt(t, tenancytest.RedisURL(t), change...)
}

func setupAt(t *testing.T, redisURL string, change ...func(*account.Deps)) *testBundle {
	t.Helper()
	b := &testBundle{Process: credentialtest.Start(t, redisURL), box: &mailer.Box{}}
	jobs := jobtest.Open(t, account.Queues())
	deps := account.Deps{
		DB: b.DB, Cache: b.Cache, Redis: b.Redis, Jobs: jobs, Mailer: b.box, BaseURL: "http://127.0.0.1:8080", Log: b.Log,
		Reclaim: func(_ context.Context, _ pgx.Tx, person uuid.UUID, what account.Reclaimed) (func(), error) {
			return func() {
				b.mu.Lock()
				defer b.mu.Unlock()
				if what == account.KeysAndApps {
					b.reclaimed = append(b.reclaimed, person)
				}
			}, nil
		},
	}
	for _, fn := range change {
		fn(&deps)
	}
	b.Service = account.New(deps)
	if deps.Mailer != nil {
		jobtest.Start(t, deps.Jobs)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

// address is a client address of its own for each test, so that limits do not meet.
func address() string { return uuid.NewString() }

func email() string { return uuid.NewString() + "@example.com" }

func (b *testBundle) signUp(t *testing.T) (person uuid.UUID, email string) {
	t.Helper()
	email = uuid.NewString() + "@example.com"
	proof, err := b.SignUp(t.Context(), account.Registration{
		Name: "Kari Nordmann", Email: email, Password: password, Organization: "Nordmann", Address: address(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return proof.Person, email
}

// A browser keeps the cookies that it is given.
type browser struct{ cookies map[string]*http.Cookie }

func (br *browser) request(t *testing.T) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.Header.Set("User-Agent", "Test Browser")
	for _, c := range br.cookies {
		r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	return r
}

func (br *browser) keep(w *httptest.ResponseRecorder) {
	if br.cookies == nil {
		br.cookies = map[string]*http.Cookie{}
	}
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(br.cookies, c.Name)
		} else {
			br.cookies[c.Name] = c
		}
	}
}

func (b *testBundle) trust(t *testing.T, person uuid.UUID) account.Proof {
	t.Helper()
	proof, err := b.Trust(t.Context(), person)
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

func (b *testBundle) begin(t *testing.T, br *browser, person uuid.UUID) {
	t.Helper()
	w := httptest.NewRecorder()
	if err := b.Begin(w, br.request(t), b.trust(t, person)); err != nil {
		t.Fatal(err)
	}
	br.keep(w)
}

func (b *testBundle) signedIn(t *testing.T, br *browser) *account.SessionInfo {
	t.Helper()
	session, err := b.Current(br.request(t))
	if err != nil {
		t.Fatalf("not signed in: %v", err)
	}
	return session
}

func (b *testBundle) signedOut(t *testing.T, br *browser) {
	t.Helper()
	if session, err := b.Current(br.request(t)); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Fatalf("still signed in: %+v, %v", session, err)
	}
}

var link = regexp.MustCompile(`token=([\w-]+)`)

// mailTo waits for the nth mail to an address and returns its text and the token in it.
func (b *testBundle) mailTo(t *testing.T, to, subject string) (token string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for _, m := range b.box.Mail() {
			if m.To == to && strings.Contains(m.Subject, subject) {
				if found := link.FindStringSubmatch(m.Text); found != nil {
					return found[1]
				}
				return ""
			}
		}
	}
	t.Fatalf("no mail about %q came to %s", subject, to)
	return ""
}

func TestSigningUpMakesAPersonWithAnOrganization(t *testing.T) {
	t.Parallel()
	var seeded []organization.Organization
	b := setup(t, func(d *account.Deps) {
		d.Seed = func(_ context.Context, _ uuid.UUID, org organization.Organization) error {
			seeded = append(seeded, org)
			return errors.New("no sample")
		}
	})
	person, _ := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	session := b.signedIn(t, br)
	if session.Person.ID != person || session.Person.Name != "Kari Nordmann" || session.Person.Verified || len(session.Person.Orgs) != 1 ||
		len(seeded) != 1 || session.Person.Orgs[0] != (authz.Membership{Org: seeded[0].ID, Role: organization.Owner}) {
		t.Fatalf("%+v, %v", session, seeded)
	}
	p := session.Principal()
	if p.Kind != authz.Session || p.Person != person || !p.Has(authz.MembersManage) || p.Role(seeded[0].ID) != organization.Owner ||
		p.Credential != id.Format(id.Session, session.ID) {
		t.Fatalf("%+v", p)
	}
}

func TestAFormSentTwiceSignsUpOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reg := account.Registration{Name: "Ola", Email: email(), Password: password, Organization: "Ola's", Address: address()}
	people := make([]uuid.UUID, 4)
	var group sync.WaitGroup
	for i := range people {
		group.Go(func() {
			proof, err := b.SignUp(t.Context(), reg)
			if err != nil {
				t.Error(err)
			}
			people[i] = proof.Person
		})
	}
	group.Wait()
	for _, person := range people {
		if person != people[0] {
			t.Fatalf("several people: %v", people)
		}
	}
	br := &browser{}
	b.begin(t, br, people[0])
	if orgs := b.signedIn(t, br).Person.Orgs; len(orgs) != 1 {
		t.Fatalf("%d organizations", len(orgs))
	}
}

func TestATakenAddressIsToldOnlyWithoutItsPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, taken := b.signUp(t)
	_, err := b.SignUp(t.Context(), account.Registration{
		Name: "Eve", Email: strings.ToUpper(taken), Password: "eight tall fences", Organization: "Eve", Address: address(),
	})
	if problem.KindOf(err) != problem.KindConflict {
		t.Fatal(err)
	}
}

func TestARegistrationThatIsWrongNamesEveryPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := account.Registration{Name: "Kari", Email: email(), Password: password, Organization: "K", Address: address()}
	cases := map[string]struct {
		change func(*account.Registration)
		path   string
	}{
		"no name":                   {func(r *account.Registration) { r.Name = "" }, "name"},
		"no organization":           {func(r *account.Registration) { r.Organization = "\t" }, "organization"},
		"no address":                {func(r *account.Registration) { r.Email = "kari" }, "email"},
		"a display name":            {func(r *account.Registration) { r.Email = "Kari <kari@example.com>" }, "email"},
		"a look-alike address":      {func(r *account.Registration) { r.Email = "kаri@example.com" }, "email"},
		"two addresses":             {func(r *account.Registration) { r.Email = "a@example.com,b@example.com" }, "email"},
		"a header in the address":   {func(r *account.Registration) { r.Email = "a@example.com\r\nBcc: b@example.com" }, "email"},
		"a short password":          {func(r *account.Registration) { r.Password = "short" }, "password"},
		"a common password":         {func(r *account.Registration) { r.Password = "Password123!" }, "password"},
		"digits":                    {func(r *account.Registration) { r.Password = "1234567890" }, "password"},
		"one character":             {func(r *account.Registration) { r.Password = "aaaaaaaaaaaaaaa" }, "password"},
		"the address as a password": {func(r *account.Registration) { r.Password = r.Email }, "password"},
		"a long password":           {func(r *account.Registration) { r.Password = strings.Repeat("abcde", 50) }, "password"},
		"a NUL":                     {func(r *account.Registration) { r.Password = "seven calm\x00 houses" }, "password"},
	}
	for name, c := range cases {
		reg := good
		c.change(&reg)
		var e *problem.Error
		if _, err := b.SignUp(t.Context(), reg); !errors.As(err, &e) || e.Kind != problem.KindInvalid || len(e.Items) != 1 || e.Items[0].Path != c.path {
			t.Errorf("%s: %v", name, err)
		}
	}
	var e *problem.Error
	if _, err := b.SignUp(t.Context(), account.Registration{Address: address()}); !errors.As(err, &e) || len(e.Items) != 4 {
		t.Errorf("an empty form: %v", err)
	}
}

func TestAnUnknownAddressAndAWrongPasswordAreTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	if got, err := b.SignIn(t.Context(), " "+strings.ToUpper(known)+" ", password, address()); err != nil || got.Person != person {
		t.Fatalf("%v, %v", got, err)
	}
	_, wrong := b.SignIn(t.Context(), known, password+"!", address())
	for _, unknown := range []string{email(), "no address", "nul\x00@example.com", "\xff@example.com", ""} {
		_, err := b.SignIn(t.Context(), unknown, password, address())
		if wrong == nil || err == nil || wrong.Error() != err.Error() || problem.KindOf(err) != problem.KindUnauthenticated {
			t.Errorf("%q: %v, but a wrong password: %v", unknown, err, wrong)
		}
	}
	// A person without a password, such as one who was only ever invited.
	nobody := tenancytest.Person(t, b.DB)
	if _, err := b.SignIn(t.Context(), nobody.String()+"@example.com", "a password that nobody has", address()); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Error(err)
	}
}

func TestGuessingIsSlowedDown(t *testing.T) {
	t.Parallel()
	cut := credentialtest.NewProxy(t)
	cut.Cut()
	for name, b := range map[string]*testBundle{"with Redis": setup(t), "without Redis": setupAt(t, cut.URL())} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			person, known := b.signUp(t)
			guesser := address()
			for i := range 10 {
				if _, err := b.SignIn(t.Context(), known, "a guess", guesser); problem.KindOf(err) != problem.KindUnauthenticated {
					t.Fatalf("guess %d: %v", i, err)
				}
			}
			var e *problem.Error
			_, err := b.SignIn(t.Context(), known, password, guesser)
			if !errors.As(err, &e) || e.Kind != problem.KindRateLimited || e.RetryAfter < time.Second {
				t.Fatalf("guess 11: %v", err)
			}
			if got, err := b.SignIn(t.Context(), known, password, address()); err != nil || got.Person != person {
				t.Fatalf("the owner elsewhere: %v", err)
			}
		})
	}
}

func TestSigningInRotatesTheSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	planted := &browser{cookies: map[string]*http.Cookie{"rowhouse_session": {Name: "rowhouse_session", Value: strings.Repeat("A", 43)}}}
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

func TestTheCookieIsForThisHostAndNoScript(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{"https://rowhouse.example.com": "__Host-rowhouse", "http://127.0.0.1:8080": "rowhouse_session"} {
		b := setup(t, func(d *account.Deps) { d.BaseURL = base })
		person, _ := b.signUp(t)
		w := httptest.NewRecorder()
		if err := b.Begin(w, (&browser{}).request(t), b.trust(t, person)); err != nil {
			t.Fatal(err)
		}
		c := w.Result().Cookies()[0]
		if c.Name != want || c.Secure != strings.HasPrefix(base, "https") || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
			t.Errorf("%s: %v", base, c)
		}
	}
}

func TestARememberedSessionCostsOneRoundTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, person := tenancytest.Org(t, b.DB) // after SignUp, Postgres is asked for a few seconds
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

func TestSigningOutCountsEverywhere(t *testing.T) {
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
	stranger, _ := b.signUp(t)
	if err := b.EndSession(t.Context(), stranger, keep.ID); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a stranger ended it: %v", err)
	}
	if err := b.EndSession(t.Context(), person, keep.ID); err != nil {
		t.Fatal(err)
	}
	second.signedOut(t, two)
}

func TestASessionEndsWhenIdleAndWhenOld(t *testing.T) {
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

func TestAPersonHasAtMostFiftySessions(t *testing.T) {
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

func TestOnlyHashesAreStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, address := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	if err := b.RequestReset(t.Context(), address, "x"+address); err != nil {
		t.Fatal(err)
	}
	secrets := []string{br.cookies["rowhouse_session"].Value, b.mailTo(t, address, "Reset"), b.mailTo(t, address, "Confirm"), password}
	err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		var all string
		err := tx.QueryRow(t.Context(), `select concat((select string_agg(s::text, ' ') from rowhouse.session s where person_id = $1),
			(select string_agg(t::text, ' ') from rowhouse.mailed_token t where person_id = $1),
			(select p::text from rowhouse.person p where id = $1))`, person).Scan(&all)
		for _, secret := range secrets {
			if strings.Contains(all, secret) {
				t.Errorf("%q is stored", secret)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestChangingThePasswordSignsOutElsewhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	here, there := &browser{}, &browser{}
	b.begin(t, here, person)
	b.begin(t, there, person)
	session := b.signedIn(t, here)
	const next = "eight calm houses"
	if err := b.ChangePassword(httptest.NewRecorder(), here.request(t), session, "wrong", next); problem.KindOf(err) != problem.KindInvalid {
		t.Fatal(err)
	}
	if err := b.ChangePassword(httptest.NewRecorder(), here.request(t), session, password, "short"); problem.KindOf(err) != problem.KindInvalid {
		t.Fatal(err)
	}
	b.signedIn(t, there)
	copied := &browser{cookies: map[string]*http.Cookie{"rowhouse_session": here.cookies["rowhouse_session"]}}
	w := httptest.NewRecorder()
	if err := b.ChangePassword(w, here.request(t), session, password, next); err != nil {
		t.Fatal(err)
	}
	b.signedOut(t, here) // the token from before
	here.keep(w)
	if again := b.signedIn(t, here); again.ID != session.ID {
		t.Errorf("another session: %v, not %v", again.ID, session.ID)
	}
	b.signedOut(t, there)
	b.signedOut(t, copied)
	if _, err := b.SignIn(t.Context(), known, password, address()); err == nil {
		t.Error("the old password works")
	}
	if _, err := b.SignIn(t.Context(), known, next, address()); err != nil {
		t.Error(err)
	}
	b.mailTo(t, known, "was changed")
}

func TestRenamingCountsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	b.signedIn(t, br)
	if _, err := b.Rename(t.Context(), person, " Kari Hansen "); err != nil {
		t.Fatal(err)
	}
	if name := b.signedIn(t, br).Person.Name; name != "Kari Hansen" {
		t.Fatalf("still %q", name)
	}
}

func TestAttackersWithoutABoundOnHashingStillWaitTheirTurn(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) { d.Hashes = 1 })
	_, known := b.signUp(t)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { _, _ = b.SignIn(ctx, known, "x", address()) })
	}
	cancel() // those who gave up do not hold a place
	group.Wait()
	if _, err := b.SignIn(t.Context(), known, password, address()); err != nil {
		t.Fatal(err)
	}
}

func TestSigningInAndOutAndAnotherPasswordAreOnRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	var br browser
	b.begin(t, &br, person)
	session := b.signedIn(t, &br)
	if err := b.ChangePassword(httptest.NewRecorder(), br.request(t), session, password, "another "+password); err != nil {
		t.Fatal(err)
	}
	if err := b.EndSession(t.Context(), person, session.ID); err != nil {
		t.Fatal(err)
	}
	org := session.Person.Orgs[0].Org
	if got := tenancytest.Actions(t, b.DB, org); !slices.Equal(got, []string{"create_org", "sign_in", "change_password", "end_session"}) {
		t.Errorf("on record: %v", got)
	}
}
