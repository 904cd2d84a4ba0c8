package operation

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Member is a member of an organization.
type Member struct {
	UserID string            `json:"userId"`
	Name   string            `json:"name"`
	Email  string            `json:"email"`
	Role   organization.Role `json:"role" jsonschema:"owner, admin, editor, viewer or guest"`
	Since  time.Time         `json:"since" jsonschema:"when the person became a member"`
}

// MemberList is a list of members.
type MemberList struct {
	Members []Member `json:"members"`
}

// ListMembers lists an organization's members.
var ListMembers = New(Def{
	Name: "list_members", Method: "GET", Path: "/orgs/{orgId}/members", Title: "List members",
	Summary: "List the members of an organization with their roles.",
	Description: "Returns user ids, names and e-mail addresses. User fields take these ids, or with typecast the " +
		"names.",
	Scope: authz.MembersRead, ReadOnly: true, Idempotent: true,
	// User fields hold the ids of members. Guests get the people of their bases.
	BaseFiltered: true,
}, func(ctx context.Context, c *Call, _ OrgIn) (MemberList, error) {
	out := MemberList{Members: []Member{}}
	rows, err := organization.ListMembers(ctx, c.DB, c.Target.Org)
	if err != nil {
		return out, err
	}
	s, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return out, err
	}
	for _, m := range rows {
		if c.Principal.Role(c.Target.Org) == organization.Guest && m.Person != c.Principal.Person &&
			!s.Share(schema.Subject{Person: m.Person, Role: m.Role}) {
			continue
		}
		out.Members = append(out.Members, Member{id.Format(id.User, m.Person), m.Name, m.Email, m.Role, m.Since})
	}
	return out, err
})

// MemberIn identifies a member of an organization.
type MemberIn struct {
	OrgIn
	UserID string `json:"userId"`
}

