package account_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func (b *testBundle) resetLink(t *testing.T, to string) string {
	t.Helper()
	if err := b.RequestReset(t.Context(), to, address(), ""); err != nil {
		t.Fatal(err)
	}
	return b.mailTo(t, to, "Reset")
}

func TestResetLinkIsSingleUseAndEndsAllSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	token := b.resetLink(t, known)
	const next = "nine calm houses"
	if to, err := b.PeekReset(t.Context(), token); err != nil || to.Email != known {
		t.Fatalf("%+v, %v", to, err)
	}
	if _, err := b.Reset(t.Context(), account.NewPassword{
		Token:    token,
		Password: "short",
	}); problem.KindOf(err) != problem.KindInvalid {
		t.Fatal(err)
	}
	b.signedIn(t, br)
	var worked int
	var mu sync.Mutex
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			got, err := b.Reset(t.Context(), account.NewPassword{Token: token, Password: next})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && got.Person == person:
				worked++
			case problem.KindOf(err) != problem.KindNotFound:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if worked != 1 {
		t.Fatalf("the link worked %d times", worked)
	}
	b.signedOut(t, br)
	if _, err := b.SignIn(t.Context(), known, password, address()); err == nil {
		t.Error("the old password works")
	}
	if _, err := b.SignIn(t.Context(), known, next, address()); err != nil {
		t.Error(err)
	}
	b.begin(t, br, person)
	if !b.signedIn(t, br).Person.Verified {
		t.Error("the address is not confirmed")
	}
	if !slices.Contains(b.revoked, person) {
		t.Error("other credentials of an unconfirmed account were not revoked")
	}
}

func TestResetForAnUnknownAddressReturnsTheSameAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, known := b.signUp(t)
	unknown := email()
	one := b.RequestReset(t.Context(), known, address(), "")
	two := b.RequestReset(t.Context(), unknown, address(), "")
	if one != nil || two != nil {
		t.Fatalf("%v, %v", one, two)
	}
	b.mailTo(t, known, "Reset")
	for _, m := range b.box.Mail() {
		if m.To == unknown {
			t.Error("a mail to an unknown address")
		}
	}
	if err := b.RequestReset(t.Context(), "kari", address(), ""); problem.KindOf(err) != problem.KindInvalid {
		t.Error(err)
	}
}

func TestOnlyTheLatestUnexpiredResetLinkWorks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	first := b.resetLink(t, known)
	second := b.resetLink(t, known)
	for second == first { // the second mail has not arrived
		time.Sleep(5 * time.Millisecond)
		second = b.mailTo(t, known, "Reset")
	}
	dead := map[string]string{
		"the former one":    first,
		"another purpose's": b.mailTo(t, known, "Confirm"),
		"nonsense":          "x\x00",
		"none":              "",
	}
	for name, token := range dead {
		if _, err := b.Reset(t.Context(), account.NewPassword{
			Token:    token,
			Password: "nine calm houses",
		}); problem.KindOf(err) != problem.KindNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(),
			"update rowhouse.mailed_token set expires_at = now() where person_id = $1 and purpose = 'reset'", person)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Reset(t.Context(), account.NewPassword{
		Token:    second,
		Password: "nine calm houses",
	}); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("expired: %v", err)
	}
}

func TestVerificationLinkConfirmsTheAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	if b.signedIn(t, br).Person.Verified {
		t.Fatal("confirmed from the start")
	}
	token := b.mailTo(t, known, "Confirm")
	if to, err := b.VerifyAddress(t.Context(), token); err != nil || to != known {
		t.Fatalf("%q, %v", to, err)
	}
	if got, err := b.Verify(t.Context(), account.Confirmation{Token: token, Session: b.signedIn(t, br)}); err != nil ||
		got != person {
		t.Fatalf("%v, %v", got, err)
	}
	session := b.signedIn(t, br)
	if !session.Person.Verified {
		t.Fatal("not confirmed")
	}
	if _, err := b.Verify(t.Context(), account.Confirmation{
		Token:   token,
		Session: session,
	}); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("twice: %v", err)
	}
	if err := b.RequestVerification(t.Context(), session.Person, ""); problem.KindOf(err) != problem.KindConflict {
		t.Errorf("again: %v", err)
	}
}

