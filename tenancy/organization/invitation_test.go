package organization_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func remove(ctx context.Context, database *db.DB, org uuid.UUID, by organization.Role, person uuid.UUID) error {
	return catalog.NewStore(database, catalog.Options{}).RemoveMember(ctx, org, by, person, true)
}

// An invitation is worth no more than the right that it came of, so it ends when its inviter could
// not send it any more.
func TestInvitationEndsWithInvitersRole(t *testing.T) {
	t.Parallel()
	database := tenancytest.DB(t)
	cases := map[string]struct {
		inviter  organization.Role
		invited  organization.Role
		change   func(org, inviter uuid.UUID) error
		survives bool
	}{
		"a removed admin's": {organization.Admin, organization.Viewer, func(org, inviter uuid.UUID) error {
			return remove(t.Context(), database, org, organization.Owner, inviter)
		}, false},
		"that of an admin who left": {organization.Admin, organization.Admin, func(org, inviter uuid.UUID) error {
			return remove(db.WithActor(t.Context(), db.Actor{Person: inviter}), database, org, organization.Admin,
				inviter)
		}, false},
		"of an owner, by one who is an admin now": {
			organization.Owner, organization.Owner,
			func(org, inviter uuid.UUID) error {
				return organization.SetRole(t.Context(), database, org, organization.Owner, inviter, organization.Admin)
			}, false,
		},
		"of an admin, by an owner who is an admin now": {
			organization.Owner, organization.Admin,
			func(org, inviter uuid.UUID) error {
				return organization.SetRole(t.Context(), database, org, organization.Owner, inviter, organization.Admin)
			}, true,
		},
		"of a viewer, by an admin who may not invite any " +
			"more": {organization.Admin, organization.Viewer, func(org, inviter uuid.UUID) error {
			return organization.SetRole(t.Context(), database, org, organization.Owner, inviter, organization.Editor)
		}, false},
		"of a viewer, by an admin who is an owner now": {
			organization.Admin, organization.Viewer,
			func(org, inviter uuid.UUID) error {
				return organization.SetRole(t.Context(), database, org, organization.Owner, inviter, organization.Owner)
			}, true,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			org, owner := tenancytest.Org(t, database)
			inviter := tenancytest.Person(t, database)
			if err := tenancytest.Join(t, database, org, inviter, c.inviter); err != nil {
				t.Fatal(err)
			}
			if _, _, err := organization.Invite(
				t.Context(), database, org, c.inviter, inviter, "theirs@example.com", c.invited, nil,
			); err != nil {
				t.Fatal(err)
			}
			if _, _, err := organization.Invite(
				t.Context(), database, org, organization.Owner, owner, "another@example.com", organization.Owner, nil,
			); err != nil {
				t.Fatal(err)
			}
			if err := c.change(org, inviter); err != nil {
				t.Fatal(err)
			}
			left, err := organization.ListInvitations(t.Context(), database, org)
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]bool{}
			for _, invitation := range left {
				found[invitation.Email] = true
			}
			if found["theirs@example.com"] != c.survives || !found["another@example.com"] {
				t.Errorf("left are %v", left)
			}
		})
	}
}

// The role that a request knows may be a moment old.
func TestDemotedMemberCannotInvite(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	for round := range 10 {
		org, _ := tenancytest.Org(t, db)
		admin := tenancytest.Person(t, db)
		if err := tenancytest.Join(t, db, org, admin, organization.Admin); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				for range 10 {
					_, _, err := organization.Invite(t.Context(), db, org, organization.Admin, admin,
						uuid.NewString()+"@example.com", organization.Admin, nil)
					if err != nil && problem.KindOf(err) != problem.KindForbidden {
						t.Error(err)
					}
				}
			})
		}
		if err := remove(t.Context(), db, org, organization.Owner, admin); err != nil {
			t.Fatal(err)
		}
		group.Wait()
		left, err := organization.ListInvitations(t.Context(), db, org)
		if err != nil || len(left) > 0 {
			t.Fatalf("round %d: %d invitations of somebody who was removed, %v", round, len(left), err)
		}
	}
}
