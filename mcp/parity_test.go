package mcp_test

import (
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestRESTAndMCPGiveSameResults(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	one, kept := s.NewFixture(t)
	rest := mcptest.RunSteps(t, mcptest.RESTCaller(t, one), kept)
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		other, kept := s.NewFixture(t)
		mcptest.Compare(t, era, rest,
			mcptest.RunSteps(t, mcptest.MCPCaller(s.Dial(t, other, era, "/mcp", nil).CallText), kept))
	}
	if t.Logf("%d calls each", len(mcptest.Steps)); len(mcptest.Steps) < 200 {
		t.Error("they are fewer than 200")
	}
	for _, op := range operation.Tools() {
		if !slices.ContainsFunc(mcptest.Steps, func(s mcptest.Step) bool { return s.Operation == op.Name }) {
			t.Errorf("no step touches %s: add one to mcptest.Steps", op.Name)
		}
	}
}
