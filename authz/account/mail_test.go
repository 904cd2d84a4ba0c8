package account_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// invite invites an address as the operation does.
func (b *testBundle) invite(t *testing.T, org, inviter uuid.UUID, to string) error {
	t.Helper()
	announce, err := b.Invite(t.Context(), inviter, org, to)
	if err != nil {
		return err
	}
	_, _, err = organization.Invite(t.Context(), b.DB, org, organization.Owner, inviter, to,
		organization.Viewer, announce)
	return err
}

// inviter creates an owner of an organization, with or without a confirmed address.
func (b *testBundle) inviter(t *testing.T, name, organization string, confirmed bool) (person, org uuid.UUID) {
	t.Helper()
	proof, err := b.SignUp(t.Context(), account.Registration{
		Name: name, Email: email(), Password: password, Organization: organization, Address: address(),
	})
	if err != nil {
		t.Fatal(err)
	}
	person = proof.Person
	if confirmed {
		if err := b.TrustAddress(t.Context(), person); err != nil {
			t.Fatal(err)
		}
	}
	br := &browser{}
	b.begin(t, br, person)
	return person, b.signedIn(t, br).Person.Orgs[0].Org
}

// awaitMail waits for a mail to an address and returns it.
func (b *testBundle) awaitMail(t *testing.T, to string) account.Message {
	t.Helper()
	for range 4000 {
		for _, m := range b.box.Mail() {
			if m.To == to {
				return m.Message
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("no mail came to %s", to)
	return account.Message{}
}

func TestInvitationMailContainsAWorkingLink(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, org := b.inviter(t, "Kari", "Nordmann", true)
	to := email()
	if err := b.invite(t, org, person, to); err != nil {
		t.Fatal(err)
	}
	m := b.awaitMail(t, to)
	if m.Subject != "Invitation to Nordmann" || !strings.Contains(m.Text, "Kari invites you to join Nordmann") {
		t.Fatalf("%+v", m)
	}
	if _, err := b.Invitation(t.Context(), b.mailTo(t, to, "Invitation")); err != nil {
		t.Fatal(err)
	}
}

func TestUnconfirmedPersonCannotInvite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, org := b.inviter(t, "Eve", "Eve's", false)
	err := b.invite(t, org, person, email())
	var e *problem.Error
	if !errors.As(err, &e) || e.Code != "unconfirmed_address" ||
		!strings.Contains(e.Message, "Confirm your own e-mail address") {
		t.Fatal(err)
	}
}

func TestNamesInMailsContainNoLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, org := b.inviter(t, "Win at https://evil.example/?x", "www.evil.example call admin@evil.example", true)
	to := email()
	if err := b.invite(t, org, person, to); err != nil {
		t.Fatal(err)
	}
	m := b.awaitMail(t, to)
	text := strings.ReplaceAll(strings.ReplaceAll(m.Subject+"\n"+m.Text, "http://127.0.0.1:8080/", ""), to, "")
	for _, link := range []string{"evil.example", "://", "www.", "@evil", "admin@"} {
		if link != "www." && link != "admin@" && strings.Contains(text, link) || strings.Contains(text, "www.e") ||
			strings.Contains(text, "admin@e") {
			t.Errorf("%q in %s", link, text)
		}
	}
}

// blocked is a mailer that blocks on invitations until release is closed.
type blocked struct {
	mailer.Box

	release chan struct{}
	mu      sync.Mutex
	order   []string
}

func (m *blocked) Send(ctx context.Context, message account.Message) error {
	if strings.Contains(message.Subject, "Invitation") {
		select {
		case <-m.release:
		case <-ctx.Done():
			return ctx.Err()
		}
		m.mu.Lock()
		m.order = append(m.order, message.To)
		m.mu.Unlock()
	}
	return m.Box.Send(ctx, message)
}

func TestInvitationBacklogDelaysNoOtherMail(t *testing.T) {
	t.Parallel()
	mail := &blocked{release: make(chan struct{})}
	b := setup(t, func(d *account.Deps) { d.Mailer = mail })
	b.box = &mail.Box
	b.CountLocally(t)
	person, org := b.inviter(t, "Kari", "Many", true)
	_, victim := b.signUp(t)
	refused := 0
	for range 130 {
		if err := b.invite(t, org, person, email()); err != nil {
			if problem.KindOf(err) != problem.KindRateLimited || !strings.Contains(err.Error(), "invited as many") {
				t.Fatal(err)
			}
			refused++
		}
	}
	if refused != 30 {
		t.Errorf("%d of 130 invitations of one person were refused", refused)
	}
	other, otherOrg := b.inviter(t, "Ola", "Few", true)
	to := email()
	if err := b.invite(t, otherOrg, other, to); err != nil {
		t.Fatal(err)
	}
	if err := b.RequestReset(t.Context(), victim, address(), ""); err != nil {
		t.Fatal(err)
	}
	b.mailTo(t, victim, "Reset")
	close(mail.release)
	b.awaitMail(t, to)
	mail.mu.Lock()
	defer mail.mu.Unlock()
	if before := len(mail.order); before > 50 {
		t.Errorf("%d mails of another sender came before the first of this one", before)
	}
}

func TestInvitationsPerRecipientAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	to := email()
	for i := range 6 {
		person, org := b.inviter(t, "Kari", "House", true)
		err := b.invite(t, org, person, to)
		if i < 5 && err != nil || i == 5 &&
			(problem.KindOf(err) != problem.KindRateLimited || !strings.Contains(err.Error(), "This address")) {
			t.Errorf("invitation %d of one address: %v", i+1, err)
		}
	}
}

