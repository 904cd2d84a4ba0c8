package operation

import (
	"context"
	"slices"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Explanation is what a person may do in a base, a table and a field, and why.
type Explanation struct {
	Role  schema.BaseRole `json:"role" jsonschema:"in the base: none, viewer, commenter, editor or creator"`
	Table *TableRights    `json:"table,omitzero"`
	Field string          `json:"field,omitzero" jsonschema:"hidden, read or edit"`
	Why   []string        `json:"why" jsonschema:"sentences that name the grants and permissions that decide"`
}

// TableRights are what a person may do with the records of a table.
type TableRights struct {
	Read   bool `json:"read"`
	Create bool `json:"create"`
	Edit   bool `json:"edit"`
	Delete bool `json:"delete"`
}

// ExplainAccess says what a person may do, and why.
var ExplainAccess = New(Def{
	Name: "explain_access", Method: "POST", Path: "/bases/{baseId}/access/explain", Title: "Explain access",
	Summary:     "Say what a person may do in a base, a table, a field or with a record, and what decides it.",
	Description: "Returns the role, the rights and why. Only creators of the base ask.",
	Scope:       authz.MembersRead, Base: schema.BaseCreator, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	UserID   string `json:"userId"`
	TableID  string `json:"tableId,omitzero"`
	FieldID  string `json:"fieldId,omitzero" jsonschema:"needs tableId"`
	RecordID string `json:"recordId,omitzero" jsonschema:"of the table: the rights are for this record"`
},
) (Explanation, error) {
	s, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return Explanation{}, err
	}
	b := s.Base(c.Target.ID)
	if b == nil {
		return Explanation{}, problem.NotFound("base", in.BaseID)
	}
	person, err := c.memberNamed(ctx, in.UserID)
	if err != nil {
		return Explanation{}, err
	}
	t, f, err := placeOf(s, b, in.TableID, in.FieldID)
	if err != nil {
		return Explanation{}, err
	}
	if in.RecordID != "" && t == nil {
		return Explanation{}, problem.Invalid("tableId", "is required with recordId")
	}
	role, why := s.Whole().WhyRole(person, b)
	out := Explanation{Role: role, Why: why}
	seen := s.Whole().For(person)
	if t != nil {
		out.Table = &TableRights{}
		if theirs := seen.Table(t.ID); theirs != nil {
			rights, own := theirs.Rights()
			if edits := role.AtLeast(schema.BaseEditor); !own {
				rights = schema.Rights{Create: edits, Edit: edits, Delete: edits}
			}
			out.Table = &TableRights{true, rights.Create, rights.Edit, rights.Delete}
		}
		if in.RecordID != "" {
			if err := c.limitToRecord(ctx, s.Whole(), person, t, in.RecordID, out.Table); err != nil {
				return Explanation{}, err
			}
		}
		out.Why = append(out.Why, s.Whole().WhyTable(person, t)...)
	}
	if f != nil {
		switch theirs := seen.Field(f.ID); {
		case theirs == nil:
			out.Field = "hidden"
		case theirs.Locked || !out.Table.Edit && !out.Table.Create:
			out.Field = "read"
		default:
			out.Field = "edit"
		}
		out.Why = append(out.Why, s.Whole().WhyField(person, f)...)
	}
	return out, nil
})

// limitToRecord leaves of a person's rights in a table those that row rules give for a record.
func (c *Call) limitToRecord(
	ctx context.Context, s *schema.Snapshot, person schema.Subject, t *schema.Table, recordID string,
	rights *TableRights,
) error {
	theirs, err := c.Records.RightsFor(ctx, s, person, t.Whole(), recordID)
	if err != nil {
		return err
	}
	rights.Read, rights.Create = rights.Read && theirs.Read, false
	rights.Edit, rights.Delete = rights.Edit && theirs.Edit, rights.Delete && theirs.Delete
	return nil
}

// memberNamed returns a member of the target's organization.
func (c *Call) memberNamed(ctx context.Context, userID string) (schema.Subject, error) {
	return c.member(ctx, "userId", userID)
}

// member returns the member of the target's organization that a parameter names.
func (c *Call) member(ctx context.Context, path, userID string) (schema.Subject, error) {
	unknown := problem.Invalid(path, "no member of the organization has the id %q", userID)
	person, err := id.Parse(id.User, userID)
	if err != nil {
		return schema.Subject{}, unknown
	}
	members, err := organization.ListMembers(ctx, c.DB, c.Target.Org)
	if err != nil {
		return schema.Subject{}, err
	}
	at := slices.IndexFunc(members, func(m organization.Member) bool { return m.Person == person })
	if at < 0 {
		return schema.Subject{}, unknown
	}
	return schema.Subject{Person: person, Role: members[at].Role}, nil
}

// placeOf returns the table and the field of a base that an input names; "" is nil.
func placeOf(s *schema.Snapshot, b *schema.Base, tableID, fieldID string) (*schema.Table, *schema.Field, error) {
	if tableID == "" {
		if fieldID != "" {
			return nil, nil, problem.Invalid("tableId", "is required with fieldId")
		}
		return nil, nil, nil
	}
	t := tableIn(s, b.ID, tableID)
	if t == nil {
		return nil, nil, problem.Invalid("tableId", "no table of this base has the id %q", tableID)
	}
	if fieldID == "" {
		return t, nil, nil
	}
	f := t.FieldByID(fieldID)
	if f == nil {
		return nil, nil, problem.Invalid("fieldId", "no field of the table has the id %q", fieldID)
	}
	return t, f, nil
}
