package history_test

import (
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestADeletedOrganizationIsPurgedAfterItsTime(t *testing.T) {
	t.Parallel()
	b := setupTrash(t)
	b.table(t, "Rows")
	org := b.actor.Org
	if err := organization.Delete(t.Context(), b.DB, org, b.actor.Person); err != nil {
		t.Fatal(err)
	}
	for _, age := range []string{"29 days", "31 days"} {
		_, err := tenancytest.Admin(t).Exec(t.Context(), "update rowhouse.deleted_organization "+
			"set deleted_at = now() - $2::interval where org_id = $1", org, age)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.PurgeDeletedOrgs(t.Context()); err != nil {
			t.Fatal(err)
		}
		left, err := organization.Deleted(t.Context(), b.DB, b.actor.Person)
		if err != nil || len(left) != map[string]int{"29 days": 1, "31 days": 0}[age] {
			t.Errorf("after %s %v is left, %v", age, left, err)
		}
	}
	if err := organization.Restore(t.Context(), b.DB, org); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("it was restored: %v", err)
	}
	if err := organization.Purge(t.Context(), b.DB, org, 0); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("it was purged again: %v", err)
	}
}
