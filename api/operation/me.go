package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// None is the input of operations that take no argument.
type None struct{}

// Identity is who a caller is (spec.md, "Caller identity").
type Identity struct {
	ID     string        `json:"id" jsonschema:"the user's id"`
	Kind   string        `json:"kind" jsonschema:"the kind of credential" enum:"api_key,oauth,session"`
	Scopes []authz.Scope `json:"scopes" jsonschema:"the scopes granted to the credential"`
	Orgs   []OrgRole     `json:"orgs"`
	Bases  []BaseSummary `json:"bases" jsonschema:"the bases that the credential reaches"`
}

// OrgRole is a role in an organization.
type OrgRole struct {
	OrgID string            `json:"orgId"`
	Role  organization.Role `json:"role" jsonschema:"owner, admin, editor or viewer"`
}

// GetMe tells a caller who it is.
var GetMe = New(Def{
	Name: "get_me", Method: "GET", Path: "/me", Title: "Who am I",
	Summary:     "Who the caller is, and which organizations and bases it reaches.",
	Description: "Start here: it returns your id, this credential's scopes, your roles, and every base that you reach.",
	Scope:       authz.None, ReadOnly: true, Idempotent: true, Narrowed: true,
}, func(ctx context.Context, c *Call, _ None) (Identity, error) {
	reached, err := c.reachedOrgs(ctx)
	if err != nil {
		return Identity{}, err
	}
	me := Identity{
		ID: c.Principal.UserID(), Kind: string(c.Principal.Kind), Scopes: c.Principal.Scopes, Orgs: make([]OrgRole, len(reached)),
	}
	for i, m := range reached {
		me.Orgs[i] = OrgRole{OrgID: id.Format(id.Org, m.Org), Role: m.Role}
	}
	me.Bases, err = c.bases(ctx)
	return me, err
})
