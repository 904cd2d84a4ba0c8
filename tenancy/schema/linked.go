package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// The types of fields that compute from linked records.
const (
	lookupType Type = "lookup"
	rollupType Type = "rollup"
	countType  Type = "count"
)

// A Condition is the filter of a computed field, as package query writes it.
type Condition struct {
	SQL    string          // of a record t, without parameters; "" lets every record through
	Filter json.RawMessage // with fields by id
	Fields []*Field        // that SQL compares
	Owner  *Field          // of a row rule: one person, who every record that it lets through has in it; nil for none
	Given  []Given         // of a row rule: values that every record that it lets through has
}

// An Order is what a lookup sorts linked records by, as package query writes it.
type Order struct {
	SQL    string          // of a record t, with a comma at its end
	Sorts  json.RawMessage // with fields by id; nil if there are none
	Fields []*Field        // that SQL compares
}

// A FilterReader reads filters and sorts, which package query understands.
type FilterReader struct {
	// Read reads the filter of a computed field.
	Read func(t *Table, path string, raw []byte) (Condition, error)
	// Order reads the sorts of a lookup.
	Order func(t *Table, path string, raw []byte) (Order, error)
	// Rule reads the filter of a row rule.
	Rule func(t *Table, path string, raw []byte) (Condition, error)
}

// A linkedValue is what a lookup, a rollup or a count computes from linked records.
type linkedValue struct {
	typ formula.Type
	*field.Linked

	found   []int32       // field.Computed.Found
	options *field.Config // field.Computed.Options
	size    int           // see expansion.go

	link     *Link
	table    *Table   // the linked one
	reads    []*Field // of it
	storable bool     // Computation.Kept
	entries  *Entries // Computation.entries
	volatile bool     // the formula of a rollup depends on the time
}

// linkedOf compiles a lookup, a rollup or a count, whose sources are compiled. An error says what is
// missing.
func (s *Snapshot) linkedOf(f *Field) (linkedValue, error) {
	link := f.Table.FieldByID(f.Config.LinkFieldID)
	if link == nil || link.Link == nil {
		return linkedValue{}, fmt.Errorf("the link field that it reads through is gone")
	}
	linked := s.tables[link.Link.LinkedTable]
	if linked == nil {
		return linkedValue{}, fmt.Errorf("the table that it reads is gone")
	}
	var condition Condition
	if len(f.Config.Filters) > 0 {
		var err error
		if condition, err = s.filters.Read(linked, "filters", f.Config.Filters); err != nil {
			return linkedValue{}, fmt.Errorf("its filter no longer fits: %w", err)
		}
	}
	order, err := s.filters.Order(linked, "sorts", f.Config.Sorts)
	if err != nil {
		return linkedValue{}, fmt.Errorf("its order no longer fits: %w", err)
	}
	compared := slices.Concat(condition.Fields, order.Fields)
	value, err := s.linkedValue(f, link, linked, condition, order, compared)
	value.link, value.table, value.reads = link.Link, linked, compared
	if target := linked.FieldByID(f.Config.FieldID); f.Type() != countType && target != nil {
		value.reads = append(slices.Clip(compared), target)
	}
	value.storable = err == nil && !value.volatile && !slices.ContainsFunc(value.reads, func(read *Field) bool {
		own := read.Computation
		return read.Info().People || read.Info().Paired || own != nil && (!own.Kept || own.daily)
	})
	return value, err
}

