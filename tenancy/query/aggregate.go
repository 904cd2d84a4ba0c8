package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/statement"
)

// Bounds of an aggregation.
const (
	MaxGroups     = 1000
	maxFunctions  = 20
	maxGroupedBy  = 3
	defaultGroups = 100
)

// An Aggregation asks for counts, sums and the like over the records of a table, in groups.
type Aggregation struct {
	View    string // as in Request, and so are Search and Filters
	Search  string
	Filters []byte
	// Functions is JSON: an array of {fn, fieldId}. fn is count (of records, or of those with a
	// value in the field), sum, avg, min or max. Nothing counts the records.
	Functions []byte
	GroupBy   []string // ids or names of at most 3 fields; none makes one group of everything
	Limit     int      // of groups, 1 to MaxGroups; 0 is 100
	AsOf      string   // as in Request
}

// An aggregate is one function of an aggregation.
type aggregate struct {
	name       string        // as it is called in the results
	field      *schema.Field // nil for the records
	expression string
	write      field.Encoder
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
	var fn, fieldID []byte
	var wrong *problem.Error
	err := jsonvalue.Members(raw, func(key string, value []byte) bool {
		switch key {
		case "fn":
			fn = value
		case "fieldId":
			fieldID = value
		default:
			keys := []string{"fn", "fieldId"}
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
	if err != nil || !slices.Contains(field.AggregateNames, name) {
		return aggregate{}, problem.Invalid(path+".fn", "%s is not a function%s; the functions are %s",
			field.Quote(name), problem.DidYouMean(name, field.AggregateNames), problem.List(field.AggregateNames))
	}
	if fieldID == nil && name == "count" {
		return countRecords(), nil
	}
	f, wrong := fieldRef(t, path+".fieldId", fieldID)
	if wrong != nil {
		return aggregate{}, wrong
	}
	found := field.FindAggregate(f.Kind, name)
	if found == nil {
		return aggregate{}, notAggregated(path+".fieldId", f, name)
	}
	out := aggregate{name + "(" + f.Name + ")", f, found.SQL(&f.Field), found.Append}
	if out.write == nil {
		out.write = f.Kind.Encoder(&f.Field, nil)
	}
	return out, nil
}

func countRecords() aggregate {
	return aggregate{"count", nil, field.CountAll.SQL(nil), field.CountAll.Append}
}

// notAggregated says what a function is of.
func notAggregated(path string, f *schema.Field, name string) *problem.Error {
	switch name {
	case "count":
		return problem.Invalid(path, "%q holds no value", f.Name)
	case "sum", "avg":
		return problem.Invalid(path, "%q is %s; %s is of numbers", f.Name, f.Type(), name)
	}
	return problem.Invalid(path, "%q is %s; %s is of numbers and dates", f.Name, f.Type(), name)
}

func groupFields(t *schema.Table, names []string) ([]*schema.Field, error) {
	if len(names) > maxGroupedBy {
		return nil, problem.Invalid("groupBy", "must name at most %d fields", maxGroupedBy)
	}
	return FieldsNamed(t, "groupBy", names, func(f *schema.Field) string {
		if !f.CanGroup() {
			return fmt.Sprintf("%q is %s, which cannot be grouped by", f.Name, f.Type())
		}
		return ""
	})
}

// An AggregationPlan is an Aggregation that fits the table.
type AggregationPlan struct {
	*Plan     // its limit is that of the groups
	by        []*schema.Field
	keys      []cell // of by
	functions []aggregate
}

// fields lists the fields that the results are made of.
func (p *AggregationPlan) fields() []*schema.Field {
	fields := slices.Clone(p.by)
	for _, f := range p.functions {
		if f.field != nil {
			fields = append(fields, f.field)
		}
	}
	return fields
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
	by, byErr := groupFields(t, in.GroupBy)
	functions, functionErr := parseFunctions(t, "aggregates", in.Functions)
	if err := allOf(err, byErr, functionErr); err != nil {
		return nil, err
	}
	plan.Limit = limit
	p := &AggregationPlan{Plan: plan, by: by, functions: functions}
	for i, f := range by {
		key := append(field.AppendString(nil, f.Name), ':')
		if i > 0 {
			key = append([]byte{','}, key...)
		}
		p.keys = append(p.keys, cell{key: key, write: f.Kind.Encoder(&f.Field, nil)})
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

// Statement writes the aggregation as SQL. Each row is a group, and there may be one more than the
// limit.
func (p *AggregationPlan) Statement(c *Compiler) string {
	groups := p.groups(c)
	if p.Search != nil {
		places := p.Search.places(c, "null", "")
		if c.distributed {
			groups.With = []statement.CTE{{Name: "hits", Body: places}}
			places = "select places from hits"
		}
		groups.Where = append(groups.Where, c.isAt(places))
	}
	return groups.String()
}

// groups writes the aggregation without its search.
func (p *AggregationPlan) groups(c *Compiler) statement.Select {
	groups := statement.Select{From: p.Table.Relation() + " t", Where: []string{c.condition(p.Filter)}}
	for _, f := range p.by {
		groups.Columns = append(groups.Columns, f.Kind.Select(&f.Field))
		groups.GroupBy = append(groups.GroupBy, "t."+f.Column())
		groups.OrderBy = append(groups.OrderBy, sortExpression(f))
	}
	for _, f := range p.functions {
		groups.Columns = append(groups.Columns, f.expression)
	}
	groups.Limit = c.Add(int64(p.Limit)+1) + "::bigint"
	return groups
}

// BeyondNumbers says which results may be larger than any number: sums, and averages, which are
// made of sums.
func (p *AggregationPlan) BeyondNumbers() *problem.Error {
	var names []string
	for _, f := range p.functions {
		if strings.HasPrefix(f.name, "sum(") || strings.HasPrefix(f.name, "avg(") {
			names = append(names, f.name)
		}
	}
	return problem.Invalid("aggregates", "%s: the sum of the values is beyond the largest number, about 1.8e308; "+
		"filter the records, or ask for min and max",
		problem.List(names)).WithCode("beyond_numbers")
}

// AppendGroup writes a row of the statement as JSON.
func (p *AggregationPlan) AppendGroup(dst []byte, raw [][]byte) []byte {
	dst = append(dst, `{"key":{`...)
	for i, k := range p.keys {
		dst = append(dst, k.key...)
		if raw[i] == nil {
			dst = append(dst, "null"...)
		} else {
			dst = k.write(dst, raw[i])
		}
	}
	dst = append(dst, `},"results":{`...)
	for i, f := range p.functions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(field.AppendString(dst, f.name), ':')
		if value := raw[len(p.keys)+i]; value == nil {
			dst = append(dst, "null"...)
		} else {
			dst = f.write(dst, value)
		}
	}
	return append(dst, "}}"...)
}
