package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestIdempotentWriteRunsOnce(t *testing.T) {
	t.Parallel()
	for _, indirect := range []bool{false, true} {
		s := mcptest.New(t, func(o *mcp.Options) {
			if indirect {
				mcp.ViaSDK(o)
			}
		})
		owner := s.REST.Owner(t)
		base := owner.ID("POST", "/bases", `{"name":"CRM"}`)
		table := owner.ID("POST", "/bases/"+base+"/tables", `{"name":"Deals"}`)
		for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
			c := s.Dial(t, owner, era, "/mcp", nil)
			write := object{"tableId": table, "fields": object{"Name": era}, "idempotencyKey": "key of " + era}
			first := c.OK("create_records", write)
			again := c.OK("create_records", write)
			id := func(answer object) any { return mcptest.IDs(answer)[0] }
			if id(first) != id(again) || again["changeSet"] != first["changeSet"] {
				t.Errorf("%s: %v and then %v", era, first, again)
			}
			result, err := c.CallTool(t.Context(), &sdk.CallToolParams{
				Name: "create_records", Arguments: object{"tableId": table, "fields": object{"Name": era}},
				Meta: sdk.Meta{"idempotencyKey": "key of " + era},
			})
			if err != nil || result.IsError ||
				!strings.Contains(fmt.Sprint(result.Meta["rowhouse/replayed"]), "was not executed again") ||
				id(result.StructuredContent.(object)) != id(first) {
				t.Errorf("%s: a key in _meta: %v %v", era, result, err)
			}
			c.Refused(
				"create_records",
				object{"tableId": table, "fields": object{"Name": "another"}, "idempotencyKey": "key of " + era},
				"idempotency_key_reused",
			)
			c.Refused("create_records", object{"tableId": table, "fields": object{}, "idempotencyKey": "nön"},
				"idempotencyKey", "printable")
			c.Refused("query_records", object{"tableId": table, "idempotencyKey": "x"}, "idempotencyKey")
		}
		if got := owner.OK("GET", "/tables/"+table+"/records", "")["total"]; got != 2.0 {
			t.Errorf("there are %v records", got)
		}
	}
}

func TestWriteOfDisconnectedClientDoesNotStart(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	for _, version := range []string{mcptest.Initialize, mcptest.Stateless} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_records",` +
			`"arguments":{"tableId":"` + table + `","fields":{"Name":"ghost"}},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":{}}}}`
		if version == mcptest.Initialize {
			body = strings.Replace(body, `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
				`"io.modelcontextprotocol/clientCapabilities":{}}`, "", 1)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		r := httptest.NewRequestWithContext(gone, http.MethodPost, s.URL+"/mcp", bytes.NewReader([]byte(body)))
		for name, value := range map[string]string{
			"X-Api-Key":            owner.Key(),
			"Content-Type":         "application/json",
			"Accept":               "application/json, text/event-stream",
			"Mcp-Protocol-Version": version,
			"Mcp-Method":           "tools/call",
			"Mcp-Name":             "create_records",
		} {
			r.Header.Set(name, value)
		}
		s.Config.Handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	if got := owner.OK("GET", "/tables/"+table+"/records", "")["total"]; got != 0.0 {
		t.Errorf("%v records were written for clients that had gone", got)
	}
}

func TestUnknownMethodIsProtocolError(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	for _, version := range []string{"2025-11-25", "2025-06-18", "2025-03-26"} {
		response, body := s.Post(t, owner, "/mcp", `{"jsonrpc":"2.0","id":7,"method":"tools/lst"}`, map[string]string{
			"Mcp-Protocol-Version": version,
		})
		var answer struct {
			ID    int
			Error struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || response.StatusCode != 200 || answer.ID != 7 ||
			answer.Error.Code != -32601 ||
			!strings.Contains(answer.Error.Message, "tools/lst") {
			t.Errorf("%s: %d %s", version, response.StatusCode, body)
		}
	}
	response, body := s.Post(t, owner, "/mcp",
		`[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":7,"method":"ping"}]`, nil)
	if response.StatusCode != 400 || !strings.Contains(body, "the id 7") {
		t.Errorf("a batch with equal ids: %d %s", response.StatusCode, body)
	}
}

func TestInstructionsNameOnlyListedTools(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	for _, path := range []string{
		"/mcp", "/mcp?toolsets=records", "/mcp?toolsets=members", "/mcp?toolsets=schema", "/mcp?readonly=1",
	} {
		for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
			c := s.Dial(t, owner, era, path, nil)
			offered := map[string]bool{}
			for _, name := range names(c.Tools()) {
				offered[name] = true
			}
			text := c.InitializeResult().Instructions
			if len(text) < 100 {
				t.Errorf("%s of %s instructs with %q", path, era, text)
			}
			for _, tool := range names(s.Dial(t, owner, era, "/mcp", nil).Tools()) {
				for word := range strings.FieldsFuncSeq(
					text, func(c rune) bool { return c != '_' && (c < 'a' || c > 'z') },
				) {
					if word == tool && strings.Contains(word, "_") && !offered[tool] {
						t.Errorf("%s of %s speaks of %s", path, era, tool)
					}
				}
			}
			if path == "/mcp?toolsets=records" && (!strings.Contains(text, "Start with list_bases, "+
				"then call describe_base") || !offered["describe_base"]) {
				t.Errorf("%s does not say how to begin: %q", path, text)
			}
		}
	}
}