func (s *Snapshot) linkedValue(
	f, link *Field, linked *Table, condition Condition, order Order, compared []*Field,
) (linkedValue, error) {
	number := strconv.Itoa(int(f.Number))
	l := &field.Linked{
		Name: "a_" + number, Value: "a.a_" + number, Alone: !s.topology.PassesRows(), Order: order.SQL,
		Links: link.Link.Relation(s.Org), Own: link.Link.Own, Other: link.Link.Other, From: linked.From(compared),
	}
	if f.Config.Limit != nil {
		l.Limit = *f.Config.Limit
	}
	all := condition.SQL == "" && l.Limit == 0
	if all && order.SQL == "" {
		pairs := field.Pairs{Relation: l.Links, Own: l.Own}
		l.Pairs = pairs.Key()
	}
	if condition.SQL != "" {
		// coalesce keeps PostgreSQL from an index on what the filter compares, with which it would read all records of
		// the table that match, once for each record that computes.
		l.Where = "coalesce(" + condition.SQL + ", false)"
	}
	if f.Type() == countType {
		l.Aggregate = "count(*)::double precision"
		return linkedValue{
			typ: formula.Type{Base: formula.Number}, Linked: l, size: linkedSize(nil, compared),
		}, nil
	}
	target := linked.FieldByID(f.Config.FieldID)
	if target == nil {
		return linkedValue{}, fmt.Errorf("the field that it reads is gone")
	}
	source, err := s.linkedSource(target)
	if err != nil {
		return linkedValue{}, err
	}
	if source.Type == (formula.Type{Base: formula.Text}) {
		source.SQL = "nullif(" + source.SQL + ", '')" // it is an empty value, as in a column
	}
	l.Source, l.Column, l.Unnested = source.SQL, "v_"+strconv.Itoa(int(target.Number)), source.Type.List
	entry, within := "x."+l.Column, ""
	if l.Unnested {
		entry, within = "u.v", " order by x.place, u.n"
		if source.Type.Base == formula.Text {
			entry = "nullif(u.v, '')"
		}
	}
	list := linkedValue{
		typ: formula.Type{Base: source.Type.Base, List: true}, Linked: l, size: linkedSize(target, compared),
	}
	if f.Type() != lookupType && f.Config.Formula == "" {
		one := formula.Type{Base: source.Type.Base}
		if f.Config.Function == "COUNTALL" && target.Computation == nil && !l.Unnested { // no value is an error
			one = formula.Type{Base: formula.Number}
			l.Aggregate = "count(*)::double precision"
		} else {
			l.Aggregate = rolledUp(f.Config.Function, one, entry)
		}
		if l.Aggregate != "" {
			return linkedValue{typ: one, Linked: l, size: list.size}, nil
		}
	}
	// A record without a value has an empty entry, so that every entry stands at the place of its record.
	l.Aggregate, l.Ordered = "coalesce(array_agg("+entry+within+"), '{}')", true
	if f.Type() == lookupType {
		if link.Single() {
			list.typ.List = l.Unnested
			list.takeFirst()
		}
		if _, ok := target.Kind.(field.Optioned); ok {
			list.options = &target.Config
		} else if target.Computed != nil {
			list.options = target.Computed.Options
		}
		kept := target.Computation != nil && target.Computed.Kept && target.Computed.Type == "text"
		if all && linked.rows == nil && (target.Info().Column == "text" || kept) { // a search would look at all records
			list.found = []int32{link.Link.Number, 0, linked.Number, target.Number}
			if link.Link.Own == "a" {
				list.found[1] = 1
			}
		}
		if list.typ.List {
			list.entries = s.entriesOf(link.Link, target, condition, l.Limit > 0)
		}
		return list, nil
	}
	return list.rolledUp(f)
}

// takeFirst makes a lookup the value of one record, which is the first where a record was linked to several before
// the link took one.
func (list *linkedValue) takeFirst() {
	l := list.Linked
	if !l.Unnested {
		l.Aggregate = "(array_agg(x." + l.Column + "))[1]" // which is read together with what reads all records
		return
	}
	l.Aggregate, l.Unnested, l.Limit, l.Pairs = "max(x."+l.Column+")", false, 1, "" // no aggregate takes a list apart
}

// linkedSource is a field of a linked record t. A percent field has the values that its own table shows.
func (s *Snapshot) linkedSource(target *Field) (formula.Field, error) {
	if target.Computation != nil {
		return formula.Field{Type: target.Computation.Type, SQL: target.Computed.SQL}, nil
	}
	source := sourceOf(s, target, "t")
	if source.Refused != "" {
		return source, fmt.Errorf("%q cannot be read: %s", target.Name, source.Refused)
	}
	if target.Info().Hundredths {
		source.SQL = "t." + target.Column()
	}
	return source, nil
}

// rolledUp applies the function or the formula of a rollup to a list.
func (list linkedValue) rolledUp(f *Field) (linkedValue, error) {
	text, wrong := f.Config.Formula, "the formula is wrong"
	if text == "" {
		text, wrong = f.Config.Function+"(values)", f.Config.Function+" is not of such values"
	}
	tree, err := formula.Parse(text)
	if err != nil {
		return linkedValue{}, fmt.Errorf("%s: %w", wrong, err)
	}
	checked, err := tree.Check(&formula.Scope{
		Table: f.Table.Number, TimeZone: f.Table.Base.TimeZone,
		Fields: []formula.Field{{ID: "values", Name: "values", Type: list.typ, SQL: list.Value, Fails: true}},
	})
	if err != nil {
		return linkedValue{}, fmt.Errorf("%s: %w", wrong, err)
	}
	list.Value, list.volatile = checked.SQL(), checked.Volatile
	list.typ = checked.Type
	list.size += len(list.Value)
	return list, nil
}

