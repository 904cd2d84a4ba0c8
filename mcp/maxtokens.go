package mcp

import (
	"encoding/json"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// maxTokensName is the argument that bounds a result. Only tools have it: REST has no context
// window.
const maxTokensName = "maxTokens"

// listsMaxTokens reports whether the list of tools shows the bound of an operation's result.
func listsMaxTokens(op *operation.Operation) bool {
	return op.ReadOnly && (op.Scope == authz.DataRead || op.Agent.Large)
}

// takeMaxTokens removes the bound of the result from the arguments and returns it. Every tool that
// reads takes it, listed or not.
func (a *arguments) takeMaxTokens(t *tool) (int, error) {
	limit := defaultTokens
	if !t.readOnly() {
		return limit, nil
	}
	value := a.value(maxTokensName)
	a.remove(maxTokensName)
	if len(value) == 0 || value.Kind() == 'n' {
		return limit, nil
	}
	if json.Unmarshal(value, &limit) != nil || limit < 500 || limit > maxTokens {
		return 0, problem.Invalid(maxTokensName, "must be a whole number from 500 to %d, not %s", maxTokens, value)
	}
	return limit, nil
}
