package field

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

// Limits of one value.
const (
	MaxText     = 100_000   // characters
	MaxLongText = 1_000_000 // characters
	MaxEntries  = 500       // of a multiple select or a user
	MaxLinks    = 200_000   // of a link: records that link from the other side are not counted, and must fit too
	MaxJSON     = 1_000_000 // bytes
	MaxFiles    = 50
)

const readOnlyText = "is written by the service and cannot be set"

// An Input is the context in which a value is decoded.
type Input struct {
	Field     *Field
	Typecast  bool  // convert unambiguous values of other kinds
	Style     Style // of the column that the value comes from, for typecast
	IsDefault bool  // of a field, whose configuration has no typecast
	converts  bool  // the value comes from another field, and is not a mistake
	// NewOption is called with the names that typecast found no option for; the caller adds the
	// options, or says why there can be none. Nil refuses them.
	NewOption func(name string) error
}

// A Value is what Decode returns: nil, string (text, an option, JSON), float64, bool, time.Time (a
// date or a timestamp), []string (options) or []uuid.UUID (members, who must be checked) for a
// column; Rows for pairs; Files for attachments, whose column holds what is known of them as JSON.
type Value = any

// Rows are records of the linked table. The database checks whether they exist.
type Rows []uuid.UUID

// Decode reads a value; raw is one well-formed JSON value without space around it.
func (in *Input) Decode(raw []byte) (Value, error) {
	info := in.Field.Kind.Info()
	switch {
	case info.ReadOnly:
		return nil, fmt.Errorf("%s", readOnlyText)
	case !info.HasValues():
		return nil, fmt.Errorf("holds no value")
	case jsonvalue.Kind(raw) == jsonvalue.Null || string(raw) == `""`:
		return info.Unset, nil
	}
	return in.Field.Kind.Decode(in, raw)
}

// DecodeDefault reads the configured default of the field.
func DecodeDefault(f *Field, raw []byte) (Value, error) {
	if err := jsonvalue.Check(raw); err != nil {
		return nil, err
	}
	if info := f.Info(); info.NoDefault {
		return nil, fmt.Errorf("is not possible: a field of type %s has no default", info.Type)
	}
	return (&Input{Field: f, IsDefault: true}).Decode(raw)
}

// Default decodes the field's configured default; nil if there is none or it no longer fits the field.
func (f *Field) Default() Value {
	raw := jsonvalue.Trim(f.Config.Default)
	if len(raw) == 0 || len(raw) > MaxDefault {
		return nil
	}
	value, err := DecodeDefault(f, raw)
	if err != nil {
		return nil
	}
	return value
}

// castHint says that typecast may help.
func (in *Input) castHint() string {
	if in.Typecast || in.IsDefault {
		return ""
	}
	return "; send typecast: true to convert it"
}

// wrong refuses a value of another JSON kind than the wanted one.
func (in *Input) wrong(raw []byte, want string) error {
	hint := ""
	if jsonvalue.Kind(raw) == jsonvalue.String {
		hint = in.castHint()
	}
	return fmt.Errorf("must be %s, not %s%s", want, jsonvalue.Describe(raw), hint)
}

// Quote quotes a value for a message, cut to a readable length.
func Quote(s string) string {
	if utf8.RuneCountInString(s) > 60 {
		s = string([]rune(s)[:57]) + "…"
	}
	return strconv.Quote(s)
}