// invitation creates an invitation as the member operation does, and returns its token.
func (b *testBundle) invitation(t *testing.T, org, by uuid.UUID, email string, role organization.Role) (token string) {
	t.Helper()
	token = uuid.NewString()
	hash := credential.HashOf(token)
	err := b.DB.Tx(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(),
			`insert into rowhouse.invitation (org_id, id, email, role, token_hash, invited_by, expires_at)
			values ($1, $2, $3, $4, $5, $6, now() + interval '1 hour')
			on conflict (org_id, email) where accepted_at is null do update
			set token_hash = excluded.token_hash, role = excluded.role`,
			org, id.New(), email, role, hash[:], by)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestInvitedPersonSignsUpAsConfirmedMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org, owner := tenancytest.Org(t, b.DB)
	to := email()
	token := b.invitation(t, org, owner, to, organization.Editor)
	invitation, err := b.Invitation(t.Context(), token)
	if err != nil || invitation.Account || invitation.Email != to || invitation.InvitedBy != "Test Person" ||
		invitation.OrgName != "Test Organization" {
		t.Fatalf("%+v, %v", invitation, err)
	}
	proof, err := b.SignUp(t.Context(), account.Registration{
		Name: "Per", Email: "eve@example.com", Password: password, Invitation: token, Address: address(),
	})
	if err != nil {
		t.Fatal(err)
	}
	br := &browser{}
	b.begin(t, br, proof.Person)
	got := b.signedIn(t, br).Person
	if got.Email != to || !got.Verified || len(got.Orgs) != 1 || got.Orgs[0].Org != org ||
		got.Orgs[0].Role != organization.Editor {
		t.Fatalf("%+v", got)
	}
	if _, err := b.Invitation(t.Context(), token); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("it can be used again: %v", err)
	}
}

func TestInvitationIsBoundToItsAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org, owner := tenancytest.Org(t, b.DB)
	person, known := b.signUp(t)
	eve, _ := b.signUp(t)
	token := b.invitation(t, org, owner, known, organization.Admin)
	one, other := &browser{}, &browser{}
	b.begin(t, one, person)
	b.begin(t, other, eve)
	if _, err := b.Accept(t.Context(), token, b.signedIn(t, other)); problem.KindOf(err) != problem.KindForbidden {
		t.Fatalf("eve: %v", err)
	}
	if _, err := b.Accept(t.Context(), token, b.signedIn(t, one)); err != nil {
		t.Fatal(err)
	}
	got := b.signedIn(t, one).Person
	if len(got.Orgs) != 2 || !got.Verified {
		t.Fatalf("%+v", got)
	}
	if p := b.signedIn(t, one).Principal(); p.Role(org) != organization.Admin {
		t.Fatalf("%+v", p)
	}
	// A lower role does not replace a higher one.
	token = b.invitation(t, org, owner, known, organization.Viewer)
	if _, err := b.Accept(t.Context(), token, b.signedIn(t, one)); err != nil {
		t.Fatal(err)
	}
	if p := b.signedIn(t, one).Principal(); p.Role(org) != organization.Admin {
		t.Fatalf("%+v", p)
	}
}

func TestEveryLinkOfARenewedInvitationGrantsItsCurrentRole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org, owner := tenancytest.Org(t, b.DB)
	to := email()
	invite := func(role organization.Role) string {
		t.Helper()
		_, token, err := organization.Invite(t.Context(), b.DB, org, organization.Owner, owner, to, role, nil)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	first, second, third := invite(organization.Owner), invite(organization.Editor), invite(organization.Viewer)
	for _, token := range []string{first, second, third} {
		if got, err := b.Invitation(t.Context(), token); err != nil || got.Role != organization.Viewer {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	// The link of the first mail grants the role of the last invitation.
	person, err := b.SignUp(t.Context(), account.Registration{
		Name:       "Per",
		Password:   password,
		Invitation: first,
		Address:    address(),
	})
	if err != nil {
		t.Fatal(err)
	}
	br := &browser{}
	b.begin(t, br, person.Person)
	if got := b.signedIn(t, br).Principal(); got.Role(org) != organization.Viewer {
		t.Fatalf("the role is %q", got.Role(org))
	}
	for _, token := range []string{first, second, third} {
		if _, err := b.Invitation(t.Context(), token); problem.KindOf(err) != problem.KindNotFound {
			t.Errorf("a link works after the invitation was accepted: %v", err)
		}
	}
}

func TestRenewalDoesNotRestoreExpiredInvitationLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org, owner := tenancytest.Org(t, b.DB)
	to := email()
	_, former, err := organization.Invite(t.Context(), b.DB, org, organization.Owner, owner, to,
		organization.Editor, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = b.DB.Tx(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(),
			"update rowhouse.invitation set expires_at = now() - interval '1 hour' where org_id = $1", org)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, fresh, err := organization.Invite(t.Context(), b.DB, org, organization.Owner, owner, to,
		organization.Editor, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Invitation(t.Context(), former); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("the former link: %v", err)
	}
	if _, err := b.Invitation(t.Context(), fresh); err != nil {
		t.Errorf("the new link: %v", err)
	}
}
