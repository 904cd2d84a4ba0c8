package organization

import "slices"

// A Role is what a member may do in one organization. Roles are ordered: each includes the one
// before it.
type Role string

// The roles, weakest first. A guest sees the bases that are given to them and nothing else of the organization.
const (
	Guest  Role = "guest"
	Viewer Role = "viewer"
	Editor Role = "editor"
	Admin  Role = "admin"
	Owner  Role = "owner"
)

// Roles lists every role, weakest first.
var Roles = []Role{Guest, Viewer, Editor, Admin, Owner}

// Valid reports whether r is one of Roles.
func (r Role) Valid() bool { return slices.Contains(Roles, r) }

// AtLeast reports whether r includes other. An unknown role includes nothing.
func (r Role) AtLeast(other Role) bool {
	return r.Valid() && slices.Index(Roles, r) >= slices.Index(Roles, other)
}
