package web_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/web"
)

// sendTo posts to an address of the form and returns where the page after it is.
func (m *formFixture) sendTo(t *testing.T, address string, body url.Values) (status int, location string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := toSend.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode, response.Header.Get("Location")
}

var editPattern = regexp.MustCompile(`href="([^"]+answer=[^"]+)"`)

func TestPeopleChangeTheirAnswerToAPublicForm(t *testing.T) {
	t.Parallel()
	m := newFormFixture(t, `{"editAnswers":true,"maxAnswers":1,"redirectUrl":"https://example.com/thanks"}`)
	status, location := m.sendTo(t, m.page(), m.answer(m.challenge(t), map[string]string{
		"Kind": "Soup", "Dish": "Chowder", "Stars": "4", "Source": "https://example.com/",
	}))
	if status != http.StatusSeeOther {
		t.Fatalf("the answer: %d", status)
	}
	_, page := m.get(t, m.URL+location)
	found := editPattern.FindStringSubmatch(page)
	if found == nil || strings.Contains(page, `http-equiv="refresh"`) {
		t.Fatalf("after the answer: %s", page)
	}
	link := m.URL + html.UnescapeString(found[1])
	_, page = m.get(t, link) // although the form is full
	for _, part := range []string{`value="Chowder"`, `value="4" checked`, `value="Soup" checked`} {
		if !strings.Contains(page, part) {
			t.Errorf("the answer lacks %s: %s", part, page)
		}
	}
	if action := `action="` + strings.TrimPrefix(html.EscapeString(link), m.URL); !strings.Contains(page, action) {
		t.Errorf("the answer is not sent to %s: %s", action, page)
	}
	if strings.Contains(page, "73217321") || strings.Contains(page, "Cost") {
		t.Errorf("the answer shows what the form does not ask for: %s", page)
	}
	// A member changes what the form does not ask for, and what only the URL gives.
	before := m.records(t)
	if len(before) != 1 {
		t.Fatalf("the records are %s", before)
	}
	body := m.answer(m.challengeAt(t, link), map[string]string{
		"Kind": "Fish", "Dish": "Turbot", "Source": "https://example.com/other",
	})
	body.Set(m.field("Cost").PublicID(), "12")
	status, location = m.sendTo(t, link, body)
	if status != http.StatusSeeOther || !strings.Contains(location, "sent=1") {
		t.Errorf("the change: %d %s", status, location)
	}
	all := m.records(t)
	// Stars of no soup are not asked for any more; the value of the link stays.
	if len(all) != 1 || !strings.Contains(all[0], `"Turbot"`) || !strings.Contains(all[0], `"Stars":null`) ||
		!strings.Contains(all[0], `"https://example.com/"`) || strings.Contains(all[0], `"Cost":12`) {
		t.Errorf("the records are %s", all)
	}
	if status, _ = m.sendTo(t, link, m.answer(m.challengeAt(t, link), map[string]string{"Kind": "Fish"})); status !=
		http.StatusBadRequest {
		t.Errorf("a change that lacks what is required: %d", status)
	}

	late := m.answer(m.challengeAt(t, link), map[string]string{"Kind": "Fish", "Dish": "Late"})
	stop := func(what string, status int) {
		t.Helper()
		if got, _ := m.sendTo(t, link, late); got != status {
			t.Errorf("%s: the change is answered %d", what, got)
		}
		if got, page := m.get(t, link); strings.Contains(page, "<form") || strings.Contains(page, "Turbot") {
			t.Errorf("%s: %d %s", what, got.StatusCode, page)
		}
	}
	m.configure(t, m.view, schema.ViewConfig{"closesTime": json.RawMessage(`"2020-01-01T00:00:00Z"`)})
	stop("a closed form", http.StatusConflict)
	m.configure(t, m.view, schema.ViewConfig{
		"closesTime": json.RawMessage(`""`), "editAnswers": json.RawMessage("false"),
	})
	stop("a form without changes", http.StatusNotFound)
	m.configure(t, m.view, schema.ViewConfig{"editAnswers": json.RawMessage("true")})
	good := link
	link = strings.Replace(good, "answer=rec_", "answer=rec_0", 1)
	stop("another record", http.StatusNotFound)
	link = good
	share, err := m.shares.EnableView(t.Context(), m.org, m.view.ID,
		organization.ViewShareDraft{Person: m.person, Regenerate: true})
	if err != nil {
		t.Fatal(err)
	}
	stop("a replaced share", http.StatusNotFound)
	link = strings.Replace(link, m.share, share.ID, 1)
	stop("a token of another share", http.StatusNotFound)
	if all := m.records(t); len(all) != 1 || strings.Contains(all[0], "Late") {
		t.Errorf("the records are %s", all)
	}
}

func (m *formFixture) challengeAt(t *testing.T, address string) string {
	t.Helper()
	_, body := m.get(t, address)
	found := challengePattern.FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("no challenge in %s", body)
	}
	return html.UnescapeString(found[1])
}

func TestCreatorsSeeAFormBeforeItIsShared(t *testing.T) {
	t.Parallel()
	m := newFormFixture(t, "")
	if err := m.shares.DisableView(t.Context(), m.org, m.view.ID); err != nil {
		t.Fatal(err)
	}
	editor := tenancytest.Person(t, m.db)
	if err := tenancytest.Join(t, m.db, m.org, editor, organization.Editor); err != nil {
		t.Fatal(err)
	}
	_, stranger := tenancytest.Org(t, m.db)
	preview := m.URL + web.SharePath + "/preview/" + id.Format(id.Org, m.org) + "/" + m.view.PublicID()
	for what, one := range map[string]struct {
		person string
		status int
	}{
		"a creator":        {m.person.String(), http.StatusOK},
		"an editor":        {editor.String(), http.StatusNotFound},
		"another's member": {stranger.String(), http.StatusNotFound},
		"nobody":           {"", http.StatusUnauthorized},
	} {
		got, page := m.get(t, preview, "Test-Person", one.person)
		shown := strings.Contains(page, "This is a preview") && strings.Contains(page, "How good is the soup?")
		solvable := challengePattern.MatchString(page)
		if got.StatusCode != one.status || shown != (one.status == http.StatusOK) || solvable {
			t.Errorf("%s: %d %s", what, got.StatusCode, page)
		}
	}
}
