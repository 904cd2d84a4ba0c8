package schema

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A ColorRule gives a colour to the records of a view that a filter lets through, unless an earlier rule does.
type ColorRule struct {
	Filters json.RawMessage `json:"filters"`
	Color   string          `json:"color"`
}

// ColorRules returns the rules of the config, in their order.
func (c ViewConfig) ColorRules() []ColorRule {
	var rules []ColorRule
	_ = json.Unmarshal(c["colorRules"], &rules) // absent means none; the value was checked when it was written
	return rules
}

// colorRulesWithout lists the rules that do not mention a field.
func (c ViewConfig) colorRulesWithout(public string) []ColorRule {
	return slices.DeleteFunc(c.ColorRules(), func(rule ColorRule) bool {
		return bytes.Contains(rule.Filters, []byte(public))
	})
}
