package mcp_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// The handler answers direct calls, and calls that look like them, exactly as the SDK would.
func TestDirectCallsMatchSDKResponses(t *testing.T) {
	t.Parallel()
	s, owner, base, table := setup(t)
	owner.OK("POST", "/tables/"+table+"/records", `{"records":[{"fields":{"Name":"<b>\"quoted\" & \u2028 \\ é 🏠</b>",`+
		`"Amount":1.5}},{"fields":{"Name":"two\nlines\tand a tab"}}]}`)
	indirect := mcptest.NewReplica(t, s, mcp.ViaSDK)
	call := func(id, name, arguments, more string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` +
			arguments + more + `}}`
	}
	meta := func(more string) string {
		return `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}` + more + `}`
	}
	capable := meta(`,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"roots":{"listChanged":true}}`)
	headers := func(name string) map[string]string {
		return map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name}
	}
	for name, test := range map[string]struct {
		body   string
		header map[string]string
	}{
		"no version": {call("1", "get_me", "{}", ""), nil},
		"an old version": {
			call("1", "get_me", "{}", ""), map[string]string{"Mcp-Protocol-Version": "2025-06-18"},
		},
		"a version before it": {
			call("1", "get_me", "{}", ""), map[string]string{"Mcp-Protocol-Version": "2024-11-05"},
		},
		"an unknown old version": {
			call("1", "get_me", "{}", ""), map[string]string{"Mcp-Protocol-Version": "2024-01-01"},
		},
		"a text as id":      {call(`"a-1"`, "get_me", "{}", ""), nil},
		"an odd text as id": {call(`"<é>"`, "get_me", "{}", ""), nil},
		"a fraction as id":  {call("1.5", "get_me", "{}", ""), nil},
		"a negative id":     {call("-7", "get_me", "{}", ""), nil},
		"a padded id":       {call("1e2", "get_me", "{}", ""), nil},
		"a huge id":         {call("123456789012345678901234567890", "get_me", "{}", ""), nil},
		"an empty id":       {call(`""`, "get_me", "{}", ""), nil},
		"null as id":        {call("null", "get_me", "{}", ""), nil},
		"no id": {
			`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"get_me","arguments":{}}}`, nil,
		},
		"no arguments": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me"}}`, nil,
		},
		"null as arguments": {call("1", "get_me", "null", ""), nil},
		"a progress token":  {call("1", "get_me", "{}", `,"_meta":{"progressToken":7}`), nil},
		"another member":    {call("1", "get_me", "{}", `,"task":{"ttl":1}`), nil},
		"another JSON-RPC":  {strings.Replace(call("1", "get_me", "{}", ""), `"2.0"`, `"1.0"`, 1), nil},
		"a member outside": {
			`{"jsonrpc":"2.0","id":1,"more":1,"method":"tools/call","params":{"name":"get_me"}}`, nil,
		},
		"a result beside": {
			`{"jsonrpc":"2.0","id":1,"result":{},"method":"tools/call","params":{"name":"get_me"}}`, nil,
		},
		"a batch": {
			"[" + call("1", "get_me", "{}", "") + "," + call("2", "get_me", "{}", "") + "]", nil,
		},
		"records":                        {call("1", "query_records", `{"tableId":"`+table+`"}`, ""), nil},
		"an error":                       {call("1", "query_records", `{"tableId":"Nothing"}`, ""), nil},
		"a call that needs confirmation": {call("1", "delete_base", `{"baseId":"`+base+`"}`, ""), nil},
		"modern": {
			call("1", "query_records", `{"tableId":"`+table+`"}`, capable), headers("query_records"),
		},
		"modern, an error": {
			call("1", "query_records", `{"tabelId":"x"}`, capable), headers("query_records"),
		},
		"modern, needs confirmation": {
			call("1", "delete_base", `{"baseId":"`+base+`"}`, capable), headers("delete_base"),
		},
		"modern, no capability": {call("1", "get_me", "{}", meta("")), headers("get_me")},
		"modern, bad capability": {
			call("1", "get_me", "{}", meta(`,"io.modelcontextprotocol/clientCapabilities":{"elicitation":7}`)),
			headers("get_me"),
		},
		"modern, no meta": {call("1", "get_me", "{}", ""), headers("get_me")},
		"modern, no headers": {
			call("1", "get_me", "{}", capable), map[string]string{"Mcp-Protocol-Version": "2026-07-28"},
		},
		"modern, old header": {
			call("1", "get_me", "{}", capable), map[string]string{"Mcp-Protocol-Version": "2025-11-25"},
		},
		"modern, no header": {call("1", "get_me", "{}", capable), nil},
		"modern, bad name": {
			strings.Replace(call("1", "get_me", "{}", capable), `{"name":"t","version":"1"}`, `7`, 1),
			headers("get_me"),
		},
		"modern, a state": {call("1", "get_me", "{}", `,"requestState":"x"`+capable), headers("get_me")},
		"an unknown tool": {call("1", "drop_table", "{}", ""), nil},
		"no events":       {call("1", "get_me", "{}", ""), map[string]string{"Accept": "application/json"}},
		"no JSON":         {call("1", "get_me", "{}", ""), map[string]string{"Content-Type": "text/plain"}},
		"a resumption":    {call("1", "get_me", "{}", ""), map[string]string{"Last-Event-Id": "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := map[string]string{"X-Request-Id": "same"}
			for k, v := range test.header {
				header[k] = v
			}
			a, direct := s.Post(t, owner, "/mcp", test.body, header)
			b, through := indirect.Post(t, owner, "/mcp", test.body, header)
			got := approvalLink.ReplaceAllString(describe(a, direct), "LINK")
			if want := approvalLink.ReplaceAllString(describe(b, through), "LINK"); got != want {
				t.Errorf("the answers differ:\ndirect  %s\nthrough %s", got, want)
			}
		})
	}
}

// The SDK also escapes what could end a script in a page; no page contains these results.
var escapes = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

var anAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// A state names the second in which it was made, which may be over when the other one is.
var aState = regexp.MustCompile(`"requestState":"[\w-]{20,}"`)

func describe(r *http.Response, body string) string {
	if strings.Contains(body, `"id":2`) {
		body = "a batch" // its responses come in any order
	}
	return fmt.Sprintf("%d %s %s %s %s", r.StatusCode, r.Header.Get("Content-Type"), r.Header.Get("Cache-Control"),
		r.Header.Get("X-Accel-Buffering"),
		aState.ReplaceAllString(anAddress.ReplaceAllString(escapes.Replace(body), "ADDRESS"), "STATE"))
}
