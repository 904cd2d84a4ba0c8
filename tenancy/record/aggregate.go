package record

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/schema"
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
	View    string // as in Query, and so are Search and Filters
	Search  string
	Filters []byte
	// Functions is JSON: an array of {fn, fieldId}. fn is count (of records, or of those with a value in the field), sum, avg, min
	// or max. Nothing counts the records.
	Functions []byte
	GroupBy   []string // ids or names of at most 3 fields; none makes one group of everything
	Limit     int      // of groups, 1 to MaxGroups; 0 is 100
}

// Groups are the results, each a JSON object {key, results}: the values of the fields that were grouped by, and the results by the
// name of their function, as in "sum(Price)". They are in the order of their keys, empty values last.
type Groups struct {
	Groups  [][]byte
	HasMore bool
}

// AppendJSON writes {groups, hasMore}.
func (g Groups) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"groups":[`...)
	dst = appendJoined(dst, g.Groups)
	dst = append(dst, `],"hasMore":`...)
	dst = strconv.AppendBool(dst, g.HasMore)
	return append(dst, '}')
}

// MarshalJSON is AppendJSON for encoding/json.
func (g Groups) MarshalJSON() ([]byte, error) { return g.AppendJSON(nil), nil }

// An aggregate is one function of an aggregation.
type aggregate struct {
	name       string // as it is called in the results
	expression string
	write      func(dst, raw []byte) []byte
}

var functionNames = []string{"count", "sum", "avg", "min", "max"}

func writeCount(dst, raw []byte) []byte {
	return strconv.AppendInt(dst, int64(binary.BigEndian.Uint64(raw)), 10) //nolint:gosec // two's complement
}

func writeFloat(dst, raw []byte) []byte {
	x := math.Float64frombits(binary.BigEndian.Uint64(raw))
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return append(dst, "null"...) // a sum beyond the range of numbers, which JSON cannot say
	}
	return appendNumber(dst, x)
}

func parseFunctions(s *schema.Snapshot, t *schema.Table, path string, raw []byte) ([]aggregate, error) {
	raw = trim(raw)
	if len(raw) == 0 || kind(raw) == '0' {
		return []aggregate{{"count", "count(*)", writeCount}}, nil
	}
	if err := valid(raw); err != nil {
		return nil, problem.Invalid(path, "%s", err)
	}
	if kind(raw) != 'a' {
		return nil, problem.Invalid(path, "must be an array of {fn, fieldId}, not %s", kindName(raw))
	}
	var out []aggregate
	var items []problem.Item
	elements(raw, func(i int, value []byte) bool {
		f, err := parseFunction(s, t, fmt.Sprintf("%s[%d]", path, i), value)
		switch {
		case err != nil:
			items = append(items, err.Items...)
		case slices.ContainsFunc(out, func(other aggregate) bool { return other.name == f.name }):
			items = append(items, problem.Invalid(fmt.Sprintf("%s[%d]", path, i), "%s is asked for twice", f.name).Items...)
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

func parseFunction(s *schema.Snapshot, t *schema.Table, path string, raw []byte) (aggregate, *problem.Error) {
	if kind(raw) != 'o' {
		return aggregate{}, problem.Invalid(path, "must be {fn, fieldId}, not %s", kindName(raw))
	}
	var fn, fieldID []byte
	var wrong *problem.Error
	err := members(raw, func(key string, value []byte) bool {
		switch key {
		case "fn":
			fn = value
		case "fieldId":
			fieldID = value
		default:
			keys := []string{"fn", "fieldId"}
			wrong = problem.Invalid(path+"."+key, "is not known here%s; the keys are %s", problem.DidYouMean(key, keys), problem.List(keys))
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
	if err != nil || !slices.Contains(functionNames, name) {
		return aggregate{}, problem.Invalid(path+".fn", "%s is not a function%s; the functions are %s", quoted(name), problem.DidYouMean(name, functionNames), problem.List(functionNames))
	}
	if fieldID == nil && name == "count" {
		return aggregate{"count", "count(*)", writeCount}, nil
	}
	f, wrong := fieldRef(t, path+".fieldId", fieldID)
	if wrong != nil {
		return aggregate{}, wrong
	}
	called := name + "(" + f.Name + ")"
	number := f.Type.Info().Shape == schema.ShapeNumber
	_, write := output(s, f)
	switch name {
	case "count":
		condition := (&query{}).compare(f, IsNotEmpty, &operand{})
		if f.Type.Info().Shape == schema.ShapeBool {
			condition = "t." + f.Column() // checked ones
		}
		if write != nil {
			return aggregate{called, "count(*) filter (where " + condition + ")", writeCount}, nil
		}
	case "sum", "avg":
		if number {
			return aggregate{called, name + "(t." + f.Column() + ")::double precision", writeFloat}, nil
		}
		return aggregate{}, problem.Invalid(path+".fieldId", "%q is %s; %s is of numbers", f.Name, f.Type, name)
	default:
		shape := f.Type.Info().Shape
		if number || shape == schema.ShapeDate || shape == schema.ShapeMoment {
			return aggregate{called, name + "(t." + f.Column() + ")", write}, nil
		}
		return aggregate{}, problem.Invalid(path+".fieldId", "%q is %s; %s is of numbers and dates", f.Name, f.Type, name)
	}
	return aggregate{}, problem.Invalid(path+".fieldId", "%q holds no value", f.Name)
}

func groupFields(t *schema.Table, names []string) ([]*schema.Field, error) {
	if len(names) > maxGroupedBy {
		return nil, problem.Invalid("groupBy", "must name at most %d fields", maxGroupedBy)
	}
	return fieldsNamed(t, "groupBy", names, func(f *schema.Field) string {
		if sortExpression(f) == "" || f.Type.Info().Shape == schema.ShapeChoices {
			return fmt.Sprintf("%q is %s, which cannot be grouped by", f.Name, f.Type)
		}
		return ""
	})
}

// Aggregate returns counts, sums and the like over the records of a table.
func (e *Engine) Aggregate(ctx context.Context, actor Actor, table uuid.UUID, in Aggregation) (Groups, error) {
	if in.Limit == 0 {
		in.Limit = defaultGroups
	}
	if in.Limit < 1 || in.Limit > MaxGroups {
		return Groups{}, problem.Invalid("limit", "must be a whole number from 1 to %d", MaxGroups)
	}
	var out Groups
	err := e.onTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		l, err := e.plan(actor, s, t, &Query{View: in.View, Search: in.Search, Filters: in.Filters, Limit: 1})
		by, byErr := groupFields(t, in.GroupBy)
		functions, functionErr := parseFunctions(s, t, "aggregates", in.Functions)
		if err := allOf(err, byErr, functionErr); err != nil {
			return err
		}
		out, err = e.aggregate(ctx, actor, s, l, by, functions, in.Limit)
		return err
	})
	return out, err
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

func (e *Engine) aggregate(
	ctx context.Context, actor Actor, s *schema.Snapshot, l *listing, by []*schema.Field, functions []aggregate, limit int,
) (Groups, error) {
	q := e.query()
	var conditions, selected, order []string
	if where := q.where(l.filter); where != "" {
		conditions = append(conditions, where)
	}
	if l.search != nil {
		org := ""
		if l.search.people() { // a parameter that nothing uses has no type
			org = q.arg(l.table.Org)
		}
		conditions = append(conditions, "t.ctid = any ((select "+l.search.call(q, org, "null")+")::tid[])")
	}
	var keys []cell
	for i, f := range by {
		column, write := output(s, f)
		keys = append(keys, cell{field: f, write: write, key: append(appendString(nil, f.Name), ':')})
		selected = append(selected, column)
		order = append(order, sortExpression(f))
		if i > 0 {
			keys[i].key = append([]byte{','}, keys[i].key...)
		}
	}
	for _, f := range functions {
		selected = append(selected, f.expression)
	}
	statement := "select " + strings.Join(selected, ", ") + " from " + l.table.Relation() + " t"
	if len(conditions) > 0 {
		statement += " where " + strings.Join(conditions, " and ")
	}
	if len(by) > 0 {
		columns := make([]string, len(by))
		for i, f := range by {
			columns[i] = "t." + f.Column()
		}
		statement += " group by " + strings.Join(columns, ", ") + " order by " + strings.Join(order, ", ")
	}
	statement += " limit " + q.arg(int64(limit)+1) + "::bigint"
	var out Groups
	err := e.db.TableBatch(ctx, actor.Org, l.table.Ref(), func(b *pgx.Batch) {
		b.Queue(statement, q.args...).Query(func(rows pgx.Rows) error {
			out = Groups{}
			for rows.Next() {
				if len(out.Groups) == limit {
					out.HasMore = true
					continue
				}
				out.Groups = append(out.Groups, appendGroup(keys, functions, rows.RawValues()))
			}
			return rows.Err()
		})
	})
	if pgerror.Is(err, "22003") {
		return Groups{}, beyondNumbers(functions).Because(err)
	}
	if err != nil {
		return Groups{}, fmt.Errorf("aggregating records: %w", err)
	}
	return out, nil
}

// beyondNumbers says which results may be larger than any number: sums, and averages, which are made of sums.
func beyondNumbers(functions []aggregate) *problem.Error {
	var names []string
	for _, f := range functions {
		if strings.HasPrefix(f.name, "sum(") || strings.HasPrefix(f.name, "avg(") {
			names = append(names, f.name)
		}
	}
	return problem.Invalid("aggregates", "%s: the sum of the values is beyond the largest number, about 1.8e308; filter the records, or ask for min and max",
		problem.List(names)).WithCode("beyond_numbers")
}

func appendGroup(keys []cell, functions []aggregate, raw [][]byte) []byte {
	dst := append(make([]byte, 0, 128), `{"key":{`...)
	for i, k := range keys {
		dst = append(dst, k.key...)
		if raw[i] == nil {
			dst = append(dst, "null"...)
		} else {
			dst = k.write(dst, raw[i])
		}
	}
	dst = append(dst, `},"results":{`...)
	for i, f := range functions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, f.name), ':')
		if value := raw[len(keys)+i]; value == nil {
			dst = append(dst, "null"...)
		} else {
			dst = f.write(dst, value)
		}
	}
	return append(dst, "}}"...)
}
