package feed

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
)

// A field that is restored, or counts, comes with values, and a table with records. The log has the
// records in entries outside their chains, so that their versions do not change; the values are the
// ones of that time.

// A returned says which values of a record came with its field, or that it came with its table.
type returned struct {
	whole bool
	keys  map[string]bool
}

// readReturned reads the change's entries of the kind changelog.Returned.
func (c *Change) readReturned(encoded []byte) error {
	if encoded == nil {
		return nil
	}
	var entries []map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &entries); err != nil {
		return fmt.Errorf("decoding an entry of the log: %w", err)
	}
	c.returned = &returned{keys: map[string]bool{}}
	for _, entry := range entries {
		c.returned.whole = c.returned.whole || entry == nil
		for key := range entry {
			c.returned.keys[key] = true
		}
	}
	switch {
	case c.Kind != changelog.Returned && c.Kind != changelog.Linked:
	case c.returned.whole:
		c.Kind = changelog.Restored
	default:
		c.Kind = changelog.Updated
	}
	return nil
}

// before undoes the return of values in a state from before the rest of a change.
func (r *returned) before(v *valueReader, at *state, changed map[int]*changelog.LinkChange) {
	if r.whole {
		at.There = false
		return
	}
	at.Values, at.known, at.columns = slices.Clone(at.Values), slices.Clone(at.known), maps.Clone(at.columns)
	for i := range v.cells {
		key := changelog.Key(&v.cells[i].Field.Field)
		if !r.keys[key] {
			continue
		}
		// Of a value that the former column had, only its absence is known.
		at.known[i] = at.Values[i].Raw != nil || len(at.Values[i].Rows) > 0
		at.Values[i], changed[i] = changelog.Value{}, nil
		if at.columns != nil {
			at.columns[key] = json.RawMessage("null")
		}
	}
}

// appendReturned writes the changes of a record above a number that are in no entry of its chain, the
// latest first. The state of the record is the one after them.
func (v *valueReader) appendReturned(row uuid.UUID, above int64) {
	one := v.tracks[row]
	if one == nil {
		return
	}
	for _, number := range slices.Backward(slices.Sorted(maps.Keys(one.changes))) {
		c := one.changes[number]
		if c.returned == nil || c.text != nil || number <= above {
			continue
		}
		before, changed := one.state.clone(), map[int]*changelog.LinkChange{}
		c.returned.before(v, &before, changed)
		c.text = v.text(c, before, one.state, changed, true)
		v.selection.add(v, c, before, one.state)
	}
}
