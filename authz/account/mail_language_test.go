package account_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailtext"
	"github.com/rowhouse/rowhouse/tenancy/comment"
)

// choose has a person choose a language.
func (b *testBundle) choose(t *testing.T, person uuid.UUID, language string) {
	t.Helper()
	if _, err := b.ChangeProfile(t.Context(), person, "Kari", account.Preferences{Language: language}); err != nil {
		t.Fatal(err)
	}
}

// wantMail waits for a mail with a subject that says something.
func (b *testBundle) wantMail(t *testing.T, to, subject, said string) {
	t.Helper()
	if m := b.mailAbout(t, to, subject); !strings.Contains(m.Text, said) {
		t.Errorf("no %q in %s", said, m.Text)
	}
}

func TestEveryLanguageHasMails(t *testing.T) {
	t.Parallel()
	if len(mailtext.All) != len(account.Languages) {
		t.Errorf("mails are in %d languages, and people choose among %d", len(mailtext.All), len(account.Languages))
	}
	for _, language := range account.Languages {
		if got := mailtext.For(language).Tag; got != language {
			t.Errorf("the mails of %s are in %s", language, got)
		}
	}
}

// The language that a person chose counts more than that of the page.
func TestMailsAreInTheLanguageThatThePersonChose(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) {
		d.CommentLetter = func(_ context.Context, _, notice uuid.UUID) (*comment.Letter, error) {
			return &comment.Letter{Person: notice, Reason: comment.Reply, Author: "Ola", Title: "Solveig"}, nil
		}
	})
	person, to := b.signUp(t)
	b.mailAbout(t, to, "Confirm your e-mail address")
	b.choose(t, person, "de")
	br := &browser{}
	b.begin(t, br, person)
	session := b.signedIn(t, br)

	if err := b.RequestVerification(t.Context(), session.Person, "fr"); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Bestätigen Sie Ihre E-Mail-Adresse", "Guten Tag Kari,\n\nbitte bestätigen Sie")
	token := b.mailTo(t, to, "Bestätigen Sie Ihre E-Mail-Adresse")
	if _, err := b.Verify(t.Context(), account.Confirmation{Token: token, Session: session}); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Ihre E-Mail-Adresse ist bestätigt", "gerade für Ihr Konto bestätigt.")

	if err := b.RequestReset(t.Context(), to, address(), "fr"); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Passwort zurücksetzen", " gilt eine Stunde.")

	next := email()
	if err := b.RequestAddress(t.Context(), session, next, password, "fr"); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, next, "Diese E-Mail-Adresse für Ihr Konto verwenden", " gilt einen Tag.")

	if err := b.Comment(t.Context(), uuid.New(), person); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Ola hat in einer Diskussion geantwortet", "\nDatensatz: Solveig\n")

	token = b.mailTo(t, to, "Passwort zurücksetzen")
	if _, err := b.Reset(t.Context(), account.NewPassword{Token: token, Password: "eleven calm houses"}); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Ihr Passwort wurde zurückgesetzt", "alle API-Schlüssel und verbundenen Apps widerrufen. (")
	b.begin(t, br, person)
	session = b.signedIn(t, br)
	if err := b.ChangePassword(
		httptest.NewRecorder(), br.request(t), session, "eleven calm houses", password,
	); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Ihr Passwort wurde geändert", " Uhr UTC)\n\nWenn Sie das nicht waren")

	b.begin(t, br, person)
	if err := b.DeleteAccount(t.Context(), b.signedIn(t, br), password,
		func(context.Context) error { return nil }); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Ihr Konto wurde gelöscht", "Guten Tag Kari,\n\nIhr Konto wurde gerade gelöscht")
}

func TestMailIsInTheLanguageOfThePageIfThePersonChoseNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	to := email()
	proof, err := b.SignUp(t.Context(), account.Registration{
		Name: "Kari", Email: to, Password: password, Organization: "House", Address: address(), Language: "fr",
	})
	if err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Confirmez votre adresse e-mail", "Bonjour Kari,\n\nPour confirmer")
	if err := b.RequestReset(t.Context(), to, address(), "fr"); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Réinitialisez votre mot de passe", "rien n’a changé.")
	for language, subject := range map[string]string{
		"": "Reset your password", "es": "Reset your password", "de": "Passwort zurücksetzen",
	} {
		_, other := b.signUp(t)
		if err := b.RequestReset(t.Context(), other, address(), language); err != nil {
			t.Fatal(err)
		}
		b.mailAbout(t, other, subject)
	}

	br := &browser{}
	b.begin(t, br, proof.Person)
	session, next := b.signedIn(t, br), email()
	if err := b.RequestVerification(t.Context(), session.Person, "de"); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Bestätigen Sie Ihre E-Mail-Adresse", "Der Link gilt 7 Tage.")
	if err := b.RequestAddress(t.Context(), session, next, password, "de"); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, next, "Diese E-Mail-Adresse für Ihr Konto verwenden", "Guten Tag Kari,")
	// What no page asked for is in English.
	if err := b.ChangePassword(
		httptest.NewRecorder(), br.request(t), session, password, "eleven calm houses",
	); err != nil {
		t.Fatal(err)
	}
	b.wantMail(t, to, "Your password was changed", "Hello Kari,")
}

// An invitation is in the language of whoever is invited, or else in that of the inviter.
func TestLanguageOfAnInvitation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const noAccount = "no account"
	for _, one := range []struct{ invited, inviter, subject string }{
		{"de", "fr", "Einladung zu „Nordmann“"},
		{"en", "de", "Invitation to Nordmann"},
		{"", "fr", "Invitation à rejoindre «\u00a0Nordmann\u00a0»"},
		{noAccount, "de", "Einladung zu „Nordmann“"},
		{"", "", "Invitation to Nordmann"},
		{noAccount, "", "Invitation to Nordmann"},
	} {
		inviter, org := b.inviter(t, "Kari", "Nordmann", true)
		b.choose(t, inviter, one.inviter)
		to := email()
		if one.invited != noAccount {
			var invited uuid.UUID
			invited, to = b.signUp(t)
			b.choose(t, invited, one.invited)
		}
		if err := b.invite(t, org, inviter, to); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Invitation(t.Context(), b.mailTo(t, to, one.subject)); err != nil {
			t.Errorf("%+v: %v", one, err)
		}
	}
}
