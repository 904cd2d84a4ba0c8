package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The rules of a view give colours to its records: each has the colour of the first rule that it meets. The statement
// of a page decides that, so that a colour is as exact as a filter.

// maxColorRules bounds the rules of a view.
const maxColorRules = 20

// A colorRule gives a colour to the records that its filter lets through.
type colorRule struct {
	filter *Filter
	color  string
}

// colorRuleKeys are the keys of a rule.
var colorRuleKeys = []string{"filters", "color"}

// parseColorRules reads the rules of a view, an array of {filters, color}. It returns the rules that fit the table, and
// what is wrong with the others.
func parseColorRules(t *schema.Table, path string, raw []byte) (rules []colorRule, wrong []problem.Item) {
	raw = jsonvalue.Trim(raw)
	if len(raw) == 0 || jsonvalue.Kind(raw) == jsonvalue.Null {
		return nil, nil
	}
	if err := jsonvalue.Check(raw); err != nil {
		return nil, problem.Invalid(path, "%s", err).Items
	}
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, problem.Invalid(path, "must be an array of {filters, color}, not %s", jsonvalue.Describe(raw)).Items
	}
	jsonvalue.Elements(raw, func(i int, value []byte) bool {
		at := fmt.Sprintf("%s[%d]", path, i)
		if i == maxColorRules {
			more := problem.Invalid(at, "is one rule too many; a view has at most %d", maxColorRules)
			wrong = append(wrong, more.Items...)
			return false
		}
		rule, items := parseColorRule(t, at, value)
		if len(items) == 0 {
			rules = append(rules, rule)
		}
		wrong = append(wrong, items...)
		return len(wrong) < maxItems
	})
	return rules, wrong
}

func parseColorRule(t *schema.Table, path string, raw []byte) (rule colorRule, wrong []problem.Item) {
	if jsonvalue.Kind(raw) != jsonvalue.Object {
		return rule, problem.Invalid(path, "must be {filters, color}, not %s", jsonvalue.Describe(raw)).Items
	}
	given := map[string][]byte{}
	err := jsonvalue.Members(raw, func(key string, value []byte) bool {
		if !slices.Contains(colorRuleKeys, key) {
			wrong = append(wrong, problem.Invalid(path+"."+key, "is not a key of a rule%s; the keys are %s",
				problem.DidYouMean(key, colorRuleKeys), problem.List(colorRuleKeys)).Items...)
		}
		given[key] = value
		return true
	})
	if err != nil {
		return rule, problem.Invalid(path, "%s", err).Items
	}
	filter, err := ParseFilter(t, path+".filters", given["filters"])
	wrong = append(wrong, itemsOf(err)...)
	color, err := stringOf(given["color"])
	if err != nil || !slices.Contains(field.Colors, color) {
		wrong = append(wrong, problem.Invalid(path+".color", "must be one of %s", problem.List(field.Colors)).Items...)
	}
	return colorRule{filter, color}, wrong
}

// colorRulesJSON writes rules with fields named by id.
func colorRulesJSON(rules []colorRule) []byte {
	dst := []byte{'['}
	for i, rule := range rules {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, `{"filters":`...), rule.filter.JSON()...)
		dst = append(field.AppendString(append(dst, `,"color":`...), rule.color), '}')
	}
	return append(dst, ']')
}

// colors are the rules of a view that a list asks for.
type colors struct{ rules []colorRule }

// colorsOf reads the rules that a list asks for. It leaves out those that no longer fit the table; see ViewProblems.
func colorsOf(viewer schema.Viewer, t *schema.Table, in *Request) (*colors, error) {
	raw := in.ColorRules
	if raw == nil {
		v, err := ViewNamed(viewer, t, "colorsOf", in.ColorsOf)
		if err != nil {
			return nil, err
		}
		raw = v.Config["colorRules"]
	}
	rules, _ := parseColorRules(t, "colorRules", raw)
	return &colors{rules}, nil
}

// fields adds the fields that the rules compare.
func (c *colors) fields(to []*schema.Field) []*schema.Field {
	if c == nil {
		return to
	}
	for _, rule := range c.rules {
		to = rule.filter.fields(to)
	}
	return to
}

// columns are the columns of a page's statement behind all others: the place in field.Colors of the colour of the first
// rule that the record meets, which is null if it meets none. A list that asks for no colours has none.
func (c *colors) columns(compiler *Compiler) []string {
	if c == nil {
		return nil
	}
	if len(c.rules) == 0 {
		return []string{"null::integer"}
	}
	var b strings.Builder
	b.WriteString("case")
	for _, rule := range c.rules {
		condition := compiler.condition(rule.filter)
		if condition == "" {
			condition = "true"
		}
		b.WriteString(" when " + condition + " then " + strconv.Itoa(slices.Index(field.Colors, rule.color)))
	}
	b.WriteString(" end")
	return []string{b.String()}
}
