package field

import (
	"fmt"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// A Source is a value of one field on its way to a field of another kind.
type Source struct {
	Field *Field
	JSON  []byte
	// Meaning is what the value means: nil if the JSON says it all, as for a number, or a string, bool,
	// Time, Seconds, OptionName, OptionNames or AnyJSON.
	Meaning any
}

// What a value may be other than a string and a bool.
type (
	// A Time is a date or a timestamp, in the time zone of its field.
	Time struct {
		time.Time
		IsDate bool
	}
	// An OptionName is one option, and OptionNames are several.
	OptionName  string
	OptionNames []string
	// Seconds are a length of time.
	Seconds float64
	// AnyJSON is a value of any shape.
	AnyJSON struct{}
)

// Convert converts the JSON of a value of another field to a value of the input's.
func (in *Input) Convert(from *Field, raw []byte) (Value, error) {
	in.converts = true
	if k, computed := from.Kind.(*ComputedLike); computed && !in.Field.takesLists() {
		if one, value := k.only(from, raw); one != nil {
			from, raw = one, value
		}
	}
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

// takesLists reports whether a value of the field may be a list.
func (f *Field) takesLists() bool {
	column := f.Info().Column
	return column == "text[]" || column == "jsonb"
}

// plain is the JSON for a kind that cannot use objects.
func (s *Source) plain() ([]byte, error) {
	if _, ok := s.Meaning.(AnyJSON); ok {
		switch jsonvalue.Kind(s.JSON) {
		case jsonvalue.Object, jsonvalue.Null:
			return nil, fmt.Errorf("holds %s", jsonvalue.Describe(s.JSON))
		}
	}
	return s.JSON, nil
}

// readable is the JSON of the value for a kind of text. A timestamp is written as its field shows it,
// with its seconds unless they are zero, so that none are lost.
func (s *Source) readable() []byte {
	t, ok := s.Meaning.(Time)
	if !ok || t.IsDate {
		return s.JSON
	}
	layout := shownTimeLayout(&s.Field.Config)
	if t.Second() != 0 || t.Nanosecond() != 0 {
		layout = strings.Replace(layout, ":04", ":04:05.999999", 1)
	}
	return AppendString(nil, t.Format(layout))
}

// refuse says that a value has no meaning in another kind.
func (s *Source) refuse(to *Field) error {
	return fmt.Errorf("%s is %s, which does not become %s", Quote(string(s.JSON)), s.Field.Type(), to.Type())
}
