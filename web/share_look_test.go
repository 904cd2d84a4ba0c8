package web_test

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web"
)

// A lookFixture is a table of jobs.
type lookFixture struct{ *shareFixture }

func newLookFixture(t *testing.T) *lookFixture {
	t.Helper()
	m := newShareFixture(t, `{"Dish":"Bisque"}`)
	made, err := m.schema.CreateTable(t.Context(), m.org, m.base, "Jobs", []catalog.FieldSpec{
		{Name: "Job", Type: schema.Text},
		{Name: "State", Type: schema.SingleSelect, Config: json.RawMessage(`{"options":["Open","Done","Late"]}`)},
		{Name: "Begins", Type: schema.Date},
		{Name: "Ends", Type: schema.Date},
		{Name: "Call", Type: schema.DateTime, Config: json.RawMessage(`{"timeZone":"Pacific/Kiritimati"}`)},
		{Name: "Cost", Type: schema.Number, Config: json.RawMessage(`{"negative":"red"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.refresh(t, made.ID)
	creation := record.Creation{}
	for _, one := range []string{
		`{"Job":"Paint","State":"Open","Begins":"2026-11-03","Ends":"2026-11-05","Cost":73217321}`,
		`{"Job":"Roof","State":"Done","Begins":"2026-10-20","Ends":"2026-12-02","Call":"2026-11-30T23:30:00Z"}`,
		`{"Job":"Gate","Begins":"2026-12-24","Cost":-3}`,
		`{"Job":"Fence <b>","State":"Open"}`,
	} {
		creation.Records = append(creation.Records, jsonvaluetest.ParseObject([]byte(one)))
	}
	actor := record.Actor{Org: m.org, Person: m.person}
	if _, err := m.records.Create(t.Context(), actor, made.ID, creation); err != nil {
		t.Fatal(err)
	}
	return &lookFixture{m}
}

// show shares a view of a type by itself, which m.share is from then on, and returns its page.
func (m *lookFixture) show(t *testing.T, kind schema.ViewType, config schema.ViewConfig, query string) string {
	t.Helper()
	view, err := m.schema.CreateView(t.Context(), m.org, m.table.ID, catalog.ViewSpec{
		Type: kind, By: schema.Viewer{Person: m.person, Admin: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.configure(t, view, config)
	share, err := m.shares.EnableView(t.Context(), m.org, view.ID, organization.ViewShareDraft{})
	if err != nil {
		t.Fatal(err)
	}
	m.share = share.ID
	got, body := m.get(t, m.URL+web.SharePath+"/"+share.ID+query)
	if got.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", kind, got.StatusCode, body)
	}
	return body
}

func (m *lookFixture) id(name string) json.RawMessage {
	return json.RawMessage(`"` + m.field(name).PublicID() + `"`)
}

// texts are the texts of the parts of a page that an expression finds, without their markup.
func texts(body, expression string) []string {
	var out []string
	for _, found := range regexp.MustCompile(`(?s)`+expression).FindAllStringSubmatch(body, -1) {
		text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(found[1], " ")
		out = append(out, strings.Join(strings.Fields(text), " "))
	}
	return out
}

func wants(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s are %q, not %q", what, got, want)
	}
}

func TestASharedBoardHasAColumnForEachOption(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	board := schema.ViewConfig{
		"stackFieldId": m.id("State"), "hiddenFields": fieldIDs(m.field("Cost"), m.field("Call")),
	}
	body := m.show(t, schema.Kanban, board, "")
	wants(t, "the columns", texts(body, `<h2>(.*?)</h2>`), "No State 1", "Open 2", "Done 1", "Late 0")
	wants(t, "the cards", texts(body, `<article class="share-card">(.*?)</article>`), "Gate Begins 2026-12-24",
		"Paint Begins 2026-11-03 Ends 2026-11-05", "Fence &lt;b&gt;", "Roof Begins 2026-10-20 Ends 2026-12-02")
	if strings.Contains(body, "73217321") || strings.Contains(body, "Cost") {
		t.Errorf("the board shows a hidden field: %s", body)
	}
	// With limits and sums, as far as their fields are shown.
	board["stackLimits"] = json.RawMessage(`[{"fieldId":` + string(m.id("State")) + `,"value":"Open","limit":1},
		{"fieldId":` + string(m.id("State")) + `,"value":null,"limit":5}]`)
	board["aggregates"] = json.RawMessage(`{` + string(m.id("Cost")) + `:"sum",` + string(m.id("Ends")) + `:"max"}`)
	limited := m.show(t, schema.Kanban, board, "")
	wants(t, "the limits", texts(limited, `<h2>(.*?)</h2>`), "No State 1 / 5", "Open 2 / 1 more than the limit",
		"Done 1", "Late 0")
	wants(t, "the sums", texts(limited, `<p class="sum">(.*?)</p>`), "Ends: Max –", "Ends: Max 2026-11-05",
		"Ends: Max 2026-12-02")
	board["hiddenFields"] = fieldIDs(m.field("Call"), m.field("Ends"))
	wants(t, "other sums", texts(m.show(t, schema.Kanban, board, ""), `<p class="sum">(.*?)</p>`), "Cost: Sum -3",
		"Cost: Sum 73217321", "Cost: Sum –")
	board["hiddenFields"] = fieldIDs(m.field("Cost"), m.field("Call"))
	found := m.show(t, schema.Kanban, board, "?q=paint")
	wants(t, "the cards of a search", texts(found, `<h3>(.*?)</h3>`), "Paint")
	table := m.show(t, schema.Kanban, board, "?as=table")
	if strings.Contains(table, "share-board") || !strings.Contains(table, "Show as a board") {
		t.Errorf("the board as a table is %s", table)
	}
	// The values of a hidden field are nobody's columns.
	hidden := schema.ViewConfig{"stackFieldId": m.id("State"), "hiddenFields": fieldIDs(m.field("State"))}
	if body := m.show(t, schema.Kanban, hidden, ""); strings.Contains(body, "share-board") ||
		strings.Contains(body, "Done") {
		t.Errorf("a board by a hidden field shows it: %s", body)
	}
}

func TestASharedCalendarHasItsRecordsOnTheirDays(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	both := schema.ViewConfig{"startFieldId": m.id("Begins"), "endFieldId": m.id("Ends")}
	const busy = `<td class="[^"]*"><time datetime="([0-9-]+)"><span class="short">[0-9]+</span><span class="long">` +
		`[^<]*</span></time>\s*<ul>`
	body := m.show(t, schema.Calendar, both, "?month=2026-11")
	if days := texts(body, busy); len(days) != 38 || days[0] != "2026-10-26" || days[37] != "2026-12-02" {
		t.Errorf("the days with records are %q", days)
	}
	cell := texts(body, `<time datetime="2026-11-04">(.*?)</td>`)
	wants(t, "the records of 4 November", cell, "4 Wednesday 4 November Paint Roof")
	wants(t, "the months", texts(body, `rel="(?:prev|next)">(.*?)</a>`), "October 2026", "December 2026")
	// 23:30 in UTC is the next day in Kiritimati.
	call := m.show(t, schema.Calendar, schema.ViewConfig{"startFieldId": m.id("Call")}, "?month=2026-12")
	wants(t, "the days with calls", texts(call, busy), "2026-12-01")
	for _, month := range []string{"0000-00", "x", "2026-13", "99999-01"} {
		m.show(t, schema.Calendar, both, "?month="+month)
	}
}

func TestASharedTimelineHasBarsInLanes(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	body := m.show(t, schema.Timeline, schema.ViewConfig{
		"startFieldId": m.id("Begins"), "endFieldId": m.id("Ends"), "laneFieldId": m.id("State"),
	}, "?month=2026-11")
	wants(t, "the lanes", texts(body, `<th scope="rowgroup">(.*?)</th>`), "Open", "Done")
	rows := regexp.MustCompile(`(?s)<th scope="row">(.*?)</tr>`).FindAllString(body, -1)
	spans := func(row string) (out []string) {
		for _, found := range regexp.MustCompile(`colspan="(\d+)"`).FindAllStringSubmatch(row, -1) {
			out = append(out, found[1])
		}
		return out
	}
	if len(rows) != 2 {
		t.Fatalf("the bars are %q", rows)
	}
	wants(t, "the days of Paint", spans(rows[0]), "2", "3", "25")
	wants(t, "the days of Roof", spans(rows[1]), "30")
}

func TestASharedGalleryHasACardForEachRecord(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	body := m.show(t, schema.Gallery, schema.ViewConfig{}, "")
	wants(t, "the cards", texts(body, `<h3>(.*?)</h3>`), "Paint", "Roof", "Gate", "Fence &lt;b&gt;")
	below := texts(body, `<dd class="right below">(.*?)</dd>`)
	if len(below) != 1 || !strings.HasSuffix(below[0], "3") {
		t.Errorf("below zero are %q", below)
	}
	if !strings.Contains(body, "Show as a table") {
		t.Error("the gallery does not lead to the table of its records")
	}
}

func TestASharedChartHasItsNumbers(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	chart := func(text string) schema.ViewConfig {
		for _, name := range []string{"State", "Cost", "Begins"} {
			text = strings.ReplaceAll(text, "$"+name, m.field(name).PublicID())
		}
		return schema.ViewConfig{"chart": json.RawMessage(text)}
	}
	const bars = `<tr><th scope="row">(.*?)</tr>`
	byState := chart(`{"kind":"bar","value":{"fn":"count"},"groupBy":{"fieldId":"$State"}}`)
	body := m.show(t, schema.Chart, byState, "")
	wants(t, "the bars", texts(body, bars), "Open 2", "Done 1", "No State 1")
	if sizes := regexp.MustCompile(`rect width="([0-9.]+)%"`).FindAllString(body, -1); len(sizes) != 3 ||
		sizes[0] != `rect width="100.0%"` || sizes[1] != `rect width="50.0%"` {
		t.Errorf("the sizes are %q", sizes)
	}
	months := m.show(t, schema.Chart, chart(`{"kind":"line","value":{"fn":"sum","fieldId":"$Cost"},
		"groupBy":{"fieldId":"$Begins","span":"month"}}`), "")
	wants(t, "the months", texts(months, bars), "October 2026 –", "November 2026 73217321", "December 2026 -3",
		"No Begins –")
	number := m.show(t, schema.Chart, chart(`{"kind":"number","value":{"fn":"max","fieldId":"$Cost"}}`), "")
	wants(t, "the number", texts(number, `<p class="share-number">(.*?)</p>`), "73217321 Largest Cost")
	byState["hiddenFields"] = fieldIDs(m.field("State"))
	if body := m.show(t, schema.Chart, byState, ""); strings.Contains(body, "share-chart") ||
		strings.Contains(body, "Done") {
		t.Errorf("a chart by a hidden field shows it: %s", body)
	}
}

func TestASharedGridHasItsGroupsAndSums(t *testing.T) {
	t.Parallel()
	m := newLookFixture(t)
	config := schema.ViewConfig{
		"groupBy":    fieldIDs(m.field("State")),
		"aggregates": json.RawMessage(`{"` + m.field("Cost").PublicID() + `":"sum"}`),
		"sorts":      json.RawMessage(`[{"fieldId":` + string(m.id("Job")) + `,"dir":"desc"}]`),
	}
	groups := regexp.MustCompile(`<tr class="group"><th[^>]*>([^<]*)|<th scope="row" data-column="Job"[^>]*>([^<]*)|` +
		`data-column="Cost">([^<]+)`)
	order := func(page string) string {
		var found []string
		for _, one := range groups.FindAllStringSubmatch(page, -1) {
			found = append(found, one[1]+one[2]+one[3])
		}
		return strings.Join(found, ", ")
	}
	const sum = ", Sum 73217318"
	for query, want := range map[string]string{
		"":                                   "Open, Paint, Fence <b>, Done, Roof, No State, Gate" + sum,
		"?q=paint":                           "Open, Paint, Sum 73217321",
		"?sort=" + m.field("Job").PublicID(): "Open, Fence <b>, Paint, Done, Roof, No State, Gate" + sum,
		"?dir=desc&sort=" + m.field("State").PublicID(): "Done, Roof, Open, Paint, Fence <b>, No State, Gate" + sum,
	} {
		if got := html.UnescapeString(order(m.show(t, schema.Grid, config, query))); got != want {
			t.Errorf("%q has %s, not %s", query, got, want)
		}
	}
	config["hiddenFields"] = fieldIDs(m.field("State"), m.field("Cost"))
	page := m.show(t, schema.Grid, config, "")
	if strings.Contains(page, `class="group"`) || strings.Contains(page, "<tfoot") || strings.Contains(page, "Open") {
		t.Errorf("a page shows what its view hides: %s", page)
	}
}
