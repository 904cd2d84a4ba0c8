package api_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

var (
	interferenceRounds = flag.Int("interference.rounds", 2,
		"how often TestNonInterference changes what is hidden in a pair and asks anew")
	interferenceDraws = flag.Int("interference.draws", 40, "questions that a round draws by chance")
)

// churn changes what the person does not see, in each half differently, and some of what the person sees, in both
// halves alike.
func (h *half) churn() {
	for range 1 + h.secret.IntN(4) {
		h.changeHidden()
	}
	for range h.open.IntN(3) {
		client := h.records[h.open.IntN(3)]
		h.owner.Do(http.MethodPatch, "/records/"+client, []string{
			fmt.Sprintf(`{"fields":{"Amount":%d}}`, h.open.IntN(9)),
			fmt.Sprintf(`{"fields":{"Note":"note%d"}}`, h.open.IntN(9)),
			fmt.Sprintf(`{"fields":{"State":%q}}`, []string{"New", "Done"}[h.open.IntN(2)]),
			fmt.Sprintf(`{"fields":{"Projects":[%q]}}`, h.projects[h.open.IntN(3)]),
		}[h.open.IntN(4)])
	}
}

func (h *half) changeHidden() {
	n, table := h.secret.IntN(1000), h.secret.IntN(2)
	seen := [][]string{h.records[:3], h.projects}[table]
	switch h.secret.IntN(8) {
	case 0:
		h.owner.OK("PATCH", "/records/"+seen[h.secret.IntN(3)], fmt.Sprintf(`{"fields":{"Secret":%d}}`, n))
	case 1:
		h.create(2, fmt.Sprintf(`{"Name":"vault%d","Amount":%d}`, n, n))
	case 2:
		vault := h.create(2, fmt.Sprintf(`{"Name":"vault%d"}`, n))
		h.owner.OK("PATCH", "/records/"+h.records[h.secret.IntN(3)],
			fmt.Sprintf(`{"fields":{"Hidden links":[%q]}}`, vault))
	case 3:
		h.owner.OK("PATCH", "/fields/"+h.fields[fmt.Sprint(table)+"Vault"], fmt.Sprintf(`{"name":"Vault %d"}`, n))
	case 4:
		h.owner.OK("PATCH", "/tables/"+h.tables[2], fmt.Sprintf(`{"name":"Hidden %d"}`, n))
		h.owner.OK("PATCH", "/tables/"+h.tables[2], `{"name":"Hidden"}`)
	case 5:
		vault := h.create(2, fmt.Sprintf(`{"Name":"vault%d"}`, n))
		h.owner.OK("DELETE", "/records/"+vault, "")
	case 6:
		h.fillHidden()
	case 7:
		h.otherBase()
	}
}

// draws are questions by chance, the same in both halves.
func (h *half) draws() []question {
	list := make([]question, *interferenceDraws)
	for i := range list {
		list[i] = h.drawn()
	}
	return list
}

func (h *half) drawn() question {
	t := h.draw.IntN(3)
	table, base := "/tables/"+h.tables[t], "/bases/"+h.base
	record := append(append([]string{}, h.records[:3]...), h.projects...)[h.draw.IntN(6)]
	switch h.draw.IntN(14) {
	case 0, 1, 2, 3:
		return question{http.MethodGet, table + "/records?" + h.list(t).Encode(), ""}
	case 4, 5:
		values := h.list(t)
		values.Del("sorts")
		values.Del("limit")
		values.Del("offset")
		values.Set("aggregates", `[{"fn":"count"},{"fn":"`+h.one("sum", "avg", "min", "max", "distinct", "median")+
			`","fieldId":`+h.field(t)+`}]`)
		values.Set("groupBy", `[{"fieldId":`+h.field(t)+`}]`)
		return question{http.MethodGet, table + "/records/aggregate?" + values.Encode(), ""}
	case 6:
		return question{http.MethodGet, h.one(table+"/records", base) + "/search?q=" + h.one("vault", "client",
			"project1", "note", "vault1"), ""}
	case 7, 8:
		return question{http.MethodPost, base + "/sql", string(jsonvalue.Must(map[string]string{"sql": h.sql(t)}))}
	case 9:
		return question{http.MethodPost, table + "/formula/check", string(jsonvalue.Must(map[string]string{
			"formula": "IF({" + h.name(t) + "} = {" + h.name(t) + "}, {" + h.name(t) + "}, {" + h.name(t) + "})",
		}))}
	case 10:
		return question{http.MethodGet, "/records/" + record + h.one("", "/history", "/comments",
			"/history?detail=full&state=true", "?asOf="+h.moments[1]), ""}
	case 11:
		return question{http.MethodPatch, table + "/records/where", `{"fields":{"Note":"all"},"plan":true,"filters":[` +
			h.filter(t) + `]}`}
	case 12:
		return question{http.MethodPatch, "/records/" + record, `{"fields":{` + h.field(t) + `:` + h.value() + `}}`}
	default:
		return question{http.MethodPost, table + "/records", `{"upsertOn":["Name"],"records":[{"fields":{"Name":"` +
			h.one("vault1", "client1", "project1", "own") + `",` + h.field(t) + `:` + h.value() + `}}]}`}
	}
}

