package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of a filter.
const (
	maxFilterDepth  = 5
	maxFilterLeaves = 50
)

// A Filter is a condition on the records of a table: a conjunction or disjunction of others, one comparison of a
// field, or a condition on linked records. The zero value lets every record through.
type Filter struct {
	field    *schema.Field // of a comparison
	operator *field.Operator
	value    any    // as the operator reads it
	raw      []byte // the value as it was written

	parts []Filter      // of a group; or only the condition on linked records
	link  *schema.Field // to the records of the condition
	or    bool
}

// Empty reports whether the filter lets every record through.
func (f *Filter) Empty() bool { return f == nil || (f.field == nil && len(f.parts) == 0 && !f.or) }

// matchNothing lets no record through: it is a disjunction of no alternatives, which no request can
// express.
func matchNothing() *Filter { return &Filter{or: true} }

// condition compiles a filter to a condition in SQL; "" if every record passes. The kind of field
// writes the text of each comparison (field.Kind.Operators).
func (c *Compiler) condition(f *Filter) string { return f.condition(c) }

func (f *Filter) condition(q field.Args) string {
	if f.Empty() {
		return ""
	}
	c, sends := q.(*Compiler)
	switch {
	case f.field != nil && sends:
		return c.comparison(f)
	case f.field != nil:
		return f.operator.SQL(q, &f.field.Field, f.value)
	case f.link != nil && sends:
		return c.through(f)
	case f.link != nil:
		return "false" // ParseFilter, which reads filters of computed fields, makes none
	}
	if f.or && len(f.parts) == 0 {
		return "false"
	}
	parts := make([]string, 0, len(f.parts))
	for i := range f.parts {
		if part := f.parts[i].condition(q); part != "" {
			parts = append(parts, part)
		} else if f.or {
			return "" // one alternative lets everything through
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case f.or:
		return "(" + strings.Join(parts, " or ") + ")"
	}
	return strings.Join(parts, " and ")
}

// ParseFilter reads a filter of the table in the API's form: an array of {fieldId, op, value}, all of
// which must hold; an element may also be {and: [...]} or {or: [...]}. Fields are named by id or by
// name. Errors have paths below path.
func ParseFilter(t *schema.Table, path string, raw []byte) (*Filter, error) {
	return parseFilter(t, path, raw, false)
}

// parseFilter is ParseFilter. With paths, it also accepts fields of linked records (fieldAtPath).
func parseFilter(t *schema.Table, path string, raw []byte, paths bool) (*Filter, error) {
	p := &filterParser{table: t, paths: paths}
	f, err := p.whole(path, raw)
	if err != nil {
		return nil, err
	}
	if f.expansion() > maxFilterExpansion {
		return nil, problem.Invalid(path, "compares formulas of linked records that expand to more than %d KB of SQL "+
			"together; compare fewer of them", maxFilterExpansion>>10)
	}
	return f, nil
}

type filterParser struct {
	table    *schema.Table
	paths    bool // whether fields of linked records may be compared
	personal bool // whether operands may name something of the person who reads
	items    []problem.Item
	leaves   int
	above    int // links on the way to the table
}

// whole reads a filter.
func (p *filterParser) whole(path string, raw []byte) (*Filter, error) {
	raw = jsonvalue.Trim(raw)
	if len(raw) == 0 || jsonvalue.Kind(raw) == jsonvalue.Null {
		return &Filter{}, nil
	}
	if err := jsonvalue.Check(raw); err != nil {
		return nil, problem.Invalid(path, "%s", err)
	}
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, problem.Invalid(path, "must be an array of {fieldId, op, value}, not %s", jsonvalue.Describe(raw))
	}
	parts := p.list(path, raw, 1)
	if len(p.items) > 0 {
		return nil, problem.InvalidItems(p.items)
	}
	return &Filter{parts: parts}, nil
}

// maxItems bounds how many mistakes one response lists.
const maxItems = 20

