package allowlist

import "strings"

// FunctionNames lists what statements may call.
func FunctionNames() []string {
	var names []string
	for _, f := range families {
		names = append(names, strings.Fields(f.functions)...)
	}
	return names
}
