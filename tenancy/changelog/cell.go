package changelog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Cell is a field whose values are in the log.
type Cell struct {
	Field *schema.Field

	key    string // in the log
	encode field.Encoder
	lives  []Life // when a field that has had several types had this one; none is always
}

// IsLive reports whether the field had the cell's type after the change with a number.
func (c *Cell) IsLive(number int64) bool {
	return len(c.lives) == 0 || slices.ContainsFunc(c.lives, func(l Life) bool {
		return l.From <= number && number < l.Until
	})
}

// Begins reports whether a change gave the field the cell's type.
func (c *Cell) Begins(number int64) bool {
	return slices.ContainsFunc(c.lives, func(l Life) bool { return l.From == number })
}

// IsLink reports whether the values are lists of records, which have no column.
func (c *Cell) IsLink() bool { return c.Field.Link != nil }

// A Value is the value of a field. A link's is Rows.
type Value struct {
	Raw  []byte // in the format that the field's encoder reads; nil is null
	Rows []uuid.UUID
}

// Cells lists the fields of a table that have values in the log. Time and author of the last change are
// not among them, because the entries have their own.
func Cells(t *schema.Table, files field.FileLinks) []Cell {
	var cells []Cell
	for _, f := range t.Fields {
		c := Cell{Field: f, key: Key(&f.Field), encode: f.Kind.Encoder(&f.Field, files)}
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
		cells = append(cells, c)
	}
	return cells
}

// CellsOfAll lists the same fields as Cells, and those that have had several types once for each type.
func CellsOfAll(t *schema.Table, files field.FileLinks, evolution *Evolution) []Cell {
	cells := Cells(t, files)
	for _, life := range evolution.Lives() {
		at := slices.IndexFunc(cells, func(c Cell) bool { return c.Field.ID == life.ID })
		if at < 0 {
			continue
		}
		same := func(c Cell) bool { return c.Field.ID == life.ID && c.Field.Number == life.Field.Number }
		if known := slices.IndexFunc(cells, same); known >= 0 {
			cells[known].lives = append(cells[known].lives, life)
			continue
		}
		former := *cells[at].Field
		former.Field = *life.Field
		former.Name = cells[at].Field.Name
		cells = slices.Insert(cells, at, Cell{
			Field: &former, key: Key(&former.Field), encode: former.Kind.Encoder(&former.Field, files),
			lives: []Life{life},
		})
	}
	return cells
}

// missing reports whether the record table has lost the cell's column.
func (c *Cell) missing() bool { return len(c.lives) > 0 && c.lives[0].Purged }

// Append writes a value as records have it.
func (c *Cell) Append(dst []byte, v Value) []byte {
	switch {
	case c.IsLink():
		return c.AppendLinks(dst, v.Rows)
	case v.Raw == nil:
		return append(dst, c.Field.Info().EmptyJSON()...)
	}
	return c.encode(dst, v.Raw)
}

// AppendLinks writes a list of linked records; null is none.
func (c *Cell) AppendLinks(dst []byte, rows []uuid.UUID) []byte {
	if len(rows) == 0 {
		return append(dst, "null"...)
	}
	for i, row := range rows {
		dst = append(dst, "[,"[min(i, 1)], '"')
		dst = append(id.AppendRecord(dst, c.Field.Pairs.Linked, row), '"')
	}
	return append(dst, ']')
}

// IsSet reports whether a value differs from the value of a new field.
func (c *Cell) IsSet(v Value) bool {
	return string(c.Append(nil, v)) != c.Field.Info().EmptyJSON()
}

// Equal reports whether two values of one field are the same.
func Equal(a, b Value) bool {
	return (a.Raw == nil) == (b.Raw == nil) && bytes.Equal(a.Raw, b.Raw) && slices.Equal(a.Rows, b.Rows)
}

// links reads a whole list of a link field from the log.
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

// A LinkChange says which records a link field gained and lost when it was written from the other side.
type LinkChange struct{ Added, Removed []uuid.UUID }

func linkChange(raw []byte) (LinkChange, error) {
	var delta LinkChange
	if err := json.Unmarshal(raw, &delta); err != nil {
		return delta, fmt.Errorf("reading a change of links in the log: %w", err)
	}
	return delta, nil
}

// unlink undoes a change of links that was written from the other side. The log does not say where
// the removed records stood, so they come last.
func unlink(list []uuid.UUID, delta LinkChange) []uuid.UUID {
	added := make(map[uuid.UUID]bool, len(delta.Added))
	for _, row := range delta.Added {
		added[row] = true
	}
	before := make([]uuid.UUID, 0, len(list)+len(delta.Removed))
	for _, row := range list {
		if !added[row] {
			before = append(before, row)
		}
	}
	return append(before, delta.Removed...)
}

// CloneJSON copies a raw value.
func CloneJSON(raw []byte) []byte {
	if raw == nil {
		return nil
	}
	return append([]byte{}, raw...) // an empty value is not null
}
