package web_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web"
)

// A shareFixture is a shared base with one table.
type shareFixture struct {
	*fileServer
	base  uuid.UUID
	table *schema.Table
	share string
}

func newShareFixture(t *testing.T, records ...string) *shareFixture {
	t.Helper()
	return newShareFixtureOn(t, newFileServer(t), records...)
}

func newShareFixtureOn(t *testing.T, server *fileServer, records ...string) *shareFixture {
	t.Helper()
	m := &shareFixture{fileServer: server}
	base, err := m.schema.CreateBase(t.Context(), m.org, uuid.Nil, "Harbour kitchen")
	if err != nil {
		t.Fatal(err)
	}
	m.base = base.ID
	made, err := m.schema.CreateTable(t.Context(), m.org, base.ID, "Dishes", []catalog.FieldSpec{
		{Name: "Dish", Type: schema.Text},
		{Name: "Stars", Type: schema.Rating},
		{Name: "Cost", Type: schema.Number},
		{Name: "Kind", Type: schema.SingleSelect, Config: json.RawMessage(`{"options":["Soup","Fish"]}`)},
		{Name: "Source", Type: schema.URL},
		{Name: "Price", Type: schema.Currency, Config: json.RawMessage(`{"symbol":"£"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.refresh(t, made.ID)
	creation := record.Creation{}
	for _, one := range records {
		creation.Records = append(creation.Records, jsonvaluetest.ParseObject([]byte(one)))
	}
	if _, err := m.records.Create(
		t.Context(), record.Actor{Org: m.org, Person: m.person}, made.ID, creation,
	); err != nil {
		t.Fatal(err)
	}
	m.enable(t, false)
	return m
}

func (m *shareFixture) refresh(t *testing.T, table uuid.UUID) {
	t.Helper()
	snapshot, err := m.schema.Fresh(t.Context(), m.org)
	if err != nil {
		t.Fatal(err)
	}
	m.table = snapshot.Table(table)
}

func (m *shareFixture) enable(t *testing.T, regenerate bool) {
	t.Helper()
	var err error
	if m.share, err = m.shares.Enable(t.Context(), m.org, m.base, regenerate); err != nil {
		t.Fatal(err)
	}
}

func (m *shareFixture) field(name string) *schema.Field { return m.table.FieldByName(name) }

// configure changes a view's configuration.
func (m *shareFixture) configure(t *testing.T, view *schema.View, config schema.ViewConfig) {
	t.Helper()
	if err := m.schema.UpdateView(t.Context(), m.org, view.ID, catalog.ViewPatch{Config: config}); err != nil {
		t.Fatal(err)
	}
}

func fieldIDs(fields ...*schema.Field) json.RawMessage {
	ids := make([]string, len(fields))
	for i, f := range fields {
		ids[i] = f.PublicID()
	}
	encoded, _ := json.Marshal(ids)
	return encoded
}

// urls returns all the URLs of a share.
func (m *shareFixture) urls() []string {
	at := m.URL + web.SharePath + "/" + m.share
	return []string{at, at + "/base", at + "/tables/" + m.table.PublicID() + "/records"}
}

var (
	headPattern = regexp.MustCompile(`<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]*)(?:</a>)?</th>`)
	rowPattern  = regexp.MustCompile(`(?s)<tr>(\s*<th scope="row".*?)</tr>`)
	cellPattern = regexp.MustCompile(`(?s)<(?:th scope="row"|td) data-column="([^"]*)"[^>]*>(.*?)</t[hd]>`)
	tagPattern  = regexp.MustCompile(`<[^>]*>`)
)

// parseTable returns a page's column headings, and for each row the column name and text of each
// cell.
func parseTable(page string) (headings []string, columns, values [][]string) {
	for _, head := range headPattern.FindAllStringSubmatch(page, -1) {
		headings = append(headings, html.UnescapeString(head[1]))
	}
	for _, row := range rowPattern.FindAllStringSubmatch(page, -1) {
		var of, texts []string
		for _, cell := range cellPattern.FindAllStringSubmatch(row[1], -1) {
			of = append(of, html.UnescapeString(cell[1]))
			texts = append(texts, strings.TrimSpace(html.UnescapeString(tagPattern.ReplaceAllString(cell[2], ""))))
		}
		columns, values = append(columns, of), append(values, texts)
	}
	return headings, columns, values
}

