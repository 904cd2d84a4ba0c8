package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A world is a team with a base, a table and a record.
type world struct {
	client              *apitest.Client
	base, table, record string
}

func newWorld(t *testing.T, s *mcptest.Server) *world {
	t.Helper()
	w := &world{client: s.REST.Owner(t)}
	w.base = w.client.ID("POST", "/bases", `{"name":"CRM"}`)
	w.table = w.client.ID("POST", "/bases/"+w.base+"/tables",
		`{"name":"Deals","fields":[{"name":"Name","type":"text"}]}`)
	made := w.client.OK("POST", "/tables/"+w.table+"/records", `{"records":[{"fields":{"Name":"First"}}]}`)
	w.record = made["records"].([]any)[0].(map[string]any)["id"].(string)
	return w
}

// expect waits for the next URI.
func expect(t *testing.T, updates <-chan string, want string) {
	t.Helper()
	select {
	case got := <-updates:
		if got != want {
			t.Errorf("told of %s, and not of %s", got, want)
		}
	case <-time.After(20 * time.Second):
		t.Errorf("not told of %s", want)
	}
}

// silent checks that no further notification arrives.
func silent(t *testing.T, updates <-chan string) {
	t.Helper()
	select {
	case got := <-updates:
		t.Errorf("told of %s", got)
	case <-time.After(1500 * time.Millisecond):
	}
}

// settled waits until notifications stop, and accepts at most limit of them, all of one resource.
func settled(t *testing.T, updates <-chan string, uri string, limit int) {
	t.Helper()
	for n := 0; ; n++ {
		select {
		case got := <-updates:
			if got != uri || n == limit {
				t.Fatalf("told of %s, after %d others", got, n)
			}
		case <-time.After(2 * time.Second):
			return
		}
	}
}

func TestResourcesAreSubscribedTo(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	w := newWorld(t, server)
	updates := make(chan string, 100)
	client := server.Dial(t, w.client, mcptest.Stateless, "/mcp", &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{},
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) {
			updates <- r.Params.URI
		},
	})
	if c := client.InitializeResult().Capabilities.Resources; c == nil || !c.Subscribe || c.ListChanged {
		t.Errorf("the capabilities are %+v", c)
	}
	subscribe := func(uri string) {
		t.Helper()
		if err := client.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
			t.Fatalf("subscribing to %s: %v", uri, err)
		}
	}
	record, table, base := "rowhouse://records/"+w.record, "rowhouse://tables/"+w.table+"/records",
		"rowhouse://bases/"+w.base+"/schema"
	subscribe(record)
	time.Sleep(300 * time.Millisecond) // the client returns before the service has answered
	w.client.OK("PATCH", "/records/"+w.record, `{"fields":{"Name":"Second"}}`)
	expect(t, updates, record)
	w.client.OK("POST", "/tables/"+w.table+"/records", `{"records":[{"fields":{"Name":"Other"}}]}`)
	silent(t, updates)
	if err := client.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: record}); err != nil {
		t.Fatal(err)
	}
	subscribe(table)
	time.Sleep(300 * time.Millisecond)
	for range 2 {
		for range 5 { // at once
			w.client.OK("PATCH", "/records/"+w.record, `{"fields":{"Name":"`+time.Now().String()+`"}}`)
		}
		expect(t, updates, table)
		settled(t, updates, table, 4) // the service may have read in between
	}
	if err := client.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: table}); err != nil {
		t.Fatal(err)
	}
	subscribe(base)
	time.Sleep(300 * time.Millisecond)
	w.client.OK("PATCH", "/records/"+w.record, `{"fields":{"Name":"Third"}}`)
	silent(t, updates)
	w.client.OK("PATCH", "/tables/"+w.table, `{"name":"Renamed"}`)
	expect(t, updates, base)
}

// listening is a response to subscriptions/listen.
type listening struct {
	*http.Response
	messages chan map[string]any
}

