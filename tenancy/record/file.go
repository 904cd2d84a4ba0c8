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

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Linker makes the addresses under which the content of files is read.
type Linker interface {
	// AppendLink appends the address of a file, or of its thumbnail, as the content of a JSON string.
	AppendLink(dst []byte, org, file uuid.UUID, name string, thumbnail bool) []byte
}

// Linking returns the same engine with a linker, so that its records have addresses for their files.
// The linker must be comparable. A linker that replaces another serves one request.
func (e *Engine) Linking(linker Linker) *Engine {
	bound := *e
	bound.linker, bound.perRequest = linker, e.linker != nil
	return &bound
}

// FileLinks are the addresses of an organization's files, for the engine's attachments.
func (e *Engine) FileLinks(org uuid.UUID) field.FileLinks { return fileLinks(e.linker, org) }

// fileLinks are the addresses of files, for attachments; nil for none.
func fileLinks(linker Linker, org uuid.UUID) field.FileLinks {
	if linker == nil {
		return nil
	}
	return func(dst []byte, file uuid.UUID, name string, thumbnail bool) []byte {
		return linker.AppendLink(dst, org, file, name, thumbnail)
	}
}

type fileValue struct {
	field *schema.Field
	files field.Files
	path  string
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

// findFiles completes the values of attachment fields with the stored data of their files. It refuses a
// file that the organization does not have for this table, whoever owns it.
func (e *Engine) findFiles(ctx context.Context, actor Actor, input *writeInput) error {
	ids := input.fileIDs()
	if len(ids) == 0 {
		return nil
	}
	known, err := attachment.Find(ctx, e.db, actor.Org, input.table.ID, ids)
	if err != nil {
		return err
	}
	for i := range input.rows {
		r := &input.rows[i]
		for _, value := range r.files {
			stored := make([]storedFile, 0, len(value.files))
			for _, ref := range value.files {
				f, ok := known[ref.ID]
				if !ok {
					input.fail(value.path, "%s is not a file that was uploaded for %q",
						id.Format(id.Attachment, ref.ID), input.table.Name)
					continue
				}
				if ref.Name != "" {
					f.Name = ref.Name
				}
				stored = append(stored, storedFile{f.PublicID(), f.Name, f.Size, f.Type, f.Width, f.Height})
			}
			encoded, err := json.Marshal(stored)
			if err != nil {
				return fmt.Errorf("encoding files: %w", err)
			}
			input.put(r, value.field, string(encoded))
		}
	}
	return input.err()
}

// fileIDs are the files that the input puts into cells, each once.
func (in *writeInput) fileIDs() []uuid.UUID {
	seen := map[uuid.UUID]bool{}
	for i := range in.rows {
		for _, value := range in.rows[i].files {
			for _, ref := range value.files {
				seen[ref.ID] = true
			}
		}
	}
	// In one order, so that two writers of the same files never deadlock.
	return slices.SortedFunc(maps.Keys(seen), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

// lockFiles prevents the removal of a write's files; it fails the transaction if one is gone.
func (w *writer) lockFiles(b *pgx.Batch) {
	if ids := w.input.fileIDs(); len(ids) > 0 {
		attachment.Retain(b, w.actor.Org, w.table.ID, ids, db.StateMissingFile)
	}
}

// Attached returns the files in any record of a table; see attachment.Cells.
func (e *Engine) Attached(ctx context.Context, org, table uuid.UUID) (map[uuid.UUID]bool, error) {
	var attached map[uuid.UUID]bool
	err := e.OnTable(ctx, org, table, func(_ *schema.Snapshot, t *schema.Table) error {
		attached = map[uuid.UUID]bool{}
		return e.db.TableBatch(ctx, org, t.Ref(), func(b *pgx.Batch) {
			for _, f := range t.Fields {
				kind, ok := f.Kind.(field.Filed)
				if !ok {
					continue
				}
				b.Queue("select distinct " + kind.FileIDs("t."+f.Column()) + " from " + t.Relation() + " t where " +
					"t." + f.Column() + " is not null").
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
