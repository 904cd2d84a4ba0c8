package field

import (
	"fmt"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
)

// A Source is a value of one field on its way into a field of another kind.
type Source struct {
	Field *Field
	JSON  []byte
	// Meaning is what the value stands for: nil for what the JSON says all of, as a number, or a
	// string, bool, Time, OptionName, OptionNames or AnyJSON.
	Meaning any
}

// What a value may stand for beside a string and a bool.
type (
	// A Time is a date or a timestamp, in the time zone of its field.
	Time struct {
		time.Time
		IsDate bool
	}
	// An OptionName is one option, and OptionNames are several.
	OptionName  string
	OptionNames []string
	// AnyJSON is a value of any shape.
	AnyJSON struct{}
)

// Convert turns the JSON of a value of another field into a value of the input's.
func (in *Input) Convert(from *Field, raw []byte) (Value, error) {
	meaning, err := from.Kind.Meaning(from, raw)
	if err != nil {
		return nil, err
	}
	adapted, err := in.Field.Kind.Adapt(in.Field, &Source{from, raw, meaning})
	if err != nil {
		return nil, err
	}
	return in.Decode(adapted)
}

// plain is the JSON for a kind that has no use for objects.
func (s *Source) plain() ([]byte, error) {
	if _, ok := s.Meaning.(AnyJSON); ok {
		switch jsonvalue.Kind(s.JSON) {
		case jsonvalue.Object, jsonvalue.Null:
			return nil, fmt.Errorf("holds %s", jsonvalue.Describe(s.JSON))
		}
	}
	return s.JSON, nil
}

// refuse says that a value has no meaning in another kind.
func (s *Source) refuse(to *Field) error {
	return fmt.Errorf("%s is %s, which does not become %s", Quote(string(s.JSON)), s.Field.Type(), to.Type())
}
