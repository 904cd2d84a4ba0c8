package operation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/docs/doctest"
)

// The page of scopes and roles is made of the catalogues of scopes and of operations.
func TestRightsDocumentation(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| scope | lets a credential | lowest role |\n|---|---|---|\n")
	for _, scope := range authz.Scopes {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", scope.Scope, scope.Meaning, scope.Role)
	}
	doctest.Part(t, "reference/scopes.md", "scopes", b.String(), *update)

	b.Reset()
	b.WriteString("| operation | request | scope | role |\n|---|---|---|---|\n")
	for _, op := range Catalogue() {
		scope, role := "any", string(op.Role)
		if op.Scope != authz.None {
			info, _ := authz.Info(op.Scope)
			scope = "`" + string(op.Scope) + "`"
			if role == "" {
				role = string(info.Role)
			}
		}
		fmt.Fprintf(&b, "| `%s` | `%s %s` | %s | %s |\n", op.Name, op.Method, op.Path, scope, role)
	}
	doctest.Part(t, "reference/scopes.md", "operations", b.String(), *update)
}
