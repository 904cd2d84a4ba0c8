package query

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The conditions (having) and the order (orderBy) of the groups of an aggregation. Both name a result,
// as in sum(Price), or for the order a key.

// A groupOrder is one value that groups are sorted by.
type groupOrder struct {
	key    int // index of a grouping, or -1
	result int // index of a function
	desc   bool
}

// A groupCondition compares a result with numbers.
type groupCondition struct {
	result int
	op     string
	values []float64
}

// maxResults bounds the conditions of having, and the values of orderBy.
const maxResults = 10

// groupOps are the operators of having.
var groupOps = []string{"eq", "neq", "gt", "gte", "lt", "lte", "between"}

var groupSigns = map[string]string{"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

// eachObject reads an array of objects that may only have some keys.
func eachObject(at string, raw []byte, keys []string, read func(at string, given map[string][]byte) error) error {
	raw = jsonvalue.Trim(raw)
	if len(raw) == 0 || jsonvalue.Kind(raw) == jsonvalue.Null {
		return nil
	}
	if err := jsonvalue.Check(raw); err != nil {
		return problem.Invalid(at, "%s", err)
	}
	shape := "{" + strings.Join(keys, ", ") + "}"
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return problem.Invalid(at, "must be an array of %s, not %s", shape, jsonvalue.Describe(raw))
	}
	var failed error
	jsonvalue.Elements(raw, func(i int, value []byte) bool {
		if i == maxResults {
			failed = problem.Invalid(at, "must hold at most %d elements", maxResults)
			return false
		}
		place := fmt.Sprintf("%s[%d]", at, i)
		if jsonvalue.Kind(value) != jsonvalue.Object {
			failed = problem.Invalid(place, "must be %s, not %s", shape, jsonvalue.Describe(value))
			return false
		}
		given := map[string][]byte{}
		err := jsonvalue.Members(value, func(key string, member []byte) bool {
			if !slices.Contains(keys, key) {
				failed = problem.Invalid(place+"."+key, "is not known here%s; the keys are %s",
					problem.DidYouMean(key, keys), problem.List(keys))
			}
			given[key] = member
			return failed == nil
		})
		if err != nil {
			failed = problem.Invalid(place, "%s", err)
		}
		if failed == nil {
			failed = read(place, given)
		}
		return failed == nil
	})
	return failed
}

func (p *AggregationPlan) resultNames() []string {
	names := make([]string, len(p.functions))
	for i := range p.functions {
		names[i] = p.functions[i].name
	}
	return names
}

func (p *AggregationPlan) keyNames() []string {
	names := make([]string, len(p.by))
	for i := range p.by {
		names[i] = p.by[i].name
	}
	return names
}

func requiredString(at string, raw []byte) (string, error) {
	if raw == nil {
		return "", problem.Invalid(at, "is missing")
	}
	text, err := stringOf(raw)
	if err != nil {
		return "", problem.Invalid(at, "%s", err)
	}
	return text, nil
}

func (p *AggregationPlan) parseOrder(raw []byte) error {
	return eachObject("orderBy", raw, []string{"by", "dir"}, func(at string, given map[string][]byte) error {
		by, err := requiredString(at+".by", given["by"])
		if err != nil {
			return err
		}
		o := groupOrder{key: slices.Index(p.keyNames(), by), result: slices.Index(p.resultNames(), by)}
		if o.key < 0 { // a name may also be a result's, and an id is not
			o.key = slices.IndexFunc(p.by, func(g grouping) bool {
				return len(g.links) == 0 && g.bucket == "" && g.field.PublicID() == by
			})
		} else if o.result >= 0 {
			return problem.Invalid(at+".by", "%s is a result and also a field that is grouped by; name the field by "+
				"its id, or rename it", field.Quote(by))
		}
		if o.key < 0 && o.result < 0 {
			valid := append(p.resultNames(), p.keyNames()...)
			return problem.Invalid(at+".by", "%s is neither a result nor a field that is grouped by%s; valid: %s",
				field.Quote(by), problem.DidYouMean(by, valid), problem.List(valid))
		}
		if given["dir"] != nil {
			dir, err := requiredString(at+".dir", given["dir"])
			if err != nil {
				return err
			}
			if !slices.Contains(sortNames, dir) {
				return problem.Invalid(at+".dir", "must be asc or desc, not %s", field.Quote(dir))
			}
			o.desc = dir == "desc"
		}
		p.order = append(p.order, o)
		return nil
	})
}