func TestSharedBaseOmitsHiddenFields(t *testing.T) {
	t.Parallel()
	m := newShareFixture(t, `{"Dish":"Chowder","Cost":98765,"Source":"https://supplier.example/","Price":7.5}`)
	hidden := true
	if err := m.schema.UpdateField(t.Context(), m.org, m.field("Source").ID, catalog.FieldPatch{
		Hidden: &hidden,
	}); err != nil {
		t.Fatal(err)
	}
	// The first view hides the fields that are marked hidden; the second has its own list.
	second, err := m.schema.CreateView(t.Context(), m.org, m.table.ID, catalog.ViewSpec{
		Type: schema.Grid,
		Name: "Costs",
	})
	if err != nil {
		t.Fatal(err)
	}
	m.configure(t, second, schema.ViewConfig{"hiddenFields": fieldIDs(m.field("Cost"))})
	first := m.table.Views[0].PublicID()
	for view, want := range map[string]struct{ shown, absent []string }{
		first: {
			[]string{"Chowder", "98765"}, []string{"Source", "supplier.example", m.field("Source").PublicID()},
		},
		second.PublicID(): {
			[]string{"Chowder", "supplier.example"}, []string{"Cost\"", ">Cost<", "98765", m.field("Cost").PublicID()},
		},
	} {
		// No query parameter reveals a hidden field.
		query := "?view=" + view + "&fields=Cost,Source,Dish&search=98765"
		for _, address := range []string{m.urls()[0] + query, m.urls()[2] + query} {
			got, body := m.get(t, address)
			if got.StatusCode != http.StatusOK {
				t.Fatalf("%s: %d", address, got.StatusCode)
			}
			for _, text := range want.shown {
				if !strings.Contains(body, text) {
					t.Errorf("%s does not show %q: %s", address, text, body)
				}
			}
			for _, text := range want.absent {
				if strings.Contains(body, text) {
					t.Errorf("%s shows %q: %s", address, text, body)
				}
			}
		}
	}
	var base struct {
		Tables []struct {
			Views []struct {
				ID     string
				Fields []struct{ Name string }
			}
		}
	}
	_, body := m.get(t, m.urls()[1])
	if err := json.Unmarshal([]byte(body), &base); err != nil {
		t.Fatal(err)
	}
	for i, absent := range []string{"Source", "Cost"} {
		var names []string
		for _, f := range base.Tables[0].Views[i].Fields {
			names = append(names, f.Name)
		}
		if len(names) != 5 || slices.Contains(names, absent) {
			t.Errorf("view %d lists the fields %v", i, names)
		}
	}
}

func TestRevokedShareIsNotFoundAtOnce(t *testing.T) {
	t.Parallel()
	m := newShareFixture(t, `{"Dish":"Chowder"}`)
	expect := func(addresses []string, status int) {
		t.Helper()
		for _, address := range addresses {
			got, body := m.get(t, address)
			if got.StatusCode != status {
				t.Errorf("%s: %d, want %d", address, got.StatusCode, status)
			}
			if status != http.StatusOK && (strings.Contains(body, "Harbour") || strings.Contains(body, "Chowder") ||
				strings.Contains(body, "Dishes")) {
				t.Errorf("%s has ended and shows %s", address, body)
			}
		}
	}
	old := m.urls()
	expect(old, http.StatusOK)
	m.enable(t, false)
	if !slices.Equal(old, m.urls()) {
		t.Error("enabling an enabled share changed its link")
	}
	m.enable(t, true)
	current := m.urls()
	expect(old, http.StatusNotFound)
	expect(current, http.StatusOK)
	if err := m.shares.Disable(t.Context(), m.org, m.base); err != nil {
		t.Fatal(err)
	}
	expect(current, http.StatusNotFound)
	m.enable(t, false)
	expect(append(old, current...), http.StatusNotFound)
	expect(m.urls(), http.StatusOK)
	if err := m.schema.DeleteBase(t.Context(), m.org, m.base); err != nil {
		t.Fatal(err)
	}
	expect(m.urls(), http.StatusNotFound)
}

