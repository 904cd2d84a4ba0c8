package conformance

import (
	"testing"

	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestTypeScriptClientsMatchREST(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	one, kept := server.NewFixture(t)
	rest := mcptest.RunSteps(t, mcptest.RESTCaller(t, one), kept)
	for kind, want := range map[string]string{"v1": mcptest.Initialize, "v2": mcptest.Stateless} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			other, kept := server.NewFixture(t)
			client := interoptest.Dial(t, kind, server.URL+"/mcp", "x-api-key", other.Key())
			if tools := len(mcptest.Listed()) + 2; client.Era != want ||
				client.Tools != tools {
				t.Errorf("the client speaks %q and lists %d tools, not %s and %d",
					client.Era, client.Tools, want, tools)
			}
			mcptest.Compare(t, kind, rest, mcptest.RunSteps(t, mcptest.MCPCaller(client.Call), kept))
		})
	}
}
