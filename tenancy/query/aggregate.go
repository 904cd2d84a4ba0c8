package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of an aggregation.
const (
	MaxGroups     = 1000
	maxFunctions  = 20
	maxGroupedBy  = 3
	defaultGroups = 100
)

// An Aggregation asks for aggregates over the records of a table, such as counts and sums, in groups.
type Aggregation struct {
	View    string // as in Request, and so are Search and Filters
	Search  string
	Filters []byte
	// Functions is JSON: an array of {fn, fieldId}, and p for a percentile. fn is one of functionNames.
	// "" counts the records.
	Functions []byte
	// GroupBy names at most 3 groupings; none makes one group of everything. Each is the id or name of
	// a field, a path to one of linked records, or one in a span of time, as in month(Closed).
	GroupBy []string
	// Having is JSON: an array of {by, op, value}, conditions on results that every group meets.
	Having []byte
	// OrderBy is JSON: an array of {by, dir}, of results and groupings; "" is the order of the keys.
	OrderBy []byte
	Limit   int    // of groups, 1 to MaxGroups; 0 is 100
	AsOf    string // as in Request
}

// An aggregate is one function of an aggregation.
type aggregate struct {
	name       string        // its name in the results
	field      *schema.Field // nil for the records
	expression string
	write      field.Encoder
	number     bool
}

func parseFunctions(t *schema.Table, path string, raw []byte) ([]aggregate, error) {
	raw = jsonvalue.Trim(raw)
	if len(raw) == 0 || jsonvalue.Kind(raw) == jsonvalue.Null {
		return []aggregate{countRecords()}, nil
	}
	if err := jsonvalue.Check(raw); err != nil {
		return nil, problem.Invalid(path, "%s", err)
	}
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, problem.Invalid(path, "must be an array of {fn, fieldId}, not %s", jsonvalue.Describe(raw))
	}
	var out []aggregate
	var items []problem.Item
	jsonvalue.Elements(raw, func(i int, value []byte) bool {
		f, err := parseFunction(t, fmt.Sprintf("%s[%d]", path, i), value)
		switch {
		case err != nil:
			items = append(items, err.Items...)
		case slices.ContainsFunc(out, func(other aggregate) bool { return other.name == f.name }):
			items = append(items,
				problem.Invalid(fmt.Sprintf("%s[%d]", path, i), "%s is asked for twice", f.name).Items...)
		default:
			out = append(out, f)
		}
		return len(items) < maxItems && len(out) <= maxFunctions
	})
	switch {
	case len(items) > 0:
		return nil, problem.InvalidItems(items)
	case len(out) == 0 || len(out) > maxFunctions:
		return nil, problem.Invalid(path, "must hold 1 to %d functions", maxFunctions)
	}
	return out, nil
}

func parseFunction(t *schema.Table, path string, raw []byte) (aggregate, *problem.Error) {
	if jsonvalue.Kind(raw) != jsonvalue.Object {
		return aggregate{}, problem.Invalid(path, "must be {fn, fieldId}, not %s", jsonvalue.Describe(raw))
	}
	var fn, fieldID, p []byte
	var wrong *problem.Error
	err := jsonvalue.Members(raw, func(key string, value []byte) bool {
		keys := []string{"fn", "fieldId", "p"}
		switch naming.MeantKey(key, keys) {
		case "fn":
			fn = value
		case "fieldId":
			fieldID = value
		case "p":
			p = value
		default:
			if named := naming.Meant(key, functionNames); named != "" && fn == nil && fieldID == nil {
				fn, fieldID = field.AppendString(nil, named), value // {sum: field}
				return true
			}
			wrong = problem.Invalid(path+"."+key, "is not known here%s; the keys are %s",
				problem.DidYouMean(key, keys), problem.List(keys))
		}
		return wrong == nil
	})
	if err != nil {
		return aggregate{}, problem.Invalid(path, "%s", err)
	}
	if wrong != nil {
		return aggregate{}, wrong
	}
	name, err := stringOf(fn)
	if meant := naming.Meant(name, functionNames); meant != "" {
		name = meant
	}
	if err != nil || !slices.Contains(functionNames, name) {
		return aggregate{}, problem.Invalid(path+".fn", "%s is not a function%s; the functions are %s",
			field.Quote(name), problem.DidYouMean(name, functionNames), problem.List(functionNames))
	}
	percentile, wrong := parsePercentile(path+".p", name, p)
	if wrong != nil {
		return aggregate{}, wrong
	}
	var f *schema.Field
	if fieldID != nil || name != "count" && name != percentFn {
		if f, wrong = fieldRef(t, path+".fieldId", fieldID); wrong != nil {
			return aggregate{}, wrong
		}
	}
	if name == "count" && f == nil {
		return countRecords(), nil
	}
	if !slices.Contains(field.AggregateNames, name) {
		out, wrong := computed(name, f, percentile, path+".fieldId")
		if wrong != nil {
			return aggregate{}, wrong
		}
		return *out, nil
	}
	found := field.FindAggregate(f.Kind, name)
	if found == nil {
		return aggregate{}, notAggregated(path+".fieldId", f, name)
	}
	out := aggregate{
		name: name + "(" + f.Name + ")", field: f, expression: found.SQL(&f.Field), write: found.Append,
		number: found.Append != nil || field.FindAggregate(f.Kind, "avg") != nil,
	}
	if out.write == nil {
		out.write = f.Kind.Encoder(&f.Field, nil)
	}
	return out, nil
}

