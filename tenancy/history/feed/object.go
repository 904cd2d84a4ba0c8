package feed

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An object is what a change did to a base, a table, a field or a view.
type object struct {
	kind          string
	id            string    // public
	table         string    // public id of the table that it is or belongs to; "" is the base itself
	before, after *metadata // nil: it did not exist
	size          int       // of both in the log
}

// metadata is the logged row of an object, as the API writes it.
type metadata struct {
	name    string
	members map[string]json.RawMessage
	view    *schema.View // of a view: its access
}

// objectKinds are the objects in the feed.
var objectKinds = map[string]struct {
	section section
	id      id.Kind
}{
	"base": {sectionBase, id.Base}, "table": {sectionTable, id.Table}, "field": {sectionField, id.Field},
	"view": {sectionView, id.View},
}

// objectsOf reads an entry of the log, whose common members c has.
func (p *pageReader) objectsOf(c Change, encoded []byte) ([]Change, error) {
	var entries []changelog.ObjectChange
	if err := json.Unmarshal(encoded, &entries); err != nil {
		return nil, fmt.Errorf("decoding an entry of the log: %w", err)
	}
	var changes []Change
	for _, entry := range entries {
		kind, known := objectKinds[entry.Object]
		if !known || entry.Object == "base" && entry.ID != p.base.ID {
			continue
		}
		o := &object{
			kind: entry.Object, id: id.Format(kind.id, entry.ID), size: len(entry.Before) + len(entry.After),
		}
		for _, side := range []struct {
			raw  json.RawMessage
			into **metadata
		}{{entry.Before, &o.before}, {entry.After, &o.after}} {
			if side.raw == nil || string(side.raw) == "null" {
				continue
			}
			m, table, err := metadataOf(side.raw)
			if err != nil {
				return nil, err
			}
			*side.into = m
			if table != uuid.Nil {
				o.table = id.Format(id.Table, table)
			}
		}
		if entry.Object == "table" {
			o.table = o.id
		}
		one := c
		one.Position.section, one.Position.id = kind.section, entry.ID
		one.Table, one.object = p.schema.TableByNumber(c.Position.table), o
		changes = append(changes, one)
	}
	return changes, nil
}

// memberNames are the API's names of the columns in the feed.
var memberNames = map[string]string{
	"name": "name", "icon": "icon", "type": "type", "is_primary": "isPrimary", "position": "position",
	"hidden": "hidden", "width": "width", "config": "config", "access": "access",
}

// memberIDs are the members that contain ids.
var memberIDs = map[string]struct {
	name string
	kind id.Kind
}{
	"workspace_id": {"workspaceId", id.Workspace}, "base_id": {"baseId", id.Base}, "table_id": {"tableId", id.Table},
	"linked_table_id": {"linkedTableId", id.Table}, "created_by": {"createdBy", id.User},
}

// metadataOf reads a row of metadata, and the table that it belongs to.
func metadataOf(raw json.RawMessage) (*metadata, uuid.UUID, error) {
	var row struct {
		Name      string            `json:"name"`
		Table     uuid.UUID         `json:"table_id"`
		Access    schema.ViewAccess `json:"access"`
		CreatedBy uuid.UUID         `json:"created_by"`
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal(raw, &row); err != nil {
		return nil, uuid.Nil, fmt.Errorf("decoding an object of the log: %w", err)
	}
	if err := json.Unmarshal(raw, &columns); err != nil {
		return nil, uuid.Nil, fmt.Errorf("decoding an object of the log: %w", err)
	}
	m := &metadata{name: row.Name, members: map[string]json.RawMessage{}}
	for column, value := range columns {
		if name, ok := memberNames[column]; ok {
			m.members[name] = value
		}
		if public, ok := memberIDs[column]; ok {
			var u *uuid.UUID
			if err := json.Unmarshal(value, &u); err != nil {
				return nil, uuid.Nil, fmt.Errorf("decoding an id of the log: %w", err)
			}
			if u != nil {
				m.members[public.name] = field.AppendString(nil, id.Format(public.kind, *u))
			}
		}
	}
	if row.Access != "" {
		m.view = &schema.View{Access: row.Access, CreatedBy: row.CreatedBy}
	}
	return m, row.Table, nil
}

var mentionedField = regexp.MustCompile(`fld_[0-9a-z]{26}`)

// isVisible reports whether somebody who does not see everything in the base sees the object: what it is must be in
// their snapshot, and it must name no field that is not. Of what was deleted, nobody knows whether they saw it.
func (o *object) isVisible(s *schema.Snapshot) bool {
	known := o.kind == "base"
	switch u, _ := id.Parse(objectKinds[o.kind].id, o.id); o.kind {
	case "table":
		known = s.Table(u) != nil
	case "field":
		known = s.Field(u) != nil
	case "view":
		known = s.View(u) != nil
	}
	for _, m := range []*metadata{o.before, o.after} {
		if m == nil {
			continue
		}
		for _, value := range m.members {
			for _, public := range mentionedField.FindAllString(string(value), -1) {
				if u, err := id.Parse(id.Field, public); err != nil || s.Field(u) == nil {
					known = false
				}
			}
		}
	}
	return known
}

// seenBy reports whether a viewer sees the object before or after the change.
func (o *object) seenBy(v Viewer) bool {
	return v.Schema && (o.before.seenBy(v) || o.after.seenBy(v))
}

func (m *metadata) seenBy(v Viewer) bool {
	return m != nil && (m.view == nil || v.Sees(m.view))
}

// text writes a change of the schema. A viewer who does not see the object before or after it gets null
// on that side.
func (o *object) text(c *Change, v Viewer) []byte {
	before, after := o.before, o.after
	if !before.seenBy(v) {
		before = nil
	}
	if !after.seenBy(v) {
		after = nil
	}
	dst := c.appendHead(nil)
	if o.table != "" {
		dst = field.AppendString(append(dst, `,"table":`...), o.table)
	} else {
		dst = append(dst, `,"table":null`...)
	}
	dst = append(append(append(dst, `,"object":"`...), o.kind...), '"')
	dst = field.AppendString(append(dst, `,"id":`...), o.id)
	name := ""
	var names []string
	switch {
	case before == nil && after == nil:
	case before == nil:
		name, names = after.name, slices.Sorted(maps.Keys(after.members))
	case after == nil:
		name, names = before.name, slices.Sorted(maps.Keys(before.members))
	default:
		name = after.name
		names = differences(before.members, after.members)
	}
	dst = field.AppendString(append(dst, `,"name":`...), name)
	dst = before.append(append(dst, `,"before":`...), names)
	dst = after.append(append(dst, `,"after":`...), names)
	return append(dst, '}')
}

// differences lists the members that are not the same.
func differences(a, b map[string]json.RawMessage) []string {
	names := map[string]bool{}
	for _, members := range []map[string]json.RawMessage{a, b} {
		for name := range members {
			if !catalog.EqualJSON(a[name], b[name]) {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (m *metadata) append(dst []byte, names []string) []byte {
	if m == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i, name := range names {
		value := m.members[name]
		if value == nil {
			value = json.RawMessage("null")
		}
		dst = append(append(field.AppendString(append(dst, comma(i)...), name), ':'), value...)
	}
	return append(dst, '}')
}
