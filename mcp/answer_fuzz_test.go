package mcp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

var (
	answerCalls = flag.Int("answer.calls", 600, "random calls of TestAnswersFitOutputSchemas")
	answerSeed  = flag.Uint64("answer.seed", 1, "seed of these calls; 0 draws one")
)

// kindValues are fields of every kind except links and what is computed through them, with values
// for those that can be written.
var kindValues = []struct{ kind, config, value string }{
	{"text", `{}`, `"Élan <b>\"x\"</b>"`},
	{"long_text", `{}`, `"line one\nline two\u2028🏠"`},
	{"email", `{}`, `"a@example.com"`},
	{"url", `{}`, `"https://example.com/?a=1&b=2"`},
	{"phone", `{}`, `"+47 55 00 00 00"`},
	{"number", `{"precision":2}`, `12.25`},
	{"currency", `{"symbol":"€"}`, `99.5`},
	{"percent", `{}`, `0.25`},
	{"rating", `{"max":5}`, `4`},
	{"duration", `{}`, `5400`},
	{"checkbox", `{}`, `true`},
	{"date", `{}`, `"2026-03-14"`},
	{"datetime", `{}`, `"2026-03-14T09:26:53Z"`},
	{"single_select", `{"options":["Open","Won"]}`, `"Open"`},
	{"multi_select", `{"options":["red","blue"]}`, `["red","blue"]`},
	{"user", `{"multiple":true}`, `[]`},
	{"attachment", `{}`, ``},
	{"json", `{}`, `{"a":[1,null,{"b":"c"}]}`},
	{"auto_number", `{}`, ``},
	{"created_time", `{}`, ``},
	{"last_modified_time", `{}`, ``},
	{"created_by", `{}`, ``},
	{"last_modified_by", `{}`, ``},
	{"button", `{}`, ``},
	{"formula", `{"formula":"{number} / ({rating} - 4)"}`, ``}, // an error where it divides by zero
}

// An answerFuzz makes calls up from the input schemas of tools. Ids in answers become arguments of later calls.
type answerFuzz struct {
	*rand.Rand
	pool map[string][]string // JSON values by the name of an argument, or by tool and argument
	kept map[string]bool     // ids that are not deleted
	gone []string            // ids that are deleted
	ids  map[id.Kind][]string
}

// idArguments are the kinds of the arguments that are ids.
var idArguments = map[string]id.Kind{
	"orgId": id.Org, "workspaceId": id.Workspace, "baseId": id.Base, "tableId": id.Table, "table": id.Table,
	"fieldId": id.Field, "viewId": id.View, "view": id.View, "recordId": id.Record, "userId": id.User,
	"person": id.User, "attachmentId": id.Attachment, "invitationId": id.Invitation, "replyTo": id.Comment,
	"file": id.Attachment, "id": id.Record, "subject": id.Table,
	// lists
	"tableIds": id.Table, "tables": id.Table, "ids": id.Record, "changeSets": id.ChangeSet, "items": trashed,
}

// trashed is the kind of deleted objects.
const trashed id.Kind = ""

// needed are optional arguments that their tools mostly need; rare are arguments that mostly make
// the others invalid.
var (
	needed = map[string]string{
		"create_records": "records", "update_records_where": "set", "import_records": "csv",
		"revert_changes":         "changeSets",
		"restore_record_version": "asOf", "query_records": "format", "get_record_history": "detail",
	}
	rare = []string{"apply", "cursor", "credential", "since", "until", "asOf", "version", "file", "having", "orderBy"}
)

var idInAnswer = regexp.MustCompile(`\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26,32}\b`)

func (f *answerFuzz) learn(answer []byte) {
	for _, found := range idInAnswer.FindAllString(string(answer), -1) {
		kind := id.KindOf(found)
		if known := f.ids[kind]; !slices.Contains(known, found) && len(known) < 60 {
			f.ids[kind] = append(known, found)
		}
	}
}

func (f *answerFuzz) pick(values []string) string { return values[f.IntN(len(values))] }

// idOf returns an id of a kind, mostly one that is not deleted.
func (f *answerFuzz) idOf(kind id.Kind, destroys bool) string {
	known := f.ids[kind]
	if kind == trashed {
		known = f.gone
	}
	if destroys {
		known = slices.DeleteFunc(slices.Clone(known), func(one string) bool { return f.kept[one] })
	} else if f.IntN(8) > 0 && kind != id.Record && kind != id.ChangeSet && kind != id.Comment && kind != trashed {
		known = slices.DeleteFunc(slices.Clone(known), func(one string) bool { return !f.kept[one] })
	}
	if len(known) == 0 {
		return `"` + string(kind) + `_00000000000000000000000000"`
	}
	return `"` + f.pick(known) + `"`
}

