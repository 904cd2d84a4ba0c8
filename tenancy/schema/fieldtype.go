package schema

import (
	"slices"

	"github.com/rowhouse/rowhouse/problem"
)

// Type is the type of a field.
type Type string

// The field types.
const (
	Text             Type = "text"
	LongText         Type = "long_text"
	Email            Type = "email"
	URL              Type = "url"
	Phone            Type = "phone"
	Number           Type = "number"
	Currency         Type = "currency"
	Percent          Type = "percent"
	Rating           Type = "rating"
	Duration         Type = "duration"
	Checkbox         Type = "checkbox"
	Date             Type = "date"
	DateTime         Type = "datetime"
	SingleSelect     Type = "single_select"
	MultiSelect      Type = "multi_select"
	User             Type = "user"
	Attachment       Type = "attachment"
	JSON             Type = "json"
	LinkType         Type = "link"
	Button           Type = "button"
	AutoNumber       Type = "auto_number"
	CreatedTime      Type = "created_time"
	LastModifiedTime Type = "last_modified_time"
	CreatedBy        Type = "created_by"
	LastModifiedBy   Type = "last_modified_by"
)

// Shape is what a type's values look like. Filters, sorts and codecs switch on it; a new shape is a new kind of cell.
type Shape int

// The shapes.
const (
	ShapeText       Shape = iota // a string
	ShapeNumber                  // a number
	ShapeBool                    // true or false, never null
	ShapeDate                    // YYYY-MM-DD
	ShapeMoment                  // RFC 3339
	ShapeChoice                  // the name of an option
	ShapeChoices                 // names of options
	ShapeUser                    // a user id, or several
	ShapeAttachment              // files
	ShapeJSON                    // any JSON
	ShapeLink                    // record ids of another table
	ShapeNone                    // no value
)

// TypeInfo is everything that the rest of the product needs to know of a type.
type TypeInfo struct {
	Type   Type
	Shape  Shape
	Column string // SQL type of the column f_<number>; "" when the type has no column of its own
	System string // the record table's own column that the values are read from, for read-only types without Column
	// Keys are the config keys beyond those that every type has.
	Keys            []string
	ReadOnly        bool // the service writes the values
	ApplicationOnly bool // created in the application only, not with an API credential
	Primary         bool // may be the primary field
	Unique          bool // may be required and unique, and have a default
}

// Types is the catalogue of field types: their storage and their rules. A new type is added here.
var Types = []TypeInfo{
	{Type: Text, Shape: ShapeText, Column: "text", Primary: true, Unique: true},
	{Type: LongText, Shape: ShapeText, Column: "text", Keys: []string{"format"}, Primary: true, Unique: true},
	{Type: Email, Shape: ShapeText, Column: "text", Primary: true, Unique: true},
	{Type: URL, Shape: ShapeText, Column: "text", Primary: true, Unique: true},
	{Type: Phone, Shape: ShapeText, Column: "text", Primary: true, Unique: true},
	{Type: Number, Shape: ShapeNumber, Column: "double precision", Keys: []string{"precision"}, Unique: true},
	{Type: Currency, Shape: ShapeNumber, Column: "double precision", Keys: []string{"precision", "symbol"}, Unique: true},
	{Type: Percent, Shape: ShapeNumber, Column: "double precision", Keys: []string{"precision"}, Unique: true},
	{Type: Rating, Shape: ShapeNumber, Column: "double precision", Keys: []string{"max", "icon"}, Unique: true},
	{Type: Duration, Shape: ShapeNumber, Column: "double precision", Keys: []string{"format"}, Unique: true},
	{Type: Checkbox, Shape: ShapeBool, Column: "boolean"},
	{Type: Date, Shape: ShapeDate, Column: "date", Keys: []string{"dateFormat"}, Unique: true},
	{Type: DateTime, Shape: ShapeMoment, Column: "timestamptz", Keys: []string{"dateFormat", "timeFormat", "timeZone"}, Unique: true},
	{Type: SingleSelect, Shape: ShapeChoice, Column: "text", Keys: []string{"options"}, Unique: true},
	{Type: MultiSelect, Shape: ShapeChoices, Column: "text[]", Keys: []string{"options"}},
	{Type: User, Shape: ShapeUser, Column: "uuid[]", Keys: []string{"multiple"}},
	{Type: Attachment, Shape: ShapeAttachment, Column: "jsonb"},
	{Type: JSON, Shape: ShapeJSON, Column: "jsonb"},
	{Type: LinkType, Shape: ShapeLink, Keys: []string{"linkedTableId", "inverseFieldId", "multiple"}, ApplicationOnly: true},
	{Type: Button, Shape: ShapeNone, Keys: []string{"label", "url"}, ApplicationOnly: true},
	{Type: AutoNumber, Shape: ShapeNumber, Column: "bigint", ReadOnly: true},
	{Type: CreatedTime, Shape: ShapeMoment, System: "created_at", Keys: []string{"dateFormat", "timeFormat", "timeZone"}, ReadOnly: true},
	{Type: LastModifiedTime, Shape: ShapeMoment, System: "updated_at", Keys: []string{"dateFormat", "timeFormat", "timeZone"}, ReadOnly: true},
	{Type: CreatedBy, Shape: ShapeUser, System: "created_by", ReadOnly: true},
	{Type: LastModifiedBy, Shape: ShapeUser, System: "updated_by", ReadOnly: true},
}

// Info returns the catalogue's entry of a type that is known to exist.
func (t Type) Info() *TypeInfo {
	for i := range Types {
		if Types[i].Type == t {
			return &Types[i]
		}
	}
	panic("schema: unknown field type " + string(t)) // types are parsed at the border and checked by the catalogue test
}

// ParseType reads the name of a type. The error, at path, lists the types that may be had.
func ParseType(path, name string) (Type, error) {
	var names []string
	for i := range Types {
		if string(Types[i].Type) == name {
			return Types[i].Type, nil
		}
		names = append(names, string(Types[i].Type))
	}
	return "", problem.Invalid(path, "%q is not a field type%s; the types are %s", name, problem.DidYouMean(name, names), problem.List(names))
}

// Has reports whether the type carries the config key.
func (i *TypeInfo) Has(key string) bool {
	switch key {
	case "description":
		return true
	case "required", "unique", "default":
		return i.Unique || (key != "unique" && i.Column != "" && !i.ReadOnly)
	}
	return slices.Contains(i.Keys, key)
}
