package formula

import "github.com/rowhouse/rowhouse/tenancy/field"

// A World knows names that a record table does not contain: of people and linked records. Each function
// returns an expression of the record table's alias, of the type text[], with the names in the order of
// the values; "" if the names are not available.
type World struct {
	// People names the users of a column: of uuid[] if several, and of uuid if not.
	People func(column string, several bool) string
	// Linked names the records of a link field.
	Linked func(f *field.Field) string
}

// FromField is a field of any kind as a formula reads it. id is its public id, and alias the alias of
// the record table. It depends only on the properties of the kind, so that a new kind needs nothing
// here.
//
// A user is its name, and so is a record, a file and an option; if a field may have several, they are a
// list. A percent field of 12.5 is the number 0.125, and a duration is its seconds.
func FromField(f *field.Field, id, alias string, world World) Field {
	out := Field{ID: id, Name: f.Name}
	info := f.Info()
	column := alias + "." + f.Column()
	switch {
	case !info.HasValues():
		out.Refused = "it holds no values"
	case info.Unlisted:
		out.Refused = "its values are the service's own"
	case info.Paired:
		out.Type = Type{Text, true}
		if f.Pairs == nil || f.Pairs.Linked == 0 {
			out.Refused = "the table that it links to is gone"
		} else if world.Linked != nil {
			out.SQL = world.Linked(f)
		}
	case info.People && info.System != "":
		out.Type = aText
		if world.People != nil {
			out.SQL = first(world.People(column, false))
		}
	case info.People:
		several := f.Config.Multiple != nil && *f.Config.Multiple
		out.Type = Type{Text, several}
		if world.People != nil {
			out.SQL = world.People(column, true)
		}
		if !several {
			out.SQL = first(out.SQL)
		}
	case info.System != "":
		out.Type, out.SQL = aDatetime, column
	default:
		out.Type, out.SQL = ofColumn(f, column)
	}
	if out.SQL == "" && out.Refused == "" {
		out.Refused = "fields of its type are not known to formulas"
	}
	return out
}

// first is the first of a list of names.
func first(names string) string {
	if names == "" {
		return ""
	}
	return "(" + names + ")[1]"
}

// ofColumn is a field by the type of its column; "" for an unknown column.
func ofColumn(f *field.Field, column string) (Type, string) {
	info := f.Info()
	switch info.Column {
	case "text":
		return aText, column
	case "double precision":
		if info.Hundredths {
			return aNumber, "case when " + column + " is not null then gate.formula_divide(" + column + ", 100) end"
		}
		return aNumber, column
	case "bigint":
		return aNumber, column + "::double precision"
	case "boolean":
		return aBoolean, truthOf(column)
	case "date":
		return aDate, column
	case "timestamptz":
		return aDatetime, column
	case "text[]":
		return Type{Text, true}, column
	case "jsonb":
		if _, files := f.Kind.(field.Filed); !files {
			return aText, "(" + column + " #>> '{}')"
		}
		return Type{Text, true}, "array(select e ->> 'name' from jsonb_array_elements(" + column +
			") with ordinality f(e, place) order by place)"
	}
	return Type{}, ""
}
