package account_test

import (
	"testing"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// A session that is named by its id ends as the session does.
func TestResolveEndsWithTheSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	session := b.signedIn(t, br)
	holder := session.Principal().Holder()
	if p, err := b.Resolve(t.Context(), holder); err != nil || p.Person != person || p.Kind != authz.Session {
		t.Fatal(p, err)
	}
	if err := b.EndSession(t.Context(), person, session.ID); err != nil {
		t.Fatal(err)
	}
	if p, err := b.Resolve(t.Context(), holder); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("it resolves to %v, %v", p, err)
	}
}
