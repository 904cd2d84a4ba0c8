package field

import (
	"fmt"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

var _ = Register(&checkbox{Base{Info{
	Type: "checkbox", Place: 110, Title: "Checkbox", Description: "True or false, and false where nothing is given.",
	Value: `{"type":"boolean"}`, Column: "boolean", ColumnRule: "not null default false",
	NeverNull: true, Unset: false, Empty: "false", Convertible: true, Roles: []Role{RoleStack}, Ask: AskYes,
}}})

type checkbox struct{ Base }

// Decode accepts true and false, and with typecast the words and numbers for them.
func (*checkbox) Decode(in *Input, raw []byte) (any, error) {
	switch jsonvalue.Kind(raw) {
	case jsonvalue.Bool:
		return raw[0] == 't', nil
	case jsonvalue.String, jsonvalue.Number:
		if in.Typecast {
			switch strings.ToLower(strings.Trim(string(raw), `" `)) {
			case "true", "t", "yes", "y", "1", "on", "checked":
				return true, nil
			case "false", "f", "no", "n", "0", "off", "unchecked":
				return false, nil
			}
			return nil, fmt.Errorf("%s is neither true nor false; write true or false, yes or no, 1 or 0",
				Quote(strings.Trim(string(raw), `"`)))
		}
	}
	return nil, in.wrong(raw, "true or false")
}

func (*checkbox) Select(f *Field) string { return f.column() }

func (*checkbox) Encoder(*Field, FileLinks) Encoder {
	return func(dst, raw []byte) []byte {
		if raw[0] == 0 {
			return append(dst, "false"...)
		}
		return append(dst, "true"...)
	}
}

func (*checkbox) Operators() []Operator { return booleanOperators }

var booleanOperators = []Operator{
	{
		Op:      Eq,
		Operand: booleanOperand,
		Index:   Equality,
		Read:    readBoolean,
		SQL: func(_ Args, f *Field, value any) string {
			if value == true {
				return f.column()
			}
			return "not " + f.column()
		},
	},
}

func (*checkbox) Order(_ *Field, column string) string { return column }

func (*checkbox) SortKey(raw []byte) (any, bool) { return len(raw) == 1 && raw[0] == 1, len(raw) == 1 }

// Aggregates count the checked ones.
func (*checkbox) Aggregates() []Aggregate {
	return []Aggregate{
		{"count", func(f *Field) string { return "count(*) filter (where " + f.column() + ")" }, appendCount},
	}
}

func (*checkbox) Meaning(_ *Field, raw []byte) (any, error) { return raw[0] == 't', nil }

func (*checkbox) Show(_ *Field, _ Names, value any) Shown {
	if value == true {
		return Shown{Text: "✓"}
	}
	return Shown{}
}
