package account_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestSignUpCreatesPersonAndOrganization(t *testing.T) {
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
	if session.Person.ID != person || session.Person.Name != "Kari Nordmann" || session.Person.Verified ||
		len(session.Person.Orgs) != 1 ||
		len(seeded) != 1 || session.Person.Orgs[0] != (authz.Membership{
		Org: seeded[0].ID, Role: organization.Owner, Permissions: 1,
	}) {
		t.Fatalf("%+v, %v", session, seeded)
	}
	p := session.Principal()
	if p.Kind != authz.Session || p.Person != person || !p.Has(authz.MembersManage) ||
		p.Role(seeded[0].ID) != organization.Owner ||
		p.Credential != id.Format(id.Session, session.ID) {
		t.Fatalf("%+v", p)
	}
}

func TestRepeatedSignUpCreatesOnePerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reg := account.Registration{
		Name:         "Ola",
		Email:        email(),
		Password:     password,
		Organization: "Ola's",
		Address:      address(),
	}
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

func TestSignUpWithATakenAddressIsAConflict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, taken := b.signUp(t)
	_, err := b.SignUp(t.Context(), account.Registration{
		Name: "Eve", Email: strings.ToUpper(taken), Password: "eight tall fences", Organization: "Eve",
		Address: address(),
	})
	if problem.KindOf(err) != problem.KindConflict {
		t.Fatal(err)
	}
}

func TestInvalidRegistrationNamesEveryField(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := account.Registration{
		Name:         "Kari",
		Email:        email(),
		Password:     password,
		Organization: "K",
		Address:      address(),
	}
	cases := map[string]struct {
		change func(*account.Registration)
		path   string
	}{
		"no name":              {func(r *account.Registration) { r.Name = "" }, "name"},
		"no organization":      {func(r *account.Registration) { r.Organization = "\t" }, "organization"},
		"no address":           {func(r *account.Registration) { r.Email = "kari" }, "email"},
		"a display name":       {func(r *account.Registration) { r.Email = "Kari <kari@example.com>" }, "email"},
		"a look-alike address": {func(r *account.Registration) { r.Email = "kаri@example.com" }, "email"},
		"two addresses": {
			func(r *account.Registration) { r.Email = "a@example.com,b@example.com" }, "email",
		},
		"a header in the address": {
			func(r *account.Registration) { r.Email = "a@example.com\r\nBcc: b@example.com" }, "email",
		},
		"a short password":          {func(r *account.Registration) { r.Password = "short" }, "password"},
		"a common password":         {func(r *account.Registration) { r.Password = "Password123!" }, "password"},
		"digits":                    {func(r *account.Registration) { r.Password = "1234567890" }, "password"},
		"one character":             {func(r *account.Registration) { r.Password = "aaaaaaaaaaaaaaa" }, "password"},
		"the address as a password": {func(r *account.Registration) { r.Password = r.Email }, "password"},
		"a long password": {
			func(r *account.Registration) { r.Password = strings.Repeat("abcde", 50) }, "password",
		},
		"a NUL": {func(r *account.Registration) { r.Password = "seven calm\x00 houses" }, "password"},
	}
	for name, c := range cases {
		reg := good
		c.change(&reg)
		var e *problem.Error
		if _, err := b.SignUp(t.Context(), reg); !errors.As(err, &e) || e.Kind != problem.KindInvalid ||
			len(e.Items) != 1 || e.Items[0].Path != c.path {
			t.Errorf("%s: %v", name, err)
		}
	}
	var e *problem.Error
	if _, err := b.SignUp(t.Context(), account.Registration{Address: address()}); !errors.As(err, &e) ||
		len(e.Items) != 4 {
		t.Errorf("an empty form: %v", err)
	}
}

