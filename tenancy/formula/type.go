package formula

// A Base is the type of one value.
type Base uint8

// The types of values. Blank is the type of BLANK(), which fits everywhere; it is the type of no
// formula as a whole.
const (
	Blank Base = iota
	Number
	Text
	Boolean
	Date
	Datetime
)

// A Type is what the values of a formula or of a field are: values of one base, or lists of them.
type Type struct {
	Base Base
	List bool
}

var baseNames = [...]string{"blank", "number", "text", "boolean", "date", "datetime"}

// String is the type's name in the API.
func (t Type) String() string {
	if t.List {
		return "list of " + baseNames[t.Base]
	}
	return baseNames[t.Base]
}

// describe is the type for a message.
func (t Type) describe() string {
	if t.List {
		return [...]string{
			"an empty list", "a list of numbers", "a list of texts", "a list of true and false",
			"a list of dates", "a list of times",
		}[t.Base]
	}
	return [...]string{"nothing", "a number", "text", "true or false", "a date", "a date with a time"}[t.Base]
}

// sql is the type in which SQL holds values of it, errors included. A boolean is 1 or 0.
func (t Type) sql() string {
	name := [...]string{
		"text", "double precision", "text", "double precision", "date", "timestamptz",
	}[t.Base]
	if t.List {
		name += "[]"
	}
	return name
}

// Column is the type of a column that stores values without errors.
func (t Type) Column() string {
	if t.Base == Boolean {
		if t.List {
			return "boolean[]"
		}
		return "boolean"
	}
	return t.sql()
}

func (t Type) numeric() bool  { return t.Base == Number || t.Base == Boolean || t.Base == Blank }
func (t Type) temporal() bool { return t.Base == Date || t.Base == Datetime }

// unify is the type of values that may have either type.
func unify(a, b Type) Type {
	switch {
	case a == b || b.Base == Blank:
		return a
	case a.Base == Blank:
		return b
	case a.List != b.List:
	case a.numeric() && b.numeric():
		return Type{Number, a.List}
	case a.temporal() && b.temporal():
		return Type{Datetime, a.List}
	case a.List:
		return Type{Text, true}
	}
	return Type{Base: Text}
}
