package organization

import "slices"

// Role is what a member may do in one organization. Roles are ordered: each may do all that the one before it may.
type Role string

// The roles, weakest first.
const (
	Viewer Role = "viewer"
	Editor Role = "editor"
	Admin  Role = "admin"
	Owner  Role = "owner"
)

// Roles lists every role, weakest first.
var Roles = []Role{Viewer, Editor, Admin, Owner}

// Valid reports whether r is one of Roles.
func (r Role) Valid() bool { return slices.Contains(Roles, r) }

// AtLeast reports whether r may do all that other may. An unknown role may do nothing.
func (r Role) AtLeast(other Role) bool {
	return r.Valid() && slices.Index(Roles, r) >= slices.Index(Roles, other)
}