// parsePercentile reads p, which only a percentile may have.
func parsePercentile(path, fn string, raw []byte) (float64, *problem.Error) {
	if fn != percentileFn {
		if raw != nil {
			return 0, problem.Invalid(path, "applies only to %s", percentileFn)
		}
		return 0, nil
	}
	var p *float64
	if raw == nil || json.Unmarshal(raw, &p) != nil || p == nil || *p < 0 || *p > 100 {
		return 0, problem.Invalid(path, "must be a number from 0 to 100, such as 90")
	}
	return *p, nil
}

func countRecords() aggregate {
	return aggregate{name: "count", expression: field.CountAll.SQL(nil), write: field.CountAll.Append, number: true}
}

// notAggregated says which fields a function applies to.
func notAggregated(path string, f *schema.Field, name string) *problem.Error {
	switch name {
	case "count":
		return problem.Invalid(path, "%q holds no value", f.Name)
	case "sum", "avg":
		return problem.Invalid(path, "%q is %s; %s is of numbers", f.Name, f.Type(), name)
	}
	return problem.Invalid(path, "%q is %s; %s is of numbers and dates", f.Name, f.Type(), name)
}

// An AggregationPlan is an Aggregation that fits the table.
type AggregationPlan struct {
	*Plan     // its limit is the number of groups
	by        []grouping
	keys      []groupCell // of by
	functions []aggregate
	having    []groupCondition
	order     []groupOrder
}

// fields lists the fields of the table that the results are computed from.
func (p *AggregationPlan) fields() []*schema.Field {
	var fields []*schema.Field
	for _, g := range p.by {
		if len(g.links) == 0 {
			fields = append(fields, g.field)
		}
	}
	for _, f := range p.functions {
		if f.field != nil {
			fields = append(fields, f.field)
		}
	}
	return fields
}

// RefusePast refuses aggregations that need linked records, of which there is no past.
func (p *AggregationPlan) RefusePast() error {
	for i := range p.by {
		if g := &p.by[i]; len(g.links) > 0 || g.field.Link != nil {
			return problem.Invalid(fmt.Sprintf("groupBy[%d]", i), "linked records cannot be combined with asOf")
		}
	}
	return p.Filter.refusePast()
}

// ParseAggregation reads an aggregation of a viewer.
func ParseAggregation(viewer schema.Viewer, t *schema.Table, in *Aggregation) (*AggregationPlan, error) {
	limit := in.Limit
	if limit == 0 {
		limit = defaultGroups
	}
	if limit < 1 || limit > MaxGroups {
		return nil, problem.Invalid("limit", "must be a whole number from 1 to %d", MaxGroups)
	}
	plan, err := Parse(viewer, t, &Request{View: in.View, Search: in.Search, Filters: in.Filters, Limit: 1})
	by, byErr := parseGroupings(t, in.GroupBy)
	functions, functionErr := parseFunctions(t, "aggregates", in.Functions)
	if err := allOf(err, byErr, functionErr); err != nil {
		return nil, err
	}
	plan.Limit = limit
	p := &AggregationPlan{Plan: plan, by: by, functions: functions}
	for i := range by {
		p.keys = append(p.keys, by[i].cell())
	}
	if err := allOf(p.parseHaving(in.Having), p.parseOrder(in.OrderBy)); err != nil {
		return nil, err
	}
	return p, nil
}

