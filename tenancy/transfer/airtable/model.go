// Package airtable reads bases of Airtable by its Web API and says what their fields and values are here. It owns the
// requests with their pace (client.go), the table of the types of fields (mapping.go), and the translation of values
// and formulas. It knows nothing of jobs, of the database, or of how records are written: package transfer imports.
package airtable

import (
	"regexp"

	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// A base is a base that a token reaches.
type base struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// A table is a table with its fields and views.
type table struct {
	ID             string   `json:"id"`
	Name           string   `json:"name"`
	PrimaryFieldID string   `json:"primaryFieldId"`
	Fields         []column `json:"fields"`
	Views          []view   `json:"views"`
}

// A column is a field of a table.
type column struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Type        string       `json:"type"`
	Description string       `json:"description"`
	Options     fieldOptions `json:"options"`
}

// fieldOptions are the options of a field of any type. Those of other types are zero.
type fieldOptions struct {
	Choices []choice `json:"choices"`
	// Precision is nil for a type without digits.
	Precision      *int   `json:"precision"`
	Symbol         string `json:"symbol"`
	Max            int    `json:"max"`
	Icon           string `json:"icon"`
	DurationFormat string `json:"durationFormat"`
	DateFormat     format `json:"dateFormat"`
	TimeFormat     format `json:"timeFormat"`
	TimeZone       string `json:"timeZone"`

	LinkedTableID      string `json:"linkedTableId"`
	InverseLinkFieldID string `json:"inverseLinkFieldId"`
	PrefersSingle      bool   `json:"prefersSingleRecordLink"`

	// Of computed fields. IsValid is nil where Airtable does not say.
	IsValid              *bool   `json:"isValid"`
	Formula              string  `json:"formula"`
	RecordLinkFieldID    string  `json:"recordLinkFieldId"`
	FieldIDInLinkedTable string  `json:"fieldIdInLinkedTable"`
	Result               *result `json:"result"`
}

// A result is the type of the values of a computed field.
type result struct {
	Type    string       `json:"type"`
	Options fieldOptions `json:"options"`
}

// A format is the name of a format of dates or times.
type format struct {
	Name string `json:"name"`
}

// A choice is an option of a select.
type choice struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
}

// A view is a view of a table. Airtable reports neither its filters nor its sorts.
type view struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
	// VisibleFieldIDs are those that a grid shows, in its order; nil if Airtable does not say.
	VisibleFieldIDs []string `json:"visibleFieldIds"`
}

// A comment is a comment on a record. Its text names people as @[usr…], whom Mentioned has by id.
type comment struct {
	ID          string               `json:"id"`
	Text        string               `json:"text"`
	CreatedTime string               `json:"createdTime"`
	Author      product.Collaborator `json:"author"`
	Mentioned   map[string]struct {
		DisplayName string `json:"displayName"`
	} `json:"mentioned"`
}

var mentioned = regexp.MustCompile(`@\[(usr[A-Za-z0-9]+|ugp[A-Za-z0-9]+)\]`)

// neutral is a comment with people by their names.
func (c *comment) neutral() product.Comment {
	text := mentioned.ReplaceAllStringFunc(c.Text, func(token string) string {
		if one, ok := c.Mentioned[token[2:len(token)-1]]; ok && one.DisplayName != "" {
			return one.DisplayName
		}
		return "somebody"
	})
	return product.Comment{ID: c.ID, Text: text, CreatedTime: c.CreatedTime, Author: c.Author}
}