func TestSharedPageIsNotIndexedOrCached(t *testing.T) {
	t.Parallel()
	m := newShareFixture(t, `{"Dish":"Chowder"}`)
	dead := m.URL + web.SharePath + "/shr_00000000000000000000000000"
	for _, address := range append(m.urls(), dead, dead+"/base") {
		got, body := m.get(t, address)
		if !strings.Contains(got.Header.Get("X-Robots-Tag"), "noindex") ||
			got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", address, got.Header)
		}
		page := strings.HasPrefix(got.Header.Get("Content-Type"), "text/html")
		if page && !strings.Contains(body, `<meta name="robots" content="noindex, nofollow">`) {
			t.Errorf("%s does not tell search engines not to index it: %s", address, body)
		}
		if page == strings.Contains(strings.TrimPrefix(address, m.URL+web.SharePath+"/"), "/") {
			t.Errorf("%s is of type %s", address, got.Header.Get("Content-Type"))
		}
	}
}

func TestSharedPageEscapesMarkup(t *testing.T) {
	t.Parallel()
	m := newShareFixture(t, `{"Dish":"<script>alert(1)</script>","Source":"https://example.com/?a='onclick='b"}`,
		`{"Dish":"\"><img src=x onerror=alert(2)>"}`)
	name := `Of"><script>alert(3)</script>`
	patch := catalog.FieldPatch{Name: &name}
	if err := m.schema.UpdateField(t.Context(), m.org, m.field("Stars").ID, patch); err != nil {
		t.Fatal(err)
	}
	got, body := m.get(t, m.urls()[0])
	if got.StatusCode != http.StatusOK || got.Header.Get("Content-Security-Policy") != web.PagePolicy ||
		strings.Contains(web.PagePolicy, "script-src") {
		t.Errorf("%d under the policy %q", got.StatusCode, got.Header.Get("Content-Security-Policy"))
	}
	for _, tag := range tagPattern.FindAllString(body, -1) {
		if match := regexp.MustCompile(
			`(?i)^<(script|iframe|object)|\s(on\w+|style)=|"\s*javascript:|src="?x`,
		).FindString(tag); match != "" {
			t.Errorf("there is %q in %s", match, tag)
		}
	}
	if !strings.Contains(body, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Errorf("the page does not show the text: %s", body)
	}
}

func TestSharedPageValuesMatchTheirColumns(t *testing.T) {
	t.Parallel()
	m := newShareFixture(t,
		`{"Dish":"Chowder","Stars":3,"Cost":2.25,"Kind":"Soup","Source":"https://example.com/chowder","Price":1234.5}`,
		`{"Dish":"Plain","Price":0}`,
		`{"Kind":"Fish","Cost":-1}`,
	)
	check := func(wantHeads []string, want [][]string) {
		t.Helper()
		_, body := m.get(t, m.urls()[0])
		headings, columns, values := parseTable(body)
		if !slices.Equal(headings, wantHeads) {
			t.Errorf("the columns are %q, want %q", headings, wantHeads)
		}
		if len(values) != len(want) {
			t.Fatalf("there are %d rows, want %d: %s", len(values), len(want), body)
		}
		for i := range want {
			if !slices.Equal(columns[i], wantHeads) || !slices.Equal(values[i], want[i]) {
				t.Errorf("row %d has %q in %q, want %q", i, values[i], columns[i], want[i])
			}
		}
	}
	check([]string{"Dish", "Stars", "Cost", "Kind", "Source", "Price"}, [][]string{
		{"Chowder", "★★★☆☆", "2.25", "Soup", "https://example.com/chowder", "£1,234.50"},
		{"Plain", "", "", "", "", "£0.00"},
		{"Untitled record", "", "-1", "Fish", "", ""},
	})
	m.configure(t, m.table.Views[0], schema.ViewConfig{
		"fieldOrder":   fieldIDs(m.field("Price"), m.field("Kind"), m.field("Dish")),
		"hiddenFields": fieldIDs(m.field("Stars"), m.field("Source")),
	})
	check([]string{"Dish", "Price", "Kind", "Cost"}, [][]string{
		{"Chowder", "£1,234.50", "Soup", "2.25"},
		{"Plain", "£0.00", "", ""},
		{"Untitled record", "", "Fish", "-1"},
	})
}