func (p *filterParser) fail(path, format string, args ...any) {
	if len(p.items) < maxItems {
		p.items = append(p.items, problem.Item{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

func (p *filterParser) list(path string, raw []byte, depth int) []Filter {
	if depth > maxFilterDepth {
		p.fail(path, "is nested more than %d deep", maxFilterDepth)
		return nil
	}
	var parts []Filter
	jsonvalue.Elements(raw, func(i int, value []byte) bool {
		if f, ok := p.element(fmt.Sprintf("%s[%d]", path, i), value, depth); ok {
			parts = append(parts, f)
		}
		return len(p.items) < maxItems
	})
	return parts
}

// filterKeys are the keys of a condition. Either of the first two names a field.
var filterKeys = []string{"fieldId", "field", "op", "value", "and", "or", "link"}

func (p *filterParser) element(path string, raw []byte, depth int) (Filter, bool) {
	if jsonvalue.Kind(raw) != jsonvalue.Object {
		p.fail(path, "must be {fieldId, op, value}, {and: [...]} or {or: [...]}, not %s", jsonvalue.Describe(raw))
		return Filter{}, false
	}
	given := map[string][]byte{}
	before := len(p.items)
	err := jsonvalue.Members(raw, func(key string, value []byte) bool {
		if meant := naming.Meant(key, filterKeys); meant == "" {
			p.fail(path+"."+key, "is not a key of a filter%s; the keys are %s",
				problem.DidYouMean(key, filterKeys), problem.List(filterKeys))
		} else {
			key = meant
		}
		if _, twice := given[key]; twice {
			p.fail(path+"."+key, "is given twice")
		}
		given[key] = value
		return true
	})
	if err != nil {
		p.fail(path, "%s", err)
	}
	if len(p.items) > before {
		return Filter{}, false
	}
	for _, group := range []string{"and", "or"} {
		value, ok := given[group]
		if !ok {
			continue
		}
		link, linked := given["link"]
		if len(given) > 2 || len(given) == 2 && !linked {
			p.fail(path, "holds %q, so it may hold nothing else, but for link", group)
			return Filter{}, false
		}
		if jsonvalue.Kind(value) != jsonvalue.Array {
			p.fail(path+"."+group, "must be an array, not %s", jsonvalue.Describe(value))
			return Filter{}, false
		}
		if linked {
			return p.linked(path, link, group, value, depth)
		}
		f := Filter{parts: p.list(path+"."+group, value, depth+1), or: group == "or"}
		if f.or && len(f.parts) == 0 && len(p.items) == before {
			p.fail(path+".or", "must hold at least one condition")
		}
		return f, len(p.items) == before
	}
	if _, linked := given["link"]; linked {
		p.fail(path+".link", "needs conditions on the linked record: {link, and: [...]} or {link, or: [...]}")
		return Filter{}, false
	}
	return p.leaf(path, given)
}

// linked reads {link, and: [...]}: conditions that one linked record must meet together. With the same
// conditions by path, different linked records may meet them.
func (p *filterParser) linked(path string, link []byte, group string, conditions []byte, depth int) (Filter, bool) {
	before := len(p.items)
	if !p.paths {
		p.fail(path+".link", "is of linked records, which cannot be compared here")
		return Filter{}, false
	}
	links, f := p.field(path+".link", link)
	if f == nil {
		return Filter{}, false
	}
	table := linkedTable(f)
	if table == nil {
		p.fail(path+".link", "%q is %s and not a link", f.Name, f.Type())
		return Filter{}, false
	}
	links = append(links, f)
	if p.above+len(links) > maxLinks {
		p.fail(path+".link", "follows more than %d links", maxLinks)
		return Filter{}, false
	}
	own := p.table
	p.table, p.above = table, p.above+len(links)
	filter := Filter{parts: p.list(path+"."+group, conditions, depth+1), or: group == "or"}
	p.table, p.above = own, p.above-len(links)
	if len(filter.parts) == 0 && len(p.items) == before {
		p.fail(path+"."+group, "must hold at least one condition")
	}
	for _, one := range slices.Backward(links) {
		filter = Filter{link: one, parts: []Filter{filter}}
	}
	return filter, len(p.items) == before
}

func (p *filterParser) leaf(path string, given map[string][]byte) (Filter, bool) {
	before := len(p.items)
	if p.leaves++; p.leaves == maxFilterLeaves+1 {
		p.fail(path, "is one condition too many; a filter holds at most %d", maxFilterLeaves)
		return Filter{}, false
	}
	key := "fieldId"
	if _, ok := given["field"]; ok {
		if _, both := given[key]; both {
			p.fail(path+".field", "is the same as fieldId; give one of them")
			return Filter{}, false
		}
		key = "field"
	}
	links, f := p.field(path+"."+key, given[key])
	if f == nil {
		return Filter{}, false
	}
	names := field.OpNames(f.Kind.Operators())
	name, failure := stringOf(given["op"])
	if meant := naming.Meant(name, names); meant != "" {
		name = meant
	}
	operator := field.FindOperator(f.Kind, field.Op(name))
	switch {
	case len(names) == 0:
		p.fail(path+"."+key, "the field %q holds no value, so it cannot be filtered on", f.Name)
	case given["op"] == nil:
		p.fail(path+".op", "is missing; for %q, which is %s, it is one of %s", f.Name, f.Type(), problem.List(names))
	case failure != nil:
		p.fail(path+".op", "%s", failure)
	case operator == nil:
		p.fail(path+".op", "%s is not an operator for %q, which is %s%s; the operators are %s%s",
			field.Quote(name), f.Name, f.Type(), problem.DidYouMean(name, names), problem.List(names), p.linkHint(f))
	}
	if len(p.items) > before {
		return Filter{}, false
	}
	raw, value := given["value"], any(nil)
	personal := p.personal && raw != nil && jsonvalue.Kind(raw) == jsonvalue.Object
	var err error
	if personal {
		operator, err = operator.Personal(&f.Field, raw)
	} else {
		value, err = operator.Parse(&f.Field, raw)
	}
	if err != nil {
		p.fail(path+".value", "%s", err)
		return Filter{}, false
	}
	if _, optioned := f.Kind.(field.Optioned); optioned && !personal {
		raw = spelled(raw, value)
	}
	filter := Filter{field: f, operator: operator, value: value, raw: raw}
	for _, link := range slices.Backward(links) {
		filter = Filter{link: link, parts: []Filter{filter}}
	}
	return filter, true
}

func (p *filterParser) field(path string, raw []byte) (links []*schema.Field, f *schema.Field) {
	name, err := stringOf(raw)
	var wrong *problem.Error
	switch {
	case raw == nil || err != nil || !p.paths:
		f, wrong = fieldRef(p.table, path, raw)
		if wrong != nil && err == nil && isPath(p.table, name) {
			wrong = problem.Invalid(path, "%s is of linked records, which cannot be compared here", field.Quote(name))
		}
	default:
		links, f, wrong = fieldAtPath(p.table, path, name)
	}
	if wrong == nil && p.above+len(links) > maxLinks {
		wrong = problem.Invalid(path, "%s follows more than %d links", field.Quote(name), maxLinks)
	}
	if wrong != nil {
		p.items = append(p.items, wrong.Items...)
		return nil, nil
	}
	return links, f
}

// spelled writes the operand of options as they are spelled, so that a filter which is kept names them.
func spelled(raw []byte, value any) []byte {
	names, list := value.([]string)
	switch name, one := value.(string); {
	case one:
		return field.AppendString(nil, name)
	case list && len(names) == 1 && jsonvalue.Kind(raw) == jsonvalue.String:
		return field.AppendString(nil, names[0])
	case list:
		return field.AppendStrings(nil, names)
	}
	return raw
}

// fieldRef finds the field that a JSON string names by id or name.
func fieldRef(t *schema.Table, path string, raw []byte) (*schema.Field, *problem.Error) {
	if raw == nil {
		return nil, problem.Invalid(path, "is missing; it is the id or the name of a field")
	}
	name, err := stringOf(raw)
	if err != nil {
		return nil, problem.Invalid(path, "%s", err)
	}
	f := fieldNamed(t, name)
	if f == nil {
		return nil, unknownField(t, path, name)
	}
	return f, nil
}

func fieldNamed(t *schema.Table, name string) *schema.Field {
	if strings.HasPrefix(name, "fld_") {
		if f := t.FieldByID(name); f != nil {
			return f
		}
	}
	return t.FieldByName(name)
}

// FieldsNamed finds fields by their ids or names, each once. reject says why a field is not accepted,
// or "".
func FieldsNamed(
	t *schema.Table,
	path string,
	names []string,
	reject func(f *schema.Field) string,
) ([]*schema.Field, error) {
	var fields []*schema.Field
	var items []problem.Item
	for i, name := range names {
		at := fmt.Sprintf("%s[%d]", path, i)
		f := fieldNamed(t, name)
		if f == nil {
			items = append(items, unknownField(t, at, name).Items...)
			continue
		}
		switch failure := reject(f); {
		case slices.Contains(fields, f):
			items = append(items, problem.Item{Path: at, Message: "is named twice"})
		case failure != "":
			items = append(items, problem.Item{Path: at, Message: failure})
		default:
			fields = append(fields, f)
		}
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items)
	}
	return fields, nil
}

func unknownField(t *schema.Table, path, name string) *problem.Error {
	names := t.FieldNames()
	return problem.Invalid(path, "%s is not a field of %q%s; its fields are %s",
		field.Quote(name), t.Name, problem.DidYouMean(name, names), problem.List(names))
}

func stringOf(raw []byte) (string, error) {
	if jsonvalue.Kind(raw) != jsonvalue.String {
		return "", fmt.Errorf("must be a string, not %s", jsonvalue.Describe(raw))
	}
	return jsonvalue.Unquote(raw)
}

// JSON writes the filter in the form of ParseFilter, with fields named by id, so that it survives
// renaming. It is only for filters from ParseFilter.
func (f *Filter) JSON() []byte {
	dst := []byte{'['}
	for i := range f.parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f.parts[i].appendJSON(dst)
	}
	return append(dst, ']')
}

func (f *Filter) appendJSON(dst []byte) []byte {
	if f.field == nil {
		if f.or {
			dst = append(dst, `{"or":`...)
		} else {
			dst = append(dst, `{"and":`...)
		}
		dst = append(dst, f.JSON()...)
		return append(dst, '}')
	}
	dst = append(dst, `{"fieldId":"`...)
	dst = append(dst, f.field.PublicID()...)
	dst = append(dst, `","op":"`...)
	dst = append(dst, f.operator.Op...)
	dst = append(dst, '"')
	if f.raw != nil {
		dst = append(dst, `,"value":`...)
		dst = append(dst, f.raw...)
	}
	return append(dst, '}')
}
