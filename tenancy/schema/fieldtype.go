package schema

import "github.com/rowhouse/rowhouse/tenancy/field"

// A Type names a kind of field. Package field knows the kinds.
type Type = field.Type

// The types that programs and tests name. A new kind needs no constant.
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
	Rank             Type = "rank"
)

// ParseType finds the type with a name. The error, at path, lists the valid types.
func ParseType(path, name string) (Type, error) { return field.Parse(path, name) }

// Config is the configuration of a field, and an Option is a choice in it.
type (
	Config = field.Config
	Option = field.Option
)
