package account_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func (b *testBundle) reset(t *testing.T, known, password string) {
	t.Helper()
	if _, err := b.Reset(t.Context(), account.NewPassword{
		Token:    b.resetLink(t, known),
		Password: password,
	}); err != nil {
		t.Fatal(err)
	}
}

// A proof from before a reset must not start a session.
func TestProofIsInvalidAfterAPasswordReset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, known := b.signUp(t)
	proof, err := b.SignIn(t.Context(), known, password, address())
	if err != nil {
		t.Fatal(err)
	}
	b.reset(t, known, "nine calm houses")
	w := httptest.NewRecorder()
	if err := b.Begin(w, (&browser{}).request(t), proof); problem.KindOf(err) != problem.KindUnauthenticated ||
		len(w.Result().Cookies()) > 0 {
		t.Fatalf("%v, cookies %v", err, w.Result().Cookies())
	}
}

// A password change that began before a reset must not undo the reset.
func TestConcurrentPasswordChangeDoesNotOverwriteAReset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	session := b.signedIn(t, br)
	b.reset(t, known, "nine calm houses")
	if err := b.ChangePassword(
		httptest.NewRecorder(), br.request(t), session, "nine calm houses", "theirs from now on, always",
	); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("an ended session changed the password: %v", err)
	}
	if _, err := b.SignIn(t.Context(), known, "nine calm houses", address()); err != nil {
		t.Error(err)
	}
}

// The session of a request may end during the request.
func TestEndedSessionCannotAcceptAnInvitation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org, owner := tenancytest.Org(t, b.DB)
	person, known := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	session := b.signedIn(t, br)
	token := b.invitation(t, org, owner, known, organization.Admin)
	if err := b.EndSession(t.Context(), person, session.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Accept(t.Context(), token, session); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Fatal(err)
	}
	if _, err := b.Invitation(t.Context(), token); err != nil {
		t.Errorf("the invitation was used up: %v", err)
	}
}

// An attacker signed up with the address of another person, who opens the link and submits the
// form.
func TestVerificationRequiresSessionOrPasswordWithTheLink(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	other, _ := b.signUp(t)
	holder, outsider := &browser{}, &browser{}
	b.begin(t, holder, person)
	b.begin(t, outsider, other)
	token := b.mailTo(t, known, "Confirm")
	for name, answer := range map[string]account.Confirmation{
		"nothing":            {},
		"a wrong password":   {Password: "eight calm houses"},
		"another's session":  {Session: b.signedIn(t, outsider)},
		"another's password": {Session: b.signedIn(t, outsider), Password: "nine calm houses"},
	} {
		answer.Token, answer.Request = token, at(t, &browser{}, address())
		if _, err := b.Verify(t.Context(), answer); problem.KindOf(err) != problem.KindUnauthenticated {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b.signedIn(t, holder).Person.Verified {
		t.Fatal("the address was confirmed")
	}
	ended := b.signedIn(t, outsider)
	ended.Person.ID = person // an ended session of the account
	if _, err := b.Verify(t.Context(), account.Confirmation{
		Token:   token,
		Session: ended,
	}); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("an ended session: %v", err)
	}
	if _, err := b.Verify(
		t.Context(), account.Confirmation{Token: token, Password: password, Request: at(t, &browser{}, address())},
	); err != nil {
		t.Fatal(err)
	}
	if !b.signedIn(t, holder).Person.Verified {
		t.Error("the password of the account did not confirm the address")
	}
	b.mailTo(t, known, "is confirmed")
}

// A reset revokes keys and connected apps, unless the person of a confirmed account keeps them.
func TestResetRevokesKeysAndAppsUnlessKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ confirmed, keep, ends bool }{
		"by default":                       {confirmed: true, ends: true},
		"kept":                             {confirmed: true, keep: true},
		"kept, but never confirmed before": {keep: true, ends: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			person, known := b.signUp(t)
			if c.confirmed {
				token := b.mailTo(t, known, "Confirm")
				if _, err := b.Verify(t.Context(), account.Confirmation{
					Token:    token,
					Password: password,
					Request:  at(t, &browser{}, address()),
				}); err != nil {
					t.Fatal(err)
				}
			}
			next := account.NewPassword{
				Token:           b.resetLink(t, known),
				Password:        "nine calm houses",
				KeepCredentials: c.keep,
			}
			if _, err := b.Reset(t.Context(), next); err != nil {
				t.Fatal(err)
			}
			if ended := slices.Contains(b.revoked, person); ended != c.ends {
				t.Errorf("keys and apps ended: %v", ended)
			}
		})
	}
}

// Other credentials are revoked in the same transaction: when that fails, nothing changes.
func TestResetIsAtomic(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) {
		d.RevokeCredentials = func(context.Context, pgx.Tx, uuid.UUID, account.RevocationScope) (func(), error) {
			return nil, errors.New("no")
		}
	})
	person, known := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	token := b.resetLink(t, known)
	if _, err := b.Reset(t.Context(), account.NewPassword{Token: token, Password: "nine calm houses"}); err == nil {
		t.Fatal("no error")
	}
	b.signedIn(t, br)
	if _, err := b.PeekReset(t.Context(), token); err != nil {
		t.Errorf("the link is used up: %v", err)
	}
	if _, err := b.SignIn(t.Context(), known, password, address()); err != nil {
		t.Error(err)
	}
}

func TestReauthenticatedAfterRecentSignInOrWithThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	session := b.signedIn(t, br)
	if recent, err := b.Reauthenticated(t.Context(), session, ""); err != nil || !recent {
		t.Errorf("just signed in: %v, %v", recent, err)
	}
	session.Created = session.Created.Add(-time.Hour)
	if recent, err := b.Reauthenticated(t.Context(), session, ""); err != nil || recent {
		t.Errorf("an hour later: %v, %v", recent, err)
	}
	if recent, err := b.Reauthenticated(
		t.Context(), session, password+"!",
	); problem.KindOf(err) != problem.KindInvalid || recent {
		t.Errorf("with a wrong password: %v, %v", recent, err)
	}
	if recent, err := b.Reauthenticated(t.Context(), session, password); err != nil || !recent {
		t.Errorf("with the password: %v, %v", recent, err)
	}
}

// Fails without the comparison with other browsers in recognizeDevice, and without the cookie.
func TestSignInFromANewDeviceSendsANotice(t *testing.T) {
	t.Parallel()
	b, notices := setupCounting(t)
	person, known := b.signUp(t)
	first, second := &browser{}, &browser{}
	for range 2 {
		b.begin(t, first, person)
	}
	w := httptest.NewRecorder()
	if err := b.SignOut(w, first.request(t)); err != nil {
		t.Fatal(err)
	}
	first.keep(w)
	b.begin(t, first, person)
	b.begin(t, second, person)
	b.mailTo(t, known, "A new browser")
	b.begin(t, second, person)
	b.begin(t, first, person)
	if count := notices(); count != 1 {
		t.Errorf("%d notices", count)
	}
}
