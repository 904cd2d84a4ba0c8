package web_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/web"
)

// A formFixture is a public form that asks for Dish, for Kind, which is required, for Stars of soups, and for
// Source, and not for Cost and Price.
type formFixture struct {
	*shareFixture
	view *schema.View
}

func newFormFixture(t *testing.T, config string) *formFixture {
	t.Helper()
	m := newShareFixture(t, `{"Dish":"Bisque","Kind":"Soup","Cost":73217321}`)
	view, err := m.schema.CreateView(t.Context(), m.org, m.table.ID, catalog.ViewSpec{
		Type: schema.Form, Name: "Suggest a dish", By: schema.Viewer{Person: m.person, Admin: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.configure(t, view, schema.ViewConfig{
		"hiddenFields":   fieldIDs(m.field("Cost"), m.field("Price")),
		"fieldOrder":     fieldIDs(m.field("Kind"), m.field("Dish"), m.field("Stars"), m.field("Source")),
		"requiredFields": fieldIDs(m.field("Kind"), m.field("Dish")),
		"formFields": json.RawMessage(`{
			"Stars":{"label":"How good is the soup?","condition":[{"fieldId":"Kind","op":"eq","value":"Soup"}]},
			"Source":{"urlOnly":true}}`),
	})
	if config != "" {
		var more schema.ViewConfig
		if err := json.Unmarshal([]byte(config), &more); err != nil {
			t.Fatal(err)
		}
		m.configure(t, view, more)
	}
	if err := m.shares.Disable(t.Context(), m.org, m.base); err != nil {
		t.Fatal(err)
	}
	share, err := m.shares.EnableView(t.Context(), m.org, view.ID, organization.ViewShareDraft{Person: m.person})
	if err != nil {
		t.Fatal(err)
	}
	m.share = share.ID
	return &formFixture{m, view}
}

func (m *formFixture) page() string { return m.URL + web.SharePath + "/" + m.share }

var challengePattern = regexp.MustCompile(`name="challenge" value="([^"]+)"`)

func (m *formFixture) challenge(t *testing.T) string {
	t.Helper()
	_, body := m.get(t, m.page())
	found := challengePattern.FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("no challenge in %s", body)
	}
	return html.UnescapeString(found[1])
}

// solve computes what form.js computes.
func solve(challenge string) string {
	_, seed, _ := strings.Cut(challenge, ".")
	var numbers []string
	for part := range 16 {
		for n := 0; ; n++ {
			sum := sha256.Sum256(fmt.Appendf(nil, "%s.%d.%d", seed[:22], part, n))
			if sum[0] == 0 && sum[1]>>3 == 0 {
				numbers = append(numbers, strconv.Itoa(n))
				break
			}
		}
	}
	return strings.Join(numbers, ",")
}

// answer returns the controls of the page with a solved challenge; values are by name of the field.
func (m *formFixture) answer(challenge string, values map[string]string) url.Values {
	body := url.Values{"challenge": {challenge}, "solution": {solve(challenge)}}
	for name, value := range values {
		body.Set(m.field(name).PublicID(), value)
	}
	return body
}

var toSend = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func send(ctx context.Context, address string, body url.Values) (status int, page string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body.Encode()))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := toSend.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, html.UnescapeString(string(content)), err
}

func (m *formFixture) want(t *testing.T, what string, body url.Values, status int, words ...string) {
	t.Helper()
	got, page, err := send(t.Context(), m.page(), body)
	if err != nil || got != status {
		t.Errorf("%s: %d %v %s", what, got, err, page)
	}
	for _, word := range words {
		if !strings.Contains(page, word) {
			t.Errorf("%s: the page lacks %q: %s", what, word, page)
		}
	}
	for _, hidden := range []string{"Harbour kitchen", "73217321", "Cost", "Price", "Bisque", "Dishes"} {
		if strings.Contains(page, hidden) {
			t.Errorf("%s: the page shows %q", what, hidden)
		}
	}
}

