package api_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

var (
	interferenceRuns = flag.Int("interference.runs", 12, "pairs of organizations that TestNonInterference compares")
	interferenceSeed = flag.Uint64("interference.seed", 0, "of the first pair of TestNonInterference")
)

// TestNonInterference makes pairs of organizations that differ only in what a person may not see: values of hidden
// fields, records of hidden tables, records that row rules keep from the person, and another base. The person gets the
// same answers in both, byte for byte after ids, times and versions are replaced.
func TestNonInterference(t *testing.T) {
	t.Parallel()
	s := newSurfaces(t)
	var asked atomic.Int64
	t.Cleanup(func() { t.Logf("%d answers compared", asked.Load()) })
	for run := range *interferenceRuns {
		t.Run(fmt.Sprint(run), func(t *testing.T) {
			t.Parallel()
			seed := *interferenceSeed + uint64(run)
			one, other := newPair(t, s, seed, 1), newPair(t, s, seed, 2)
			asked.Add(compare(t, seed, one, other, (*half).early))
			one.cross()
			other.cross()
			asked.Add(compare(t, seed, one, other, (*half).questions))
			for range *interferenceRounds {
				one.churn()
				other.churn()
				asked.Add(compare(t, seed, one, other, (*half).draws))
			}
			asked.Add(compare(t, seed, one, other, (*half).late))
		})
	}
}

// compare asks both halves the same, and returns the number of questions.
func compare(t *testing.T, seed uint64, one, other *half, questions func(*half) []question) int64 {
	t.Helper()
	list, same := questions(one), questions(other)
	for i, first := range list {
		second := same[i]
		a, b := one.ask(first), other.ask(second)
		if a != b && !strings.HasSuffix(a, notAnswered) && !strings.HasSuffix(b, notAnswered) {
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			t.Fatalf("seed %d: %s %s %s\nanswers …%s\nand     …%s", seed, first.method, first.path, first.body,
				around(a, at), around(b, at))
		}
	}
	return int64(len(list))
}

// around returns a part of a long answer.
func around(answer string, at int) string { return answer[max(0, at-200):min(len(answer), at+200)] }

// A half is one organization of a pair. Whatever draws from open is the same in both halves, and whatever draws from
// secret is hidden from the person and differs.
type half struct {
	*testing.T
	*surfaces
	open, secret   *rand.Rand
	agent          *rand.Rand // draws what an agent asks; the same in both halves
	draw           *rand.Rand // draws questions; the same in both halves
	owner, person  *apitest.Client
	base           string
	tables         []string // ids; the last one is hidden
	fields         map[string]string
	views, records []string
	projects       []string
	hook           string            // a webhook that the person made before anything was hidden
	stream         <-chan event      // what the person's open page gets
	set, cursor    string            // the change set of the person's last write, and the cursor of the last page
	moments        []string          // change sets of the owner, before which the past is looked at
	ruled          [2]bool           // the tables of which the person reads only some records
	bound          bool              // the person may see everything, and the credential only a view
	names          map[string]string // of ids, in the order in which answers name them
}

type question struct{ method, path, body string }

func newPair(t *testing.T, at *surfaces, seed, which uint64) *half {
	t.Helper()
	s := at.Server
	h := &half{
		T: t, open: rand.New(rand.NewPCG(seed, 0)), secret: rand.New(rand.NewPCG(seed, which)), owner: s.Owner(t),
		fields: map[string]string{}, names: map[string]string{}, surfaces: at, agent: rand.New(rand.NewPCG(seed, 3)),
		draw: rand.New(rand.NewPCG(seed, 4)),
	}
	session := *h.owner.Principal // which makes links
	session.Kind = authz.Session
	h.owner = s.As(t, &session)
	roles := []organization.Role{organization.Guest, organization.Viewer, organization.Editor}
	h.person = joined(t, s, h.owner, roles[h.open.IntN(len(roles))])
	h.otherBase()
	h.base = h.owner.ID("POST", "/bases", `{"name":"Shared"}`)
	h.makeHook()
	role := []string{"viewer", "commenter", "editor"}[h.open.IntN(3)]
	h.owner.OK("PATCH", "/bases/"+h.base+"/access",
		fmt.Sprintf(`{"grants":[{"userId":%q,"role":%q}]}`, userOf(h.person), role))
	h.makeTables()
	h.ruled = [2]bool{h.open.IntN(2) == 0, h.open.IntN(2) == 0}
	if h.bound = h.open.IntN(3) == 0; h.bound {
		h.bind(s)
	} else {
		h.hide()
	}
	h.fill()
	h.moment()
	h.stream = watch(t, h.person, h.base, "") // it ends with each change of permissions
	next(t, h.stream, "ready")
	h.fillHidden()
	return h
}

