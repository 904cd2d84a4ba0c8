package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// The official client lists and calls tools over the standard input and output of rowhouse mcp, with a sign-in
// and with a key, and gets what the service answers over HTTP.
func testBridge(t *testing.T, w *world) {
	person := rowhousetest.SignUp(t, w.service.BaseURL, "Ola", "Harbour agents")
	c := w.terminal(t)
	c.login(person, w.service.BaseURL)
	if _, said, status := c.run("mcp"); status != 3 || !strings.Contains(said, "rowhouse login --mcp") {
		t.Errorf("a sign-in that is not for agents: %d %s", status, said)
	}
	c.login(person, "--mcp")
	c.ok("base", "create", "Harbour") // the first sign-in is still there
	c.ok("table", "create", "Harbour/Ships", "Name", "Tons:number")

	session := c.agent()
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 40 {
		t.Fatalf("listed %d tools: %v", len(tools.Tools), err)
	}
	call := func(name string, arguments map[string]any) string {
		t.Helper()
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	call("create_records", map[string]any{
		"tableId": "Harbour/Ships", "fields": map[string]any{"Name": "Åse", "Tons": 90},
	})
	if got := call("query_records", map[string]any{"tableId": "Harbour/Ships"}); !strings.Contains(got, "Åse") {
		t.Errorf("the record is not there: %s", got)
	}
	if got := call("query_records", map[string]any{"tableId": "Harbour/Shps"}); !strings.Contains(got, "Ships") {
		t.Errorf("a mistake is not explained: %s", got)
	}
	if err := session.Close(); err != nil {
		t.Errorf("ending: %v", err)
	}

	key := w.terminal(t, "ROWHOUSE_URL="+w.service.BaseURL, "ROWHOUSE_TOKEN="+w.secret)
	reader := key.agent("--tools", "readonly")
	if tools, err := reader.ListTools(t.Context(), nil); err != nil || len(tools.Tools) == 0 || len(tools.Tools) == 40 {
		t.Errorf("listed the tools that read: %v", err)
	}
	key = w.terminal(t, "ROWHOUSE_URL="+w.service.BaseURL, "ROWHOUSE_TOKEN=rhk_unknown")
	client := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil)
	command := rowhousetest.Command(t, key.home, key.environment, "mcp")
	if _, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil); err == nil ||
		!strings.Contains(err.Error(), "rowhouse login --mcp") {
		t.Errorf("an unknown key: %v", err)
	}
}

// agent connects the official client to rowhouse mcp.
func (c *terminal) agent(args ...string) *sdk.ClientSession {
	c.t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil)
	session, err := client.Connect(c.t.Context(), &sdk.CommandTransport{
		Command: rowhousetest.Command(c.t, c.home, c.environment, append([]string{"mcp"}, args...)...),
	}, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = session.Close() })
	return session
}
