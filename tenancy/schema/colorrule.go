package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
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

// WithConcealedRules returns a changed config with the rules of the former one that compare fields which the person
// does not see, who has changed the others: each at its former place, or last.
func (c ViewConfig) WithConcealedRules(former ViewConfig, seen *Table) ViewConfig {
	if _, changed := c["colorRules"]; !changed || !seen.Partial() {
		return c
	}
	rules := c.ColorRules()
	for i, rule := range former.ColorRules() {
		if !rule.Compares(func(public string) bool { return seen.FieldByID(public) != nil }) {
			rules = slices.Insert(rules, min(i, len(rules)), rule)
		}
	}
	out := maps.Clone(c)
	out["colorRules"] = jsonvalue.Must(rules)
	return out
}

// Compares reports whether the rule compares only fields whose public id is among some, in its table and in others.
func (r ColorRule) Compares(among func(public string) bool) bool {
	return !slices.ContainsFunc(mentioned.FindAllString(string(r.Filters), -1), func(public string) bool {
		return !among(public)
	})
}
