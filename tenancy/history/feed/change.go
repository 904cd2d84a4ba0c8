package feed

import (
	"cmp"
	"strconv"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Change is what a transaction did to one record, one object of the schema, or one comment.
type Change struct {
	Position Position // after it
	Kind     changelog.Kind
	Table    *schema.Table // nil: of the base itself, or of a deleted table

	set        uuid.UUID
	person     *uuid.UUID
	name       *string
	credential string
	request    string // "" if it is the change set's

	returned *returned // values that came with a field or a table, which are in no chain of changes

	object  *object // of a change of the schema
	comment *changelog.CommentChange
	text    []byte // for changes that all viewers see alike
	left    bool   // the filter excludes it
}

// For returns the change as JSON for a viewer, and false if the viewer sees nothing of it.
func (c *Change) For(v Viewer) ([]byte, bool) {
	if c.object == nil {
		return c.text, true
	}
	if !c.object.seenBy(v) {
		return nil, false
	}
	return c.object.text(c, v), true
}

// IsSchema reports whether the change is of the schema, which not all viewers see alike.
func (c *Change) IsSchema() bool { return c.object != nil }

// IsRecord reports whether the change is of a record itself: neither of the schema nor of a comment.
func (c *Change) IsRecord() bool { return c.object == nil && c.comment == nil }

// Size is the approximate size of the change in memory, in bytes.
func (c *Change) Size() int {
	const head = 300
	if c.object == nil {
		return head + len(c.text)
	}
	return head + c.object.size
}

// Record returns the changed record, or the record of the changed comment, or uuid.Nil.
func (c *Change) Record() uuid.UUID {
	switch {
	case c.object != nil:
		return uuid.Nil
	case c.comment != nil:
		return c.comment.Record
	}
	return c.Position.id
}

// appendHead writes what all changes have in common, and leaves the object open.
func (c *Change) appendHead(dst []byte) []byte {
	dst = append(append(append(dst, `{"cursor":"`...), c.Position.String()...), '"')
	dst = strconv.AppendInt(append(dst, `,"version":`...), c.Position.number, 10)
	dst = changelog.AppendTime(append(dst, `,"time":`...), c.Position.number)
	dst = append(append(append(dst, `,"kind":"`...), c.Kind.Name()...), '"')
	dst = field.AppendString(append(dst, `,"changeSet":`...), id.Format(id.ChangeSet, c.set))
	request := cmp.Or(c.request, id.Format(id.Request, c.set))
	dst = field.AppendString(append(dst, `,"request":`...), request)
	dst = changelog.AppendPerson(append(dst, `,"person":`...), c.person, c.name)
	return field.AppendString(append(dst, `,"credential":`...), c.credential)
}