// list draws the parameters of a list.
func (h *half) list(table int) url.Values {
	values := url.Values{}
	if h.draw.IntN(3) > 0 {
		filter := h.filter(table)
		if h.draw.IntN(3) == 0 {
			filter = `{"` + h.one("and", "or") + `":[` + filter + `,` + h.filter(table) + `]}`
		}
		values.Set("filters", "["+filter+"]")
	}
	if h.draw.IntN(2) == 0 {
		values.Set("sorts", `[{"fieldId":`+h.field(table)+`,"dir":"`+h.one("asc", "desc")+`"}]`)
	}
	if h.draw.IntN(4) == 0 {
		values.Set("search", h.one("vault", "client", "project", "note", "1"))
	}
	if h.draw.IntN(4) == 0 {
		values.Set("limit", h.one("1", "2", "3"))
		values.Set("offset", h.one("0", "1", "2"))
	}
	if h.draw.IntN(6) == 0 {
		values.Set("asOf", h.moments[h.draw.IntN(2)])
	}
	return values
}

func (h *half) filter(table int) string {
	return `{"fieldId":` + h.field(table) + `,"op":"` + h.one("eq", "neq", "contains", "not_contains", "starts_with",
		"gt", "lt", "gte", "between", "has_any", "has_none", "in", "is_empty", "is_not_empty") + `","value":` +
		h.value() + `}`
}

// field names a field of a table by its name or its id, as JSON.
func (h *half) field(table int) string {
	name := h.name(table)
	if field := h.fields[fmt.Sprint(table)+name]; field != "" && h.draw.IntN(3) == 0 {
		name = field
	}
	return `"` + name + `"`
}

func (h *half) name(table int) string {
	names := []string{"Name", "Amount", "Secret", "Note", "Owner", "State", "Vault"}
	names = append(names, [][]string{
		{
			"Projects", "Hidden links", "Double", "Known", "Twice", "Plain", "Sum", "Amounts", "Count", "Project count",
			"Projects.Amount", "Projects.Secret", "Hidden links.Name",
		},
		{"Client", "Client amount", "Client names", "Clients", "Client.Name", "Client.Secret", "Client.Hidden links"},
		{"Client"},
	}[table]...)
	return names[h.draw.IntN(len(names))]
}

func (h *half) value() string {
	return h.one("0", "3", "500", `"vault1"`, `"client1"`, `"project"`, `["client1"]`, `[1, 5]`, `["New"]`, `"New"`,
		`{"me":true}`, `true`, `null`, `"note3"`)
}

func (h *half) one(of ...string) string { return of[h.draw.IntN(len(of))] }

// sql draws a statement.
func (h *half) sql(table int) string {
	name := func() string { return `"` + strings.Split(h.name(table), ".")[0] + `"` }
	from := ` from "` + []string{"Client", "Project", "Hidden"}[table] + `"`
	switch h.draw.IntN(6) {
	case 5:
		return `select id, linked_id, position from ` + h.one(`"Project__Client"`, `"Client__Projects"`)
	case 0:
		return `select ` + name() + `, ` + name() + from + ` order by 1, 2 limit 5`
	case 1:
		return `select count(*), count(` + name() + `)` + from + ` where ` + name() + ` is not null`
	case 2:
		return `select ` + name() + `, count(*), max("Amount")` + from + ` group by 1 order by 2 desc, 1`
	case 3:
		return `select 10 / ("Amount" - ` + h.one("3", "5", "500") + `)` + from
	default:
		return `select (select count(*) from "Project" where "Amount" > c."Amount"), c.` + name() +
			` from "Client" c order by c.id`
	}
}