func TestUnqueueableMailIsAnError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, known := b.signUp(t)
	b.DB.Close()
	if err := b.RequestReset(t.Context(), known, address(), ""); problem.KindOf(err) != problem.KindUnavailable {
		t.Errorf("with the database closed: %v", err)
	}
	silent := setup(t, func(d *account.Deps) { d.Mailer = nil })
	for _, to := range []string{known, email()} {
		var e *problem.Error
		if err := silent.RequestReset(t.Context(), to, address(), ""); !errors.As(err, &e) || e.Code != "no_mail" {
			t.Errorf("without a mail server: %v", err)
		}
	}
}

func TestResetMailIsRetried(t *testing.T) {
	t.Parallel()
	mail := &failing{left: 1}
	b := setup(t, func(d *account.Deps) { d.Mailer = mail })
	b.box = &mail.Box
	_, known := b.signUp(t)
	if err := b.RequestReset(t.Context(), known, address(), ""); err != nil {
		t.Fatal(err)
	}
	token := b.mailTo(t, known, "Reset")
	if _, err := b.PeekReset(t.Context(), token); err != nil {
		t.Fatal(err)
	}
}

// failing is a mailer that fails for the first resets.
type failing struct {
	mailer.Box

	mu   sync.Mutex
	left int
}

func (m *failing) Send(ctx context.Context, message account.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left > 0 && strings.Contains(message.Subject, "Reset") {
		m.left--
		return errors.New("451 try again later")
	}
	return m.Box.Send(ctx, message)
}

// Job rows are kept for a while, so they must not contain secrets.
func TestJobRowsContainNoSecret(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, known := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	if err := b.RequestReset(t.Context(), known, address(), ""); err != nil {
		t.Fatal(err)
	}
	secrets := []string{b.mailTo(t, known, "Reset"), b.mailTo(t, known, "Confirm")}
	if err := b.ChangePassword(
		httptest.NewRecorder(), br.request(t), b.signedIn(t, br), password, "eleven calm houses",
	); err != nil {
		t.Fatal(err)
	}
	b.mailTo(t, known, "was changed")
	secrets = append(secrets, "The password of your account was just changed", string(credential.PasswordChanged))
	var rows []json.RawMessage
	err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		found, err := tx.Query(t.Context(),
			"select to_jsonb(j) from river.river_job j where created_at > now() - interval '10 minutes'")
		if err != nil {
			return err
		}
		rows, err = pgx.CollectRows(found, pgx.RowTo[json.RawMessage])
		return err
	})
	if err != nil || len(rows) == 0 {
		t.Fatal(len(rows), err)
	}
	for _, row := range rows {
		for _, secret := range secrets {
			if strings.Contains(string(row), secret) {
				t.Errorf("a job holds %q: %s", secret, row)
			}
		}
	}
}

