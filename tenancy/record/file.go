package record

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxFiles bounds the files in one cell.
const maxFiles = 50

// A Linker makes the addresses under which the content of files is read.
type Linker interface {
	// AppendLink appends the address of a file, or of its thumbnail, as it stands in a JSON string.
	AppendLink(dst []byte, org, file uuid.UUID, name string, thumbnail bool) []byte
}

// Linking returns the same engine, whose records have addresses for their files. The linker is comparable. Another one in place of a linker is
// meant for one request.
func (e *Engine) Linking(linker Linker) *Engine {
	bound := *e
	bound.linker, bound.passing = linker, e.linker != nil
	return &bound
}

// A fileRef is a file as a cell names it. The name in the cell is the uploaded one unless another is given.
type fileRef struct {
	id   uuid.UUID
	name string // "" for the uploaded one
}

type fileValue struct {
	field *schema.Field
	files []fileRef
	path  string
}

// decodeFiles reads the value of an attachment field: a list of ids, or of objects with an id, as they are read; of the other members only the
// name counts. One id alone is a list of one.
func decodeFiles(raw []byte) ([]fileRef, error) {
	const want = "must be a list of uploaded files, each {\"id\": \"att_…\"}"
	switch kind(raw) {
	case '0':
		return nil, nil
	case 's':
		if string(raw) == `""` {
			return nil, nil
		}
		file, err := decodeFile(raw)
		return []fileRef{file}, err
	case 'a':
	default:
		return nil, fmt.Errorf("%s, not %s", want, kindName(raw))
	}
	var files []fileRef
	var problem error
	elements(raw, func(i int, value []byte) bool {
		if kind(value) != 'o' && kind(value) != 's' {
			problem = fmt.Errorf("%s; entry %d is %s", want, i, kindName(value))
			return false
		}
		var file fileRef
		if file, problem = decodeFile(value); problem != nil {
			return false
		}
		if !slices.ContainsFunc(files, func(f fileRef) bool { return f.id == file.id }) {
			files = append(files, file)
		}
		return true
	})
	if problem == nil && len(files) > maxFiles {
		problem = fmt.Errorf("must hold at most %d files", maxFiles)
	}
	return files, problem
}

// fileMembers are the members of a file as it is read.
var fileMembers = []string{"id", "name", "size", "type", "width", "height", "url", "thumbnailUrl"}

func decodeFile(raw []byte) (fileRef, error) {
	var file fileRef
	public := ""
	var failure error
	if kind(raw) == 's' {
		public, failure = unquote(raw)
	} else {
		err := members(raw, func(name string, value []byte) bool {
			switch {
			case !slices.Contains(fileMembers, name):
				failure = fmt.Errorf("holds %s, which a file does not have%s; name the file by its id", quoted(name), problem.DidYouMean(name, fileMembers))
			case name == "id" && kind(value) == 's':
				public, failure = unquote(value)
			case name == "name" && kind(value) == 's':
				if file.name, failure = unquote(value); failure == nil {
					if file.name, failure = attachment.CleanName("", file.name); failure != nil {
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
	var err error
	if file.id, err = id.Parse(id.Attachment, public); err != nil {
		return file, fmt.Errorf("%s is not the id of a file; it is att_ and 26 characters, and an upload returns it", quoted(public))
	}
	return file, nil
}

// A storedFile is a file in a cell: what a reader needs of it.
type storedFile struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	Type   string `json:"type"`
	Width  int    `json:"width,omitzero"`
	Height int    `json:"height,omitzero"`
}

// findFiles completes the values of attachment fields with what is known of their files. One that the organization does not have for this
// table is refused, whosever it is.
func (e *Engine) findFiles(ctx context.Context, actor Actor, take *writeInput) error {
	ids := take.fileIDs()
	if len(ids) == 0 {
		return nil
	}
	known, err := attachment.Find(ctx, e.db, actor.Org, take.table.ID, ids)
	if err != nil {
		return err
	}
	for i := range take.rows {
		r := &take.rows[i]
		for _, value := range r.files {
			stored := make([]storedFile, 0, len(value.files))
			for _, ref := range value.files {
				f, ok := known[ref.id]
				if !ok {
					take.fail(value.path, "%s is not a file that was uploaded for %q", id.Format(id.Attachment, ref.id), take.table.Name)
					continue
				}
				if ref.name != "" {
					f.Name = ref.name
				}
				stored = append(stored, storedFile{f.PublicID(), f.Name, f.Size, f.Type, f.Width, f.Height})
			}
			encoded, err := json.Marshal(stored)
			if err != nil {
				return fmt.Errorf("encoding files: %w", err)
			}
			take.put(r, value.field, string(encoded))
		}
	}
	return take.err()
}

// fileIDs are the files that the input puts into cells, each once.
func (in *writeInput) fileIDs() []uuid.UUID {
	seen := map[uuid.UUID]bool{}
	for i := range in.rows {
		for _, value := range in.rows[i].files {
			for _, ref := range value.files {
				seen[ref.id] = true
			}
		}
	}
	// In one order, so that two writers of the same files never wait for each other.
	return slices.SortedFunc(maps.Keys(seen), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

// holdFiles keeps the files of a write from being removed; it ends the transaction when one is gone.
func (w *writer) holdFiles(b *pgx.Batch) {
	if ids := w.take.fileIDs(); len(ids) > 0 {
		attachment.Retain(b, w.actor.Org, w.table.ID, ids, stateMissingFile)
	}
}

// linked writes a list of files with the addresses of their content.
func linked(linker Linker, org uuid.UUID) func(dst, raw []byte) []byte {
	return func(dst, raw []byte) []byte {
		dst = append(dst, '[')
		elements(raw, func(i int, value []byte) bool {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendLinked(dst, value, linker, org)
			return true
		})
		return append(dst, ']')
	}
}

func appendLinked(dst, value []byte, linker Linker, org uuid.UUID) []byte {
	var file uuid.UUID
	name, image := "", false
	err := members(value, func(member string, value []byte) bool {
		text := ""
		if kind(value) == 's' {
			text, _ = unquote(value) // the service wrote it
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
	dst = linker.AppendLink(append(dst, `,"url":"`...), org, file, name, false)
	if image {
		dst = linker.AppendLink(append(dst, `","thumbnailUrl":"`...), org, file, name, true)
	}
	return append(dst, '"', '}')
}

// Attached returns the files in any record of a table; see attachment.Cells.
func (e *Engine) Attached(ctx context.Context, org, table uuid.UUID) (map[uuid.UUID]bool, error) {
	var attached map[uuid.UUID]bool
	err := e.onTable(ctx, org, table, func(_ *schema.Snapshot, t *schema.Table) error {
		attached = map[uuid.UUID]bool{}
		return e.db.TableBatch(ctx, org, t.Ref(), func(b *pgx.Batch) {
			for _, f := range t.Fields {
				if f.Type != schema.Attachment {
					continue
				}
				b.Queue("select distinct jsonb_path_query(t." + f.Column() + ", '$[*].id') #>> '{}' from " + t.Relation() + " t where t." + f.Column() + " is not null").
					Query(func(rows pgx.Rows) error {
						var public string
						_, err := pgx.ForEachRow(rows, []any{&public}, func() error {
							if file, err := id.Parse(id.Attachment, public); err == nil {
								attached[file] = true
							}
							return nil
						})
						return err
					})
			}
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the files in a table: %w", err)
	}
	return attached, nil
}
