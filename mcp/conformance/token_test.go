package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// The list of tools is part of every conversation of an agent.
func TestToolListsFitTheirBudgets(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	for path, limit := range map[string]struct{ bytes, tokens int }{
		"/mcp":               {bytes: 40_000, tokens: 9_000},
		"/mcp?toolsets=core": {bytes: 16_000, tokens: 3_500},
	} {
		_, body := s.Post(t, owner, path, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
		var message struct{ Result json.RawMessage }
		if err := json.Unmarshal([]byte(body[strings.Index(body, "{"):]), &message); err != nil {
			t.Fatal(err)
		}
		var result struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(message.Result, &result); err != nil || len(result.Tools) < 10 {
			t.Fatalf("%s lists %d tools: %v", path, len(result.Tools), err)
		}
		tokens := interoptest.Tokens(t, string(message.Result))[0]
		t.Logf("%s: %d tools, %d bytes, %d tokens", path, len(result.Tools), len(message.Result), tokens)
		if len(message.Result) > limit.bytes || tokens > limit.tokens || tokens < 1000 {
			t.Errorf("%s: the list is %d bytes and %d tokens; it may be %d and %d", path, len(message.Result), tokens,
				limit.bytes, limit.tokens)
		}
	}
}
