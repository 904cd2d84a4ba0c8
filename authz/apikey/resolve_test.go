package apikey

import (
	"testing"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A key that is named by its id has the rights of the present, and none once it is revoked.
func TestResolveFollowsTheRightsOfTheKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, secret := b.create(t)
	holder := b.accepts(t, secret).Holder()
	if p, err := b.Resolve(t.Context(), holder); err != nil || p.Credential != key.PublicID() || p.Person != b.person ||
		p.Role(b.org) != organization.Owner {
		t.Fatal(p, err)
	}
	b.changeRole(t, organization.Viewer)
	if p, err := b.Resolve(t.Context(), holder); err != nil || p.Role(b.org) != organization.Viewer {
		t.Fatal(p, err)
	}
	if err := b.Revoke(t.Context(), b.person, key.ID); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []authz.Holder{holder, {Credential: "key_nothing"}} {
		if p, err := b.Resolve(t.Context(), gone); problem.KindOf(err) != problem.KindUnauthenticated {
			t.Errorf("%s resolves to %v, %v", gone.Credential, p, err)
		}
	}
}
