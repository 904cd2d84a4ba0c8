package mcp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/docs/doctest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
)

// The page of the tools is generated from the lists of the server's addresses.
func TestToolDocumentation(t *testing.T) {
	t.Parallel()
	s := mcptest.New(t)
	owner := s.REST.Owner(t)
	listed := map[string][]string{}
	addresses := []string{"/mcp", "/mcp/core", "/mcp/readonly"}
	for _, address := range addresses {
		listed[address] = names(s.Dial(t, owner, mcptest.Stateless, address, nil).Tools())
	}
	scopes := map[string]string{}
	for _, op := range operation.Tools() {
		scopes[op.Name] = string(op.Scope)
	}
	var b strings.Builder
	b.WriteString("| tool | what it does | scope | in |\n|---|---|---|---|\n")
	for _, tool := range s.Dial(t, owner, mcptest.Stateless, "/mcp/all", nil).Tools() {
		var in []string
		for _, address := range addresses {
			if slices.Contains(listed[address], tool.Name) {
				in = append(in, "`"+address+"`")
			}
		}
		scope := scopes[tool.Name]
		if scope != "" {
			scope = "`" + scope + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", tool.Name, doctest.Cell(tool.Description), scope,
			strings.Join(in, " "))
	}
	doctest.Part(t, "reference/tools.md", "tools", b.String(), *update)
}
