package web_test

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var editLink = regexp.MustCompile(`href="([^"]*answer=[^"]*)"[^>]*>Edit<span class="hide"> ([^<]*)<`)

// editLinks returns the addresses of the pages on which records are changed, by name of the record.
func (m *shareFixture) editLinks(t *testing.T) map[string]string {
	t.Helper()
	page := m.urls()[0]
	_, body := m.get(t, page)
	at, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	links := map[string]string{}
	for _, found := range editLink.FindAllStringSubmatch(body, -1) {
		of, err := at.Parse(strings.ReplaceAll(found[1], "&amp;", "&"))
		if err != nil {
			t.Fatal(err)
		}
		links[found[2]] = of.String()
	}
	return links
}

// save sends the page of a record as a browser does in which some of its values are changed.
func (m *shareFixture) save(t *testing.T, address, page string, changes url.Values) (status int, location string) {
	t.Helper()
	return (&formFixture{shareFixture: m}).sendTo(t, address, given(page, changes))
}

// saved is save with the page that comes then.
func (m *shareFixture) saved(t *testing.T, address, page string, changes url.Values) (status int, after string) {
	t.Helper()
	status, after, err := send(t.Context(), address, given(page, changes))
	if err != nil {
		t.Fatal(err)
	}
	return status, after
}

// given returns the controls of a page in which some values are changed.
func given(page string, changes url.Values) url.Values {
	given := url.Values{}
	for _, input := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`).
		FindAllStringSubmatch(page, -1) {
		value := html.UnescapeString(input[2])
		given.Add(input[1], value)
		if field, was := strings.CutPrefix(input[1], "was."); was {
			given.Add(field, value)
		}
	}
	maps.Copy(given, changes)
	given.Set("solution", solve(given.Get("challenge")))
	return given
}

// record returns the id and the values of the record of a dish.
func (m *shareFixture) record(t *testing.T, dish string) (string, map[string]any) {
	t.Helper()
	page, err := m.records.List(t.Context(), record.Actor{Org: m.org}, m.table.ID, query.Request{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range page.Records {
		var one struct {
			ID     string
			Fields map[string]any
		}
		if err := json.Unmarshal(raw, &one); err != nil {
			t.Fatal(err)
		}
		if one.Fields["Dish"] == dish {
			return one.ID, one.Fields
		}
	}
	t.Fatalf("there is no %s", dish)
	return "", nil
}

func (m *shareFixture) change(t *testing.T, dish, fields string) {
	t.Helper()
	of, _ := m.record(t, dish)
	change := record.Change{ID: of, Fields: jsonvaluetest.ParseObject([]byte(fields))}
	if _, err := m.records.UpdateIf(t.Context(), record.Actor{Org: m.org, Person: m.person}, change, true); err != nil {
		t.Fatal(err)
	}
}

func TestReadersChangeRecordsOfAnEditableView(t *testing.T) {
	t.Parallel()
	yes := true
	m, _ := newViewShare(t, organization.ViewShareDraft{Editable: &yes})
	links := m.editLinks(t)
	if len(links) != 0 {
		t.Fatalf("records can be changed although nobody shared the view: %v", links)
	}
	m, view := newViewShare(t, organization.ViewShareDraft{})
	if links := m.editLinks(t); len(links) != 0 {
		t.Errorf("records of a view that is read can be changed: %v", links)
	}
	share, err := m.shares.EnableView(t.Context(), m.org, view.ID, organization.ViewShareDraft{
		Editable: &yes, Person: m.person,
	})
	if err != nil || share.ID != m.share {
		t.Fatal(err)
	}
	links = m.editLinks(t)
	if len(links) != 2 || links["Bisque"] == "" {
		t.Fatalf("the links are %v", links)
	}
	dish, stars, cost := m.field("Dish").PublicID(), m.field("Stars").PublicID(), m.field("Cost").PublicID()
	got, page := m.get(t, links["Bisque"])
	if got.StatusCode != http.StatusOK || !strings.Contains(page, `name="`+dish+`"`) ||
		strings.Contains(page, cost) || strings.Contains(page, "73217321") {
		t.Fatalf("%d %s", got.StatusCode, page)
	}

	// Somebody else changes another field meanwhile, and it stays.
	m.change(t, "Bisque", `{"Stars":2}`)
	status, location := m.save(t, links["Bisque"], page, url.Values{dish: {"Lobster bisque"}})
	if status != http.StatusSeeOther || !strings.HasSuffix(location, "?saved=1") {
		t.Fatalf("%d %s", status, location)
	}
	if _, record := m.record(t, "Lobster bisque"); record["Stars"] != 2.0 || record["Cost"] != 73217321.0 {
		t.Errorf("the record is %v", record)
	}

	// A record that the view would list no more is not saved.
	m.configure(t, view, schema.ViewConfig{"filters": json.RawMessage(`[{"fieldId":"Stars","op":"lt","value":5}]`)})
	_, page = m.get(t, links["Bisque"])
	if status, page := m.saved(t, links["Bisque"], page, url.Values{stars: {"5"}}); status != http.StatusForbidden ||
		!strings.Contains(page, "would not be in the list") {
		t.Errorf("%d %s", status, page)
	}
	m.configure(t, view, schema.ViewConfig{"filters": json.RawMessage(`[{"fieldId":"Kind","op":"eq","value":"Soup"}]`)})

	// What the view does not show is not changed, and a new record is one of the view.
	_, page = m.get(t, links["Chowder"])
	m.save(t, links["Chowder"], page, url.Values{cost: {"1"}, stars: {"4"}})
	if _, record := m.record(t, "Chowder"); record["Stars"] != 4.0 || record["Cost"] != 5.0 {
		t.Errorf("the record is %v", record)
	}
	fresh := m.urls()[0] + "?new=1"
	_, page = m.get(t, fresh)
	m.save(t, fresh, page, url.Values{dish: {"Gazpacho"}})
	if _, record := m.record(t, "Gazpacho"); record["Kind"] != "Soup" {
		t.Errorf("the new record is %v", record)
	}

	// A record that leaves the view can be reached no more, and nothing at all once its sharer lost the right.
	m.change(t, "Chowder", `{"Kind":"Fish"}`)
	if got, body := m.get(t, links["Chowder"]); got.StatusCode != http.StatusNotFound ||
		!strings.Contains(body, "no longer in the list") {
		t.Errorf("%d %s", got.StatusCode, body)
	}
	forged := strings.Replace(links["Bisque"], "answer=rec", "answer=rex", 1)
	if got, _ := m.get(t, forged); got.StatusCode != http.StatusNotFound {
		t.Errorf("a forged link gives %d", got.StatusCode)
	}
	_, page = m.get(t, links["Bisque"])
	other := tenancytest.Person(t, m.db)
	if err := tenancytest.Join(t, m.db, m.org, other, organization.Owner); err != nil {
		t.Fatal(err)
	}
	err = organization.SetRole(t.Context(), m.db, m.org, organization.Owner, m.person, organization.Editor)
	if err != nil {
		t.Fatal(err)
	}
	if links := m.editLinks(t); len(links) != 0 {
		t.Errorf("records can be changed with the rights of somebody who has none: %v", links)
	}
	if status, _ := m.save(t, links["Bisque"], page, url.Values{dish: {"Stolen"}}); status != http.StatusNotFound {
		t.Errorf("a page of before is taken: %d", status)
	}
}