// odd are values that few arguments or none accept.
var odd = []string{`null`, `""`, `"nonsense"`, `-1`, `1e300`, `[]`, `{}`, `[[]]`, `"\u0000"`, `true`, `"1.0"`}

func (f *answerFuzz) value(tool, name string, s *jsonschema.Schema, destroys bool) string {
	if f.IntN(25) == 0 {
		return f.pick(odd)
	}
	if values := f.pool[tool+" "+name]; values != nil {
		return f.pick(values)
	}
	list := s.Type == "array"
	if kind, ok := idArguments[name]; ok && s.Enum == nil {
		one := f.idOf(kind, destroys)
		if list {
			return "[" + one + "]"
		}
		return one
	}
	if values := f.pool[name]; values != nil {
		return f.pick(values)
	}
	switch {
	case s.Enum != nil:
		encoded, _ := json.Marshal(s.Enum[f.IntN(len(s.Enum))]) // a string
		return string(encoded)
	case s.Type == "boolean":
		return f.pick([]string{"true", "false"})
	case s.Type == "integer", s.Type == "number":
		return f.pick([]string{"1", "2", "10", "1000"})
	case list:
		return "[]"
	case s.Type == "object":
		return "{}"
	}
	return fmt.Sprintf(`"Thing %d"`, f.IntN(1e6))
}

