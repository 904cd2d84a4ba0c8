package mcp_test

import (
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

func TestEveryOperationAnswersTheSameOverRESTAndMCP(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	one, kept := s.World(t)
	rest := mcptest.Play(t, mcptest.OverREST(t, one), kept)
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		other, kept := s.World(t)
		mcptest.Compare(t, era, rest, mcptest.Play(t, mcptest.OverMCP(t, s.Dial(t, other, era, "/mcp", nil).Try), kept))
	}
	for _, op := range operation.Tools() {
		if !slices.ContainsFunc(mcptest.Steps, func(s mcptest.Step) bool { return s.Operation == op.Name }) {
			t.Errorf("no step touches %s: add one to mcptest.Steps", op.Name)
		}
	}
}
