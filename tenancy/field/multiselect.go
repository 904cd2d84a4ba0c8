package field

import (
	"encoding/json"
	"fmt"
	"slices"
)

var _ Optioned = Register(&multiSelect{Base{Info{
	Type: "multi_select", Place: 150, Title: "Multiple select", Description: "Some of the field's options, by name.",
	Value:  `{"type":["array","null"],"items":{"type":"string"}}`,
	Column: "text[]", SentAsText: true, Keys: []Key{optionsKey},
	Convertible: true, Ungrouped: true, Unindexed: true, Ask: AskOptions,
}}}).(*multiSelect)

type multiSelect struct{ Base }

// Decode accepts names of options, each once; typecast skips repetitions, and splits a text at its
// commas.
func (*multiSelect) Decode(in *Input, raw []byte) (any, error) {
	names, err := in.list(raw, "names of options", MaxEntries)
	if err != nil {
		return nil, err
	}
	seen := make([]string, 0, len(names))
	for _, name := range names {
		known, err := in.option(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(seen, known) {
			if in.Typecast {
				continue
			}
			return nil, fmt.Errorf("holds %s twice", Quote(known))
		}
		seen = append(seen, known)
	}
	if len(seen) == 0 {
		return nil, nil //nolint:nilnil // no options are no value
	}
	return seen, nil
}

func (*multiSelect) Select(f *Field) string { return "array_to_json(" + f.column() + ")::text" }

func (*multiSelect) Encoder(*Field, FileLinks) Encoder { return asIs }

func (*multiSelect) Operators() []Operator { return optionSetOperators }

var optionSetOperators = append(
	setOperators(optionsOperand, readOptionSet, func(q Args, f *Field, value any) (column, set string) {
		return f.column(), q.Add(value) + "::text[]"
	}), EmptyOperators...,
)

// setOperators compare a column as the set of its entries. sides returns the column and the set
// that it is compared with.
func setOperators(
	operand *Operand,
	read func(f *Field, op Op, raw []byte) (any, error),
	sides func(q Args, f *Field, value any) (column, set string),
) []Operator {
	return []Operator{
		{Op: HasAny, Operand: operand, Read: read, SQL: func(q Args, f *Field, value any) string {
			column, set := sides(q, f, value)
			return column + " && " + set
		}},
		{Op: HasAll, Operand: operand, Read: read, SQL: func(q Args, f *Field, value any) string {
			column, set := sides(q, f, value)
			return column + " @> " + set
		}},
		{Op: HasNone, Operand: operand, Read: read, SQL: func(q Args, f *Field, value any) string {
			column, set := sides(q, f, value)
			return "(" + column + " && " + set + ") is not true"
		}},
		{Op: IsExactly, Operand: operand, Read: read, SQL: func(q Args, f *Field, value any) string {
			column, set := sides(q, f, value)
			return column + " @> " + set + " and " + column + " <@ " + set
		}},
	}
}

// Order is by the options: by the first of each list, then the second, and so on.
func (*multiSelect) Order(f *Field, column string) string {
	return "case when " + column + " is not null then " + f.Config.placesOfOptions(column) + " end"
}

func (*multiSelect) SortKey(raw []byte) (any, bool) { return optionPlaces(raw) }

func (*multiSelect) Aggregates() []Aggregate { return countOnly }

func (*multiSelect) Search(s *Search, f *Field) { s.Columns = append(s.Columns, f.searchNumber()) }

func (*multiSelect) Meaning(f *Field, raw []byte) (any, error) {
	names, err := (&Input{Field: f}).list(raw, "options", MaxEntries)
	return OptionNames(names), err
}

// Adapt makes a list of one option.
func (*multiSelect) Adapt(_ *Field, from *Source) ([]byte, error) {
	if _, ok := from.Meaning.(OptionName); ok {
		return append(append([]byte{'['}, from.JSON...), ']'), nil
	}
	from.JSON = from.readable()
	return from.plain()
}

func (*multiSelect) Size(column string) string {
	return "coalesce(octet_length(array_to_string(" + column + ", ',')), 0)"
}

func (*multiSelect) Show(f *Field, _ Names, value any) Shown {
	return Shown{Labels: f.Config.labels(stringsIn(value))}
}

func (*multiSelect) HoldsAny(column, names string) string { return column + " && " + names }

func (*multiSelect) Rename(relation, column string) string {
	return "update " + relation + " set " + column + ` = nullif(array(
			select coalesce(m.after, v.value) from unnest(` + column + `) with ordinality as v(value, place)
			left join unnest($1::text[], $2::text[]) as m(before, after) on m.before = v.value
			where m.before is null or m.after is not null order by v.place), '{}')
			where ` + column + " && $1"
}

func (*multiSelect) Names(raw json.RawMessage) ([]string, bool) {
	names := []string{}
	return names, json.Unmarshal(raw, &names) == nil
}

func (*multiSelect) FromNames(names []string) any { return names }
