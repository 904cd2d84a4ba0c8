package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// surfaces are the ways in which the person of a half gets answers.
type surfaces struct {
	*apitest.Server
	mcp      *mcptest.Server
	hooks    *webhook.Worker
	receiver *httptest.Server
	tools    map[string]*operation.Operation

	mu       sync.Mutex
	received map[string]int // messages by the path to which they were sent
}

func newSurfaces(t *testing.T) *surfaces {
	t.Helper()
	s := &surfaces{received: map[string]int{}, tools: map[string]*operation.Operation{}}
	s.mcp = mcptest.New(t)
	s.Server = s.mcp.REST
	for _, op := range operation.Tools() {
		s.tools[op.Name] = op
	}
	s.receiver = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.received[r.URL.Path]++
	}))
	t.Cleanup(s.receiver.Close)
	store, err := webhook.NewStore(webhook.Deps{
		DB: s.Deps.DB, Schema: s.Deps.Schema, Feed: &feed.Reader{DB: s.Deps.DB, Records: s.Deps.Records},
		Sender: outbound.NewSender(outbound.Options{
			Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		}), Secrets: tenancytest.Secrets(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Deps.Webhooks = store
	s.hooks = webhook.NewWorker(store, jobtest.Open(t, webhook.Queues()), webhook.WorkerOptions{
		Log: slog.New(slog.DiscardHandler),
	})
	return s
}

// Kinds of questions that are no methods of HTTP.
const (
	askExport = "EXPORT" // a job of the person, and its file
	askHook   = "HOOK"   // what the webhook has sent
	askStream = "STREAM" // what an open page got
)

var (
	changeSet  = regexp.MustCompile(`"changeSet":"(chs_[0-9a-z]{26})"`)
	nextCursor = regexp.MustCompile(`"nextCursor":"([^"]+)"`)
)

// answer asks as the person: REST, or an agent's tool if there is one.
func (h *half) answer(q question, asTool bool) (status int, raw string) {
	h.Helper()
	switch q.method {
	case askExport:
		return h.export(q)
	case askHook:
		return h.sent()
	case askStream:
		return h.shown()
	}
	if tool, arguments := h.toolFor(q); tool != "" && asTool {
		return h.call(tool, arguments)
	}
	if !strings.HasSuffix(q.path, "/records/export") || q.method != http.MethodGet {
		status, _, raw = h.person.Do(q.method, q.path, q.body)
		return status, raw
	}
	request, err := http.NewRequestWithContext(h.Context(), q.method, h.person.URL()+"/api/v1"+q.path, nil)
	if err != nil {
		h.Fatal(err)
	}
	return h.send(request)
}

func (h *half) send(request *http.Request) (status int, raw string) {
	h.Helper()
	request.Header.Set("X-Api-Key", h.person.Key())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		h.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		h.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// toolFor returns the tool that a request of REST is, with its arguments; "" if there is none.
func (h *half) toolFor(q question) (tool string, arguments map[string]any) {
	address, err := url.Parse(q.path)
	if err != nil {
		h.Fatal(err)
	}
	given := strings.Split(address.Path, "/")
	for _, op := range h.tools {
		wanted := strings.Split(op.Path, "/")
		arguments = map[string]any{}
		fits := op.Method == q.method && len(wanted) == len(given)
		for i := 0; fits && i < len(wanted); i++ {
			if name, ok := strings.CutPrefix(wanted[i], "{"); ok {
				arguments[strings.TrimSuffix(name, "}")] = given[i]
			} else {
				fits = wanted[i] == given[i]
			}
		}
		if !fits || strings.HasSuffix(q.path, "/where") != strings.HasSuffix(op.Path, "/where") {
			continue
		}
		for name, values := range address.Query() {
			var list any
			property := op.Input().Properties[name]
			switch {
			case property == nil:
				return "", nil
			case property.Type == "integer" || property.Type == "boolean":
				arguments[name] = json.RawMessage(values[0])
			case property.Type != "string" && json.Unmarshal([]byte(values[0]), &list) == nil:
				arguments[name] = list
			default:
				arguments[name] = values[0]
			}
		}
		if q.body != "" {
			if err := json.Unmarshal([]byte(q.body), &arguments); err != nil {
				h.Fatal(err)
			}
		}
		if op.ReadOnly {
			arguments["maxTokens"] = 25_000 // where a result is cut depends on the ids in it
		}
		return op.Name, arguments
	}
	return "", nil
}

// call calls a tool.
func (h *half) call(tool string, arguments map[string]any) (status int, raw string) {
	h.Helper()
	body := jsonvalue.Must(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments},
	})
	request, err := http.NewRequestWithContext(h.Context(), http.MethodPost, h.mcp.URL+"/mcp",
		strings.NewReader(string(body)))
	if err != nil {
		h.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	status, raw = h.send(request)
	if _, streamed, ok := strings.Cut(raw, "data: "); ok { // of Server-Sent Events, of which there is one
		raw = streamed
	}
	var message struct {
		Result struct {
			IsError bool                    `json:"isError"`
			Content []struct{ Text string } `json:"content"`
		} `json:"result"`
	}
	if err := json.NewDecoder(strings.NewReader(raw)).Decode(&message); err != nil {
		h.Fatalf("%s: %d %s", tool, status, raw)
	}
	if len(message.Result.Content) == 0 {
		return status, raw
	}
	raw = fmt.Sprint(message.Result.IsError) // the structured content is the text once more
	for _, one := range message.Result.Content {
		raw += "\n" + one.Text
	}
	return status, raw
}

// export exports in the background, and returns the job and its file. Workers of other tests in the same database may
// take a job, which they cannot do, so it begins another one, and gives up if these keep the organization busy.
func (h *half) export(q question) (status int, raw string) {
	h.Helper()
	for range 3 {
		status, begun, refusal := h.person.Do(http.MethodPost, q.path, q.body)
		if status != http.StatusAccepted {
			return status, refusal
		}
		which, err := id.Parse(id.Job, begun["id"].(string))
		if err != nil {
			h.Fatal(err)
		}
		err = h.Deps.Jobs.Run(h.Context(), h.person.Orgs[0].Org, which)
		if err != nil && err.Error() == job.Snooze(2*time.Second).Error() { // another job of the organization runs
			time.Sleep(time.Second)
			continue
		}
		if err != nil {
			h.Fatal(err)
		}
		status, done, answer := h.person.Do(http.MethodGet, "/jobs/"+begun["id"].(string), "")
		for i := 0; i < 20 && done["state"] == "running"; i++ {
			time.Sleep(100 * time.Millisecond)
			status, done, answer = h.person.Do(http.MethodGet, "/jobs/"+begun["id"].(string), "")
		}
		if file, ok := done["file"].(map[string]any); ok {
			j := &jobs{Client: h.person, t: h.T, server: h.Server}
			return status, fmt.Sprint(done["state"], " ", done["report"], " ", string(j.fetch(file["url"].(string))))
		}
		raw = answer
	}
	h.Logf("no export was done: %s", raw)
	return 0, notAnswered
}

const notAnswered = "not answered"

// makeHook makes a webhook of the person, while they are a creator.
func (h *half) makeHook() {
	grant := `{"grants":[{"userId":"` + userOf(h.person) + `","role":"creator"}]}`
	h.owner.OK("PATCH", "/bases/"+h.base+"/access", grant)
	h.hook = h.person.ID("POST", "/bases/"+h.base+"/webhooks", `{"url":"`+h.receiver.URL+"/"+h.base+`"}`)
}

// sent runs the webhook, and counts what it has sent. Who does not see everything is no creator any more, so it is
// nothing.
func (h *half) sent() (status int, raw string) {
	h.Helper()
	hook, err := id.Parse(id.Webhook, h.hook)
	if err != nil {
		h.Fatal(err)
	}
	if err := h.hooks.Run(h.Context(), h.person.Orgs[0].Org, hook); err != nil {
		h.Fatal(err)
	}
	h.surfaces.mu.Lock()
	defer h.surfaces.mu.Unlock()
	if n := h.received["/"+h.base]; n > 0 {
		h.Fatalf("the webhook of somebody from whom something is hidden has sent %d messages", n)
	}
	return 0, "nothing"
}

// shown is what the open page got up to now, in the order of commit.
func (h *half) shown() (status int, raw string) {
	h.Helper()
	h.owner.OK("PATCH", "/records/"+h.records[1], `{"fields":{"Note":"The end"}}`)
	h.owner.OK("PATCH", "/records/"+h.records[1], `{"fields":{"Amount":99}}`)
	var all []byte
	for one := range h.stream {
		kind, _ := one.data["kind"].(string)
		if one.name != "change" || kind == "linked" || kind == "schema" { // see the feed
			continue
		}
		after, _ := one.data["after"].(map[string]any)
		before, _ := one.data["before"].(map[string]any)
		for _, computed := range []string{
			"Client amount", "Client names", "Clients", "Amounts", "Project count", "Plain", "Known", "Twice",
		} {
			delete(after, computed) // is of the moment at which the event is sent
			delete(before, computed)
		}
		all = append(append(all, jsonvalue.Must(one.data)...), '\n')
		if after["Amount"] == 99.0 {
			return 0, string(all)
		}
	}
	h.Fatalf("the stream ended with %s", all)
	return 0, ""
}

// early are questions about the history of the base, which shows all changes of the records that somebody reads now, as
// long as no record has come into what the person reads.
func (h *half) early() []question {
	sets := "/bases/" + h.base + "/change-sets"
	return []question{
		{"GET", sets, ""},
		{"GET", sets + "?detail=full", ""},
		{"GET", sets + "?detail=full&limit=1", ""},
		{"GET", sets + "?detail=full&limit=3&cursor=$cursor", ""},
		{"GET", sets + "?table=" + h.tables[1], ""},
		{"GET", sets + "?table=" + h.tables[2], ""},
		{"GET", sets + "?credential=key_test", ""},
		{"GET", sets + "?person=" + userOf(h.owner), ""},
		{"POST", "/bases/" + h.base + "/changes/revert", `{"changeSets":["` + h.moments[1%len(h.moments)] + `"]}`},
	}
}

// late are the last questions: what the person takes back, and what the other surfaces have.
func (h *half) late() []question {
	base, first := "/bases/"+h.base, "/records/"+h.records[1]
	mine := question{"GET", base + "/change-sets?detail=full&person=" + userOf(h.person), ""}
	revert := question{"POST", base + "/changes/revert", `{"changeSets":["$set"]}`}
	list := []question{
		{"PATCH", first, `{"fields":{"Amount":8}}`},
		{"POST", base + "/changes/revert", `{"changeSets":["$set"],"dryRun":true}`},
		revert,
		revert,
		mine,
		{"POST", "/tables/" + h.tables[0] + "/records", `{"fields":{"Name":"client back"}}`},
		revert,
		{"DELETE", "/records/" + h.records[0], ""},
		revert,
		{"GET", "/records/" + h.records[0], ""},
		{"DELETE", "/records/" + h.records[2], ""},
		revert,
		mine,
		{"POST", base + "/changes/revert", `{"credential":"key_test","since":"2020-01-01T00:00:00Z","dryRun":true}`},
		{"GET", base + "/share", ""},
		{"GET", base + "/webhooks", ""},
		{"PUT", "/views/" + h.views[0] + "/share", `{}`},
		{"GET", base + "/dashboards", ""},
	}
	for _, table := range h.tables {
		list = append(list, question{"GET", "/tables/" + table + "/records/export", ""},
			question{askExport, "/tables/" + table + "/exports", `{"format":"csv"}`},
			question{askExport, "/tables/" + table + "/exports", `{"format":"ndjson"}`})
	}
	return append(list, question{"POST", base + "/exports", `{"format":"archive"}`}, question{askHook, "", ""},
		question{askStream, "", ""})
}

var replaced = []struct {
	text *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`), "TIME"},
	{regexp.MustCompile(`"milliseconds":\d+`), `"milliseconds":0`},
	{regexp.MustCompile(`"(cursor|nextCursor|requestId|request|key|planToken)":"[^"]*"`), `"$1":"…"`},
	{regexp.MustCompile(`\b1[0-9]{15}\b`), "VERSION"},
	{regexp.MustCompile(`"[0-9a-hjkmnp-tv-z]{8}"`), `"SHORT"`}, // an id of a record without a name; no name here fits
	{regexp.MustCompile(`"[^"]*@example\.[a-z]+"`), `"MAIL"`},
	{regexp.MustCompile(`"name":"(Person|Owner|Test)[^"]*"`), `"name":"PERSON"`},
}

var anyID = regexp.MustCompile(`\b[a-z]{3}_[0-9a-z]{26,32}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)

// ask asks as the person, over REST or as an agent, and replaces what differs by chance.
func (h *half) ask(q question) string {
	q.body = strings.ReplaceAll(q.body, "$set", h.set)
	q.path = strings.ReplaceAll(q.path, "$cursor", h.cursor)
	asTool := h.agent.IntN(2) == 0
	status, raw := h.answer(q, asTool)
	// Other tests run statements, and take connections.
	again := func() bool {
		return strings.Contains(raw, problem.CodeSQLBusy) || strings.Contains(raw, `"code":"unavailable"`)
	}
	for i := 0; i < 50 && again(); i++ {
		time.Sleep(100 * time.Millisecond)
		status, raw = h.answer(q, asTool)
	}
	if found := changeSet.FindStringSubmatch(raw); found != nil {
		h.set = found[1]
	}
	if found := nextCursor.FindStringSubmatch(raw); found != nil {
		h.cursor = found[1]
	}
	for _, one := range replaced {
		raw = one.text.ReplaceAllString(raw, one.with)
	}
	raw = anyID.ReplaceAllStringFunc(raw, func(found string) string {
		if h.names[found] == "" {
			h.names[found] = fmt.Sprintf("%s_%d", found[:3], len(h.names))
		}
		return h.names[found]
	})
	return fmt.Sprint(status, " ", raw)
}
