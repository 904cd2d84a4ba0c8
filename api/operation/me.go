package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// None is the input of operations without arguments.
type None struct{}

// Identity describes the caller.
type Identity struct {
	ID     string        `json:"id" jsonschema:"the user's id"`
	Kind   string        `json:"kind" jsonschema:"the kind of credential" enum:"api_key,oauth,session"`
	Scopes []authz.Scope `json:"scopes" jsonschema:"the scopes granted to the credential"`
	Orgs   []OrgRole     `json:"orgs"`
	Bases  []BaseSummary `json:"bases" jsonschema:"the bases that the credential can access"`
}

// OrgRole is a role in an organization.
type OrgRole struct {
	OrgID string            `json:"orgId"`
	Role  organization.Role `json:"role" jsonschema:"owner, admin, editor, viewer or guest"`
}

// GetMe returns the caller's identity, rights and bases.
var GetMe = New(Def{
	Name: "get_me", Method: "GET", Path: "/me", Title: "Who am I",
	Summary: "Say who you are: your user id, scopes, organizations with your role in each, and the bases that " +
		"you can access.",
	Description: "Returns your roles too. Call it when you need an orgId or do not know your rights; list_bases " +
		"has the bases alone.",
	Scope: authz.None, ReadOnly: true, Idempotent: true, BaseFiltered: true,
	Agent: Agent{
		List: ListCommon,
		Resource: &Resource{
			Path: "me", Name: "me", Title: "Who am I",
			Description: "Your scopes, organizations with roles, and bases.",
		},
	},
}, func(ctx context.Context, c *Call, _ None) (Identity, error) {
	reached, err := c.accessibleOrgs(ctx)
	if err != nil {
		return Identity{}, err
	}
	me := Identity{
		ID: c.Principal.UserID(), Kind: string(c.Principal.Kind), Scopes: c.Principal.Scopes,
		Orgs: make([]OrgRole, len(reached)),
	}
	for i, m := range reached {
		me.Orgs[i] = OrgRole{OrgID: id.Format(id.Org, m.Org), Role: m.Role}
	}
	me.Bases, err = c.bases(ctx)
	return me, err
})
