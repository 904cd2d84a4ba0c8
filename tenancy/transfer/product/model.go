// Package product is what imports of bases from other products share: what a base of any of them is (model.go), how
// its values are read (value.go), and requests of an API at its pace (client.go). A product is a package of its own,
// such as airtable, whose Session speaks of its bases in these terms. The package knows nothing of jobs, of the
// database, or of how records are written: package transfer imports.
package product

import (
	"context"
	"encoding/json"
	"io"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A Session reads one base of a product. Its errors are those of Problem's argument. It is safe for concurrent use.
type Session interface {
	// About says what people should know of imports from the product.
	About() About
	// BaseName is the name of the base. It is the first request, and says whether the token reaches the base.
	BaseName(ctx context.Context) (string, error)
	// Tables describes the tables of the base.
	Tables(ctx context.Context) ([]Table, error)
	// Records returns a page of a table. A place that is "" is the beginning.
	Records(ctx context.Context, t *Table, place string) (*Page, error)
	// Record returns one record, with new addresses of its files. An error for which IsGone holds says that it is gone.
	Record(ctx context.Context, t *Table, record string) (*Record, error)
	// File opens the content of an attachment, which the caller closes. An error for which IsExpired holds says that
	// its address no longer lives.
	File(ctx context.Context, file *Attachment) (io.ReadCloser, error)
	// Problem is an error for the person whose import it is.
	Problem(err error) error
}

// An Opener opens sessions of a product that has many installations. It is safe for concurrent use.
type Opener interface {
	// Address is where the maker of the product runs it.
	Address() string
	// Open returns a session of a base of the installation at an address. It sends nothing.
	Open(address, token, base string) Session
}

// A Commenter is a Session of a product whose comments come.
type Commenter interface {
	// Comments lists the comments on a record, the oldest first.
	Comments(ctx context.Context, t *Table, record string) ([]Comment, error)
}

// A RollupFinder is a Session of a product that does not say what rollups compute.
type RollupFinder interface {
	// FindRollup finds what a rollup of linked records computes, and a note about how it was found. A Missing error
	// says that it cannot be found.
	FindRollup(ctx context.Context, t, linked *Table, f *Field) (rollup Rollup, note string, err error)
}

// About is what people should know of imports from a product, once.
type About struct {
	Name string // of the product
	// Views and Computed say what of views and of fields that compute does not come; "" is nothing.
	Views, Computed string
	// Always says what does not come of any base; "" is nothing.
	Always string
	// CommentScope says what a token needs for comments.
	CommentScope string
}

// A Table is a table with its fields and views. Ids are those of the product. Each is unique in the base, among tables,
// fields, views, records and comments.
type Table struct {
	ID, Name string
	Primary  string // the id of the field that names the records
	Fields   []Field
	Views    []View
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

// A Way is how the values of a field come.
type Way int

// The ways.
const (
	Copied   Way = iota // from the cells
	Linked              // as links, once all records are there
	Files               // downloaded
	Computed            // computed here again
	Kept                // by the service, which knows them of the records
	Left                // not at all
)

// A Field is a field of a table, and what it is here.
type Field struct {
	ID, Name    string
	Description string
	// Column is under which name records of the product have its cells, for the Session alone.
	Column string

	Way  Way
	Type field.Type
	// Config is that of the field here, without ids of other fields.
	Config json.RawMessage
	// Note is what a reader of the report should know of it; "" is nothing. Of a field that is Left it says why.
	Note string
	// Value writes a cell of a field that is Copied.
	Value Value

	// Of links. A cell is a list of ids of records.
	LinkedTable string // "" if it is not known
	Inverse     string // the field on the other side; "" for none
	Single      bool   // it takes one record
	// Unread says that the cells are empty, because those of Inverse are read.
	Unread bool

	// Of fields that compute.
	Broken  string // why it cannot be computed; "" is nothing
	Formula Formula
	Link    string // the field whose linked records it is of
	Target  string // the field of these
	Rollup  Rollup // zero if a RollupFinder finds it
	Result  string // the type of the values, as the product names it
}

// A View is a view of a table.
type View struct {
	ID, Name string
	Type     string   // as here: grid, gallery, form, kanban, calendar, timeline, or another one that is not here
	Visible  []string // the fields that a grid shows; nil if it is not known
	Sorts    []Sort
}

// A Sort is a part of the order of a view.
type Sort struct {
	Field      string
	Descending bool
}

// A Page is a part of a table. Offset is where the next one begins; "" after the last.
type Page struct {
	Records []Record `json:"records"`
	Offset  string   `json:"offset"`
}

// A Record is a record with its cells by field id. Empty cells are missing. A cell of files is a list of Attachment.
type Record struct {
	ID           string                     `json:"id"`
	CreatedTime  string                     `json:"createdTime"`
	CommentCount int                        `json:"commentCount"`
	Fields       map[string]json.RawMessage `json:"fields"`
}

// An Attachment is a file in a cell. It is stored until the file has come, so its form must not change.
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

// A Comment is a comment on a record.
type Comment struct {
	ID          string
	Text        string // with people by their names
	CreatedTime string
	Author      Collaborator
}