// allOf joins errors of input into one.
func allOf(errs ...error) error {
	var items []problem.Item
	for _, err := range errs {
		var wrong *problem.Error
		if errors.As(err, &wrong) {
			items = append(items, wrong.Items...)
		} else if err != nil {
			return err
		}
	}
	if len(items) > 0 {
		return problem.InvalidItems(items)
	}
	return nil
}

// Statement writes the aggregation as SQL. Each row is a group; there may be one row more than the
// limit.
func (p *AggregationPlan) Statement(c *Compiler) string {
	if p.Search == nil {
		groups := p.groups(c)
		groups.With = p.present.parts(groups.String())
		return groups.String()
	}
	places := p.Search.places(c, "null", "")
	var with []CTE
	if !c.topology.JoinsShared() {
		with = []CTE{{Name: "hits", Body: places}}
		places = "select places from hits"
	}
	groups := p.groups(c, c.isAt(places))
	groups.With = with
	return groups.String()
}

// groups writes the aggregation over the records that meet its filter and further conditions.
func (p *AggregationPlan) groups(c *Compiler, conditions ...string) Select {
	inner := Select{
		From:  p.Table.From(p.reads(p.fields())),
		Where: slices.Concat([]string{c.condition(p.Filter)}, conditions, p.demand),
	}
	outer := Select{}
	var keys []string
	column := func(name, expression string) string {
		inner.Columns = append(inner.Columns, expression+" as "+name)
		return "g." + name
	}
	for i := range p.by {
		number := strconv.Itoa(i)
		g := p.by[i].compile(c, "j"+number)
		inner.From += g.join
		inner.GroupBy = append(inner.GroupBy, g.by...)
		for j, key := range g.columns {
			outer.Columns = append(outer.Columns, column("k"+number+"_"+strconv.Itoa(j), key))
		}
		keys = append(keys, column("o"+number, g.order))
	}
	for i, f := range p.functions {
		outer.Columns = append(outer.Columns, column("r"+strconv.Itoa(i), f.expression))
	}
	for _, o := range p.order {
		by := "g.r" + strconv.Itoa(o.result)
		if o.key >= 0 {
			by = keys[o.key]
		}
		if o.desc {
			by += " desc"
		}
		outer.OrderBy = append(outer.OrderBy, by+" nulls last")
	}
	outer.OrderBy = append(outer.OrderBy, keys...)
	for i := range p.having {
		outer.Where = append(outer.Where, p.having[i].condition(c))
	}
	outer.From = "(" + inner.String() + ") g"
	outer.Limit = c.Add(int64(p.Limit)+1) + "::bigint"
	return outer
}

// BeyondNumbers says which results may exceed every number: sums, and averages, which are computed from
// sums.
func (p *AggregationPlan) BeyondNumbers() *problem.Error {
	var names []string
	for _, f := range p.functions {
		if strings.HasPrefix(f.name, "sum(") || strings.HasPrefix(f.name, "avg(") {
			names = append(names, f.name)
		}
	}
	return problem.Invalid("aggregates", "%s: the sum of the values is beyond the largest number, about 1.8e308; "+
		"filter the records, or ask for min and max",
		problem.List(names)).WithCode(problem.CodeBeyondNumbers)
}

// AppendGroup writes a row of the statement as JSON.
func (p *AggregationPlan) AppendGroup(dst []byte, raw [][]byte) []byte {
	dst = append(dst, `{"key":{`...)
	at := 0
	for i, k := range p.keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, k.key...)
		if raw[at] == nil {
			dst = append(dst, "null"...)
		} else {
			dst = k.write(dst, raw[at:at+k.width])
		}
		at += k.width
	}
	dst = append(dst, `},"results":{`...)
	for i, f := range p.functions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(field.AppendString(dst, f.name), ':')
		if value := raw[at+i]; value == nil {
			dst = append(dst, "null"...)
		} else {
			dst = f.write(dst, value)
		}
	}
	return append(dst, "}}"...)
}
