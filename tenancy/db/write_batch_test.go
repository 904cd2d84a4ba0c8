package db_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestAWriteWithoutAVersionCheckIsNotSent(t *testing.T) {
	t.Parallel()
	database := tenancytest.DB(t)
	org, person := tenancytest.Org(t, database)
	err := database.TableWrite(t.Context(), org, db.TableRef{Number: 1, Version: 1}, func(b *db.WriteBatch) {
		b.Queue("delete from rowhouse.member where person_id = $1", person)
	})
	if err == nil {
		t.Error("a write that checks no version was sent")
	}
	if members, err := organization.ListMembers(t.Context(), database, org); err != nil || len(members) != 1 {
		t.Errorf("of one member, %d are left: %v", len(members), err)
	}
}

func TestAStatementThatLeavesOutTheVersionCheckIsRefused(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a statement without the check was taken for one that changes records")
		}
	}()
	db.TableRef{Number: 1}.ChangeStatement(func(string) string { return "delete from org_" + uuid.NewString() })
}
