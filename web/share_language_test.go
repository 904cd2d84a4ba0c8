package web_test

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web"
)

// readIn reads a page as a browser that asks for a language, or sends it a form.
func (m *shareFixture) readIn(t *testing.T, language, address string, form url.Values) (page string) {
	t.Helper()
	method, body := http.MethodGet, io.Reader(nil)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Language", language)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if vary := response.Header.Values("Vary"); !strings.Contains(strings.Join(vary, ","), "Accept-Language") {
		t.Errorf("%s varies by %q", address, vary)
	}
	return html.UnescapeString(string(content))
}

func wantWords(t *testing.T, what, page string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(page, word) {
			t.Errorf("%s lacks %q: %s", what, word, page)
		}
	}
}

func TestSharedPagesAreInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	days := schema.ViewConfig{"startFieldId": m.id("Begins")}
	m.show(t, schema.Calendar, days, "")
	address := m.URL + web.SharePath + "/" + m.share
	page := m.readIn(t, "de-CH,en;q=0.5", address+"?month=2026-03", nil)
	wantWords(t, "a calendar", page, `<html lang="de">`, "März 2026", "Sonntag, 1. März", "Nur lesen",
		"Als Tabelle anzeigen", `aria-label="Datensätze durchsuchen"`, "Geteilt über")
	page = m.readIn(t, "fr", address+"?as=table&q=zebra", nil)
	wantWords(t, "a table", page, `<html lang="fr">`, "Aucun enregistrement ne contient «\u00a0zebra\u00a0».",
		"Afficher en calendrier", "0 enregistrement<")
	page = m.readIn(t, "de", address+"1", nil)
	wantWords(t, "no share", page, "Nicht gefunden", "Dieser Link führt zu keiner Base")
	page = m.readIn(t, "es", address, nil)
	wantWords(t, "another language", page, `<html lang="en">`, "Read only")
}

func TestFormsAreInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	m := newFormFixture(t, "")
	page := m.readIn(t, "de", m.page(), nil)
	wantWords(t, "a form", page, `<html lang="de">`, `data-label="Absenden"`, "(Pflicht)",
		`"place":"Seite {page} von {pages}"`, "Erstellt mit", "Senden Sie nie Passwörter")
	challenge := m.challenge(t)
	wrong := m.answer(challenge, map[string]string{"Kind": "Soup", "Stars": "9"})
	page = m.readIn(t, "de", m.page(), wrong)
	wantWords(t, "wrong answers", page, "Bitte sehen Sie sich einige Antworten noch einmal an.",
		"Bitte ausfüllen.", "Wählen Sie eine ganze Zahl von 1 bis 5.")
	wrong.Set("solution", "1")
	page = m.readIn(t, "fr", m.page(), wrong)
	wantWords(t, "an unsolved challenge", page, "Le contrôle contre le spam n’était pas terminé.")
	page = m.readIn(t, "fr", m.page(), m.answer(challenge, map[string]string{"Kind": "Soup", "Dish": "Borscht"}))
	wantWords(t, "an answer", page, "Merci. Votre réponse a été envoyée.", "Envoyer une autre réponse")
	m.configure(t, m.view, schema.ViewConfig{"closesTime": []byte(`"2020-01-01T00:00:00Z"`)})
	page = m.readIn(t, "de", m.page(), nil)
	wantWords(t, "a closed form", page, "Dieses Formular nimmt keine Antworten mehr an.")
	m.configure(t, m.view, schema.ViewConfig{"closedMessage": []byte(`"Come again in spring."`)})
	page = m.readIn(t, "de", m.page(), nil)
	wantWords(t, "what the owner wrote", page, "Come again in spring.")
}
