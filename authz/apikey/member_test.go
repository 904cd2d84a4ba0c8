package apikey

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// by returns the principal of a session of a member of the bundle's organization.
func (b *testBundle) by(person uuid.UUID, role organization.Role) *authz.Principal {
	return &authz.Principal{
		Kind: authz.Session, Credential: "ses_1", Person: person, Scopes: authz.AllScopes(),
		Orgs: []authz.Membership{{Org: b.org, Role: role}},
	}
}

// member adds a new person to the organization.
func (b *testBundle) member(t *testing.T, role organization.Role) uuid.UUID {
	t.Helper()
	person := tenancytest.Person(t, b.DB)
	if err := tenancytest.Join(t, b.DB, b.org, person, role); err != nil {
		t.Fatal(err)
	}
	return person
}

func TestListOrgReturnsTheKeysWithAccessToTheOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere, outsider := tenancytest.Org(t, b.DB)
	editor := b.member(t, organization.Editor)
	if err := tenancytest.Join(t, b.DB, elsewhere, editor, organization.Editor); err != nil {
		t.Fatal(err)
	}
	of := func(person, org uuid.UUID) uuid.UUID {
		key, _ := b.create(t, func(d *Draft) { d.Person, d.Org = person, org })
		return key.ID
	}
	own, wide, narrow := of(b.person, b.org), of(editor, uuid.Nil), of(editor, b.org)
	of(editor, elsewhere)
	of(outsider, uuid.Nil)
	ended, _ := b.create(t, func(d *Draft) { d.Person, d.ExpiresAt = editor, time.Now().Add(50*time.Millisecond) })
	revoked := of(editor, b.org)
	if err := b.Revoke(t.Context(), editor, revoked); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(*ended.ExpiresAt))

	listed, err := b.ListOrg(t.Context(), b.org)
	if err != nil {
		t.Fatal(err)
	}
	var ids []uuid.UUID
	for _, k := range listed {
		ids = append(ids, k.ID)
		if k.Email == "" || k.Owner == "" || k.Person != editor && k.Person != b.person {
			t.Errorf("%+v", k)
		}
	}
	if want := []uuid.UUID{narrow, wide, own}; !slices.Equal(ids, want) {
		t.Errorf("listed %v, not %v", ids, want)
	}
}

func TestAdminCanRevokeOnlyKeysNarrowedToTheOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, editor := b.member(t, organization.Admin), b.member(t, organization.Editor)
	narrow := func(person uuid.UUID) func(*Draft) { return func(d *Draft) { d.Person, d.Org = person, b.org } }
	owners, ownersSecret := b.create(t, narrow(b.person))
	editors, editorsSecret := b.create(t, narrow(editor))
	wide, wideSecret := b.create(t, func(d *Draft) { d.Person = editor })
	second := start(t, b.redisURL)
	second.accepts(t, editorsSecret)

	for name, refusal := range map[string]struct {
		org, key uuid.UUID
		kind     problem.Kind
	}{
		"an owner's key":           {b.org, owners.ID, problem.KindForbidden},
		"one that reaches further": {b.org, wide.ID, problem.KindConflict},
		"of another organization":  {uuid.New(), editors.ID, problem.KindNotFound},
		"one that is not there":    {b.org, uuid.New(), problem.KindNotFound},
	} {
		by := b.by(admin, organization.Admin)
		by.Orgs = append(by.Orgs, authz.Membership{Org: refusal.org, Role: organization.Owner})
		if err := b.RevokeInOrg(t.Context(), by, refusal.org, refusal.key); problem.KindOf(err) != refusal.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, secret := range []string{ownersSecret, editorsSecret, wideSecret} {
		second.accepts(t, secret)
	}

	if err := b.RevokeInOrg(t.Context(), b.by(admin, organization.Admin), b.org, editors.ID); err != nil {
		t.Fatal(err)
	}
	second.rejects(t, editorsSecret, "revoked")
	if err := b.RevokeInOrg(
		t.Context(), b.by(admin, organization.Admin), b.org, editors.ID,
	); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("again: %v", err)
	}
	if err := b.RevokeInOrg(t.Context(), b.by(b.person, organization.Owner), b.org, owners.ID); err != nil {
		t.Error(err)
	}
	events, err := audit.List(t.Context(), b.DB, b.org, audit.Filter{Action: "revoke_api_key", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 2 || *events[1].Person != admin || events[1].Subject != editors.PublicID() ||
		events[1].CredentialKind != string(authz.Session) {
		t.Errorf("on record: %+v", events)
	}
}
