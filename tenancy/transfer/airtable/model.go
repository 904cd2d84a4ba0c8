// Package airtable reads bases of Airtable by its Web API and says what their fields and values are here. It owns the
// requests with their pace (client.go), the table of the types of fields (mapping.go), and the translation of values
// and formulas. It knows nothing of jobs, of the database, or of how records are written: package transfer imports.
package airtable

import "encoding/json"

// A Base is a base that a token reaches.
type Base struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// A Table is a table with its fields and views.
type Table struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	PrimaryFieldID string  `json:"primaryFieldId"`
	Fields         []Field `json:"fields"`
	Views          []View  `json:"views"`
}

// Field finds a field by its id, or returns nil.
func (t *Table) Field(id string) *Field {
	for i := range t.Fields {
		if t.Fields[i].ID == id {
			return &t.Fields[i]
		}
	}
	return nil
}

// A Field is a field of a table.
type Field struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Type        string       `json:"type"`
	Description string       `json:"description"`
	Options     FieldOptions `json:"options"`
}

// FieldOptions are the options of a field of any type. Those of other types are zero.
type FieldOptions struct {
	Choices []Choice `json:"choices"`
	// Precision is nil for a type without digits.
	Precision      *int   `json:"precision"`
	Symbol         string `json:"symbol"`
	Max            int    `json:"max"`
	Icon           string `json:"icon"`
	DurationFormat string `json:"durationFormat"`
	DateFormat     Format `json:"dateFormat"`
	TimeFormat     Format `json:"timeFormat"`
	TimeZone       string `json:"timeZone"`

	LinkedTableID      string `json:"linkedTableId"`
	InverseLinkFieldID string `json:"inverseLinkFieldId"`
	PrefersSingle      bool   `json:"prefersSingleRecordLink"`

	// Of computed fields. IsValid is nil where Airtable does not say.
	IsValid              *bool    `json:"isValid"`
	Formula              string   `json:"formula"`
	ReferencedFieldIDs   []string `json:"referencedFieldIds"`
	RecordLinkFieldID    string   `json:"recordLinkFieldId"`
	FieldIDInLinkedTable string   `json:"fieldIdInLinkedTable"`
	Result               *Result  `json:"result"`
}

// A Result is the type of the values of a computed field.
type Result struct {
	Type    string       `json:"type"`
	Options FieldOptions `json:"options"`
}

// A Format is the name of a format of dates or times.
type Format struct {
	Name string `json:"name"`
}

// A Choice is an option of a select.
type Choice struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
}

// A View is a view of a table. Airtable reports neither its filters nor its sorts.
type View struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
	// VisibleFieldIDs are those that a grid shows, in its order; nil if Airtable does not say.
	VisibleFieldIDs []string `json:"visibleFieldIds"`
}

// A Record is a record with its cells by field id. Empty cells are missing.
type Record struct {
	ID           string                     `json:"id"`
	CreatedTime  string                     `json:"createdTime"`
	CommentCount int                        `json:"commentCount"`
	Fields       map[string]json.RawMessage `json:"fields"`
}

// A Page is a part of a table. Offset is where the next one begins; "" after the last.
type Page struct {
	Records []Record `json:"records"`
	Offset  string   `json:"offset"`
}

// An Attachment is a file in a cell. Its address lives for two hours.
type Attachment struct {
	ID       string `json:"id"`
	URL      string `json:"url"`
	Filename string `json:"filename"`
	Size     int64  `json:"size"`
}

// A Collaborator is a person in a cell, or the author of a comment.
type Collaborator struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

// A Comment is a comment on a record. Its text names people as @[usr…], whom Mentioned has by id.
type Comment struct {
	ID          string       `json:"id"`
	Text        string       `json:"text"`
	CreatedTime string       `json:"createdTime"`
	Author      Collaborator `json:"author"`
	Mentioned   map[string]struct {
		DisplayName string `json:"displayName"`
	} `json:"mentioned"`
}
