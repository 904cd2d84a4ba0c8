package record_test

import "github.com/rowhouse/rowhouse/tenancy/schema"

// A shape is what the model believes of the values of a type. The list is its own, so that a
// mistake in package field is none in the model.
type shape int

const (
	shapeText shape = iota
	shapeNumber
	shapeBoolean
	shapeDate
	shapeTimestamp
	shapeChoice
	shapeChoices
	shapeUser
	shapeLink
)

var shapes = map[schema.Type]shape{
	schema.Text:         shapeText,
	schema.LongText:     shapeText,
	schema.Phone:        shapeText,
	schema.Number:       shapeNumber,
	schema.Percent:      shapeNumber,
	schema.AutoNumber:   shapeNumber,
	schema.Checkbox:     shapeBoolean,
	schema.Date:         shapeDate,
	schema.DateTime:     shapeTimestamp,
	schema.SingleSelect: shapeChoice,
	schema.MultiSelect:  shapeChoices,
	schema.User:         shapeUser,
	schema.LinkType:     shapeLink,
}
