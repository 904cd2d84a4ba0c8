package tenancy_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// An invitation is worth no more than the right that it came of, so it ends when its inviter could not send it any
// more.
func TestAnInvitationEndsWithTheRightOfItsInviter(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	cases := map[string]struct {
		inviter  tenancy.Role
		invited  tenancy.Role
		change   func(org, inviter uuid.UUID) error
		survives bool
	}{
		"a removed admin's": {tenancy.Admin, tenancy.Viewer, func(org, inviter uuid.UUID) error {
			return db.RemoveMember(t.Context(), org, tenancy.Owner, inviter)
		}, false},
		"that of an admin who left": {tenancy.Admin, tenancy.Admin, func(org, inviter uuid.UUID) error {
			return db.As(tenancy.Actor{Person: inviter}).RemoveMember(t.Context(), org, tenancy.Admin, inviter)
		}, false},
		"of an owner, by one who is an admin now": {tenancy.Owner, tenancy.Owner, func(org, inviter uuid.UUID) error {
			return db.SetRole(t.Context(), org, tenancy.Owner, inviter, tenancy.Admin)
		}, false},
		"of an admin, by an owner who is an admin now": {tenancy.Owner, tenancy.Admin, func(org, inviter uuid.UUID) error {
			return db.SetRole(t.Context(), org, tenancy.Owner, inviter, tenancy.Admin)
		}, true},
		"of a viewer, by an admin who may not invite any more": {tenancy.Admin, tenancy.Viewer, func(org, inviter uuid.UUID) error {
			return db.SetRole(t.Context(), org, tenancy.Owner, inviter, tenancy.Editor)
		}, false},
		"of a viewer, by an admin who is an owner now": {tenancy.Admin, tenancy.Viewer, func(org, inviter uuid.UUID) error {
			return db.SetRole(t.Context(), org, tenancy.Owner, inviter, tenancy.Owner)
		}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			org, owner := tenancytest.Org(t, db)
			inviter := tenancytest.Person(t, db)
			if err := tenancytest.Join(t, db, org, inviter, c.inviter); err != nil {
				t.Fatal(err)
			}
			if _, _, err := db.Invite(t.Context(), org, c.inviter, inviter, "theirs@example.com", c.invited, nil); err != nil {
				t.Fatal(err)
			}
			if _, _, err := db.Invite(t.Context(), org, tenancy.Owner, owner, "another@example.com", tenancy.Owner, nil); err != nil {
				t.Fatal(err)
			}
			if err := c.change(org, inviter); err != nil {
				t.Fatal(err)
			}
			left, err := db.ListInvitations(t.Context(), org)
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
func TestNobodyInvitesAfterTheRightIsGone(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	for round := range 10 {
		org, _ := tenancytest.Org(t, db)
		admin := tenancytest.Person(t, db)
		if err := tenancytest.Join(t, db, org, admin, tenancy.Admin); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				for range 10 {
					_, _, err := db.Invite(t.Context(), org, tenancy.Admin, admin, uuid.NewString()+"@example.com", tenancy.Admin, nil)
					if err != nil && tenancy.KindOf(err) != tenancy.KindForbidden {
						t.Error(err)
					}
				}
			})
		}
		if err := db.RemoveMember(t.Context(), org, tenancy.Owner, admin); err != nil {
			t.Fatal(err)
		}
		group.Wait()
		left, err := db.ListInvitations(t.Context(), org)
		if err != nil || len(left) > 0 {
			t.Fatalf("round %d: %d invitations of somebody who was removed, %v", round, len(left), err)
		}
	}
}
