package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/web"
)

func TestAViewIsPrintedAsThePersonSeesIt(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	view := m.table.Views[0]
	m.configure(t, view, schema.ViewConfig{
		"groupBy": fieldIDs(m.field("State")), "hiddenFields": fieldIDs(m.field("Call")),
		"aggregates": json.RawMessage(`{"` + m.field("Cost").PublicID() + `":"sum"}`),
	})
	print := func(person uuid.UUID, view *schema.View, query url.Values) (status int, body string) {
		t.Helper()
		got, body := m.get(t, m.URL+web.SharePath+"/print/"+id.Format(id.Org, m.org)+"/"+view.PublicID()+"?"+
			query.Encode(), "Test-Person", person.String())
		return got.StatusCode, body
	}
	sorts := url.Values{"sorts": {`[{"fieldId":"` + m.field("State").PublicID() + `"},{"fieldId":"Job"}]`}}
	status, body := print(m.person, view, sorts)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	wants(t, "the groups", texts(body, `<tr class="group">(.*?)</tr>`), "Open", "Done", "No State")
	wants(t, "the records", texts(body, `<th scope="row" data-column="Job" class="">(.*?)</th>`), "Fence &lt;b&gt;",
		"Paint", "Roof", "Gate")
	wants(t, "the sums", texts(body, `<tfoot>(.*?)</tfoot>`), "All records Sum 73217318")
	if strings.Contains(body, "2026-11-30") {
		t.Errorf("the page has a hidden field: %s", body)
	}
	none := json.RawMessage("null")
	m.configure(t, view, schema.ViewConfig{"groupBy": fieldIDs(m.field("Call")), "hiddenFields": none})
	_, body = print(m.person, view, url.Values{"sorts": {`[{"fieldId":"Call"}]`}})
	wants(t, "the days", texts(body, `<tr class="group">(.*?)</tr>`), "2026-12-01", "No Call")
	m.configure(t, view, schema.ViewConfig{"groupBy": none, "hiddenFields": fieldIDs(m.field("Call"))})
	sorts.Set("filters", `[{"fieldId":"`+m.field("Cost").PublicID()+`","op":"gt","value":0}]`)
	_, body = print(m.person, view, sorts)
	wants(t, "the filtered records", texts(body, `<th scope="row" data-column="Job" class="">(.*?)</th>`), "Paint")
	if !strings.Contains(body, "Filtered by Cost") || !strings.Contains(body, "1 record ·") {
		t.Errorf("the page does not say what it is filtered by: %s", body)
	}
	if status, body := print(m.person, view, url.Values{"filters": {`[{"fieldId":"Nothing"}]`}}); status !=
		http.StatusBadRequest || !strings.Contains(body, "Nothing") {
		t.Errorf("a wrong filter: %d %s", status, body)
	}

	// Who does not see a field does not print it, and who does not see the base prints nothing.
	editor, guest := tenancytest.Person(t, m.db), tenancytest.Person(t, m.db)
	for person, role := range map[uuid.UUID]organization.Role{
		editor: organization.Editor, guest: organization.Guest,
	} {
		if err := tenancytest.Join(t, m.db, m.org, person, role); err != nil {
			t.Fatal(err)
		}
	}
	creators := &schema.Audience{Role: schema.BaseCreator}
	err := m.schema.SetTablePermissions(t.Context(), m.org, m.table.ID, catalog.TableRule{
		Fields: map[uuid.UUID]catalog.FieldRule{
			m.field("Cost").ID: {Actions: map[string]*schema.Audience{"read": creators}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if status, body := print(editor, view, nil); status != http.StatusOK || strings.Contains(body, "7321") ||
		strings.Contains(body, "Cost") || !strings.Contains(body, "Paint") {
		t.Errorf("an editor from whom the costs are hidden: %d %s", status, body)
	}
	personal, err := m.schema.CreateView(t.Context(), m.org, m.table.ID, catalog.ViewSpec{
		Type: schema.Grid, Access: schema.Personal, By: schema.Viewer{Person: m.person, Admin: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, stranger := tenancytest.Org(t, m.db)
	for what, one := range map[string]struct {
		person uuid.UUID
		view   *schema.View
		status int
	}{
		"a guest":                 {guest, view, http.StatusNotFound},
		"another organization's":  {stranger, view, http.StatusNotFound},
		"another's personal view": {editor, personal, http.StatusNotFound},
		"one's own personal view": {m.person, personal, http.StatusOK},
		"nobody":                  {uuid.Nil, view, http.StatusNotFound},
	} {
		if status, body := print(one.person, one.view, nil); status != one.status ||
			strings.Contains(body, "Paint") != (status == http.StatusOK) {
			t.Errorf("%s: %d %s", what, status, body)
		}
	}
}
