package operation

import (
	"context"
	"fmt"

	"github.com/rowhouse/rowhouse/authz"
)

// Share is the public share of a base.
type Share struct {
	PublicShareID *string `json:"publicShareId" jsonschema:"the secret part of the public URL, or null if sharing is disabled"`
}

func shareOf(shareID string, err error) (Share, error) {
	if err != nil || shareID == "" {
		return Share{}, err
	}
	return Share{&shareID}, nil
}

// GetPublicShare returns the state of a base's public share.
var GetPublicShare = New(Def{
	Name: "get_public_share", Method: "GET", Path: "/bases/{baseId}/share", Title: "Get public share",
	Summary:     "Get whether anyone can read a base without signing in.",
	Description: "Returns its share id, or null; the page is at {service}/share/{publicShareId}.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true, Secret: true,
	Whole: SeesAll, // whoever has the share id reads what permissions hide
	Agent: Agent{List: ListCommon},
}, func(ctx context.Context, c *Call, _ BaseIn) (Share, error) {
	return shareOf(c.Share.Get(ctx, c.Target.Org, c.Target.ID))
})

// SetPublicShare enables the public share of a base.
var SetPublicShare = New(Def{
	Name: "set_public_share", Method: "PUT", Path: "/bases/{baseId}/share", Title: "Share base publicly",
	Summary: "Make a base readable by anyone who has its share id, without signing in.",
	Description: "Returns the share id. regenerate replaces it; the old one stops working at once. To give one " +
		"person access, use invite_member.",
	Scope: authz.SchemaWrite, OpenWorld: true, Secret: true,
	Destructive: true,
	Unlogged:    true,
	Agent: Agent{
		List: ListCommon,
		Confirm: Confirmation{
			Needed: Always,
			Loss:   losePrivacy,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Regenerate bool `json:"regenerate,omitzero"`
},
) (Share, error) {
	return shareOf(c.Share.Enable(ctx, c.Target.Org, c.Target.ID, in.Regenerate))
})

func losePrivacy(_ context.Context, p *Prospect) (string, error) {
	if p.Base == nil {
		return "", nil
	}
	return fmt.Sprintf("This lets anyone who has its share id read the base %q without signing in. "+
		"disable_public_share ends that.", p.Base.Name), nil
}

// DisablePublicShare disables the public share of a base.
var DisablePublicShare = New(Def{
	Name: "disable_public_share", Method: "DELETE", Path: "/bases/{baseId}/share", Title: "Stop sharing base",
	Summary:     "Stop sharing a base publicly.",
	Description: "The share id stops working at once. Returns null as the share id.",
	Scope:       authz.SchemaWrite, Idempotent: true,
	Destructive: true,
	Unlogged:    true,
	Agent:       Agent{List: ListCommon},
}, func(ctx context.Context, c *Call, _ BaseIn) (Share, error) {
	return Share{}, c.Share.Disable(ctx, c.Target.Org, c.Target.ID)
})