// rolledUp is the function of a rollup as an aggregate over entries; "" for functions of their list. Errors
// are the largest values. What is so large that a sum could leave the range of numbers is not added.
func rolledUp(function string, typ formula.Type, entry string) string {
	last := "max(" + entry + ")"
	switch {
	case function == "SUM" && typ.Base == formula.Number:
		return "case when " + last + " >= 1e301 then " + last + " when max(abs(" + entry + ")) >= 1e290 then " +
			formula.ErrorValue(formula.NumberTooLarge, typ) + " else coalesce(sum(" + entry + ") filter (where abs(" +
			entry + ") < 1e290), 0) end"
	case function != "MIN" && function != "MAX":
		return ""
	case typ.Base == formula.Number:
		return "case when " + last + " >= 1e301 then " + last + " else " + strings.ToLower(function) + "(" + entry +
			") end"
	case typ.Base == formula.Date || typ.Base == formula.Datetime:
		return "case when gate.formula_error(" + last + ") is not null then " + last + " else " +
			strings.ToLower(function) + "(" + entry + ") end"
	}
	return ""
}

// checkLinked is checkComputed for fields that compute from linked records.
func (s *Snapshot) checkLinked(path string, f *Field) error {
	config := &f.Config
	link, err := fieldOf(f.Table, path+".linkFieldId", config.LinkFieldID, "a link field",
		func(one *Field) bool { return one.Link != nil })
	if err != nil {
		return err
	}
	linked := s.tables[link.Link.LinkedTable]
	if linked == nil {
		return problem.Invalid(path+".linkFieldId", "the table that %q links to is gone", link.Name)
	}
	config.LinkFieldID = link.PublicID()
	switch {
	case f.Type() != rollupType:
	case config.Function == "" && config.Formula == "":
		return problem.Invalid(path+".function", "is missing; it is one of %s, or formula is given instead, as in "+
			`ARRAYJOIN(ARRAYUNIQUE(values), "; ")`, problem.List(field.RollupFunctions))
	case config.Function != "" && config.Formula != "":
		return problem.Invalid(path+".formula", "is given together with function; give null for one of the two")
	}
	if f.Type() != countType {
		target, err := fieldOf(linked, path+".fieldId", config.FieldID, "a field", func(*Field) bool { return true })
		if err != nil {
			return err
		}
		if _, err := s.linkedSource(target); err != nil {
			return problem.Invalid(path+".fieldId", "%s", err)
		}
		if target.Info().Hundredths && config.Format == "percent" {
			return problem.Invalid(path+".format", "shows 0.125 as 12.5%%, and the values of %q are per cent already, "+
				"as which they are shown without a format", target.Name)
		}
		config.FieldID = target.PublicID()
	}
	if len(config.Filters) > 0 {
		condition, err := s.filters.Read(linked, path+".filters", config.Filters)
		if err != nil {
			return err
		}
		config.Filters = condition.Filter
	}
	if len(config.Sorts) > 0 {
		order, err := s.filters.Order(linked, path+".sorts", config.Sorts)
		if err != nil {
			return err
		}
		config.Sorts = order.Sorts
	}
	if err := s.refuseCycle(path+".fieldId", f); err != nil {
		return err
	}
	value, err := s.linkedOf(f)
	if err != nil && config.Formula != "" {
		return wrongFormula(path+".formula", err)
	}
	if err != nil {
		return problem.Invalid(path+".function", "%s", err)
	}
	config.ResultType = value.typ.String()
	f.Kind = field.Of(f.Type(), config)
	return nil
}

// fieldOf finds the field that a config names by id or name.
func fieldOf(t *Table, path, named, what string, fits func(f *Field) bool) (*Field, error) {
	var names []string
	for _, f := range t.Fields {
		if fits(f) {
			names = append(names, f.Name)
		}
	}
	if named == "" {
		return nil, problem.Invalid(path, "is missing; it names %s of %q, one of %s", what, t.Name, problem.List(names))
	}
	f := t.FieldByName(named)
	if id.KindOf(named) == id.Field && t.FieldByID(named) != nil {
		f = t.FieldByID(named)
	}
	if f == nil || !fits(f) {
		return nil, problem.Invalid(path, "%s is not %s of %q%s; there are %s", field.Quote(named), what, t.Name,
			problem.DidYouMean(named, names), problem.List(names))
	}
	return f, nil
}

// SameSources reports whether two configs compute the same.
func SameSources(a, b *Config) bool {
	return a.Formula == b.Formula && a.LinkFieldID == b.LinkFieldID && a.FieldID == b.FieldID &&
		a.Function == b.Function && slices.Equal(a.Filters, b.Filters) && slices.Equal(a.Sorts, b.Sorts)
}