// otherBase makes a base that the person does not see.
func (h *half) otherBase() {
	base := h.owner.ID("POST", "/bases", fmt.Sprintf(`{"name":"Secret %d"}`, h.secret.IntN(1000)))
	for range h.secret.IntN(3) {
		h.owner.ID("POST", "/bases/"+base+"/tables", fmt.Sprintf(`{"name":"Vault %d"}`, h.secret.IntN(1000)))
	}
	h.owner.OK("PATCH", "/bases/"+base+"/access", `{"restricted":true}`)
	h.owner.ID("POST", "/orgs/"+h.owner.Org()+"/groups", `{"name":"Group `+base+`"}`)
}

func (h *half) makeTables() {
	for _, name := range []string{"Client", "Project", "Hidden"} {
		table := h.owner.ID("POST", "/bases/"+h.base+"/tables", fmt.Sprintf(`{"name":%q,"fields":[
			{"name":"Name","type":"text"},{"name":"Amount","type":"number"},{"name":"Secret","type":"number"},
			{"name":"Note","type":"text"},{"name":"Owner","type":"user"},
			{"name":"State","type":"single_select","config":{"options":["New","Done"]}}]}`, name))
		h.tables = append(h.tables, table)
	}
	for _, table := range h.tables { // a name that no answer may contain
		h.owner.ID("POST", "/tables/"+table+"/fields", fmt.Sprintf(`{"name":"Vault %d","type":"text"}`,
			h.secret.IntN(1000)))
	}
	add := func(table int, body string) { h.owner.ID("POST", "/tables/"+h.tables[table]+"/fields", body) }
	link := func(from, to int, name string) {
		add(from, fmt.Sprintf(`{"name":%q,"type":"link","config":{"linkedTableId":%q}}`, name, h.tables[to]))
	}
	link(0, 1, "Projects")
	link(0, 2, "Hidden links")
	add(0, `{"name":"Double","type":"formula","config":{"formula":"{Secret} * 2"}}`)
	add(0, `{"name":"Known","type":"formula","config":{"formula":"{Secret} * 0 + {Amount}"}}`)
	add(0, `{"name":"Twice","type":"formula","config":{"formula":"{Known} * 2"}}`)
	add(0, `{"name":"Plain","type":"formula","config":{"formula":"{Amount} * 2"}}`)
	add(0, `{"name":"Sum","type":"rollup","config":{"linkFieldId":"Projects","fieldId":"Secret","function":"SUM"}}`)
	add(0, `{"name":"Amounts","type":"lookup","config":{"linkFieldId":"Projects","fieldId":"Amount"}}`)
	add(0, `{"name":"Count","type":"count","config":{"linkFieldId":"Hidden links"}}`)
	add(0, `{"name":"Project count","type":"count","config":{"linkFieldId":"Projects"}}`)
	add(1, `{"name":"Client amount","type":"rollup","config":{"linkFieldId":"Client","fieldId":"Amount",
		"function":"SUM"}}`)
	add(1, `{"name":"Client names","type":"lookup","config":{"linkFieldId":"Client","fieldId":"Name"}}`)
	add(1, `{"name":"Clients","type":"formula","config":{"formula":"CONCATENATE({Client amount}, {Client names})"}}`)
	for i, table := range h.tables {
		for _, f := range h.owner.OK("GET", "/tables/"+table+"/fields", "")["fields"].([]any) {
			one := f.(map[string]any)
			name := one["name"].(string)
			if strings.HasPrefix(name, "Vault") {
				name = "Vault"
			}
			h.fields[fmt.Sprint(i)+name] = one["id"].(string)
		}
	}
}