// records lists the records of the table, the newest last, but the one that the fixture made.
func (m *formFixture) records(t *testing.T) []string {
	t.Helper()
	page, err := m.fileServer.records.List(t.Context(), record.Actor{Org: m.org}, m.table.ID,
		query.Request{Limit: 100, Sorts: json.RawMessage(`[]`)})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, one := range page.Records {
		if !strings.Contains(string(one), "Bisque") {
			all = append(all, string(one))
		}
	}
	return all
}

func TestPublicFormTakesAnAnswer(t *testing.T) {
	t.Parallel()
	m := newFormFixture(t, `{"redirectUrl":"https://example.com/thanks"}`)
	if _, err := m.schema.CreateField(t.Context(), m.org, m.table.ID,
		catalog.FieldSpec{Name: "By", Type: schema.CreatedBy}); err != nil {
		t.Fatal(err)
	}
	got, page := m.get(t, m.page()+"?Source=https%3A%2F%2Fexample.com%2F&prefill_Dish=Ignored")
	if got.StatusCode != http.StatusOK || strings.Contains(page, "Ignored") ||
		!strings.Contains(page, `type="hidden" name="`+m.field("Source").PublicID()+`" value="https://example.com/"`) {
		t.Errorf("the page: %d %s", got.StatusCode, page)
	}
	if policy := got.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") ||
		!strings.Contains(policy, "script-src 'self'") {
		t.Errorf("the policy is %s", policy)
	}
	for _, path := range m.urls()[1:] {
		if got, body := m.get(t, path); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, got.StatusCode, body)
		}
	}
	challenge := m.challenge(t)
	good := m.answer(challenge, map[string]string{
		"Kind": "Soup", "Dish": "Chowder", "Stars": "4", "Source": "https://example.com/",
	})
	for what, refused := range map[string]struct {
		change map[string]string
		words  []string
	}{
		"required":         {map[string]string{"Dish": ""}, []string{"Is required."}},
		"another question": {map[string]string{"Kind": "Fish"}, []string{"Is not asked for after these answers."}},
		"no option":        {map[string]string{"Kind": "Stew"}, []string{`"Stew"`}},
		"of the link":      {map[string]string{"Source": "no URL"}, []string{"Ask for another link."}},
		"no rating":        {map[string]string{"Stars": "9"}, []string{"Must be a whole number from 1 to 5."}},
	} {
		body := url.Values{}
		for key, value := range good {
			body[key] = value
		}
		for name, value := range refused.change {
			body.Set(m.field(name).PublicID(), value)
		}
		m.want(t, what, body, http.StatusBadRequest, append(refused.words, `value="`+body.Get("solution")+`"`)...)
	}
	for what, change := range map[string]url.Values{
		"no solution":     {"solution": {""}},
		"wrong solution":  {"solution": {"1,2,3"}},
		"forged":          {"challenge": {"x" + challenge}},
		"of another form": {"challenge": {strings.ToUpper(challenge)}},
	} {
		body := url.Values{}
		for key, value := range good {
			body[key] = value
		}
		for key, value := range change {
			body[key] = value
		}
		m.want(t, what, body, http.StatusBadRequest, "once more", "Chowder")
	}
	if all := m.records(t); len(all) > 0 {
		t.Errorf("refused answers are records: %s", all)
	}
	good.Set(m.field("Cost").PublicID(), "12") // no control of the form
	m.want(t, "the answer", good, http.StatusSeeOther)
	m.want(t, "the answer again", good, http.StatusOK, "stored once")
	all := m.records(t)
	if len(all) != 1 || !strings.Contains(all[0], `"Chowder"`) || !strings.Contains(all[0], `"Stars":4`) ||
		!strings.Contains(all[0], `"By":null`) || strings.Contains(all[0], `"Cost":12`) {
		t.Errorf("the records are %s", all)
	}
	if _, page := m.get(t, m.page()+"?sent=1"); !strings.Contains(page, "Continue to example.com") {
		t.Errorf("after the answer: %s", page)
	}
}

