package field

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

var _ Optioned = Register(&singleSelect{Base{Info{
	Type: "single_select", Place: 140, Title: "Single select", Description: "One of the field's options, by name.",
	Value: `{"type":["string","null"]}`, Column: "text", Keys: []Key{optionsKey},
	Unique: true, UpsertKey: true, Convertible: true, Collated: true, Roles: []Role{RoleStack}, Ask: AskOption,
}}}).(*singleSelect)

type singleSelect struct{ Base }

// Decode accepts the name of an option, and with typecast the JSON of a number or boolean for one.
func (*singleSelect) Decode(in *Input, raw []byte) (any, error) {
	switch kind := jsonvalue.Kind(raw); {
	case kind == jsonvalue.String:
		name, err := jsonvalue.Unquote(raw)
		if err != nil {
			return nil, err
		}
		return known(in.option(name))
	case in.Typecast && kind != jsonvalue.Object && kind != jsonvalue.Array:
		return known(in.option(string(raw)))
	}
	return nil, fmt.Errorf("must be the name of an option as a string, not %s", jsonvalue.Describe(raw))
}

// known keeps a failed look-up from becoming an empty text.
func known(name string, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return name, nil
}

func (*singleSelect) Select(f *Field) string { return f.column() }

func (*singleSelect) Encoder(*Field, FileLinks) Encoder { return AppendString[[]byte] }

func (*singleSelect) Operators() []Operator { return optionOperators }

var optionOperators = append([]Operator{
	{Op: Eq, Operand: optionOperand, Index: Equality, Read: readOption, SQL: textIs},
	{Op: Neq, Operand: optionOperand, Read: readOption, SQL: textIsNot},
	{Op: In, Operand: optionsOperand, Index: Range, Read: readOptions, SQL: textIsIn},
	{Op: NotIn, Operand: optionsOperand, Read: readOptions, SQL: textIsNotIn},
}, EmptyOperators...)

// Order is the order of the options.
func (*singleSelect) Order(f *Field, column string) string { return f.Config.PlaceOfOption(column) }

func (*singleSelect) SortKey(raw []byte) (any, bool) { return optionPlace(raw) }

func (*singleSelect) Aggregates() []Aggregate { return countOnly }

func (*singleSelect) Search(s *Search, f *Field) { s.Columns = append(s.Columns, f.searchNumber()) }

func (*singleSelect) Meaning(_ *Field, raw []byte) (any, error) {
	name, err := jsonvalue.Unquote(raw)
	return OptionName(name), err
}

// Adapt accepts one of several options.
func (*singleSelect) Adapt(_ *Field, from *Source) ([]byte, error) {
	if names, ok := from.Meaning.(OptionNames); ok {
		joined := strings.Join(names, ", ")
		if len(names) > 1 {
			return nil, fmt.Errorf("%s holds more than one option", Quote(joined))
		}
		return AppendString(nil, joined), nil
	}
	from.JSON = from.readable()
	return from.plain()
}

func (*singleSelect) Size(column string) string { return "coalesce(octet_length(" + column + "), 0)" }

func (*singleSelect) Show(f *Field, _ Names, value any) Shown {
	return Shown{Labels: f.Config.labels(stringsIn(value))}
}

func (*singleSelect) HoldsAny(column, names string) string { return column + " = any (" + names + ")" }

func (*singleSelect) Rename(relation, column string) string {
	return "update " + relation + " r set " + column + ` = m.after
		from unnest($1::text[], $2::text[]) as m(before, after) where r.` + column + " = m.before"
}

func (*singleSelect) Names(raw json.RawMessage) ([]string, bool) {
	names := []string{""}
	return names, json.Unmarshal(raw, &names[0]) == nil
}

func (*singleSelect) FromNames(names []string) any { return names[0] }
