package operation

import (
	"context"
	"fmt"
	"time"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
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

// ViewShare is the public share of one view.
type ViewShare struct {
	PublicShareID *string    `json:"publicShareId" jsonschema:"the secret part of the public URL, or null if the view is not shared"`
	HasPassword   bool       `json:"hasPassword"`
	ExpiresTime   *time.Time `json:"expiresTime" jsonschema:"when the share ends, or null"`
	Embed         bool       `json:"embed" jsonschema:"whether other sites may show the page in a frame"`
	Answers       int64      `json:"answers" jsonschema:"how many answers a form has had"`
	Visits        int64      `json:"visits" jsonschema:"how often the page was opened since the share has its id"`
	Edit          bool       `json:"edit" jsonschema:"whether readers change and add records"`
}

func viewShareOf(share organization.ViewShare, err error) (ViewShare, error) {
	if err != nil || share.ID == "" {
		return ViewShare{}, err
	}
	return ViewShare{
		&share.ID, share.HasPassword, share.ExpiresAt, share.Framed, share.Answers, share.Visits, share.Editable,
	}, nil
}

// GetViewShare returns the state of a view's public share.
var GetViewShare = New(Def{
	Name: "get_view_share", Method: "GET", Path: "/views/{viewId}/share", Title: "Get share of a view",
	Summary:     "Get whether anyone can read one view without signing in.",
	Description: "Returns its share id, or null; the page is at {service}/share/{publicShareId}.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true, Secret: true,
	Whole: SeesAll, // whoever has the share id reads what permissions hide
}, func(ctx context.Context, c *Call, _ ViewIn) (ViewShare, error) {
	return viewShareOf(c.Share.View(ctx, c.Target.Org, c.Target.ID))
})

// SetViewShare shares a view.
var SetViewShare = New(Def{
	Name: "set_view_share", Method: "PUT", Path: "/views/{viewId}/share", Title: "Share view publicly",
	Summary: "Make one view readable by anyone who has its share id, with a password and an end if you like.",
	Description: "They read the fields that the view shows and the records that it lists, and nothing else of the " +
		"base. A form they answer, and with edit they change and add records within the view, with your rights, " +
		"as long as you are a creator of the base. What is left out stays as it is; \"\" takes the password or the " +
		"end away. Returns the share.",
	Scope: authz.SchemaWrite, OpenWorld: true, Secret: true,
	Destructive: true, Unlogged: true,
	Agent: Agent{Confirm: Confirmation{Needed: Always, Loss: loseViewPrivacy}},
}, func(ctx context.Context, c *Call, in struct {
	ViewIn
	Password    *string `json:"password,omitzero" jsonschema:"8 to 200 characters, or \"\" for none"`
	ExpiresTime *string `json:"expiresTime,omitzero" jsonschema:"RFC 3339, or \"\" for no end"`
	Embed       *bool   `json:"embed,omitzero" jsonschema:"let other sites show the page in a frame"`
	Edit        *bool   `json:"edit,omitzero" jsonschema:"let readers change and add records; not of a form"`
	Regenerate  bool    `json:"regenerate,omitzero" jsonschema:"replace the share id; the old one stops working at once"`
},
) (ViewShare, error) {
	snapshot, err := c.Schema.Cached(ctx, c.Target.Org)
	if err != nil {
		return ViewShare{}, err
	}
	view := snapshot.View(c.Target.ID)
	if view != nil && view.Access == schema.Personal {
		return ViewShare{}, problem.Invalid("viewId",
			"%q is a personal view; make it collaborative or locked to share it", view.Name)
	}
	if view != nil && (view.Type == schema.Form || view.Type == schema.Chart) && in.Edit != nil && *in.Edit {
		return ViewShare{}, problem.Invalid("edit", "is for views that list records, and %q is a %s", view.Name,
			view.Type)
	}
	draft := organization.ViewShareDraft{
		Regenerate: in.Regenerate, Password: in.Password, Framed: in.Embed, Editable: in.Edit,
		Person: c.Principal.Person,
	}
	if in.ExpiresTime != nil {
		draft.ExpiresAt = &time.Time{}
		if *in.ExpiresTime != "" {
			if *draft.ExpiresAt, err = time.Parse(time.RFC3339, *in.ExpiresTime); err != nil {
				return ViewShare{}, problem.Invalid("expiresTime", "%q is not a time such as 2027-01-31T12:00:00Z",
					*in.ExpiresTime)
			}
		}
	}
	return viewShareOf(c.Share.EnableView(ctx, c.Target.Org, c.Target.ID, draft))
})

func loseViewPrivacy(context.Context, *Prospect) (string, error) {
	return "This lets anyone who has its share id read the view without signing in. disable_view_share ends that.", nil
}

// DisableViewShare ends the public share of a view.
var DisableViewShare = New(Def{
	Name: "disable_view_share", Method: "DELETE", Path: "/views/{viewId}/share", Title: "Stop sharing view",
	Summary:     "Stop sharing a view publicly.",
	Description: "The share id stops working at once. Returns null as the share id.",
	Scope:       authz.SchemaWrite, Idempotent: true,
	Destructive: true, Unlogged: true,
}, func(ctx context.Context, c *Call, _ ViewIn) (ViewShare, error) {
	return ViewShare{}, c.Share.DisableView(ctx, c.Target.Org, c.Target.ID)
})
