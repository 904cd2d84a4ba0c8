package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// dial starts an official TypeScript client, which checks each structured content against the tool's output schema itself, and
// returns the function with which it calls tools.
func dial(t *testing.T, kind, address, header, credential string) (try func(tool string, arguments any) (map[string]any, bool), era string) {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), node(t), "client.mjs", kind, address, header, credential)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("the client of %s: %v", kind, err)
		}
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	read := func(into any) {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the client of %s ended: %v", kind, lines.Err())
		}
		if err := json.Unmarshal(lines.Bytes(), into); err != nil {
			t.Fatalf("the client of %s said %s: %v", kind, lines.Bytes(), err)
		}
	}
	var hello struct {
		Era   string
		Tools int
	}
	read(&hello)
	if want := len(operation.Catalogue()) + 2; hello.Tools != want {
		t.Errorf("the client of %s lists %d tools, not %d", kind, hello.Tools, want)
	}
	encoder := json.NewEncoder(in)
	return func(tool string, arguments any) (map[string]any, bool) {
		t.Helper()
		if err := encoder.Encode(map[string]any{"tool": tool, "arguments": arguments}); err != nil {
			t.Fatal(err)
		}
		var reply struct {
			Answer map[string]any
			Failed bool
			Broken string
		}
		read(&reply)
		if reply.Broken != "" {
			t.Fatalf("%s through the client of %s: %s", tool, kind, reply.Broken)
		}
		return reply.Answer, reply.Failed
	}, hello.Era
}

func TestTheTypeScriptClientsDoEverythingThatRESTDoes(t *testing.T) {
	t.Parallel()
	server := mcptest.New(t)
	one, kept := server.World(t)
	rest := mcptest.Play(t, mcptest.OverREST(t, one), kept)
	for kind, want := range map[string]string{"v1": mcptest.Initialize, "v2": mcptest.Stateless} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			other, kept := server.World(t)
			try, era := dial(t, kind, server.URL+"/mcp", "x-api-key", other.Key())
			if era != want {
				t.Errorf("the client speaks %q, not %s", era, want)
			}
			mcptest.Compare(t, kind, rest, mcptest.Play(t, mcptest.OverMCP(t, try), kept))
		})
	}
}
