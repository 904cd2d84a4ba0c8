package transfer

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable"
)

// A column is a field whose cells are read.
type column struct {
	field   *airtable.Field
	mapping airtable.Mapping
	ours    *schema.Field // nil for links, whose fields are made later
	text    bool          // it names the records in addition to the primary field
	key     string        // of what was brought
}

// columns are the fields of a table whose cells come.
func (r *airtableRun) columns(s *schema.Snapshot, t *airtable.Table) []column {
	var out []column
	for i := range t.Fields {
		f := &t.Fields[i]
		c := column{field: f, mapping: airtable.MappingOf(f), ours: r.oursField(s, f.ID), key: f.ID}
		switch c.mapping.Way {
		case airtable.Copied, airtable.Files:
			if c.ours != nil && c.ours.Type() == c.mapping.Type {
				out = append(out, c)
			}
		case airtable.Linked:
			if r.ownsLink(t, f) {
				out = append(out, c)
			}
		case airtable.Computed, airtable.Kept, airtable.Left:
		}
	}
	if text := r.oursField(s, t.PrimaryFieldID+textItem); text != nil {
		out = append(out, column{
			field: t.Field(t.PrimaryFieldID), ours: text, text: true, key: t.PrimaryFieldID + textItem,
		})
	}
	return out
}

// emptyOf is the empty value of a column.
func emptyOf(c *column) json.RawMessage {
	if c.mapping.Way == airtable.Linked || c.mapping.Way == airtable.Files {
		return json.RawMessage("[]")
	}
	return json.RawMessage("null")
}

func (b *broughtRecord) put(c *column, value json.RawMessage) {
	switch c.mapping.Way {
	case airtable.Linked:
		b.links[c.field.ID] = value
	case airtable.Files:
		b.files[c.field.ID] = value
	case airtable.Copied, airtable.Computed, airtable.Kept, airtable.Left:
		b.fields = append(b.fields, jsonvalue.Member{Name: c.ours.Name, Value: value})
		b.size += len(c.ours.Name) + len(value) + 6
	}
}

// value is a cell as it is written, and a hash of it; the value is nil if nothing of it can be. wrong says what of it
// does not come.
func (r *airtableRun) value(c *column, raw json.RawMessage) (value json.RawMessage, hash string, wrong error) {
	if c.text {
		value = jsonvalue.Must(airtable.Text(raw))
		return value, c.mapping.Hash(value), nil
	}
	hash = c.mapping.Hash(raw)
	if c.mapping.Way != airtable.Copied {
		return raw, hash, nil
	}
	value, wrong = c.mapping.Value(raw, r.people)
	if c.ours.Info().People { // other people may be members the next time
		hash = c.mapping.Hash(slices.Concat(raw, value))
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
func (r *airtableRun) leaveCell(next *airtableStep, t *airtable.Table, c *column, wrong error) {
	table := next.table(t.Name, uuid.Nil)
	table.Emptied++
	var stranger *airtable.Stranger
	if errors.As(wrong, &stranger) {
		who := stranger.Person.Email
		if who == "" {
			who = stranger.Person.Name
		}
		if !slices.Contains(next.report.NotMembers, who) && len(next.report.NotMembers) < maxNotMembers {
			next.report.NotMembers = append(next.report.NotMembers, who)
		}
	}
	next.report.leave(LeftOut{Table: t.Name, Field: c.field.Name, Count: 1, Why: withoutNUL(wrong.Error())})
}
