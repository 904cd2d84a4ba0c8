package field

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
)

var _ Filed = Register(&attachment{Base{Info{
	Type: "attachment", Place: 170, Title: "Attachment", Description: "Uploaded files.",
	Value: `{"type":["array","null"],"items":{"type":"object","properties":{"id":{"type":"string"},` +
		`"name":{"type":"string"},` +
		`"size":{"type":"integer"},"type":{"type":"string"},"width":{"type":"integer"},"height":{"type":"integer"},` +
		`"url":{"type":"string"},"thumbnailUrl":{"type":"string"}},"required":["id","name","size","type"]}}`,
	Column: "jsonb", SentAsText: true, ValueCast: "::text::jsonb", NoDefault: true, Roles: []Role{RoleCover},
	Ask: AskFiles,
}}}).(*attachment)

// A Filed kind has files as values. Its column has their stored data as JSON, an array of objects with
// the member id.
type Filed interface {
	Kind
	// FileIDs selects the public ids of the files in a column.
	FileIDs(column string) string
}

// A File is a file in a value. Its name is the uploaded one unless the value has another.
type File struct {
	ID   uuid.UUID
	Name string // "" for the uploaded one
}

// Files are the files of a value. The database checks whether the organization has them.
type Files []File

// IDs are the ids of the files in their order.
func (f Files) IDs() []uuid.UUID {
	ids := make([]uuid.UUID, len(f))
	for i := range f {
		ids[i] = f[i].ID
	}
	return ids
}

// FileLinks append the address of a file, or of its thumbnail, as the content of a JSON string; nil
// writes files without addresses.
type FileLinks func(dst []byte, file uuid.UUID, name string, thumbnail bool) []byte

type attachment struct{ Base }

// Decode reads a list of ids, or of objects with an id in the form in which they are read; of the other
// members only the name counts. A single id is a list of one.
func (*attachment) Decode(_ *Input, raw []byte) (any, error) {
	const want = "must be a list of uploaded files, each {\"id\": \"att_…\"}"
	switch jsonvalue.Kind(raw) {
	case jsonvalue.String:
		file, err := decodeFile(raw)
		return Files{file}, err
	case jsonvalue.Array:
	default:
		return nil, fmt.Errorf("%s, not %s", want, jsonvalue.Describe(raw))
	}
	var files Files
	var problem error
	jsonvalue.Elements(raw, func(i int, value []byte) bool {
		if kind := jsonvalue.Kind(value); kind != jsonvalue.Object && kind != jsonvalue.String {
			problem = fmt.Errorf("%s; entry %d is %s", want, i, jsonvalue.Describe(value))
			return false
		}
		var file File
		if file, problem = decodeFile(value); problem != nil {
			return false
		}
		if !slices.ContainsFunc(files, func(f File) bool { return f.ID == file.ID }) {
			files = append(files, file)
		}
		return true
	})
	if problem == nil && len(files) > MaxFiles {
		problem = fmt.Errorf("must hold at most %d files", MaxFiles)
	}
	if problem != nil || len(files) == 0 {
		return nil, problem
	}
	return files, nil
}

// fileMembers are the members of a file as it is read.
var fileMembers = []string{"id", "name", "size", "type", "width", "height", "url", "thumbnailUrl"}

func decodeFile(raw []byte) (File, error) {
	var file File
	public, address := "", false
	var failure error
	if jsonvalue.Kind(raw) == jsonvalue.String {
		public, failure = jsonvalue.Unquote(raw)
	} else {
		err := jsonvalue.Members(raw, func(name string, value []byte) bool {
			text := jsonvalue.Kind(value) == jsonvalue.String
			switch {
			case !slices.Contains(fileMembers, name):
				failure = fmt.Errorf("holds %s, which a file does not have%s; name the file by its id",
					Quote(name), problem.DidYouMean(name, fileMembers))
			case name == "url":
				address = true
			case name == "id" && text:
				public, failure = jsonvalue.Unquote(value)
			case name == "name" && text:
				if file.Name, failure = jsonvalue.Unquote(value); failure == nil {
					if file.Name, failure = CleanFileName("", file.Name); failure != nil {
						failure = fmt.Errorf("the name of a file %w", failure)
					}
				}
			}
			return failure == nil
		})
		if failure == nil {
			failure = err
		}
	}
	if failure != nil {
		return file, failure
	}
	if address && public == "" || strings.Contains(public, "://") {
		return file, errors.New("names a file by a url, and the service fetches none; upload the content with " +
			"create_attachment or POST /api/v1/tables/{tableId}/uploads?name=…, and write [{\"id\": \"att_…\"}] with " +
			"the " +
			"id that the upload returns")
	}
	var err error
	if file.ID, err = id.Parse(id.Attachment, public); err != nil {
		return file, fmt.Errorf("%s is not the id of a file; it is att_ and 26 characters, and an upload returns it",
			Quote(public))
	}
	return file, nil
}

// Plain is the names of the files.
func (*attachment) Plain(f *Field) string {
	return "(select array_agg(a.file->>'name' order by a.n) from jsonb_array_elements(" + f.column() +
		") with ordinality as a(file, n))"
}

func (*attachment) Select(f *Field) string { return f.column() + "::text" }

// Encoder writes the files with the addresses of their content.
func (*attachment) Encoder(_ *Field, files FileLinks) Encoder {
	if files == nil {
		return asIs
	}
	return func(dst, raw []byte) []byte {
		dst = append(dst, '[')
		jsonvalue.Elements(raw, func(i int, value []byte) bool {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendLinked(dst, value, files)
			return true
		})
		return append(dst, ']')
	}
}

func appendLinked(dst, value []byte, link FileLinks) []byte {
	var file uuid.UUID
	name, image := "", false
	err := jsonvalue.Members(value, func(member string, value []byte) bool {
		text := ""
		if jsonvalue.Kind(value) == jsonvalue.String {
			text, _ = jsonvalue.Unquote(value) // the service wrote it
		}
		switch member {
		case "id":
			file, _ = id.Parse(id.Attachment, text)
		case "name":
			name = text
		case "width":
			image = true
		}
		return true
	})
	if err != nil || file == uuid.Nil || name == "" {
		return append(dst, value...)
	}
	dst = append(dst, value[:len(value)-1]...)
	dst = link(append(dst, `,"url":"`...), file, name, false)
	if image {
		dst = link(append(dst, `","thumbnailUrl":"`...), file, name, true)
	}
	return append(dst, '"', '}')
}

func (*attachment) Operators() []Operator { return EmptyOperators }

func (*attachment) Aggregates() []Aggregate { return countOnly }

func (*attachment) Size(column string) string {
	return "coalesce(octet_length(" + column + "::text), 0)"
}

func (*attachment) Show(_ *Field, _ Names, value any) Shown {
	var shown Shown
	list, _ := value.([]any)
	for _, item := range list {
		file, _ := item.(map[string]any)
		name, _ := file["name"].(string)
		shown.Files = append(shown.Files, ShownFile{
			Name:      name,
			Address:   pathOf(file["url"]),
			Thumbnail: pathOf(file["thumbnailUrl"]),
		})
	}
	return shown
}

// pathOf is the address of a file without the service's origin, which the reader's own origin replaces.
func pathOf(address any) string {
	text, _ := address.(string)
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

func (*attachment) FileIDs(column string) string {
	return "jsonb_path_query(" + column + ", '$[*].id') #>> '{}'"
}