// What members may know does not become known through a refusal.
func TestPublicFormShowsStrangersNothingOfOtherRecords(t *testing.T) {
	t.Parallel()
	m := newFormFixture(t, "")
	unique := json.RawMessage(`{"unique":true}`)
	if err := m.schema.UpdateField(t.Context(), m.org, m.field("Dish").ID,
		catalog.FieldPatch{Config: unique}); err != nil {
		t.Fatal(err)
	}
	body := m.answer(m.challenge(t), map[string]string{"Kind": "Fish", "Dish": "Bisque"})
	status, page, err := send(t.Context(), m.page(), body)
	if err != nil || status != http.StatusConflict || !strings.Contains(page, "It must be unique") ||
		strings.Contains(page, "rec_") {
		t.Errorf("a value that is taken: %d %v %s", status, err, page)
	}
	if err := m.schema.UpdateField(t.Context(), m.org, m.field("Price").ID,
		catalog.FieldPatch{Config: json.RawMessage(`{"required":true}`), Discard: true}); err != nil {
		t.Fatal(err)
	}
	m.want(t, "a required field that is not asked for",
		m.answer(m.challenge(t), map[string]string{"Kind": "Fish", "Dish": "Turbot"}), http.StatusBadRequest,
		"Tell the person who gave you the link")
}

