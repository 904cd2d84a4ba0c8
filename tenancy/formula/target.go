package formula

import (
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// Targets lists the types of values that a stored field takes of a formula as they are; none if no formula can set
// the field. Others have to be converted.
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

// Converts says how a formula gives a value of one of the types, for a message.
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

// Nouns are the types as a message says them.
func Nouns(types []Type) string {
	nouns := make([]string, len(types))
	for i, t := range types {
		nouns[i] = t.noun()
	}
	return strings.Join(nouns, " or ")
}