func listen(t *testing.T, server *mcptest.Server, key string, uris ...string) *listening {
	t.Helper()
	quoted, err := json.Marshal(uris)
	if err != nil {
		t.Fatal(err)
	}
	body := `{"jsonrpc":"2.0","id":"listen-1","method":"subscriptions/listen","params":{"notifications":` +
		`{"toolsListChanged":true,"resourceSubscriptions":` + string(quoted) + `},"_meta":` +
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "x-api-key": key,
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen",
	} {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	l := &listening{response, make(chan map[string]any, 100)}
	go func() {
		defer close(l.messages)
		text, rest := make([]byte, 64<<10), ""
		for {
			n, err := response.Body.Read(text)
			rest += string(text[:n])
			for {
				event, after, whole := strings.Cut(rest, "\n\n")
				if !whole {
					break
				}
				rest = after
				var m map[string]any
				if _, data, ok := strings.Cut(event, "data: "); ok && json.Unmarshal([]byte(data), &m) == nil {
					l.messages <- m
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return l
}

func (l *listening) next(t *testing.T) map[string]any {
	t.Helper()
	select {
	case m := <-l.messages:
		return m
	case <-time.After(20 * time.Second):
		t.Fatal("nothing is told")
	}
	return nil
}

func TestNotificationsNameTheirSubscription(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	w := newWorld(t, server)
	uri := "rowhouse://records/" + w.record
	l := listen(t, server, w.client.Key(), uri, uri)
	first := l.next(t)
	params, _ := first["params"].(map[string]any)
	agreed, _ := json.Marshal(params["notifications"])
	meta, _ := params["_meta"].(map[string]any)
	if first["method"] != "notifications/subscriptions/acknowledged" ||
		string(agreed) != `{"resourceSubscriptions":["`+uri+`"]}` ||
		meta["io.modelcontextprotocol/subscriptionId"] != "listen-1" {
		t.Errorf("acknowledged %v", first)
	}
	w.client.OK("PATCH", "/records/"+w.record, `{"fields":{"Name":"Second"}}`)
	update := l.next(t)
	params, _ = update["params"].(map[string]any)
	meta, _ = params["_meta"].(map[string]any)
	if update["method"] != "notifications/resources/updated" || params["uri"] != uri || len(params) != 2 ||
		meta["io.modelcontextprotocol/subscriptionId"] != "listen-1" {
		t.Errorf("told %v", update)
	}
}

func TestListenersKeepToTheirRights(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	w := newWorld(t, server)
	org := w.client.Orgs[0].Org
	uri := "rowhouse://records/" + w.record
	other := newWorld(t, server)
	for name, c := range map[string]struct {
		uri, word string
	}{
		"a record of another organization": {"rowhouse://records/" + other.record, "not found"},
		"a table of another organization":  {"rowhouse://tables/" + other.table + "/records", "not found"},
		"a base of another organization":   {"rowhouse://bases/" + other.base + "/schema", "not found"},
		"a document":                       {"rowhouse://docs/filters", "not found"},
		"the caller":                       {"rowhouse://me", "cannot be subscribed to"},
	} {
		got, _ := json.Marshal(listen(t, server, w.client.Key(), c.uri).next(t))
		if !strings.Contains(strings.ToLower(string(got)), c.word) || !strings.Contains(string(got), `"error"`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	many := make([]string, 101)
	got, _ := json.Marshal(listen(t, server, w.client.Key(), many...).next(t))
	if !strings.Contains(string(got), "at most 100") {
		t.Errorf("too many: %s", got)
	}
	// A client that loses a right is cut off and gets nothing more.
	for name, lose := range map[string]func(c *apitest.Client){
		"a revoked credential": func(c *apitest.Client) { server.REST.Revoke(c) },
		"a removed member": func(c *apitest.Client) {
			server.REST.Set(c, &authz.Principal{Scopes: authz.AllScopes()})
		},
		"a weaker scope": func(c *apitest.Client) {
			p := *c.Principal
			p.Scopes = []authz.Scope{authz.MCPTools}
			server.REST.Set(c, &p)
		},
	} {
		c := server.REST.As(t, apitest.Principal(w.client.Person, org, organization.Viewer))
		l := listen(t, server, c.Key(), uri)
		l.next(t)
		begun := time.Now()
		lose(c)
		if end := l.next(t); end["result"] == nil || time.Since(begun) > time.Second {
			t.Errorf("%s: after %s, told %v", name, time.Since(begun), end)
		}
		w.client.OK("PATCH", "/records/"+w.record, `{"fields":{"Name":"`+name+`"}}`)
		if more, open := <-l.messages; open {
			t.Errorf("%s: told %v", name, more)
		}
	}
}

func TestListenersAreBounded(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	server.REST.Live.Limits = live.Limits{Person: 1}
	w := newWorld(t, server)
	uri := "rowhouse://records/" + w.record
	first := listen(t, server, w.client.Key(), uri)
	first.next(t)
	second := listen(t, server, w.client.Key(), uri)
	if second.StatusCode != http.StatusTooManyRequests || second.Header.Get("Retry-After") == "" {
		t.Errorf("a second stream: %d %v", second.StatusCode, second.Header)
	}
}

func TestListenersOfADeletedTableAreNotified(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	w := newWorld(t, server)
	l := listen(t, server, w.client.Key(), "rowhouse://tables/"+w.table+"/records")
	l.next(t)
	w.client.OK("DELETE", "/tables/"+w.table, "")
	if got := l.next(t); got["method"] != "notifications/resources/updated" {
		t.Errorf("of a deleted table, told %v", got)
	}
	w.client.OK("DELETE", "/bases/"+w.base, "")
	for got := range l.messages {
		if got["result"] != nil {
			return
		}
	}
	t.Error("the stream of a deleted base does not end")
}

func TestTypeScriptClientSubscribes(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	w := newWorld(t, server)
	uri := "rowhouse://tables/" + w.table + "/records"
	client := interoptest.Subscribe(t, server.URL+"/mcp", "x-api-key", w.client.Key(), uri)
	w.client.OK("PATCH", "/records/"+w.record, `{"fields":{"Name":"Second"}}`)
	if got := client.Updated(); got != uri {
		t.Errorf("told of %q", got)
	}
}
