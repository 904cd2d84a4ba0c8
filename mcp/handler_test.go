package mcp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// modern wraps parameters in what revision 2026-07-28 requires of every request.
func modern(method, params string) string {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		meta = "," + meta
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + meta + `}}`
}

func TestInvalidRequestsGiveSpecifiedErrors(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	headers := func(method, name string) map[string]string {
		return map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name}
	}
	call := `"name":"get_me","arguments":{}`
	for name, test := range map[string]struct {
		body   string
		header map[string]string
		status int
		says   string
	}{
		"all is well": {ping, nil, 200, `"result"`},
		"all is well, modern": {
			modern("tools/call", call), headers("tools/call", "get_me"), 200, `"structuredContent"`,
		},
		"a foreign origin":       {ping, map[string]string{"Origin": "https://evil.example"}, 403, "foreign_origin"},
		"an opaque origin":       {ping, map[string]string{"Origin": "null"}, 403, "foreign_origin"},
		"an origin of this host": {ping, map[string]string{"Origin": "http://localhost:6274"}, 200, `"result"`},
		"a foreign host":         {ping, map[string]string{"Host": "evil.example"}, 403, "foreign_host"},
		"no credential":          {ping, map[string]string{"x-api-key": ""}, 401, "unauthenticated"},
		"an unknown credential":  {ping, map[string]string{"x-api-key": "no"}, 401, "unauthenticated"},
		"no body":                {"", nil, 400, "-32600"}, "no JSON": {"{", nil, 400, "-32700"},
		"a name given twice": {`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}`, nil, 400, "-32700"},
		"invalid UTF-8":      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", nil, 400, "-32700"},
		"no object":          {"7", nil, 400, "-32600"}, "an empty batch": {"[]", nil, 400, "-32600"},
		"a large batch":            {"[" + strings.Repeat(ping+",", 30) + ping + "]", nil, 400, "-32600"},
		"a method that is no text": {`{"jsonrpc":"2.0","id":1,"method":7}`, nil, 400, "-32600"},
		"deep nesting": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` +
			strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, nil, 400, "error"},
		"no content type":        {ping, map[string]string{"Content-Type": "text/plain"}, 415, "application/json"},
		"no accept":              {ping, map[string]string{"Accept": "text/html"}, 400, "Accept"},
		"an unknown method":      {modern("tools/frobnicate", ""), headers("tools/frobnicate", ""), 404, "-32601"},
		"an unknown method, old": {`{"jsonrpc":"2.0","id":1,"method":"tools/frobnicate"}`, nil, 200, "-32601"},
		"an unknown tool": {
			modern("tools/call", `"name":"drop_everything","arguments":{}`), headers("tools/call", "drop_everything"),
			400, "-32602",
		},
		"an unknown tool, old": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drop_everything"}}`, nil, 200, "-32602",
		},
		"a forged method": {modern("tools/call", call), headers("tools/list", "get_me"), 400, "-32020"},
		"a forged name":   {modern("tools/call", call), headers("tools/call", "delete_base"), 400, "-32020"},
		"a forged name, old": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + "{" + call + "}}",
			map[string]string{"Mcp-Name": "delete_base"},
			400, "-32020",
		},
		"a missing method header": {
			modern("tools/call", call), map[string]string{"Mcp-Protocol-Version": "2026-07-28"}, 400, "Mcp-Method",
		},
		"a missing name header": {
			modern("tools/call", call),
			map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call"},
			400, "Mcp-Name",
		},
		"an unknown revision": {
			strings.ReplaceAll(modern("tools/list", ""), "2026-07-28", "2099-01-01"),
			map[string]string{"Mcp-Protocol-Version": "2099-01-01", "Mcp-Method": "tools/list"},
			400, "-32022",
		},
		"two revisions": {
			modern("tools/list", ""),
			map[string]string{"Mcp-Protocol-Version": "2025-11-25", "Mcp-Method": "tools/list"},
			400, "-32020",
		},
		"arguments that are text": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_base","arguments":"x"}}`, nil, 200,
			"object",
		},
		"arguments that are a list": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_base","arguments":[1]}}`, nil, 200,
			"object",
		},
		"no name of a tool": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}`, nil, 200, "-32602",
		},
		"no parameters": {`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, nil, 400, "params"},
		"a body too large": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 7<<20) + `"}}`,
			nil, 413, "too_large",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response, body := s.Post(t, owner, "/mcp", test.body, test.header)
			if response.StatusCode != test.status || !strings.Contains(body, test.says) {
				t.Errorf("got %d %s", response.StatusCode, body[:min(len(body), 600)])
			}
			if test.status == 401 && !strings.Contains(response.Header.Get("WWW-Authenticate"), "resource_metadata") {
				t.Errorf("no challenge: %v", response.Header)
			}
		})
	}
}

func TestOnlyPostIsAllowed(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		request, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, body := s.Send(t, request, map[string]string{"x-api-key": owner.Key(), "Accept": "text/event-stream"})
		if response.StatusCode != 405 || !strings.Contains(response.Header.Get("Allow"), "POST") {
			t.Errorf("%s: %d %s", method, response.StatusCode, body)
		}
	}
}

func TestPreflightOfAllowedOrigin(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t, func(o *mcp.Options) { o.Origins = []string{"https://app.example"} })
	request, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, s.URL+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, _ := s.Send(t, request, map[string]string{
		"Origin":                        "https://app.example",
		"Access-Control-Request-Method": "POST",
	})
	if response.StatusCode != 204 || response.Header.Get("Access-Control-Allow-Origin") != "https://app.example" {
		t.Errorf("%d %v", response.StatusCode, response.Header)
	}
}

func TestKeyWithoutMCPScopeIsForbidden(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	org, person := tenancytest.Org(t, s.REST.Deps.DB)
	weak := apitest.Principal(person, org, organization.Owner)
	weak.Scopes = []authz.Scope{authz.DataRead}
	response, body := s.Post(t, s.REST.As(t, weak), "/mcp", ping, nil)
	if response.StatusCode != 403 || !strings.Contains(body, "mcp:tools") ||
		response.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	session := apitest.Principal(person, org, organization.Owner)
	session.Kind = authz.Session
	if response, body := s.Post(t, s.REST.As(t, session), "/mcp", ping, nil); response.StatusCode != 401 {
		t.Errorf("a session was let in: %d %s", response.StatusCode, body)
	}
}

func TestStreamDisablesProxyBuffering(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	response, _ := s.Post(t, s.REST.Owner(t), "/mcp", ping, nil)
	if response.Header.Get("Content-Type") != "text/event-stream" || response.Header.Get("X-Accel-Buffering") != "no" ||
		response.Header.Get("X-Request-Id") == "" {
		t.Errorf("the header is %v", response.Header)
	}
}
