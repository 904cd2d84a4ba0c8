package formula

import (
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// Targets lists the types of a formula's values that a stored field accepts without conversion; none if
// no formula can set the field.
func Targets(f *field.Field) []Type {
	info := f.Info()
	if info.ReadOnly || info.Paired || info.People {
		return nil
	}
	switch info.Column {
	case "text":
		return []Type{aText}
	case "double precision", "bigint":
		return []Type{aNumber}
	case "boolean":
		return []Type{aBoolean}
	case "date", "timestamptz":
		return []Type{aDate, aDatetime}
	case "text[]":
		return []Type{{Text, true}, aText}
	case "jsonb":
		if _, files := f.Kind.(field.Filed); files {
			return nil
		}
		var all []Type
		for b := Number; b <= Datetime; b++ {
			all = append(all, Type{b, false}, Type{b, true})
		}
		return all
	}
	return nil
}

// Converts says how a formula converts to one of the types, for a message.
func Converts(to []Type) string {
	ways := []string{}
	for _, t := range to {
		way := map[Type]string{
			aNumber: "VALUE(text)", aText: "value & \"\"", aBoolean: "a comparison, as in {Price} > 10",
			aDate: "DATETIME_PARSE(text)", aDatetime: "DATETIME_PARSE(text)",
		}[t]
		if way != "" && !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return strings.Join(ways, " or ")
}

// Describe lists types for a message.
func Describe(types []Type) string {
	described := make([]string, len(types))
	for i, t := range types {
		described[i] = t.describe()
	}
	return strings.Join(described, " or ")
}