func (p *AggregationPlan) parseHaving(raw []byte) error {
	return eachObject("having", raw, []string{"by", "op", "value"}, func(at string, given map[string][]byte) error {
		by, err := requiredString(at+".by", given["by"])
		if err != nil {
			return err
		}
		h := groupCondition{result: slices.Index(p.resultNames(), by)}
		if h.result < 0 {
			return problem.Invalid(at+".by", "%s is not a result%s; the results are %s",
				field.Quote(by), problem.DidYouMean(by, p.resultNames()), problem.List(p.resultNames()))
		}
		if !p.functions[h.result].number {
			return problem.Invalid(at+".by", "%s is not a number", field.Quote(by))
		}
		if h.op, err = requiredString(at+".op", given["op"]); err != nil {
			return err
		}
		if !slices.Contains(groupOps, h.op) {
			return problem.Invalid(at+".op", "%s is not an operator%s; the operators are %s", field.Quote(h.op),
				problem.DidYouMean(h.op, groupOps), problem.List(groupOps))
		}
		if h.op == "between" {
			var ends []*float64 // null is no number
			if json.Unmarshal(given["value"], &ends) != nil || len(ends) != 2 || slices.Contains(ends, nil) {
				return problem.Invalid(at+".value", "must be an array of two numbers")
			}
			h.values = []float64{*ends[0], *ends[1]}
		} else {
			var value *float64
			if given["value"] == nil || json.Unmarshal(given["value"], &value) != nil || value == nil {
				return problem.Invalid(at+".value", "must be a number")
			}
			h.values = []float64{*value}
		}
		p.having = append(p.having, h)
		return nil
	})
}

// condition writes a condition on the groups g.
func (h *groupCondition) condition(c *Compiler) string {
	result := "g.r" + strconv.Itoa(h.result)
	if h.op == "between" {
		return result + " between " + c.Add(h.values[0]) + "::double precision and " + c.Add(h.values[1]) +
			"::double precision"
	}
	sign := groupSigns[h.op]
	if h.op == "neq" {
		sign = "is distinct from"
	}
	return result + " " + sign + " " + c.Add(h.values[0]) + "::double precision"
}

// Functions that do not belong to one kind of field.
const (
	distinctFn   = "distinct"
	medianFn     = "median"
	percentileFn = "percentile"
	percentFn    = "percent_of_total"
)

// functionNames are the functions of an aggregation.
var functionNames = append(slices.Clone(field.AggregateNames), distinctFn, medianFn, percentileFn, percentFn)

// computed returns a function that is computed from others; nil if it is not one. f is nil for the
// records.
func computed(name string, f *schema.Field, percentile float64, at string) (*aggregate, *problem.Error) {
	number := func(expression string) *aggregate {
		out := &aggregate{
			name: name, field: f, expression: expression + "::double precision", write: field.AppendSum,
			number: true,
		}
		if f != nil {
			out.name = name + "(" + f.Name + ")"
		}
		return out
	}
	share := func(of string) string { return "(100.0 * " + of + " / nullif(sum(" + of + ") over (), 0))" }
	switch {
	case name == percentFn && f == nil:
		return number(share("count(*)")), nil
	case name == distinctFn:
		if f.Column() == "" || f.Order("") == "" {
			return nil, problem.Invalid(at, "%q is %s, whose values cannot be compared", f.Name, f.Type())
		}
		return &aggregate{
			name: name + "(" + f.Name + ")", field: f, expression: "count(distinct t." + f.Column() + ")",
			write: field.CountAll.Append, number: true,
		}, nil
	case field.FindAggregate(f.Kind, "avg") == nil:
		return nil, problem.Invalid(at, "%q is %s; %s is of numbers", f.Name, f.Type(), name)
	case name == percentFn:
		return number(share("sum(t." + f.Column() + ")")), nil
	case name == medianFn:
		return number("percentile_cont(0.5) within group (order by t." + f.Column() + ")"), nil
	}
	p := strconv.FormatFloat(percentile, 'f', -1, 64)
	out := number("percentile_cont(" + strconv.FormatFloat(percentile/100, 'f', -1, 64) + ") within group " +
		"(order by t." +
		f.Column() + ")")
	out.name = name + "(" + f.Name + ", " + p + ")"
	return out, nil
}