// hide hides one table, the fields called Secret, and perhaps another field.
func (h *half) hide() {
	for i, table := range h.tables {
		hidden := []string{"Secret", "Vault"}
		if h.open.IntN(2) == 0 {
			hidden = append(hidden, []string{"Note", "State"}[h.open.IntN(2)])
		}
		var fields []string
		for _, name := range hidden {
			field := h.fields[fmt.Sprint(i)+name]
			fields = append(fields, fmt.Sprintf(`{"fieldId":%q,"read":{"role":"creator"}}`, field))
		}
		if i == 0 && h.open.IntN(2) == 0 { // a result that is the same whatever is hidden
			fields = append(fields, fmt.Sprintf(`{"fieldId":%q,"reveal":true}`, h.fields["0Known"]))
		}
		read := ""
		if i == 2 {
			read = `"read":{"role":"creator"},`
		} else if h.ruled[i] {
			read = `"rules":[{"role":"viewer","edit":true,"delete":true,"filter":` + h.rule(i) + `}],`
		}
		h.owner.OK("PATCH", "/tables/"+table+"/permissions", `{`+read+`"fields":[`+strings.Join(fields, ",")+`]}`)
	}
	for _, filter := range []string{
		`{"fieldId":"Secret","op":"gt","value":%d}`, `{"fieldId":"Amount","op":"gt","value":3}`,
	} {
		if strings.Contains(filter, "%d") {
			filter = fmt.Sprintf(filter, h.secret.IntN(1000))
		}
		h.views = append(h.views, h.owner.ID("POST", "/tables/"+h.tables[0]+"/views",
			`{"type":"grid","config":{"filters":[`+filter+`],"sorts":[{"fieldId":"Secret","dir":"desc"}],"groupBy":["`+
				h.fields["0State"]+`"],"chart":{"kind":"bar","value":{"fn":"sum","fieldId":"Secret"},`+
				`"groupBy":{"fieldId":"`+h.fields["0State"]+`"}},"colorRules":[{"color":"red","filters":[`+
				`{"fieldId":"Secret","op":"gt","value":`+strconv.Itoa(h.secret.IntN(1000))+`}]},`+
				`{"color":"blue","filters":[{"fieldId":"Amount","op":"gt","value":2}]}]}}`))
	}
}

// bind binds the person's credential to a view of the first table.
func (h *half) bind(s *apitest.Server) {
	h.ruled = [2]bool{true, true}
	view := h.owner.ID("POST", "/tables/"+h.tables[0]+"/views", fmt.Sprintf(`{"type":"grid","config":{
		"filters":[{"fieldId":"Name","op":"starts_with","value":"client"}],"hiddenFields":["Secret",%q],
		"sorts":[{"fieldId":"Secret","dir":"desc"}]}}`, h.fields["0Vault"]))
	h.views = append(h.views, view, h.owner.ID("POST", "/tables/"+h.tables[0]+"/views", fmt.Sprintf(
		`{"type":"grid","name":"Vault %d"}`, h.secret.IntN(1000))))
	p := *h.person.Principal
	p.Bases, p.OneOrg = []uuid.UUID{h.parse(id.Base, h.base)}, true
	p.BindTo(h.parse(id.View, view))
	h.person = s.As(h.T, &p)
}

func (h *half) parse(kind id.Kind, public string) uuid.UUID {
	h.Helper()
	parsed, err := id.Parse(kind, public)
	if err != nil {
		h.Fatal(err)
	}
	return parsed
}

// rule is the filter of the records that the person reads of a table.
func (h *half) rule(table int) string {
	if table == 0 {
		return `[{"fieldId":"Owner","op":"has_any","value":{"me":true}}]`
	}
	return `[{"or":[{"fieldId":"Name","op":"starts_with","value":"project"},{"fieldId":"Note","op":"eq",
		"value":{"my":"email"}}]}]`
}

func (h *half) create(table int, body string) string {
	made := h.owner.OK("POST", "/tables/"+h.tables[table]+"/records", `{"fields":`+body+`}`)["records"].([]any)
	return made[0].(map[string]any)["id"].(string)
}

