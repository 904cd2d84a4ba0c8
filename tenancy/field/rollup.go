package field

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

// RollupFunctions are the functions of a rollup. They have the same meaning as in formulas.
var RollupFunctions = []string{
	"SUM", "AVERAGE", "MIN", "MAX", "COUNT", "COUNTA", "COUNTALL", "AND", "OR", "XOR", "ARRAYUNIQUE", "ARRAYJOIN",
	"ARRAYCOMPACT", "CONCATENATE",
}

var _ = Register(NewComputedLike(Info{
	Type:        "rollup",
	Place:       193,
	Title:       "Rollup",
	Description: "One value that a function makes of the values of a field of the linked records.",
	Keys:        []Key{linkFieldKey, fieldKey, functionKey, valuesKey, filtersKey, resultFormatKey, symbolKey},
}))

var valuesKey = Key{
	Name: "formula",
	Schema: `{"type":"string","description":"instead of function: a formula of values, the list of them, as in ` +
		`ARRAYJOIN(ARRAYUNIQUE(values), \"; \")"}`,
}

var functionKey = Key{
	Name: "function",
	Schema: `{"type":"string","enum":["SUM","AVERAGE","MIN","MAX","COUNT","COUNTA","COUNTALL","AND","OR","XOR",` +
		`"ARRAYUNIQUE","ARRAYJOIN","ARRAYCOMPACT","CONCATENATE"]}`,
	Read: func(path string, raw json.RawMessage, _ *Config) (json.RawMessage, map[string]string, error) {
		if name, err := jsonvalue.Unquote(raw); err == nil && jsonvalue.Kind(raw) == jsonvalue.String {
			if meant := naming.Meant(name, RollupFunctions); meant != "" {
				return AppendString(nil, meant), nil, nil
			}
		}
		return raw, nil, nil
	},
	Check: func(c *Config) string {
		if c.Function != "" && !slices.Contains(RollupFunctions, c.Function) {
			return fmt.Sprintf("%q is not a function%s; the functions are %s", c.Function,
				problem.DidYouMean(c.Function, RollupFunctions), problem.List(RollupFunctions))
		}
		return ""
	},
}
