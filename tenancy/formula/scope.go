package formula

import (
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A Field is a field of the same table that a formula can read.
type Field struct {
	ID, Name string
	Type     Type

	// SQL is an expression for the field's value in a record. It has the type of Type.Column, except
	// for booleans and lists of them, which are 1 and 0 in double precision (see FromField). Null is an
	// empty value.
	SQL string
	// Fails says that values may be errors, in the form of package formula: the field is a formula, or
	// reads one. See Stored.
	Fails bool
	// Volatile says that values depend on the time at which they are read.
	Volatile bool
	// Daily says that they depend on nothing of it but the day in the base's time zone.
	Daily bool
	// Refused says why a formula cannot read the field; "" if it can.
	Refused string
}

// A Scope is the context in which a formula is compiled: one table.
type Scope struct {
	Fields   []Field
	Gone     map[string]string // the names of fields that were deleted, by their ids; nil if none are known
	TimeZone string            // of the base, an IANA name; "" is UTC
	Table    int32             // its number, which is a part of the ids of its records
	Alias    string            // of the record table in SQL; "" is t
	// Now is an expression for the time of the request, a timestamptz; "" is now(), the beginning
	// of the transaction.
	Now string
}

func (s *Scope) alias() string {
	if s.Alias == "" {
		return "t"
	}
	return s.Alias
}

func (s *Scope) now() string {
	if s.Now == "" {
		return "now()"
	}
	return s.Now
}

// zone is a time zone as a literal; "" is the base's.
func (s *Scope) zone(name string) string {
	if name == "" {
		name = s.TimeZone
	}
	return literalText(field.ZoneInSQL(name))
}

// field finds a field by its id or its name.
func (s *Scope) field(written string) *Field {
	at := slices.IndexFunc(s.Fields, func(f Field) bool { return f.ID == written })
	if at < 0 {
		at = slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == written })
	}
	if at < 0 {
		return nil
	}
	return &s.Fields[at]
}

// called is the name of a deleted field, for a message; its id if the name is unknown.
func (s *Scope) called(written string) string {
	if name, known := s.Gone[written]; known {
		return quote(name)
	}
	return written
}

func (s *Scope) names() []string {
	names := make([]string, len(s.Fields))
	for i := range s.Fields {
		names[i] = s.Fields[i].Name
	}
	return names
}
