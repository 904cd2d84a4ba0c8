package operation

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// DeleteOrg deletes an organization, which can be restored for some time.
var DeleteOrg = New(Def{
	Name: "delete_org", Method: "DELETE", Path: "/orgs/{orgId}", Title: "Delete organization",
	Summary: "Delete an organization with its workspaces, bases, records and members.",
	Description: "Nobody reaches it any more, its public links and its webhooks included. For 30 days, unless the " +
		"service keeps deleted things for another time, an owner can bring it back with restore_org. To delete one " +
		"base, use delete_base. Returns the id in deleted. Needs the role owner.",
	Scope: authz.MembersManage, Role: organization.Owner, Destructive: true, Idempotent: true,
	Agent: Agent{Confirm: Confirmation{Needed: Always}},
}, func(ctx context.Context, c *Call, in OrgIn) (Deleted, error) {
	list, err := organization.ListMembers(ctx, c.DB, c.Target.Org)
	if err != nil {
		return Deleted{}, err
	}
	members := make([]uuid.UUID, len(list))
	for i, m := range list {
		members[i] = m.Person
	}
	return Deleted{Deleted: in.OrgID}, c.changeOrg(ctx, members, func() error {
		return organization.Delete(ctx, c.DB, c.Target.Org, c.Principal.Person)
	})
})

// changeOrg runs a change of which people are members of the target's organization, and invalidates their cached rights
// in every process, before the change and after it.
func (c *Call) changeOrg(ctx context.Context, members []uuid.UUID, change func() error) error {
	invalidate := func() error {
		for _, person := range members {
			if err := c.Rights.Invalidate(ctx, person); err != nil {
				return err
			}
		}
		return nil
	}
	if err := invalidate(); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	c.Schema.Forget(c.Target.Org)
	return invalidate()
}

// DeletedOrg is an organization that can be restored.
type DeletedOrg struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	DeletedAt time.Time `json:"deletedAt"`
	DeletedBy Named     `json:"deletedBy"`
	KeptUntil time.Time `json:"keptUntil"`
}

// DeletedOrgList is a list of organizations that can be restored.
type DeletedOrgList struct {
	Orgs []DeletedOrg `json:"orgs"`
}

// DeletedOrgIn identifies an organization that was deleted.
type DeletedOrgIn struct {
	OrgID string `json:"deletedOrgId" jsonschema:"the id that the organization had"`
}

// ListDeletedOrgs lists the deleted organizations that the caller owned.
var ListDeletedOrgs = New(Def{
	Name: "list_deleted_orgs", Method: "GET", Path: "/deleted-orgs", Title: "List deleted organizations",
	Summary:     "List the organizations that you owned and that restore_org can bring back.",
	Description: "Returns their ids and names, and until when they are kept.",
	Scope:       authz.MembersManage, Role: organization.Guest, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, _ None) (DeletedOrgList, error) {
	found, err := c.deletedOrgs(ctx)
	out := DeletedOrgList{Orgs: make([]DeletedOrg, len(found))}
	for i, one := range found {
		out.Orgs[i] = DeletedOrg{
			ID: id.Format(id.Org, one.ID), Name: one.Name, DeletedAt: one.DeletedAt,
			DeletedBy: Named{ID: id.Format(id.User, one.DeletedBy), Name: one.ByName},
			KeptUntil: one.DeletedAt.Add(c.Trash.Keep),
		}
	}
	return out, err
})

// deletedOrgs returns the deleted organizations that the caller owned. A credential that was made for one organization
// ended with it.
func (c *Call) deletedOrgs(ctx context.Context) ([]organization.DeletedOrg, error) {
	if c.Principal.OneOrg {
		return nil, nil
	}
	return organization.Deleted(ctx, c.DB, c.Principal.Person)
}

// resolveDeletedOrg finds the organization among those that the caller owned.
func (o *Operation) resolveDeletedOrg(ctx context.Context, call *Call, value string) error {
	if err := o.checkRestriction(call); err != nil {
		return err
	}
	found, err := call.deletedOrgs(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(found, func(d organization.DeletedOrg) bool { return id.Format(id.Org, d.ID) == value })
	if at < 0 {
		return problem.NotFound("organization", value)
	}
	call.Target, call.deleted = Target{Org: found[at].ID, ID: found[at].ID}, &found[at]
	return nil
}

// RestoreOrg brings a deleted organization back.
var RestoreOrg = New(Def{
	Name: "restore_org", Method: "POST", Path: "/deleted-orgs/{deletedOrgId}/restore", Title: "Restore organization",
	Summary: "Bring back an organization that you owned and that was deleted.",
	Description: "Everything is as it was: members, bases, public links, webhooks and keys. list_deleted_orgs has " +
		"the ids. Returns the id.",
	Scope: authz.MembersManage, Role: organization.Guest,
}, func(ctx context.Context, c *Call, in DeletedOrgIn) (Changed, error) {
	return Changed{ID: in.OrgID}, c.changeOrg(ctx, c.deleted.Members, func() error {
		return organization.Restore(ctx, c.DB, c.Target.Org)
	})
})

// PurgeOrg removes a deleted organization for good.
var PurgeOrg = New(Def{
	Name: "purge_org", Method: "DELETE", Path: "/deleted-orgs/{deletedOrgId}", Title: "Purge organization",
	Summary:     "Remove a deleted organization that you owned for good, at once.",
	Description: "It cannot be restored afterwards. Returns the id in deleted.",
	Scope:       authz.MembersManage, Role: organization.Guest, Destructive: true, Idempotent: true,
	Agent: Agent{
		NotATool: "people purge",
		Confirm:  Confirmation{Needed: Always},
	},
}, func(ctx context.Context, c *Call, in DeletedOrgIn) (Deleted, error) {
	return Deleted{Deleted: in.OrgID}, organization.Purge(ctx, c.DB, c.Target.Org, 0)
})
