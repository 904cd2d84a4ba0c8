package schema

import (
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A BaseRole is what a person may do in one base. Roles are ordered: each includes the one before it. Package authz
// says what each of them may do.
type BaseRole string

// The roles, weakest first.
const (
	NoRole        BaseRole = "none"
	BaseViewer    BaseRole = "viewer"
	BaseCommenter BaseRole = "commenter"
	BaseEditor    BaseRole = "editor"
	BaseCreator   BaseRole = "creator"
)

// BaseRoles lists the roles that can be granted, weakest first.
var BaseRoles = []BaseRole{BaseViewer, BaseCommenter, BaseEditor, BaseCreator}

// AtLeast reports whether r includes other. An unknown role includes nothing.
func (r BaseRole) AtLeast(other BaseRole) bool {
	if other == NoRole {
		return true
	}
	at := slices.Index(BaseRoles, r)
	return at >= 0 && at >= slices.Index(BaseRoles, other)
}

// An Access says who may do what in a base, or in all bases of a workspace. The zero value is open.
type Access struct {
	// Restricted says that a role in the organization gives none in the base.
	Restricted bool    `json:"restricted,omitzero"`
	Grants     []Grant `json:"grants,omitempty"`
}

// A Grant gives a role to a person or to the members of a group.
type Grant struct {
	Person uuid.UUID `json:"person,omitzero"`
	Group  uuid.UUID `json:"group,omitzero"`
	Role   BaseRole  `json:"role"`
}

// A TablePermission says who may do what with the records of a table. Nil leaves an action to the role in the base.
type TablePermission struct {
	Read   *Audience `json:"read,omitempty"`
	Create *Audience `json:"create,omitempty"`
	Edit   *Audience `json:"edit,omitempty"`
	Delete *Audience `json:"delete,omitempty"`

	Rules []*RowRule `json:"rules,omitempty"`
}

// IsZero reports whether the permission leaves everything to the role in the base.
func (p *TablePermission) IsZero() bool {
	return p.Read == nil && p.Create == nil && p.Edit == nil && p.Delete == nil && len(p.Rules) == 0
}

// A FieldPermission says who sees a field and who may write it. Nil leaves it to the table.
type FieldPermission struct {
	Read *Audience `json:"read,omitempty"`
	Edit *Audience `json:"edit,omitempty"`

	// Reveal says that whoever sees the computed field reads what creators read in it; see reveal.go.
	Reveal bool `json:"reveal,omitzero"`
}

// An Audience is those who may do something, in addition to the creators of the base.
type Audience struct {
	Role   BaseRole    `json:"role,omitzero"` // those with at least this role in the base; "" is nobody
	Groups []uuid.UUID `json:"groups,omitempty"`
	People []uuid.UUID `json:"people,omitempty"`
}

// A Group is a named set of people who get permissions together. Who is no member of the organization has none.
type Group struct {
	ID      uuid.UUID
	Name    string
	Members []uuid.UUID
}

// PublicID is the group's public identifier.
func (g *Group) PublicID() string { return id.Format(id.Group, g.ID) }

// Group returns the group with this id, or nil.
func (s *Snapshot) Group(u uuid.UUID) *Group {
	for _, g := range s.Groups {
		if g.ID == u {
			return g
		}
	}
	return nil
}

// A Subject is a person of an organization as permissions see them.
type Subject struct {
	Person uuid.UUID
	Role   organization.Role // "" for somebody who is no member, and has no role anywhere
	// View is the only view of which the person sees something, in which they are at most an editor; zero is no bound.
	View uuid.UUID
}

// groupsOf lists the groups of a person.
func (s *Snapshot) groupsOf(person uuid.UUID) []uuid.UUID {
	var groups []uuid.UUID
	for _, g := range s.Groups {
		if slices.Contains(g.Members, person) {
			groups = append(groups, g.ID)
		}
	}
	return groups
}

// A holder is a subject with the groups of the person.
type holder struct {
	Subject

	groups []uuid.UUID
}

func (s *Snapshot) holder(of Subject) holder { return holder{of, s.groupsOf(of.Person)} }

// granted returns the strongest role that an access grants, or NoRole.
func (a *Access) granted(h holder) BaseRole {
	strongest := NoRole
	if a == nil {
		return strongest
	}
	for _, g := range a.Grants {
		if (g.Person == h.Person && g.Person != uuid.Nil || slices.Contains(h.groups, g.Group)) &&
			g.Role.AtLeast(strongest) {
			strongest = g.Role
		}
	}
	return strongest
}

// RoleIn returns the subject's role in a base of the snapshot: the strongest of what the base, its workspace and, in
// an open base, the organization give. Admins and owners of the organization are creators.
func (s *Snapshot) RoleIn(of Subject, b *Base) BaseRole { return s.roleIn(s.holder(of), b) }

func (s *Snapshot) roleIn(h holder, b *Base) BaseRole {
	if h.Role == "" {
		return NoRole
	}
	if h.Role.AtLeast(organization.Admin) {
		return BaseCreator
	}
	workspace := s.Workspace(b.Workspace)
	role := b.Access.granted(h)
	restricted := b.Access != nil && b.Access.Restricted
	if workspace != nil {
		if more := workspace.Access.granted(h); more.AtLeast(role) {
			role = more
		}
		restricted = restricted || workspace.Access != nil && workspace.Access.Restricted
	}
	if !restricted {
		if more := inOpenBases[h.Role]; more != "" && more.AtLeast(role) {
			role = more
		}
	}
	return role
}

// InOpenBase returns what a role in the organization gives in open bases.
func InOpenBase(role organization.Role) BaseRole {
	if role.AtLeast(organization.Admin) {
		return BaseCreator
	}
	if in, ok := inOpenBases[role]; ok {
		return in
	}
	return NoRole
}

// inOpenBases is what roles below admin give in open bases. Guests get nothing.
var inOpenBases = map[organization.Role]BaseRole{
	organization.Viewer: BaseViewer, organization.Editor: BaseEditor,
}

// includes reports whether the audience includes a person with a role in the base. Nil is those with the default role.
func (a *Audience) includes(h holder, role, byDefault BaseRole) bool {
	if a == nil {
		return role.AtLeast(byDefault)
	}
	if role == BaseCreator {
		return true
	}
	return a.Role != "" && role.AtLeast(a.Role) || slices.Contains(a.People, h.Person) ||
		slices.ContainsFunc(a.Groups, func(g uuid.UUID) bool { return slices.Contains(h.groups, g) })
}

// Rights are what a person may do with the records of a table.
type Rights struct{ Create, Edit, Delete bool }

// Any reports whether they include anything.
func (r Rights) Any() bool { return r.Create || r.Edit || r.Delete }

// rightsIn returns what a person with a role in the base may do with the records of a table; read says whether they
// may read it, without which they may do nothing.
func (t *Table) rightsIn(h holder, role BaseRole) (read bool, rights Rights) {
	p := t.Permission
	if p == nil {
		p = &TablePermission{}
	}
	if !p.Read.includes(h, role, BaseViewer) {
		return false, Rights{}
	}
	return true, Rights{
		Create: p.Create.includes(h, role, BaseEditor),
		Edit:   p.Edit.includes(h, role, BaseEditor),
		Delete: p.Delete.includes(h, role, BaseEditor),
	}
}
