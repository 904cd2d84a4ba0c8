package authz

import (
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Scope is a permission that a credential carries.
type Scope string

// Every scope. None is for operations that any valid credential may call.
const (
	None          Scope = ""
	DataRead      Scope = "data:read"
	DataWrite     Scope = "data:write"
	SchemaRead    Scope = "schema:read"
	SchemaWrite   Scope = "schema:write"
	MembersRead   Scope = "members:read"
	MembersManage Scope = "members:manage"
	MCPTools      Scope = "mcp:tools"
)

// ScopeInfo describes a scope.
type ScopeInfo struct {
	Scope   Scope
	Role    organization.Role // the lowest role that may use it outside bases
	Base    schema.BaseRole   // the lowest role in a base that may use it there
	Title   string            // shown to people on the consent page
	Meaning string            // short form for documentation
	Writes  bool              // whether it lets a credential change something
}

// Scopes is the catalogue of scopes, in the order in which they are shown. It is the only place to
// add a scope.
var Scopes = []ScopeInfo{
	{DataRead, organization.Viewer, schema.BaseViewer, "Read records", "read records", false},
	{DataWrite, organization.Editor, schema.BaseEditor, "Create, change and delete records", "write records", true},
	{
		SchemaRead,
		organization.Viewer,
		schema.BaseViewer,
		"See bases, tables, fields and views",
		"read bases, tables, fields, views",
		false,
	},
	{
		SchemaWrite, organization.Admin, schema.BaseCreator,
		"Create, change and delete bases, tables, fields and views",
		"write bases, tables, fields, views", true,
	},
	{
		MembersRead,
		organization.Viewer,
		schema.BaseViewer,
		"See the members of your organizations",
		"read members",
		false,
	},
	{
		MembersManage,
		organization.Admin,
		schema.BaseCreator,
		"Invite, change and remove members",
		"manage members",
		true,
	},
	{MCPTools, organization.Viewer, schema.BaseViewer, "Use the MCP server", "use the MCP server", false},
}

// Info returns the catalogue entry of a scope.
func Info(scope Scope) (ScopeInfo, bool) {
	i := slices.IndexFunc(Scopes, func(info ScopeInfo) bool { return info.Scope == scope })
	if i < 0 {
		return ScopeInfo{}, false
	}
	return Scopes[i], true
}

// AllScopes lists every scope.
func AllScopes() []Scope {
	all := make([]Scope, len(Scopes))
	for i, info := range Scopes {
		all[i] = info.Scope
	}
	return all
}

// ParseScopes parses scope names. It returns an error of kind invalid at path for an unknown or
// repeated one; for an unknown one the error lists the valid scopes.
func ParseScopes(path string, names []string) ([]Scope, error) {
	scopes := make([]Scope, 0, len(names))
	for _, name := range names {
		scope := Scope(name)
		if _, known := Info(scope); !known {
			return nil, problem.Invalid(path, "%q is not a scope; the scopes are %s",
				name, JoinScopes(AllScopes(), ", "))
		}
		if slices.Contains(scopes, scope) {
			return nil, problem.Invalid(path, "%q is given twice", name)
		}
		scopes = append(scopes, scope)
	}
	return scopes, nil
}

// JoinScopes joins scopes with a separator; a space gives the form of RFC 6749 section 3.3.
func JoinScopes(scopes []Scope, separator string) string {
	parts := make([]string, len(scopes))
	for i, scope := range scopes {
		parts[i] = string(scope)
	}
	return strings.Join(parts, separator)
}
