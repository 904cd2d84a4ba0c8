package field

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

var _ = Register(&anyJSON{Base{Info{
	Type: "json", Place: 180, Title: "JSON", Description: "Any JSON.",
	Value: `{}`, Column: "jsonb", SentAsText: true, ValueCast: "::text::jsonb", Convertible: true,
}}})

type anyJSON struct{ Base }

// Decode accepts what PostgreSQL's jsonb accepts, and packs what jsonb would not return unchanged. With
// typecast a string that is JSON stands for that JSON. Without typecast, a string that contains an
// object or an array is refused: it is nearly always JSON that was encoded twice, and no search would
// find anything in it.
func (*anyJSON) Decode(in *Input, raw []byte) (any, error) {
	raw, err := jsonInside(in, raw)
	if err != nil {
		return nil, err
	}
	if err := storable(raw); err != nil {
		return nil, err
	}
	return packJSON(raw), nil
}

// jsonInside is the JSON in a string, with typecast.
func jsonInside(in *Input, raw []byte) ([]byte, error) {
	if jsonvalue.Kind(raw) != jsonvalue.String {
		return raw, nil
	}
	text, err := jsonvalue.Unquote(raw)
	if err != nil {
		return nil, err
	}
	inner := jsonvalue.Trim([]byte(text))
	if len(inner) == 0 {
		return raw, nil
	}
	valid := jsonvalue.Check(inner) == nil
	nested := inner[0] == '{' || inner[0] == '['
	switch {
	case valid && in.Typecast:
		return inner, nil
	case valid && nested && !in.IsDefault:
		return nil, fmt.Errorf("is a string that holds JSON; send the JSON itself, or typecast: true to read it")
	case nested && in.Typecast && !in.converts:
		return nil, fmt.Errorf("is not JSON")
	}
	return raw, nil
}

// storable says what in a value PostgreSQL's jsonb would refuse.
func storable(raw []byte) error {
	if len(raw) > MaxJSON {
		return fmt.Errorf("must be at most %d bytes of JSON", MaxJSON)
	}
	return storableWithin(raw)
}

func storableWithin(raw []byte) error {
	var problem error
	switch jsonvalue.Kind(raw) {
	case jsonvalue.String:
		_, problem = jsonvalue.Unquote(raw)
	case jsonvalue.Number:
		if _, err := strconv.ParseFloat(string(raw), 64); err != nil {
			problem = fmt.Errorf("holds the number %s, which is too large", Quote(string(raw)))
		}
	case jsonvalue.Array:
		jsonvalue.Elements(raw, func(_ int, value []byte) bool {
			problem = storableWithin(value)
			return problem == nil
		})
	case jsonvalue.Object:
		err := jsonvalue.Members(raw, func(_ string, value []byte) bool {
			problem = storableWithin(value)
			return problem == nil
		})
		if problem == nil {
			problem = err
		}
	}
	return problem
}

func (*anyJSON) Select(f *Field) string { return f.column() + "::text" }

func (*anyJSON) Encoder(*Field, FileLinks) Encoder { return appendJSON }

func (*anyJSON) Operators() []Operator { return EmptyOperators }

func (*anyJSON) Aggregates() []Aggregate { return countOnly }

func (*anyJSON) Search(s *Search, f *Field) { s.Columns = append(s.Columns, f.searchNumber()) }

func (*anyJSON) Meaning(*Field, []byte) (any, error) { return AnyJSON{}, nil }

// Adapt reads a text that is JSON as that JSON.
func (*anyJSON) Adapt(_ *Field, from *Source) ([]byte, error) {
	if text, ok := from.Meaning.(string); ok && text != "" && jsonvalue.Check([]byte(text)) == nil {
		if inner := jsonvalue.Trim([]byte(text)); storable(inner) == nil {
			return inner, nil
		}
	}
	return from.JSON, nil
}

func (*anyJSON) Size(column string) string { return "coalesce(octet_length(" + column + "::text), 0)" }

func (*anyJSON) Show(_ *Field, _ Names, value any) Shown {
	text, err := json.Marshal(value)
	if err != nil {
		return Shown{}
	}
	return Shown{Text: string(text)}
}
