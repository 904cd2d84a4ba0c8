package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A foreigner is a browser that asks for German.
type foreigner struct{ *browser }

func (v foreigner) get(t *testing.T, path string) page {
	t.Helper()
	return v.send(t, http.MethodGet, path, "", "", "Accept-Language", "de-AT,de;q=0.9")
}

func (v foreigner) post(t *testing.T, path string, values url.Values) page {
	t.Helper()
	const form = "application/x-www-form-urlencoded"
	return v.send(t, http.MethodPost, path, form, values.Encode(), "Accept-Language", "de")
}

func TestPeopleSignInInTheirLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	known := s.newBrowser()
	email := known.signUp(t)
	org := s.orgIDOf(t, email)
	v := foreigner{s.newBrowser()}

	v.get(t, "/sign-up").wantPage(t, 200, `<html lang="de">`, "Konto erstellen", "Ihr Name", "Mindestens 10 Zeichen")
	v.get(t, "/sign-in?after=sign-out").wantPage(t, 200, "Sie sind abgemeldet.", "Passwort vergessen?")
	v.get(t, "/forgot-password?sent=1").wantPage(t, 200, "Sehen Sie in Ihrem Postfach nach", "Er gilt eine Stunde.")
	v.get(t, "/forgot-password").wantPage(t, 200, "Passwort zurücksetzen")
	v.get(t, "/nothing").wantPage(t, 404, "Seite nicht gefunden", "Unter /nothing gibt es keine Seite.", "Weiter")
	v.get(t, "/reset-password?token=none").wantPage(t, 404, "Dieser Link gilt nicht mehr")
	v.get(t, s.invitation(t, org, s.personIDOf(t, email), newEmail(), organization.Editor)).
		wantPage(t, 200, "Nordmann & Co beitreten", "Kari Nordmann lädt Sie ein", "Ihre Rolle: Bearbeiter.")
	v.get(t, s.invitation(t, org, s.personIDOf(t, email), email, organization.Viewer)).
		wantPage(t, 200, "Es gibt ein Konto für "+email)

	v.post(t, "/sign-in", url.Values{"email": {email}, "password": {"wrong wrong"}}).
		wantPage(t, 401, "Die E-Mail-Adresse oder das Passwort ist falsch.")
	for wrong, said := range map[string]string{
		"short":       "Es braucht mindestens 10 Zeichen.",
		"password123": "100.000 Passwörter",
		"Ola Ola Ola": "Es darf nicht Ihr Name oder Ihre Adresse sein.",
	} {
		v.post(t, "/sign-up", url.Values{"name": {"Ola Ola Ola"}, "email": {"kari"}, "password": {wrong}}).
			wantPage(t, 400, said, "Bitte ausfüllen.", "Es muss eine E-Mail-Adresse sein")
	}
	french := func(path string, values url.Values) page {
		const form = "application/x-www-form-urlencoded"
		return v.send(t, http.MethodPost, path, form, values.Encode(), "Accept-Language", "fr")
	}
	french("/sign-up", url.Values{"email": {"kari"}}).wantPage(t, 400, ">À remplir.<", `<html lang="fr">`)
	v.post(t, "/sign-up", url.Values{
		"name": {"Eve"}, "organization": {"Eve"}, "email": {email}, "password": {"eight tall fences"},
	}).wantPage(t, 409, "Diese E-Mail-Adresse hat schon ein Konto.", "Damit gibt es schon ein Konto.")
	v.get(t, s.waitForMail(t, email, "Confirm your e-mail address")).
		wantPage(t, 200, "Adresse bestätigen", "Das Passwort des Kontos mit dieser Adresse.")
}

// A mail that somebody asked for at a page is in the language of the page.
func TestMailsOfPagesAreInTheirLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v, email := foreigner{s.newBrowser()}, newEmail()
	v.post(t, "/sign-up", url.Values{
		"name": {"Kari"}, "organization": {"Haus"}, "email": {email}, "password": {"eight tall fences"},
	})
	s.waitForMail(t, email, "Bestätigen Sie Ihre E-Mail-Adresse")
	const form = "application/x-www-form-urlencoded"
	v.send(t, http.MethodPost, "/forgot-password", form, url.Values{"email": {email}}.Encode(), "Accept-Language",
		"fr-CA, en;q=0.5")
	v.get(t, s.waitForMail(t, email, "Réinitialisez votre mot de passe")).wantPage(t, 200, "Neues Passwort wählen")
	v.send(t, http.MethodPost, "/account/api/verification", "application/json", "{}", "Accept-Language", "fr")
	s.waitForMail(t, email, "Confirmez votre adresse e-mail")
	next := newEmail()
	v.send(t, http.MethodPost, "/account/api/email", "application/json",
		`{"email":"`+next+`","password":"eight tall fences"}`, "Accept-Language", "fr")
	s.waitForMail(t, next, "Utilisez cette adresse e-mail pour votre compte")
}
