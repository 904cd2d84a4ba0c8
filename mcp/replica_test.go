package mcp_test

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestAnyReplicaServesAnyRequest(t *testing.T) {
	t.Parallel()
	one, owner, _, table := setup(t)
	two := mcptest.NewReplica(t, one)
	options := &sdk.ClientOptions{
		Capabilities:   &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{}},
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	}
	call := &sdk.CallToolParams{Name: "delete_table", Arguments: object{"tableId": table}}
	question, err := one.Dial(t, owner, mcptest.Stateless, "/mcp", options).CallTool(t.Context(), call)
	if err != nil || question.RequestState == "" {
		t.Fatalf("the question is %+v, %v", question, err)
	}
	call.RequestState = question.RequestState
	call.InputResponses = sdk.InputResponseMap{
		"confirm": &sdk.ElicitResult{Action: "accept", Content: object{"confirm": true}},
	}
	if done, err := two.Dial(t, owner, mcptest.Stateless, "/mcp", options).CallTool(t.Context(), call); err != nil ||
		done.IsError {
		t.Errorf("the other replica says %+v, %v", done, err)
	}

	// A client of an older revision begins at one replica and continues at the other.
	_, hello := one.Post(t, owner, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize",`+
		`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, nil)
	response, _ := two.Post(t, owner, "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		map[string]string{"Mcp-Protocol-Version": "2025-11-25"})
	_, called := two.Post(
		t, owner, "/mcp",
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_bases","arguments":{}}}`,
		map[string]string{"Mcp-Protocol-Version": "2025-11-25"},
	)
	if !strings.Contains(hello, `"2025-11-25"`) || response.StatusCode != 202 || !strings.Contains(called, "CRM") {
		t.Errorf("%s\n%d\n%s", hello, response.StatusCode, called)
	}
}
