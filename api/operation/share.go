package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/authz"
)

// Share is the public share of a base. publicShareId is null when sharing is disabled.
type Share struct {
	PublicShareID *string `json:"publicShareId" jsonschema:"the secret part of the public address, or null when sharing is disabled"`
}

func shared(shareID string, err error) (Share, error) {
	if err != nil || shareID == "" {
		return Share{}, err
	}
	return Share{&shareID}, nil
}

// GetPublicShare returns the state of a base's public share.
var GetPublicShare = New(Def{
	Name: "get_public_share", Method: "GET", Path: "/bases/{baseId}/share", Title: "Get public share",
	Summary:     "Whether a base is shared publicly, and under which id.",
	Description: "The public page is {service}/share/{publicShareId}.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true, Secret: true,
}, func(ctx context.Context, c *Call, _ BaseIn) (Share, error) {
	return shared(c.Share.Get(ctx, c.Target.Org, c.Target.ID))
})

// SetPublicShare enables the public share of a base.
var SetPublicShare = New(Def{
	Name: "set_public_share", Method: "PUT", Path: "/bases/{baseId}/share", Title: "Share base publicly",
	Summary:     "Make a base readable by anybody who has its share id.",
	Description: "Returns the share id. regenerate gives a new one, and the former is dead at once. End sharing with disable_public_share.",
	Scope:       authz.SchemaWrite, OpenWorld: true, Secret: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Regenerate bool `json:"regenerate,omitzero"`
},
) (Share, error) {
	return shared(c.Share.Enable(ctx, c.Target.Org, c.Target.ID, in.Regenerate))
})

// DisablePublicShare ends the public share of a base.
var DisablePublicShare = New(Def{
	Name: "disable_public_share", Method: "DELETE", Path: "/bases/{baseId}/share", Title: "Stop sharing base",
	Summary:     "End the public share of a base.",
	Description: "The share id is dead at once.",
	Scope:       authz.SchemaWrite, Idempotent: true,
}, func(ctx context.Context, c *Call, _ BaseIn) (Share, error) {
	return Share{}, c.Share.Disable(ctx, c.Target.Org, c.Target.ID)
})
