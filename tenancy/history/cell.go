package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A cell is a field whose values the history shows.
type cell struct {
	field  *schema.Field
	key    string // in the log
	encode field.Encoder
	head   []byte // {"id":…,"name":…}
}

// isLink reports whether the values are lists of records, which have no column.
func (c *cell) isLink() bool { return c.field.Link != nil }

// A value is what a field holds. That of a link is rows.
type value struct {
	raw  []byte // in the format that the field's encoder reads; nil is null
	rows []uuid.UUID
}

// cellsOf lists the fields of a table that have values in the log. Who changed a record last and
// when, the entries themselves say.
func cellsOf(t *schema.Table, files field.FileLinks) []cell {
	var cells []cell
	for _, f := range t.Fields {
		c := cell{field: f, key: changelog.Key(&f.Field), encode: f.Kind.Encoder(&f.Field, files)}
		switch system := f.Info().System; system {
		case "":
		case "created_at", "created_by":
			c.key = system
		default:
			continue
		}
		if c.encode == nil {
			continue
		}
		c.head = field.AppendString([]byte(`{"id":`), f.PublicID())
		c.head = append(field.AppendString(append(c.head, `,"name":`...), f.Name), '}')
		cells = append(cells, c)
	}
	return cells
}

// append writes a value as records have it.
func (c *cell) append(dst []byte, v value) []byte {
	switch {
	case c.isLink():
		return c.appendLinks(dst, v.rows)
	case v.raw == nil:
		return append(dst, c.field.Info().EmptyJSON()...)
	}
	return c.encode(dst, v.raw)
}

func (c *cell) appendLinks(dst []byte, rows []uuid.UUID) []byte {
	if len(rows) == 0 {
		return append(dst, "null"...)
	}
	for i, row := range rows {
		dst = append(dst, "[,"[min(i, 1)], '"')
		dst = append(id.AppendRecord(dst, c.field.Pairs.Linked, row), '"')
	}
	return append(dst, ']')
}

// isSet reports whether a value is other than that of a field that was never given one.
func (c *cell) isSet(v value) bool {
	return string(c.append(nil, v)) != c.field.Info().EmptyJSON()
}

func equal(a, b value) bool {
	return (a.raw == nil) == (b.raw == nil) && bytes.Equal(a.raw, b.raw) && slices.Equal(a.rows, b.rows)
}

// links reads what the log says of a link field: all that it held.
func links(raw []byte) ([]uuid.UUID, error) {
	var rows []uuid.UUID
	if raw == nil {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, fmt.Errorf("reading the links in the log: %w", err)
	}
	return rows, nil
}

// unlink undoes a change of links that was written from the other side. The log does not say where
// the removed records stood, so they come last.
func unlink(held []uuid.UUID, raw []byte) ([]uuid.UUID, error) {
	var delta struct{ Added, Removed []uuid.UUID }
	if err := json.Unmarshal(raw, &delta); err != nil {
		return nil, fmt.Errorf("reading a change of links in the log: %w", err)
	}
	added := make(map[uuid.UUID]bool, len(delta.Added))
	for _, row := range delta.Added {
		added[row] = true
	}
	before := make([]uuid.UUID, 0, len(held)+len(delta.Removed))
	for _, row := range held {
		if !added[row] {
			before = append(before, row)
		}
	}
	return append(before, delta.Removed...), nil
}

func clone(raw []byte) []byte {
	if raw == nil {
		return nil
	}
	return append([]byte{}, raw...) // an empty value is not null
}
