package catalog_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Whoever leaves an organization loses what they were given, also for the case that they come back.
func TestPermissionsForget(t *testing.T) {
	t.Parallel()
	b := setup(t)
	base, table := b.base.ID, b.table(
		t,
		"Tasks",
		catalog.FieldSpec{Name: "Name", Type: "text"},
		catalog.FieldSpec{Name: "Hours", Type: "number"},
	).ID
	person := tenancytest.Person(t, b.db)
	member := func() {
		if err := tenancytest.Join(t, b.db, b.org, person, organization.Guest); err != nil {
			t.Fatal(err)
		}
	}
	member()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	group, err := b.store.CreateGroup(t.Context(), b.org, "Clients", []uuid.UUID{person})
	must(err)
	must(b.store.SetBaseAccess(t.Context(), b.org, base, catalog.AccessPatch{Grants: []schema.Grant{
		{Person: person, Role: schema.BaseViewer}, {Group: group.ID, Role: schema.BaseCommenter},
	}}))
	only := &schema.Audience{People: []uuid.UUID{person}}
	field := b.fresh(t).Table(table).Fields[1].ID
	must(b.store.SetTablePermissions(t.Context(), b.org, table, catalog.TableRule{
		Actions: map[string]*schema.Audience{"edit": only},
		Fields:  map[uuid.UUID]catalog.FieldRule{field: {Actions: map[string]*schema.Audience{"read": only}}},
	}))
	subject := schema.Subject{Person: person, Role: organization.Guest}
	if role := b.fresh(t).RoleIn(subject, b.fresh(t).Base(base)); role != schema.BaseCommenter {
		t.Fatalf("the role is %s", role)
	}
	must(b.store.RemoveMember(t.Context(), b.org, organization.Owner, person, true))
	member()
	s := b.fresh(t)
	if role := s.RoleIn(subject, s.Base(base)); role != schema.NoRole {
		t.Errorf("who came back has the role %s", role)
	}
	if access := s.Base(base).Access; len(access.Grants) != 1 || access.Grants[0].Group != group.ID {
		t.Errorf("the grants are %v", access.Grants)
	}
	if g := s.Group(group.ID); len(g.Members) != 0 {
		t.Errorf("the group has %v", g.Members)
	}
	if p := s.Table(table).Permission; len(p.Edit.People) != 0 {
		t.Errorf("%v may edit", p.Edit.People)
	}
	if p := s.Field(field).Permission; len(p.Read.People) != 0 {
		t.Errorf("%v see the field", p.Read.People)
	}
	must(b.store.DeleteGroup(t.Context(), b.org, group.ID))
	if access := b.fresh(t).Base(base).Access; access != nil {
		t.Errorf("the deleted group has %v", access.Grants)
	}
}

// A plan says who would get what.
func TestPlanOfPermissions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	base := b.base.ID
	plans, err := plan.NewTokens(tenancytest.Secrets())
	if err != nil {
		t.Fatal(err)
	}
	planOnly := plan.Request{Only: true, Credential: "key_x"}
	person := tenancytest.Person(t, b.db)
	if err := tenancytest.Join(t, b.db, b.org, person, organization.Viewer); err != nil {
		t.Fatal(err)
	}
	restricted := true
	impact, err := b.store.Planning(plans).
		Perform(t.Context(), b.org, planOnly, func(ctx context.Context, s *catalog.Store) error {
			return s.SetBaseAccess(ctx, b.org, base, catalog.AccessPatch{Restricted: &restricted})
		})
	if err != nil {
		t.Fatal(err)
	}
	if len(impact.Losses) != 1 || !strings.Contains(impact.Losses[0].Message, "no access instead of the role viewer") {
		t.Errorf("the plan says %v", impact.Losses)
	}
	if b.fresh(t).Base(base).Access != nil {
		t.Error("the plan has changed the base")
	}
}
