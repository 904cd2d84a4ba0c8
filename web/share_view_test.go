package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// newViewShare shares a view of soups that hides what they cost, and nothing else of its base.
func newViewShare(t *testing.T, draft organization.ViewShareDraft) (*shareFixture, *schema.View) {
	t.Helper()
	m := newShareFixture(t, `{"Dish":"Bisque","Kind":"Soup","Cost":73217321,"Stars":1}`,
		`{"Dish":"Chowder","Kind":"Soup","Cost":5,"Stars":3}`, `{"Dish":"Turbot","Kind":"Fish","Cost":9}`)
	view, err := m.schema.CreateView(t.Context(), m.org, m.table.ID, catalog.ViewSpec{
		Type: schema.Grid, Name: "Soups", By: schema.Viewer{Person: m.person, Admin: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.configure(t, view, schema.ViewConfig{
		"filters":      json.RawMessage(`[{"fieldId":"Kind","op":"eq","value":"Soup"}]`),
		"hiddenFields": fieldIDs(m.field("Cost"), m.field("Kind")),
	})
	if err := m.shares.Disable(t.Context(), m.org, m.base); err != nil {
		t.Fatal(err)
	}
	share, err := m.shares.EnableView(t.Context(), m.org, view.ID, draft)
	if err != nil {
		t.Fatal(err)
	}
	m.share = share.ID
	return m, view
}

func TestVisitsOfASharedViewAreCounted(t *testing.T) {
	t.Parallel()
	password := "six quiet boats"
	m, view := newViewShare(t, organization.ViewShareDraft{Password: &password})
	page := m.urls()[0]
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	reader := &http.Client{Jar: jar}
	open := func(from, address string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Sec-Fetch-Site", from)
		response, err := reader.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	open("cross-site", page) // asks for the password
	for _, given := range []string{"wrong one", password} {
		response, err := reader.PostForm(page, url.Values{"password": {given}})
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	open("same-origin", page)
	open("same-origin", page+"?q=o")
	open("none", page)
	open("none", page+"/base") // a program
	share, err := m.shares.View(t.Context(), m.org, view.ID)
	if err != nil || share.Visits != 3 { // the client follows the redirect after the password and sends no header
		t.Errorf("%d visits, %v", share.Visits, err)
	}
	share, err = m.shares.EnableView(t.Context(), m.org, view.ID, organization.ViewShareDraft{Regenerate: true})
	if err != nil || share.Visits != 0 {
		t.Errorf("%d visits of a new link, %v", share.Visits, err)
	}
}

func TestSharedViewShowsNothingElse(t *testing.T) {
	t.Parallel()
	m, view := newViewShare(t, organization.ViewShareDraft{})
	page := m.urls()[0]
	for _, address := range append(m.urls(), page+"?q=o", page+"?sort="+m.field("Stars").PublicID()+"&dir=desc") {
		got, body := m.get(t, address)
		if got.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", address, got.StatusCode, body)
		}
		for _, hidden := range []string{"Harbour kitchen", "Turbot", "73217321", "Cost", "Kind"} {
			if strings.Contains(body, hidden) {
				t.Errorf("%s shows %q: %s", address, hidden, body)
			}
		}
	}
	dishes := func(query string) []string {
		_, body := m.get(t, page+query)
		_, _, values := parseTable(body)
		var names []string
		for _, row := range values {
			names = append(names, row[0])
		}
		return names
	}
	stars, cost := m.field("Stars").PublicID(), m.field("Cost").PublicID()
	for query, want := range map[string][]string{
		"":                          {"Bisque", "Chowder"},
		"?q=CHOW":                   {"Chowder"},
		"?q=73217321":               nil, // a field that is not shown
		"?q=soup":                   nil,
		"?sort=" + stars:            {"Bisque", "Chowder"},
		"?dir=desc&sort=" + stars:   {"Chowder", "Bisque"},
		"?sort=" + cost:             {"Bisque", "Chowder"}, // as if nothing were said
		"?dir=desc&sort=" + cost:    {"Bisque", "Chowder"},
		"?view=" + view.PublicID():  {"Bisque", "Chowder"},
		"?table=" + view.PublicID(): nil,
	} {
		if got := dishes(query); !slices.Equal(got, want) {
			t.Errorf("%s lists %v, want %v", query, got, want)
		}
	}
	other := m.table.Views[0].PublicID()
	if got, body := m.get(t, page+"?view="+other); got.StatusCode != http.StatusNotFound {
		t.Errorf("another view: %d %s", got.StatusCode, body)
	}
	// A view that becomes personal is shared no longer.
	personal := schema.Personal
	if err := m.schema.UpdateView(t.Context(), m.org, view.ID, catalog.ViewPatch{
		Access: &personal, By: schema.Viewer{Person: m.person, Admin: true},
	}); err != nil {
		t.Fatal(err)
	}
	if got, _ := m.get(t, page); got.StatusCode != http.StatusNotFound {
		t.Errorf("a personal view: %d", got.StatusCode)
	}
}

func TestSharedViewAsksForItsPassword(t *testing.T) {
	t.Parallel()
	password := "six quiet boats"
	m, view := newViewShare(t, organization.ViewShareDraft{Password: &password})
	for _, address := range m.urls() {
		if got, body := m.get(t, address); got.StatusCode != http.StatusUnauthorized ||
			strings.Contains(body, "Bisque") || strings.Contains(body, "Soups") {
			t.Errorf("%s without the password: %d %s", address, got.StatusCode, body)
		}
	}
	jar, _ := cookiejar.New(nil)
	reader := &http.Client{Jar: jar}
	give := func(password string) int {
		t.Helper()
		body := strings.NewReader(url.Values{"password": {password}}.Encode())
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.urls()[0], body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		response, err := reader.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
	reads := func(address string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := reader.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
	if status := give("six loud boats"); status != http.StatusUnauthorized {
		t.Errorf("a wrong password: %d", status)
	}
	if status := give(password); status != http.StatusOK {
		t.Errorf("the password: %d", status)
	}
	for _, address := range m.urls() {
		if status := reads(address); status != http.StatusOK {
			t.Errorf("%s with the password: %d", address, status)
		}
	}
	// Another password shuts out those who knew the former one.
	next := "seven quiet boats"
	changed := organization.ViewShareDraft{Password: &next}
	if _, err := m.shares.EnableView(t.Context(), m.org, view.ID, changed); err != nil {
		t.Fatal(err)
	}
	if status := reads(m.urls()[0]); status != http.StatusUnauthorized {
		t.Errorf("with the former password: %d", status)
	}
	for range 10 {
		give("guess")
	}
	if status := give(next); status != http.StatusTooManyRequests {
		t.Errorf("after ten guesses the right password: %d", status)
	}
}

func TestSharedViewEnds(t *testing.T) {
	t.Parallel()
	m, view := newViewShare(t, organization.ViewShareDraft{})
	soon := time.Now().Add(1200 * time.Millisecond)
	ends := organization.ViewShareDraft{ExpiresAt: &soon}
	if _, err := m.shares.EnableView(t.Context(), m.org, view.ID, ends); err != nil {
		t.Fatal(err)
	}
	status := func() int {
		got, _ := m.get(t, m.urls()[0])
		return got.StatusCode
	}
	deadline := time.Now().Add(20 * time.Second)
	for ; status() != http.StatusNotFound; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the share does not end")
		}
	}
	if time.Now().Before(soon) {
		t.Error("the share ended early")
	}
	never := time.Time{}
	if _, err := m.shares.EnableView(
		t.Context(), m.org, view.ID, organization.ViewShareDraft{ExpiresAt: &never},
	); err != nil || status() != http.StatusOK {
		t.Errorf("without an end: %d %v", status(), err)
	}
	for name, draft := range map[string]organization.ViewShareDraft{
		"past": {ExpiresAt: ptr(time.Now().Add(-time.Hour))}, "short": {Password: ptr("short")},
	} {
		_, err := m.shares.EnableView(t.Context(), m.org, view.ID, draft)
		if problem.KindOf(err) != problem.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := m.shares.DisableView(t.Context(), m.org, view.ID); err != nil || status() != http.StatusNotFound {
		t.Errorf("a share that was disabled: %d %v", status(), err)
	}
}

func ptr[T any](v T) *T { return &v }