// fillHidden adds records that row rules keep from the person, and changes them. One record leaves what the person
// reads, and one comes into it.
func (h *half) fillHidden() {
	owner := []string{`null`, `"` + userOf(h.owner) + `"`}
	first := idOf(h.owner.OK("GET", "/tables/"+h.tables[1]+"/records", ""))
	for range 3 {
		if h.ruled[1] {
			for range h.secret.IntN(3) {
				project := h.create(1, fmt.Sprintf(`{"Name":"vault%d","Amount":%d,"Client":[%q]}`, h.secret.IntN(1000),
					h.secret.IntN(1000), h.records[1]))
				h.owner.OK("PATCH", "/records/"+project, fmt.Sprintf(`{"fields":{"Amount":%d}}`, h.secret.IntN(1000)))
			}
		}
		if !h.ruled[0] {
			continue
		}
		for range h.secret.IntN(3) {
			client := h.create(0, fmt.Sprintf(`{"Name":"vault%d","Amount":%d,"Projects":[%q],"Owner":%s}`,
				h.secret.IntN(1000), h.secret.IntN(1000), first, owner[h.secret.IntN(2)]))
			h.owner.OK("POST", "/records/"+client+"/comments", `{"text":"Vault"}`)
			if h.secret.IntN(3) == 0 {
				h.owner.OK("DELETE", "/records/"+client, "")
			}
		}
	}
}

// cross makes one record leave what the person reads, and another one come into it.
func (h *half) cross() {
	if h.ruled[0] && !h.bound {
		h.owner.OK("PATCH", "/records/"+h.records[2], `{"fields":{"Owner":null}}`)
		client := h.create(0, `{"Name":"client9","Amount":1,"Owner":null}`)
		for range h.secret.IntN(3) {
			h.owner.OK("PATCH", "/records/"+client, fmt.Sprintf(`{"fields":{"Amount":%d}}`, h.secret.IntN(1000)))
		}
		h.owner.OK("PATCH", "/records/"+client, `{"fields":{"Amount":2,"Owner":"`+userOf(h.person)+`"}}`)
	}
	h.moment()
}

// moment keeps a moment, and changes what the person sees behind it.
func (h *half) moment() {
	client := h.records[1]
	for i := range 2 {
		h.owner.OK("PATCH", "/records/"+client, fmt.Sprintf(`{"fields":{"Amount":%d,"Secret":%d,"Projects":[%q]}}`,
			h.open.IntN(9), h.secret.IntN(1000), h.projects[h.open.IntN(3)]))
		if i == 0 {
			entries := h.owner.OK("GET", "/records/"+client+"/history?detail=full&limit=1", "")["entries"].([]any)
			h.moments = append(h.moments, entries[0].(map[string]any)["changeSet"].(string))
		}
	}
}

func (h *half) fill() {
	create := h.create
	var vaults []string
	for range 1 + h.secret.IntN(4) {
		vaults = append(vaults, create(2, fmt.Sprintf(`{"Name":"vault%d"}`, h.secret.IntN(1000))))
	}
	for i := range 3 {
		h.projects = append(h.projects, create(1, fmt.Sprintf(`{"Name":"project%d","Amount":%d,"Secret":%d}`, i,
			h.open.IntN(9), h.secret.IntN(1000))))
	}
	for i := range 4 {
		h.records = append(h.records, create(0, fmt.Sprintf(
			`{"Name":"client%d","Amount":%d,"Secret":%d,"Projects":[%q],"Hidden links":[%q],"Owner":%q}`, i,
			h.open.IntN(9), h.secret.IntN(1000), h.projects[h.open.IntN(3)], vaults[h.secret.IntN(len(vaults))],
			userOf(h.person))))
	}
	for range h.secret.IntN(4) {
		h.owner.OK("PATCH", "/records/"+h.records[0], fmt.Sprintf(`{"fields":{"Secret":%d}}`, h.secret.IntN(1000)))
	}
	h.owner.OK("POST", "/records/"+h.records[0]+"/comments", `{"text":"Seen"}`)
	field := h.owner.ID("POST", "/tables/"+h.tables[1]+"/fields", fmt.Sprintf(`{"name":"Gone %d","type":"text"}`,
		h.secret.IntN(1000)))
	h.owner.OK("PATCH", "/tables/"+h.tables[1]+"/permissions", `{"fields":[{"fieldId":"`+field+
		`","read":{"role":"creator"}}]}`)
	h.owner.OK("DELETE", "/fields/"+field, "")
	h.owner.OK("DELETE", "/records/"+h.records[3], "")
}