// SetMemberRole changes a member's role.
var SetMemberRole = New(Def{
	Name: "set_member_role", Method: "PATCH", Path: "/orgs/{orgId}/members/{userId}", Title: "Set member role",
	Summary: "Change a member's role.",
	Description: "A guest sees only the bases given to them; a viewer reads; an editor also writes records; an admin " +
		"also changes schemas and members; an owner may do everything. Returns the user id. Only an owner changes " +
		"owners.",
	Scope: authz.MembersManage, Idempotent: true,
	Destructive: true,
	Agent: Agent{
		Confirm: Confirmation{
			Needed: Always,
			Loss:   loseToRole,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	MemberIn
	Role organization.Role `json:"role" enum:"guest,viewer,editor,admin,owner"`
},
) (Changed, error) {
	return Changed{ID: in.UserID}, c.changeRights(ctx, in.UserID, func(person uuid.UUID) error {
		return organization.SetRole(ctx, c.DB, c.Target.Org, c.Principal.Role(c.Target.Org), person, in.Role)
	})
})

func loseToRole(ctx context.Context, p *Prospect) (string, error) {
	var in struct {
		Role organization.Role `json:"role"`
	}
	if err := p.read(&in); err != nil {
		return "", err
	}
	name, err := p.memberName(ctx)
	return fmt.Sprintf("This gives %s the role %s.", name, in.Role), err
}

// memberName is what the member is called whom the call is about, with the address.
func (p *Prospect) memberName(ctx context.Context) (string, error) {
	var in struct {
		UserID string `json:"userId"`
	}
	if err := p.read(&in); err != nil {
		return "", err
	}
	members, err := organization.ListMembers(ctx, p.Deps.DB, p.Target.Org)
	for _, m := range members {
		if id.Format(id.User, m.Person) == in.UserID {
			return fmt.Sprintf("%s (%s)", m.Name, m.Email), nil
		}
	}
	return in.UserID, err
}

// RemoveMember removes a person from an organization.
var RemoveMember = New(Def{
	Name: "remove_member", Method: "DELETE", Path: "/orgs/{orgId}/members/{userId}", Title: "Remove member",
	Summary: "Remove a member from an organization.",
	Description: "They lose access at once; what they wrote stays. losses lists what ends with them or goes on " +
		"naming them. With plan, says so first. Returns the user id in deleted. To leave yourself, use leave_org. " +
		"Only an owner removes an owner.",
	Scope: authz.MembersManage, Destructive: true, Idempotent: true,
	Agent: Agent{
		Confirm: Confirmation{
			Needed: unlessApplied,
			Loss:   loseMember,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	MemberIn
	Planned
},
) (DeletedOrPlanned, error) {
	var out DeletedOrPlanned
	remove := func(person uuid.UUID) (err error) {
		out, err = c.deleteOrPlan(ctx, in.UserID, in.Planned, func(ctx context.Context, s *catalog.Store) error {
			return s.RemoveMember(ctx, c.Target.Org, c.Principal.Role(c.Target.Org), person,
				c.Principal.Has(authz.SchemaRead))
		})
		return err
	}
	if !in.Plan {
		return out, c.changeRights(ctx, in.UserID, remove)
	}
	person, err := id.Parse(id.User, in.UserID)
	if err != nil {
		return out, problem.NotFound("member", in.UserID)
	}
	return out, remove(person)
})

func loseMember(ctx context.Context, p *Prospect) (string, error) {
	name, err := p.memberName(ctx)
	return fmt.Sprintf("This removes %s from the organization. They lose access at once.", name), err
}

// LeaveOrg removes the caller from an organization.
var LeaveOrg = New(Def{
	Name: "leave_org", Method: "POST", Path: "/orgs/{orgId}/leave", Title: "Leave organization",
	Summary: "Leave an organization yourself.",
	Description: "You lose access at once. Its last owner cannot leave: make somebody owner with set_member_role " +
		"first, or use delete_org. Returns the id in deleted.",
	Scope: authz.MembersManage, Role: organization.Guest, Destructive: true,
}, func(ctx context.Context, c *Call, in OrgIn) (Deleted, error) {
	return Deleted{Deleted: in.OrgID}, c.changeRights(ctx, c.Principal.UserID(), func(person uuid.UUID) error {
		return c.Schema.RemoveMember(ctx, c.Target.Org, c.Principal.Role(c.Target.Org), person, false)
	})
})

// changeRights runs a change to a person's rights and invalidates the cached rights in every
// process, before the change and after it.
func (c *Call) changeRights(ctx context.Context, userID string, change func(person uuid.UUID) error) error {
	person, err := id.Parse(id.User, userID)
	if err != nil {
		return problem.NotFound("member", userID)
	}
	if err := c.Rights.Invalidate(ctx, person); err != nil {
		return fmt.Errorf("invalidating cached rights: %w", err)
	}
	if err := change(person); err != nil {
		return err
	}
	if err := c.Rights.Invalidate(ctx, person); err != nil {
		return fmt.Errorf("invalidating cached rights: %w", err)
	}
	return nil
}

// Invitation is an invitation to an organization.
type Invitation struct {
	ID        string            `json:"id"`
	Email     string            `json:"email"`
	Role      organization.Role `json:"role" jsonschema:"owner, admin, editor, viewer or guest"`
	CreatedAt time.Time         `json:"createdAt"`
	ExpiresAt time.Time         `json:"expiresAt"`
}

func invitation(i organization.Invitation) Invitation {
	return Invitation{id.Format(id.Invitation, i.ID), i.Email, i.Role, i.CreatedAt, i.ExpiresAt}
}

// InvitationList is a list of invitations.
type InvitationList struct {
	Invitations []Invitation `json:"invitations"`
}

// ListInvitations lists the invitations that have not been accepted, expired ones included.
var ListInvitations = New(Def{
	Name: "list_invitations", Method: "GET", Path: "/orgs/{orgId}/invitations", Title: "List invitations",
	Summary: "List the pending and expired invitations of an organization.",
	Description: "Returns who was invited, by whom, with which role and until when. list_members has those who " +
		"have joined.",
	Scope: authz.MembersManage, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, _ OrgIn) (InvitationList, error) {
	var out InvitationList
	rows, err := organization.ListInvitations(ctx, c.DB, c.Target.Org)
	for _, i := range rows {
		out.Invitations = append(out.Invitations, invitation(i))
	}
	return out, err
})

// InviteMember invites a person by e-mail.
var InviteMember = New(Def{
	Name: "invite_member", Method: "POST", Path: "/orgs/{orgId}/invitations", Title: "Invite member",
	Summary: "Invite a person to an organization by e-mail.",
	Description: "Sends a link, valid for 14 days, and returns the invitation. Inviting again sends another; all " +
		"of them grant the new role and end with revoke_invitation.",
	Scope: authz.MembersManage, OpenWorld: true,
	Agent: Agent{
		Confirm: Confirmation{
			Needed: Always,
			Loss:   loseToInvited,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	Email string            `json:"email" maxLength:"320"`
	Role  organization.Role `json:"role,omitzero" enum:"guest,viewer,editor,admin,owner" jsonschema:"default viewer"`
	Bases []struct {
		BaseID string          `json:"baseId"`
		Role   schema.BaseRole `json:"role" enum:"viewer,commenter,editor,creator"`
	} `json:"bases,omitzero" maxItems:"100" jsonschema:"roles in bases that the person gets, such as a guest's"`
},
) (Invitation, error) {
	role := in.Role
	if role == "" {
		role = organization.Viewer
	}
	s, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return Invitation{}, err
	}
	var bases []organization.InvitedBase
	for i, one := range in.Bases {
		u, err := id.Parse(id.Base, one.BaseID)
		if err != nil || s.Base(u) == nil {
			return Invitation{}, problem.Invalid(fmt.Sprintf("bases[%d].baseId", i),
				"no base of the organization has the id %q", one.BaseID)
		}
		bases = append(bases, organization.InvitedBase{Base: u, Role: string(one.Role)})
	}
	var announce organization.Announce
	if c.Mailer != nil {
		if announce, err = c.Mailer.Invite(ctx, c.Principal.Person, c.Target.Org, in.Email); err != nil {
			return Invitation{}, err
		}
	}
	made, _, err := organization.Invite(ctx, c.DB, c.Target.Org, c.Principal.Role(c.Target.Org), c.Principal.Person,
		in.Email, role, announce, bases...)
	if err != nil {
		return Invitation{}, err
	}
	return invitation(made), nil
})

func loseToInvited(_ context.Context, p *Prospect) (string, error) {
	var in struct {
		Email string            `json:"email"`
		Role  organization.Role `json:"role"`
	}
	if err := p.read(&in); err != nil {
		return "", err
	}
	return fmt.Sprintf("This invites %s to the organization with the role %s.", in.Email,
		cmp.Or(in.Role, organization.Viewer)), nil
}

// RevokeInvitation revokes an invitation.
var RevokeInvitation = New(Def{
	Name:    "revoke_invitation",
	Method:  "DELETE",
	Path:    "/orgs/{orgId}/invitations/{invitationId}",
	Title:   "Revoke invitation",
	Summary: "Revoke a pending invitation.",
	Description: "Its link stops working at once. Returns the id in deleted. For somebody who has joined, use " +
		"remove_member.",
	Scope:       authz.MembersManage,
	Destructive: true,
	Idempotent:  true,
}, func(ctx context.Context, c *Call, in struct {
	OrgIn
	InvitationID string `json:"invitationId"`
},
) (Deleted, error) {
	u, err := id.Parse(id.Invitation, in.InvitationID)
	if err != nil {
		return Deleted{}, problem.NotFound("invitation", in.InvitationID)
	}
	return Deleted{Deleted: in.InvitationID}, organization.RevokeInvitation(ctx, c.DB, c.Target.Org, u)
})
