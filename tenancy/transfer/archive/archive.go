// Package archive is the form of a base archive: a zip file of the structure of a base, its records, the comments on
// them and the files in them, with a manifest that has the size and the hash of each. It writes archives as a stream,
// and opens them with every bound checked, since anybody may have made the file. It also maps the ids of an archive to
// those of the base that is made of it.
//
// The package knows nothing of databases and of what values mean: package transfer reads and writes bases.
package archive

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
)

// Version is the version of the form. An archive of a later one is refused. Version 1 had no files, and was never
// read; version 2 had no comments.
const Version = 3

const oldestVersion = 2

// The entries of an archive, in addition to records/{table id}.ndjson, comments/{table id}.ndjson and
// attachments/{file id}. The manifest comes last.
const (
	manifestPath = "manifest.json"
	schemaPath   = "schema.json"
	peoplePath   = "people.json"
)

// A Manifest says what is in an archive.
type Manifest struct {
	Version   int       `json:"version"`
	Base      string    `json:"base"` // its name
	CreatedAt time.Time `json:"createdAt"`
	// WithoutRecords says that the records were left out, and not that there were none.
	WithoutRecords bool    `json:"withoutRecords,omitzero"`
	Entries        []Entry `json:"entries"` // all but the manifest
}

// An Entry is a file of an archive.
type Entry struct {
	Path     string `json:"path"`
	TableID  string `json:"tableId,omitzero"`
	Name     string `json:"name,omitzero"`     // of the table or the file
	Records  *int   `json:"records,omitzero"`  // of an entry with records
	Comments int    `json:"comments,omitzero"` // of an entry with comments
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
}

// A Base is the structure of a base, as schema.json has it. Objects refer to each other by id.
type Base struct {
	Name       string          `json:"name"`
	Icon       json.RawMessage `json:"icon,omitzero"`
	TimeZone   string          `json:"timeZone"`
	Tables     []Table         `json:"tables"`
	Dashboards []Dashboard     `json:"dashboards,omitzero"`
}

// A Table is a table with its fields and the views that everybody sees.
type Table struct {
	ID     string          `json:"id"`
	Number int32           `json:"number"` // which the ids of its records have
	Name   string          `json:"name"`
	Icon   json.RawMessage `json:"icon,omitzero"`
	Fields []Field         `json:"fields"`
	Views  []View          `json:"views,omitzero"`
}

// A Field is a field with its configuration as it is stored.
type Field struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Type    string          `json:"type"`
	Primary bool            `json:"primary,omitzero"`
	Hidden  bool            `json:"hidden,omitzero"`
	Width   *int32          `json:"width,omitzero"`
	Config  json.RawMessage `json:"config,omitzero"`
}

// A View is a view that everybody sees.
type View struct {
	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Type   string          `json:"type"`
	Access string          `json:"access"`
	Config json.RawMessage `json:"config,omitzero"`
}

// A Dashboard is a page of tiles.
type Dashboard struct {
	Name  string          `json:"name"`
	Tiles json.RawMessage `json:"tiles"`
}

// A Person is somebody whom records or the structure name.
type Person struct {
	ID    string `json:"id"`
	Email string `json:"email,omitzero"` // none: they are no member any more
	Name  string `json:"name,omitzero"`
}

// A Record is a line of an entry with records. Fields has the values that people write, by the names of fields, without
// those that are empty.
type Record struct {
	ID        string          `json:"id"`
	CreatedAt time.Time       `json:"createdTime"`
	CreatedBy string          `json:"createdBy,omitzero"`
	UpdatedAt time.Time       `json:"updatedTime,omitzero"`
	UpdatedBy string          `json:"updatedBy,omitzero"`
	Fields    json.RawMessage `json:"fields"`
}

// A Comment is a line of an entry with comments, which are in the order in which they were written.
type Comment struct {
	ID         string    `json:"id"`
	Thread     string    `json:"thread"` // its first comment, which may be this one
	Record     string    `json:"record"`
	Author     string    `json:"author"`
	Text       string    `json:"text"` // "" if it was deleted
	CreatedAt  time.Time `json:"createdTime"`
	EditedAt   time.Time `json:"editedTime,omitzero"`
	DeletedAt  time.Time `json:"deletedTime,omitzero"`
	ResolvedAt time.Time `json:"resolvedTime,omitzero"` // of the thread, in its first comment
	ResolvedBy string    `json:"resolvedBy,omitzero"`
}

// RecordsPath is the path of the entry with the records of a table.
func RecordsPath(table string) string { return "records/" + table + ".ndjson" }

// CommentsPath is the path of the entry with the comments on the records of a table. Without any, there is none.
func CommentsPath(table string) string { return "comments/" + table + ".ndjson" }

// FilePath is the path of the entry with the content of a file.
func FilePath(file uuid.UUID) string { return filesPath + id.Format(id.Attachment, file) }

const filesPath = "attachments/"

// File is the id of the file whose content the entry is; false for another entry.
func (e *Entry) File() (uuid.UUID, bool) {
	if len(e.Path) < len(filesPath) || e.Path[:len(filesPath)] != filesPath {
		return uuid.Nil, false
	}
	file, err := id.Parse(id.Attachment, e.Path[len(filesPath):])
	return file, err == nil
}