// questions are what the person asks, the same in both halves but for the ids.
func (h *half) questions() []question {
	get := func(path string) question { return question{http.MethodGet, path, ""} }
	query := func(name, value string) string { return "?" + name + "=" + url.QueryEscape(value) }
	// The two fields of a link are in the order of numbers that are drawn by chance, so changes of the schema and of
	// links are left out.
	feed := "/changes?cursor=earliest&kinds=" + url.QueryEscape(`["created","updated","deleted","commented"]`)
	records, base := "/tables/"+h.tables[0]+"/records", "/bases/"+h.base
	list := []question{
		get("/me"), get("/bases"), get("/inbox"), get("/orgs/" + h.owner.Org() + "/members"),
		get("/orgs/" + h.owner.Org() + "/trash"), get("/orgs/" + h.owner.Org() + "/workspaces"),
		get(base), get(base + "?detail=names"), get(base + "/tables"), get(base + "/trash"), get(base + "/access"),
		get(base + feed), get(base + "/search?q=vault"),
		get(base + "/search?q=client1"), get(base + "/search?q=project1"),
	}
	for _, statement := range []string{
		`select * from "Client"`, `select * from "Project"`, `select * from "Hidden"`, `select "Secret" from "Client"`,
		`select count(*), sum("Amount") from "Project" where "Amount" < 500`, `select "Vault" from "Client"`,
		`select c."Name", p."Name" from "Client" c join "Client__Projects" l on l.id = c.id join "Project" p on ` +
			`p.id = l.linked_id`,
		`select id, linked_id, position from "Project__Client"`, `select count(*) from "Client__Hidden links"`,
		`select "Name" from "Client" where 1 / (case when "Name" like 'vault%' then 0 else 1 end) = 1`,
		`select "Name"::integer from "Project"`,
		`select string_agg("Name", ',') from "Client" a join "Project" b using ("Name")`,
		`select 1 from "Client" a, "Client" b, "Client" c, "Client" d, "Client" e, "Client" f, "Client" g`,
	} {
		body := jsonvalue.Must(map[string]string{"sql": statement})
		list = append(list, question{"POST", base + "/sql", string(body)})
	}
	for i := range h.tables {
		table := "/tables/" + h.tables[i]
		list = append(list, get(table), get(table+"/fields"), get(table+"/views"), get(table+"/records"),
			get(table+"/indexes"), get(table+"/comments/count"),
			get(table+"/records"+query("sorts", `[{"fieldId":"Amount","dir":"desc"}]`)),
			get(table+"/records"+query("sorts", `[{"fieldId":"Secret"}]`)),
			get(table+"/records"+query("sorts", `[{"fieldId":"Known"},{"fieldId":"Twice"}]`)),
			get(table+"/records"+query("filters", `[{"fieldId":"Known","op":"gt","value":3}]`)),
			get(table+"/records"+query("sorts", `[{"fieldId":"Client amount"}]`)),
			get(table+"/records"+query("filters", `[{"fieldId":"Client.Amount","op":"gt","value":500}]`)),
			get(table+"/records"+query("filters", `[{"fieldId":"Clients","op":"contains","value":"vault"}]`)),
			get(table+"/records"+query("filters", `[{"fieldId":"Client names","op":"has_any","value":["client1"]}]`)),
			get(table+"/records"+query("groupBy", `["Client"]`)), get(table+"/records?limit=2"),
			get(table+"/records"+query("asOf", h.moments[0])), get(table+"/records"+query("asOf", h.moments[1])),
			get(table+"/records"+query("sorts", `[{"fieldId":"Amount"}]`)+"&asOf="+h.moments[i%2]),
			get(table+"/records?search=vault&asOf="+h.moments[1]),
			get(table+"/records?search=client&asOf="+h.moments[0]),
			get(table+"/records?limit=1&asOf="+h.moments[1]), get(table+"/records?offset=1&asOf="+h.moments[0]),
			get(table+"/records/aggregate"+query("aggregates", `[{"fn":"sum","fieldId":"Amount"},{"fn":"count"}]`)+
				"&asOf="+h.moments[1]),
			get(table+"/records/search?q=vault"), get(table+"/records?asOf=2026-01-01T00:00:00Z"),
			get(table+"/records/aggregate?groupBy="+url.QueryEscape(`[{"fieldId":"Client"}]`)+
				"&aggregates="+url.QueryEscape(`[{"fn":"count"}]`)),
			get(table+"/records/aggregate?groupBy="+url.QueryEscape(`[{"fieldId":"Projects"}]`)+
				"&aggregates="+url.QueryEscape(`[{"fn":"count"}]`)),
			get(table+"/records"+query("filters", `[{"fieldId":"Secret","op":"gt","value":500}]`)),
			get(table+"/records/aggregate"+query("aggregates", `[{"fn":"sum","fieldId":"Amount"}]`)),
			get(table+"/records/aggregate"+query("aggregates", `[{"fn":"sum","fieldId":"Secret"}]`)),
			question{"POST", table + "/records/export", `{}`},
			question{"POST", table + "/records", `{"fields":{"Vault":1}}`},
			get(table+"/records"+query("sorts", `[{"fieldId":"Vault"}]`)),
			question{"POST", table + "/views", `{"type":"grid","config":{"filters":[
				{"fieldId":"Vault","op":"eq","value":"x"}]}}`},
			question{"POST", table + "/formula/check", `{"formula":"{Secret} + {Amount}"}`},
			question{"POST", table + "/formula/check", `{"type":"rollup","config":{"linkFieldId":"Projects",
				"fieldId":"Secret","function":"SUM"}}`},
			question{"POST", table + "/formula/check", `{"type":"count","config":{"linkFieldId":"Hidden links"}}`})
	}
	for _, view := range h.views {
		list = append(list, get("/views/"+view), get(records+"?view="+view),
			get(records+"?colorsOf="+view))
	}
	for _, record := range h.records {
		list = append(list, get("/records/"+record), get("/records/"+record+"/history"),
			get("/records/"+record+"/comments"), get("/records/"+record+"/history?detail=full&state=true"),
			get("/records/"+record+"/history?limit=1"), get("/records/"+record+"?asOf="+h.moments[0]),
			get("/records/"+record+"?asOf="+h.moments[1]))
	}
	for _, project := range h.projects {
		list = append(list, get("/records/"+project+"/history?detail=full&state=true"))
	}
	for _, f := range []string{"0Secret", "0Double", "0Sum", "0Count", "0Amounts", "0Hidden links", "2Name"} {
		list = append(list, get("/fields/"+h.fields[f]))
	}
	return append(list,
		question{"POST", records, `{"fields":{"Name":"mine","Amount":4}}`},
		question{"POST", records, `{"fields":{"Secret":4}}`},
		question{"POST", records, `{"fields":{"Name":"own","Amount":4,"Owner":"` + userOf(h.person) + `"}}`},
		question{"POST", records, `{"upsertOn":["Name"],"records":[{"fields":{"Name":"vault7","Owner":"` +
			userOf(h.person) + `"}}]}`},
		question{"PATCH", records + "/where", `{"fields":{"Note":"all"},"filters":[{"fieldId":"Amount","op":"gt",
			"value":-1}]}`},
		question{"PATCH", records + "/where", `{"fields":{"Note":"all"},"plan":true,"filters":[{"fieldId":"Name",
			"op":"contains","value":"vault"}]}`},
		question{"PATCH", "/records/" + h.records[0], `{"fields":{"Owner":null}}`},
		question{"DELETE", records + "/where", `{"plan":true,"filters":[{"fieldId":"Name","op":"is_not_empty"}]}`},
		question{"PATCH", "/records/" + h.records[1], `{"fields":{"Amount":7}}`},
		question{"PATCH", "/records/" + h.records[1], `{"fields":{"Double":7}}`},
		question{"PATCH", records, `{"records":[{"id":"` + h.records[2] + `","fields":{"Note":"x"}}]}`},
		question{"POST", records + "/merge", `{"keep":"` + h.records[0] + `","merge":["` + h.records[1] + `"]}`},
		question{"POST", base + "/access/explain", `{"userId":"` + userOf(h.person) + `"}`},
		get(records), get(base+feed),
	)
}
