package transfer

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// A column is a field whose cells are read.
type column struct {
	field *product.Field
	ours  *schema.Field // nil for links, whose fields are made later
	text  bool          // it names the records in addition to the primary field
	key   string        // of what was brought
}

// columns are the fields of a table whose cells come.
func (r *productRun) columns(s *schema.Snapshot, t *product.Table) []column {
	var out []column
	for i := range t.Fields {
		f := &t.Fields[i]
		c := column{field: f, ours: r.oursField(s, f.ID), key: f.ID}
		switch f.Way {
		case product.Copied, product.Files:
			if c.ours != nil && c.ours.Type() == f.Type {
				out = append(out, c)
			}
		case product.Linked:
			if r.ownsLink(t, f) {
				out = append(out, c)
			}
		case product.Computed, product.Kept, product.Left:
		}
	}
	if text := r.oursField(s, t.Primary+textItem); text != nil {
		out = append(out, column{
			field: t.Field(t.Primary), ours: text, text: true, key: t.Primary + textItem,
		})
	}
	return out
}

// emptyOf is the empty value of a column.
func emptyOf(c *column) json.RawMessage {
	if c.field.Way == product.Linked || c.field.Way == product.Files {
		return json.RawMessage("[]")
	}
	return json.RawMessage("null")
}

func (b *broughtRecord) put(c *column, value json.RawMessage) {
	switch c.field.Way {
	case product.Linked:
		b.links[c.field.ID] = value
	case product.Files:
		b.files[c.field.ID] = value
	case product.Copied, product.Computed, product.Kept, product.Left:
		b.fields = append(b.fields, jsonvalue.Member{Name: c.ours.Name, Value: value})
		b.size += len(c.ours.Name) + len(value) + 6
	}
}

// value is a cell as it is written, and a hash of it; the value is nil if nothing of it can be. wrong says what of it
// does not come.
func (r *productRun) value(c *column, raw json.RawMessage) (value json.RawMessage, hash string, wrong error) {
	if c.text {
		value = jsonvalue.Must(product.Text(raw))
		return value, product.Hash(product.Copied, value), nil
	}
	hash = product.Hash(c.field.Way, raw)
	if c.field.Way != product.Copied {
		return raw, hash, nil
	}
	value, wrong = c.field.Value(raw, r.people)
	if c.ours.Info().People { // other people may be members the next time
		hash = product.Hash(product.Copied, slices.Concat(raw, value))
	}
	if value == nil {
		return nil, hash, wrong
	}
	input := field.Input{Field: &c.ours.Field, Typecast: true, NewOption: func(string) error { return nil }}
	if _, err := input.Decode(value); err != nil {
		return nil, hash, errors.Join(wrong, err)
	}
	return value, hash, wrong
}

// maxNotMembers is how many people a report lists.
const maxNotMembers = 200

// leaveCell lists a cell that does not come, or not as it was.
func (r *productRun) leaveCell(next *productStep, t *product.Table, c *column, wrong error) {
	table := next.table(t.Name, uuid.Nil)
	table.Emptied++
	var stranger *product.Stranger
	if errors.As(wrong, &stranger) {
		who := stranger.Who()
		if !slices.Contains(next.report.NotMembers, who) && len(next.report.NotMembers) < maxNotMembers {
			next.report.NotMembers = append(next.report.NotMembers, who)
		}
	}
	next.report.leave(LeftOut{Table: t.Name, Field: c.field.Name, Count: 1, Why: withoutNUL(wrong.Error())})
}