func TestUnknownAddressAndWrongPasswordAreIndistinguishable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	if got, err := b.SignIn(t.Context(), " "+strings.ToUpper(known)+" ", password, address()); err != nil ||
		got.Person != person {
		t.Fatalf("%v, %v", got, err)
	}
	_, wrong := b.SignIn(t.Context(), known, password+"!", address())
	for _, unknown := range []string{email(), "no address", "nul\x00@example.com", "\xff@example.com", ""} {
		_, err := b.SignIn(t.Context(), unknown, password, address())
		if wrong == nil || err == nil || wrong.Error() != err.Error() ||
			problem.KindOf(err) != problem.KindUnauthenticated {
			t.Errorf("%q: %v, but a wrong password: %v", unknown, err, wrong)
		}
	}
	// A person without a password.
	passwordless := tenancytest.Person(t, b.DB)
	if _, err := b.SignIn(
		t.Context(), passwordless.String()+"@example.com", "a password that nobody has", address(),
	); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Error(err)
	}
}

func TestPasswordGuessesAreRateLimited(t *testing.T) {
	t.Parallel()
	cut := credentialtest.NewProxy(t)
	cut.Cut()
	for name, b := range map[string]*testBundle{"with Redis": setup(t), "without Redis": setupAt(t, cut.URL())} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			person, known := b.signUp(t)
			guesser := address()
			for i := range 10 {
				if _, err := b.SignIn(
					t.Context(), known, "a guess", guesser,
				); problem.KindOf(err) != problem.KindUnauthenticated {
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

func TestOnlyHashesOfSecretsAreStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, address := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	if err := b.RequestReset(t.Context(), address, "x"+address, ""); err != nil {
		t.Fatal(err)
	}
	secrets := []string{
		br.cookies["rowhouse_session"].Value, b.mailTo(t, address, "Reset"), b.mailTo(t, address, "Confirm"), password,
	}
	err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		var all string
		err := tx.QueryRow(t.Context(),
			`select concat((select string_agg(s::text, ' ') from rowhouse.session s where person_id = $1),
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

func TestPasswordChangeEndsOtherSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	here, there := &browser{}, &browser{}
	b.begin(t, here, person)
	b.begin(t, there, person)
	session := b.signedIn(t, here)
	const next = "eight calm houses"
	if err := b.ChangePassword(
		httptest.NewRecorder(), here.request(t), session, "wrong", next,
	); problem.KindOf(err) != problem.KindInvalid {
		t.Fatal(err)
	}
	if err := b.ChangePassword(
		httptest.NewRecorder(), here.request(t), session, password, "short",
	); problem.KindOf(err) != problem.KindInvalid {
		t.Fatal(err)
	}
	b.signedIn(t, there)
	copied := &browser{cookies: map[string]*http.Cookie{"rowhouse_session": here.cookies["rowhouse_session"]}}
	w := httptest.NewRecorder()
	if err := b.ChangePassword(w, here.request(t), session, password, next); err != nil {
		t.Fatal(err)
	}
	b.signedOut(t, here) // the old token
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

func TestRenameAppliesImmediately(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	b.signedIn(t, br)
	if _, err := b.ChangeProfile(t.Context(), person, " Kari Hansen ", account.Preferences{}); err != nil {
		t.Fatal(err)
	}
	if name := b.signedIn(t, br).Person.Name; name != "Kari Hansen" {
		t.Fatalf("still %q", name)
	}
}

func TestCanceledSignInsReleaseTheirHashingSlots(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) { d.MaxConcurrentHashes = 1 })
	_, known := b.signUp(t)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { _, _ = b.SignIn(ctx, known, "x", address()) })
	}
	cancel() // canceled calls release their slots
	group.Wait()
	if _, err := b.SignIn(t.Context(), known, password, address()); err != nil {
		t.Fatal(err)
	}
}

func TestSessionAndPasswordChangesAreAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	var br browser
	b.begin(t, &br, person)
	session := b.signedIn(t, &br)
	if err := b.ChangePassword(
		httptest.NewRecorder(), br.request(t), session, password, "another "+password,
	); err != nil {
		t.Fatal(err)
	}
	if err := b.EndSession(t.Context(), person, session.ID); err != nil {
		t.Fatal(err)
	}
	org := session.Person.Orgs[0].Org
	if got := tenancytest.Actions(t, b.DB, org); !slices.Equal(
		got, []string{"create_org", "sign_in", "change_password", "end_session"},
	) {
		t.Errorf("on record: %v", got)
	}
}