func TestShareOmitsPersonalViews(t *testing.T) {
	t.Parallel()
	m := newShareFixture(t, `{"Dish":"Chowder"}`)
	personal, err := m.schema.CreateView(t.Context(), m.org, m.table.ID, catalog.ViewSpec{
		Type: schema.Grid, Name: "Only mine", Access: schema.Personal, By: schema.Viewer{Person: m.person},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range m.urls() {
		if _, body := m.get(t, address); strings.Contains(body, "Only mine") ||
			strings.Contains(body, personal.PublicID()) {
			t.Errorf("%s reveals a personal view: %s", address, body)
		}
		if got, _ := m.get(t, address+"?view="+personal.PublicID()); got.StatusCode == http.StatusOK &&
			!strings.HasSuffix(address, "/base") {
			t.Errorf("%s shows a personal view", address)
		}
	}
}

func TestShareWithInvalidFilterShowsNoRecords(t *testing.T) {
	t.Parallel()
	m := newShareFixture(t, `{"Dish":"Chowder","Cost":5}`)
	m.configure(t, m.table.Views[0], schema.ViewConfig{
		"filters": json.RawMessage(`[{"fieldId":"` + m.field("Cost").PublicID() + `","op":"gt","value":9}]`),
	})
	err := catalog.Retype(t.Context(), m.schema, m.org, m.field("Cost").ID, catalog.TypeChange{
		Type:  schema.Text,
		Patch: catalog.FieldPatch{Discard: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range m.urls() {
		if got, body := m.get(t, address); got.StatusCode != http.StatusOK || strings.Contains(body, "Chowder") {
			t.Errorf("%s: %d %s", address, got.StatusCode, body)
		}
	}
}

func TestRequestsWithoutACredentialWaitForASlot(t *testing.T) {
	t.Parallel()
	m := newShareFixtureOn(t, newFileServer(t, limit.BulkheadOptions{Max: 8, Share: 1, Wait: 50 * time.Millisecond}),
		`{"Dish":"Ramen"}`)
	file := m.upload(t, m.table.ID, "menu.txt", []byte("soup"))
	link := string(m.links.AppendLink(nil, m.org, file.ID, file.Name, false))
	addresses := []string{
		m.URL + "/share/" + m.share, m.URL + "/share/" + m.share + "/base",
		m.URL + "/share/" + m.share + "/tables/" + m.table.PublicID() + "/records", link,
	}
	expect := func(want int) {
		t.Helper()
		for _, address := range addresses {
			response, body := m.get(t, address)
			if response.StatusCode != want ||
				want == http.StatusTooManyRequests && response.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %d %v %.200s", address, response.StatusCode, response.Header, body)
			}
		}
	}
	expect(http.StatusOK)
	here := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	var leaves []func()
	for range 2 { // another share has all slots of the address
		leave, err := m.guard.EnterAnonymous(here, uuid.New(), "another")
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, leave)
	}
	expect(http.StatusTooManyRequests)
	for _, leave := range leaves {
		leave()
	}
	expect(http.StatusOK)
}

// Pages are made one at a time where a share of the processors is one, and a client that does not read its page keeps
// no other from being made.
func TestSharedPagesAreMadeInTurns(t *testing.T) {
	t.Parallel()
	m := newShareFixtureOn(t, newFileServer(t, limit.BulkheadOptions{Max: 8, Share: 1}), `{"Dish":"Ramen"}`)
	for _, address := range m.urls() {
		leave, err := m.guard.EnterPage(t.Context(), uuid.New()) // a page of another organization
		if err != nil {
			t.Fatal(err)
		}
		answered := make(chan int)
		go func() {
			response, _ := m.get(t, address)
			answered <- response.StatusCode
		}()
		select {
		case status := <-answered:
			t.Errorf("%s was made beside another page: %d", address, status)
			leave()
			continue
		case <-time.After(100 * time.Millisecond):
		}
		leave()
		if status := <-answered; status != http.StatusOK {
			t.Errorf("%s: %d", address, status)
		}
	}
	blocked := &blockedWriter{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, web.SharePath+"/"+m.share, nil)
		m.Config.Handler.ServeHTTP(blocked, request)
	}()
	<-blocked.writing
	leave, err := m.guard.EnterPage(t.Context(), m.org)
	if err != nil {
		t.Fatal(err)
	}
	leave()
	close(blocked.end)
	<-sent
}