func openJobs(t *testing.T, prefix string) *job.Client {
	t.Helper()
	jobs, err := job.Open(t.Context(), tenancytest.JobURL(t), job.Options{Queues: account.Queues(), Prefix: prefix})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { jobs.Close(context.Background()) })
	return jobs
}

// setupCounting is setup with a function that counts all notices ever queued, sent or not.
func setupCounting(t *testing.T) (b *testBundle, notices func() int) {
	t.Helper()
	prefix := uuid.NewString() + "_"
	b = setup(t, func(d *account.Deps) { d.Jobs = openJobs(t, prefix) })
	return b, func() (n int) {
		t.Helper()
		err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `select count(*) from river.river_job
				where kind = 'mail_notice' and starts_with(queue, $1)`, prefix).
				Scan(&n)
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

func TestQueuedMailIsSentByAnotherProcess(t *testing.T) {
	t.Parallel()
	var known string
	prefix, secrets := uuid.NewString()+"_", [][]byte{[]byte(tenancytest.Secret)}
	open := func() *job.Client { return openJobs(t, prefix) }
	second := setup(t, func(d *account.Deps) {
		// The first process queues a mail and exits before it is sent.
		deps := *d
		deps.Jobs, deps.Secrets = open(), secrets
		first := account.New(deps)
		t.Cleanup(func() { first.Close(context.Background()) })
		waiting := email()
		if _, err := first.SignUp(t.Context(), account.Registration{
			Name: "Kari", Email: waiting, Password: password, Organization: "House", Address: address(),
		}); err != nil {
			t.Fatal(err)
		}
		known = waiting
		deps.Jobs.Close(t.Context())
		d.Jobs, d.Secrets = open(), secrets
	})
	second.mailTo(t, known, "Confirm")
}

// A renewed invitation is mailed with a new link, and the earlier link remains valid.
func TestEarlierLinksOfARenewedInvitationRemainValid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, org := b.inviter(t, "Kari", "Nordmann", true)
	to := email()
	var tokens []string
	for n := range 3 {
		if err := b.invite(t, org, person, to); err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(20 * time.Second)
		for len(tokens) <= n && time.Now().Before(deadline) {
			time.Sleep(5 * time.Millisecond)
			tokens = nil
			for _, m := range b.box.Mail() {
				if m.To == to {
					tokens = append(tokens, link.FindStringSubmatch(m.Text)[1])
				}
			}
		}
	}
	if len(tokens) != 3 {
		t.Fatalf("%d mails", len(tokens))
	}
	var former int
	err := b.DB.Tx(t.Context(), org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), `select cardinality(former_hashes) from rowhouse.invitation
			where org_id = $1`, org).Scan(&former)
	})
	if err != nil || former != 3 { // two mailed ones, and the initial one of the row
		t.Errorf("%d former links: %v", former, err)
	}
	for i, token := range tokens {
		if _, err := b.Invitation(t.Context(), token); err != nil {
			t.Errorf("link %d: %v", i+1, err)
		}
	}
	// No mail is composed for a revoked invitation.
	invitations, err := organization.ListInvitations(t.Context(), b.DB, org)
	if err != nil || len(invitations) != 1 {
		t.Fatal(invitations, err)
	}
	if err := organization.RevokeInvitation(t.Context(), b.DB, org, invitations[0].ID); err != nil {
		t.Fatal(err)
	}
	if inserted, err := organization.LinkInvitation(
		t.Context(), b.DB, org, invitations[0].ID,
	); inserted != nil || err != nil {
		t.Errorf("a link of a revoked invitation: %v, %v", inserted, err)
	}
	for _, token := range tokens {
		if _, err := b.Invitation(t.Context(), token); problem.KindOf(err) != problem.KindNotFound {
			t.Errorf("a link works after the invitation was revoked: %v", err)
		}
	}
}