// arguments makes up the arguments of a call.
func (f *answerFuzz) arguments(tool string, input *jsonschema.Schema) string {
	destroys := strings.HasPrefix(tool, "delete_") && !strings.HasPrefix(tool, "delete_records") ||
		tool == "leave_org" || tool == "remove_member" || tool == "update_field"
	var members []string
	for _, name := range slices.Sorted(maps.Keys(input.Properties)) {
		likely := 20
		switch {
		case slices.Contains(input.Required, name), name == "confirm", needed[tool] == name:
			likely = 96
		case slices.Contains(rare, name), name == "fields" && needed[tool] != "":
			likely = 5
		}
		if f.IntN(100) < likely {
			members = append(members, fmt.Sprintf("%q:%s", name, f.value(tool, name, input.Properties[name], destroys)))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// everyKind makes a table with a field of every kind and some records, and returns the pool for
// calls.
func everyKind(t *testing.T, s *mcptest.Server) (*answerFuzz, *mcptest.Client) {
	t.Helper()
	owner, fixture := s.NewFixture(t)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp/all", nil)
	base := owner.ID("POST", "/bases", `{"name":"Fuzz"}`)
	table := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"Things"}`)
	other := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"Others","fields":[{"name":"Title","type":"text"},`+
		`{"name":"Cost","type":"number"}]}`)
	session := *owner.Principal
	session.Kind = "session" // only the application creates links and buttons
	app := s.REST.As(t, &session)
	add := func(name, kind, config string) {
		app.ID("POST", "/tables/"+table+"/fields", fmt.Sprintf(`{"name":%q,"type":%q,"config":%s}`, name, kind, config))
	}
	var values, names []string
	for _, k := range kindValues {
		add(k.kind, k.kind, k.config)
		names = append(names, k.kind)
		if k.value != "" {
			values = append(values, fmt.Sprintf("%q:%s", k.kind, k.value))
		}
	}
	add("link", "link", `{"linkedTableId":"`+other+`"}`)
	add("lookup", "lookup", `{"linkFieldId":"link","fieldId":"Cost"}`)
	add("rollup", "rollup", `{"linkFieldId":"link","fieldId":"Cost","function":"SUM"}`)
	add("count", "count", `{"linkFieldId":"link"}`)
	names = append(names, "link", "lookup", "rollup", "count")
	linked := mcptest.IDs(c.OK("create_records", object{"tableId": other, "records": []object{
		{"fields": object{"Title": "One", "Cost": 1}}, {"fields": object{"Title": "Two", "Cost": 2.5}},
	}}))
	file := c.ID("create_attachment", object{"tableId": table, "name": "a.txt", "content": "aGVsbG8="})
	full := "{" + strings.Join(append(values, fmt.Sprintf(`"link":[%q,%q]`, linked...),
		fmt.Sprintf(`"attachment":[%q]`, file)), ",") + "}"
	f := &answerFuzz{kept: map[string]bool{}, ids: map[id.Kind][]string{}}
	for range 3 {
		f.learn([]byte(fmt.Sprint(c.OK("create_records", json.RawMessage(
			`{"tableId":"`+table+`","records":[{"fields":`+full+
				`},{"fields":{}},{"fields":{"rating":3,"number":1e15}}]}`)))))
	}
	f.learn([]byte(fmt.Sprint(c.OK("describe_base", object{"baseId": base}), fixture, base, table, other, file)))
	for kind, ids := range f.ids {
		for _, one := range ids {
			f.kept[one] = kind != id.Record && one != other
		}
	}
	updates := make([]string, len(f.ids[id.Record]))
	for i, one := range f.ids[id.Record] {
		updates[i] = fmt.Sprintf(`[{"id":%q,"fields":{"text":"Z","multi_select":["blue"]}}]`, one)
	}
	f.kept[fixture["colleague"]] = false
	var fields, filters, sorts, groups, aggregates []string
	for _, name := range names {
		fields = append(fields, fmt.Sprintf(`["text",%q]`, name))
		sorts = append(sorts, fmt.Sprintf(`[{"fieldId":%q,"dir":"desc"}]`, name))
		groups = append(groups, fmt.Sprintf(`[%q]`, name))
		filters = append(filters, fmt.Sprintf(`[{"fieldId":%q,"op":"is_not_empty"}]`, name),
			fmt.Sprintf(`[{"fieldId":%q,"op":"is_empty"}]`, name),
			fmt.Sprintf(`[{"fieldId":%q,"op":"eq","value":"1"}]`, name))
		for _, fn := range []string{"count", "distinct", "sum", "min", "median"} {
			aggregates = append(aggregates, fmt.Sprintf(`[{"fn":%q,"fieldId":%q},{"fn":"count"}]`, fn, name))
		}
	}
	records := []string{
		`[{"fields":` + full + `}]`, `[{"fields":{}},{"fields":{"text":"B","number":null}}]`,
		`[{"fields":{"number":"x"}}]`,
	}
	moments := []string{
		`"` + time.Now().Format(time.RFC3339Nano) + `"`, `"2020-01-01T00:00:00Z"`, `"2099-01-01T00:00:00Z"`,
		`"yesterday"`,
	}
	f.pool = map[string][]string{
		"confirm": {"true", "true", "true", "false"}, "fields": {full, `{"text":"C"}`, `{"number":3,"checkbox":false}`},
		"query_records fields": fields, "export_records fields": fields, "create_download fields": fields,
		"create_table fields": {
			`[{"name":"Name","type":"text"}]`, `[{"name":"N","type":"number"},{"name":"F","type":"formula","config":` +
				`{"formula":"{N}+1"}}]`, `[{"name":"Name","type":"nothing"}]`,
		},
		"filters": filters, "sorts": sorts, "groupBy": groups, "aggregates": aggregates,
		"create_records records": records,
		"update_records records": updates, "having": {`[{"by":"count","op":"gt","value":0}]`},
		"orderBy": {`[{"by":"count","dir":"desc"}]`}, "asOf": moments, "since": moments, "until": moments,
		"upsertOn": {`["text"]`, `["email"]`, `["json"]`}, "search": {`"elan"`, `"x"`, `"nobody"`},
		"q": {`"elan"`, `"x"`, `"2026"`}, "query": {`"things last March"`, `"elan"`, `"nobody at all"`},
		"sql": {
			`"select * from \"Things\""`, `"select 1 as one, null as none, array[1,2] as list, now() as at"`,
			`"select"`,
			`"select \"link\", count(*) from \"Things\" group by 1"`, `"select 'NaN'::float8 as n, 'x'::text as n"`,
		},
		"csv": {
			`"text,number\nA,1\nB,many\n"`, `"text,number,multi_select\nA,1,\"red, green\"\n"`, `"nothing\n1\n"`,
			`"email,link\na@example.com,One\nb@example.com,Nobody\n"`,
		},
		"set": {
			`{"number":{"formula":"{number} * 2"}}`, `{"text":{"formula":"{text} & \"!\""}}`,
			`{"text":{"formula":"{no}"}}`,
		},
		"formula": {`"{number} * 2"`, `"{no}"`, `"IF({checkbox}, \"a\", 1)"`, `"("`},
		"config":  {`{}`, `{"description":"d"}`, `{"options":["a","b"]}`, `{"formula":"{number}+1"}`},
		"create_view config": {
			`{}`, `{"filters":[{"fieldId":"number","op":"gt","value":1}]}`, `{"stackFieldId":"single_select"}`,
			`{"dateFieldId":"date"}`,
		},
		"content": {`"aGVsbG8="`, `"hello!"`}, "email": {`"guest@example.com"`, `"nobody"`}, "color": {`"green"`},
		"icon": {`{"kind":"emoji","value":"🏠"}`}, "timeZone": {`"Europe/Oslo"`, `"Mars"`}, "size": {"100"},
		"maxTokens": {"500", "2000", "25000"}, "limit": {"1", "2", "10"}, "offset": {"0", "1"}, "wait": {"0"},
		"list_changes kinds": {`["created"]`, `["deleted","updated"]`},
		"list_trash kinds":   {`["field"]`, `["record","table"]`},
		"cursor":             {`"earliest"`, `"x"`},
		"apply":              {`"pln_x"`}, "changeSet": {`"round"`}, "include": {`["version"]`},
		"unset": {`["filters"]`}, "text": {`"Is this right?"`, `" "`}, "credential": {`"key_test"`},
		"update_field type": {`"text"`, `"number"`},
	}
	return f, c
}

// Whatever a tool is given, its output fits its output schema, and its text is the same JSON;
// problems are only text. CallText checks that.
func TestAnswersFitOutputSchemas(t *testing.T) {
	t.Parallel()
	seed := *answerSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-answer.seed=%d -answer.calls=%d", seed, *answerCalls)
	s := mcptest.New(t)
	f, c := everyKind(t, s)
	f.Rand = rand.New(rand.NewPCG(seed, 0))
	tools := c.Tools()
	if s.REST.Deps.DB.Distributed() { // SQL is off on Citus
		tools = slices.DeleteFunc(tools, func(one *sdk.Tool) bool { return one.Name == "query_sql" })
	}
	slices.SortFunc(tools, func(a, b *sdk.Tool) int { return strings.Compare(a.Name, b.Name) })
	called, answered := map[string]int{}, map[string]int{}
	last := ""
	defer func() {
		if t.Failed() {
			t.Logf("the last call was %s", last)
		}
	}()
	for i := range *answerCalls {
		tool := tools[i%len(tools)]
		input := &jsonschema.Schema{}
		encoded, err := json.Marshal(tool.InputSchema)
		if err == nil {
			err = json.Unmarshal(encoded, input)
		}
		if err != nil {
			t.Fatal(err)
		}
		arguments := f.arguments(tool.Name, input)
		if !json.Valid([]byte(arguments)) {
			t.Fatalf("%s: %s", tool.Name, arguments)
		}
		last = tool.Name + " " + arguments
		before := t.Failed()
		answer, failed := c.CallText(tool.Name, arguments)
		if t.Failed() && !before {
			t.Logf("call %d: %s", i, last)
		}
		called[tool.Name]++
		if failed {
			var refusal struct{ Status int }
			if err := json.Unmarshal(answer, &refusal); err != nil || refusal.Status < 400 || refusal.Status >= 500 {
				t.Errorf("%s: %v %s", last, err, answer)
			}
			continue
		}
		answered[tool.Name]++
		f.learn(answer)
		if strings.HasPrefix(tool.Name, "delete_") {
			f.gone = append(f.gone, idInAnswer.FindString(arguments))
		}
	}
	successes := 0
	for name := range called {
		successes += answered[name]
		if answered[name] == 0 {
			t.Logf("%s answered none of %d calls", name, called[name])
		}
	}
	if t.Logf("%d of %d calls succeeded", successes, *answerCalls); successes < *answerCalls/4 {
		t.Error("they are fewer than a quarter")
	}
}

// An aggregate of the past finds records by computed values, as a page does.
func TestAggregateOfThePastSearchesComputedFields(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.ID("POST", "/tables/"+table+"/fields",
		`{"name":"Twice","type":"formula","config":{"formula":"{Name} & {Name}"}}`)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	set := c.OK("create_records", object{"tableId": table, "records": []object{
		{"fields": object{"Name": "ab"}}, {"fields": object{"Name": "ba"}}, {"fields": object{"Name": "c"}},
	}})["changeSet"]
	question := object{"tableId": table, "search": "baba", "asOf": set}
	groups := c.OK("aggregate_records", question)["groups"].([]any)
	if got := groups[0].(object)["results"].(object)["count"]; got != c.OK("query_records", question)["total"] {
		t.Errorf("%v records were counted", got)
	}
}
