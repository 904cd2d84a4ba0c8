package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/id"
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
}

// filters reads the filters of computed fields; this package does not understand them.
var filters atomic.Pointer[func(t *Table, path string, raw []byte) (Condition, error)]

// UseFilters sets how the filters of computed fields are read. Package query calls it.
func UseFilters(read func(t *Table, path string, raw []byte) (Condition, error)) bool {
	filters.Store(&read)
	return true
}

// A linkedValue is what a lookup, a rollup or a count computes from linked records.
type linkedValue struct {
	typ formula.Type
	*field.Linked

	found []int32 // field.Computed.Found
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
		if condition, err = (*filters.Load())(linked, "filters", f.Config.Filters); err != nil {
			return linkedValue{}, fmt.Errorf("its filter no longer fits: %w", err)
		}
	}
	number := strconv.Itoa(int(f.Number))
	l := &field.Linked{Name: "a_" + number, Value: "a.a_" + number, Alone: s.distributed}
	l.Records = "(select l." + link.Link.Other + " as id, l.pos_" + link.Link.Own + " as place from " +
		link.Link.Relation(s.Org) + " l where l." + link.Link.Own + " = t.id) p join " + linked.From(condition.Fields) +
		" on t.id = p.id"
	if condition.SQL == "" {
		pairs := field.Pairs{Relation: link.Link.Relation(s.Org), Own: link.Link.Own}
		l.Pairs = pairs.Key()
	} else {
		// coalesce keeps PostgreSQL from an index on what the filter compares, with which it would read all records of
		// the table that match, once for each record that computes.
		l.Records += " where coalesce(" + condition.SQL + ", false)"
	}
	if f.Type() == countType || f.Config.Function == "COUNTALL" {
		l.Aggregate = "count(*)::double precision"
		return linkedValue{typ: formula.Type{Base: formula.Number}, Linked: l}, nil
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
	entry := "x." + l.Column
	if l.Unnested {
		entry = "u.v"
	}
	list := linkedValue{typ: formula.Type{Base: source.Type.Base, List: true}, Linked: l}
	if f.Type() != lookupType {
		one := formula.Type{Base: source.Type.Base}
		if l.Aggregate = rolledUp(f.Config.Function, one, entry); l.Aggregate != "" {
			return linkedValue{typ: one, Linked: l}, nil
		}
	}
	l.Aggregate, l.Ordered = "coalesce(array_agg("+entry+") filter (where "+entry+" is not null), '{}')", true
	if l.Unnested {
		l.Aggregate = "coalesce(array_agg(u.v order by x.place, x.id, u.n) filter (where u.v is not null), '{}')"
	}
	if f.Type() == lookupType {
		kept := target.computation != nil && target.Computed.Kept && target.Computed.Type == "text"
		if target.Info().Column == "text" || kept {
			list.found = []int32{link.Link.Number, 0, linked.Number, target.Number}
			if link.Link.Own == "a" {
				list.found[1] = 1
			}
		}
		return list, nil
	}
	return ofList(f.Config.Function, list)
}

// linkedSource is a field of a linked record t. A percent field has the values that its own table shows.
func (s *Snapshot) linkedSource(target *Field) (formula.Field, error) {
	if target.computation != nil {
		return formula.Field{Type: target.computation.typ, SQL: target.Computed.SQL}, nil
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

// ofList applies the function of a rollup to a list.
func ofList(function string, list linkedValue) (linkedValue, error) {
	tree, err := formula.Parse(function + "({values})")
	if err != nil {
		return linkedValue{}, fmt.Errorf("parsing a rollup: %w", err)
	}
	checked, err := tree.Check(&formula.Scope{Fields: []formula.Field{{
		ID: "values", Name: "values", Type: list.typ, SQL: list.Value, Fails: true,
	}}})
	if err != nil {
		return linkedValue{}, fmt.Errorf("%s is not of such values: %w", function, err)
	}
	list.Value = checked.SQL()
	return linkedValue{typ: checked.Type, Linked: list.Linked}, nil
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
		return "case when " + last + " >= 1e301 then " + last + " else coalesce(" + strings.ToLower(function) + "(" +
			entry + "), 0) end"
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
	if f.Type() == rollupType && config.Function == "" {
		return problem.Invalid(path+".function", "is missing; it is one of %s", problem.List(field.RollupFunctions))
	}
	if f.Type() != countType {
		target, err := fieldOf(linked, path+".fieldId", config.FieldID, "a field", func(*Field) bool { return true })
		if err != nil {
			return err
		}
		if _, err := s.linkedSource(target); err != nil {
			return problem.Invalid(path+".fieldId", "%s", err)
		}
		config.FieldID = target.PublicID()
	}
	if len(config.Filters) > 0 {
		condition, err := (*filters.Load())(linked, path+".filters", config.Filters)
		if err != nil {
			return err
		}
		config.Filters = condition.Filter
	}
	if err := s.refuseCycle(path+".fieldId", f); err != nil {
		return err
	}
	value, err := s.linkedOf(f)
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

// sameSources reports whether two configs compute the same.
func sameSources(a, b *Config) bool {
	return a.Formula == b.Formula && a.LinkFieldID == b.LinkFieldID && a.FieldID == b.FieldID &&
		a.Function == b.Function && slices.Equal(a.Filters, b.Filters)
}