func TestPublicFormTakesExactlyAsManyAnswersAsItMay(t *testing.T) {
	t.Parallel()
	m := newFormFixture(t, `{"maxAnswers":40,"closedMessage":"The menu is full."}`)
	bodies := make([]url.Values, 50)
	for i := range bodies {
		bodies[i] = m.answer(m.challenge(t), map[string]string{"Kind": "Fish", "Dish": "Dish " + strconv.Itoa(i)})
	}
	var all sync.WaitGroup
	statuses := make([]int, len(bodies))
	for i := range bodies {
		all.Go(func() {
			var err error
			if statuses[i], _, err = send(t.Context(), m.page(), bodies[i]); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	counts := map[int]int{}
	for _, status := range statuses {
		counts[status]++
	}
	if counts[http.StatusSeeOther] != 40 || counts[http.StatusConflict] != 10 {
		t.Errorf("the statuses are %v", counts)
	}
	if records := m.records(t); len(records) != 40 {
		t.Errorf("%d records", len(records))
	}
	if _, page := m.get(t, m.page()); !strings.Contains(page, "The menu is full.") || strings.Contains(page, "<form") {
		t.Errorf("the full form: %s", page)
	}
	var refused int
	for range 20 { // the address has sent 50 of 60
		status, _, err := send(t.Context(), m.page(), bodies[0])
		if err != nil {
			t.Fatal(err)
		}
		if status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no answer of 70 from one address was refused")
	}
}

func TestPublicFormEnds(t *testing.T) {
	t.Parallel()
	m := newFormFixture(t, `{"closesTime":"`+time.Now().Add(time.Hour).Format(time.RFC3339)+`"}`)
	body := m.answer(m.challenge(t), map[string]string{"Kind": "Fish", "Dish": "Turbot"})
	m.configure(t, m.view, schema.ViewConfig{"closesTime": json.RawMessage(`"2020-01-01T00:00:00Z"`)})
	m.want(t, "a form that is over", body, http.StatusConflict, "takes no more answers")
	m.configure(t, m.view, schema.ViewConfig{"closesTime": json.RawMessage(`""`)})

	// It is shared by somebody who then may not share it any more.
	other := tenancytest.Person(t, m.db)
	if err := tenancytest.Join(t, m.db, m.org, other, organization.Admin); err != nil {
		t.Fatal(err)
	}
	framed := true
	if _, err := m.shares.EnableView(t.Context(), m.org, m.view.ID,
		organization.ViewShareDraft{Person: other, Framed: &framed}); err != nil {
		t.Fatal(err)
	}
	for address, ancestors := range map[string]string{"": "'none'", "?embed=1": "*"} {
		got, _ := m.get(t, m.page()+address)
		if policy := got.Header.Get("Content-Security-Policy"); got.StatusCode != http.StatusOK ||
			!strings.Contains(policy, "frame-ancestors "+ancestors) ||
			(got.Header.Get("X-Frame-Options") == "") != (address != "") {
			t.Errorf("%q: %d %s", address, got.StatusCode, policy)
		}
	}
	demote := func() error {
		return organization.SetRole(t.Context(), m.db, m.org, organization.Owner, other, organization.Editor)
	}
	remove := func() error { return m.schema.RemoveMember(t.Context(), m.org, organization.Owner, other, true) }
	for i, lose := range []func() error{demote, remove} {
		what := []string{"no creator", "no member"}[i]
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		if got, page := m.get(t, m.page()); got.StatusCode != http.StatusNotFound || strings.Contains(page, "Dish") {
			t.Errorf("%s: %d %s", what, got.StatusCode, page)
		}
		m.want(t, what, body, http.StatusNotFound)
	}
	if all := m.records(t); len(all) > 0 {
		t.Errorf("the records are %s", all)
	}
}

func TestPublicFormHasPages(t *testing.T) {
	t.Parallel()
	m := newFormFixture(t, "")
	m.configure(t, m.view, schema.ViewConfig{"formFields": json.RawMessage(`{
		"Dish":{"page":{"title":"The dish","condition":[
			{"fieldId":"Kind","op":"eq","value":"Soup"},{"fieldId":"Kind","op":"eq","value":"Fish"}],"match":"any"}},
		"Stars":{"page":{"description":"Be honest.","condition":[{"fieldId":"Kind","op":"eq","value":"Soup"}]}}}`)})
	_, page := m.get(t, m.page())
	page = html.UnescapeString(page)
	for _, part := range []string{
		`id="page-1" tabindex="-1">`, `"any":true`, `<h2 id="page-2-title">The dish</h2>`, "Be honest.", `id="back"`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s: %s", part, page)
		}
	}
	soup := map[string]string{"Kind": "Soup", "Dish": "Chowder", "Stars": "4"}
	fish := map[string]string{"Kind": "Fish", "Dish": "Turbot"}
	m.want(t, "a question of a page that is not asked for",
		m.answer(m.challenge(t), map[string]string{"Kind": "Fish", "Dish": "Turbot", "Stars": "4"}),
		http.StatusBadRequest, "Is not asked for after these answers.")
	m.want(t, "required on a page that is asked for", m.answer(m.challenge(t), map[string]string{"Kind": "Fish"}),
		http.StatusBadRequest, "Is required.")
	m.want(t, "all pages", m.answer(m.challenge(t), soup), http.StatusSeeOther)
	m.want(t, "two pages", m.answer(m.challenge(t), fish), http.StatusSeeOther)
	if all := m.records(t); len(all) != 2 {
		t.Errorf("the records are %s", all)
	}
	for what, config := range map[string]string{
		"neither": `{"Dish":{"match":"one"}}`, "formFields.Dish.page.condition": `{"Dish":{"page":{"condition":[
			{"fieldId":"Dish","op":"is_empty"}]}}}`,
	} {
		err := m.schema.UpdateView(t.Context(), m.org, m.view.ID, catalog.ViewPatch{
			Config: schema.ViewConfig{
				"formFields": json.RawMessage(config),
			},
		})
		if err == nil || !strings.Contains(fmt.Sprintf("%+v %v", err, problem.New(err, "")), what) {
			t.Errorf("%s: %v", config, err)
		}
	}
}
