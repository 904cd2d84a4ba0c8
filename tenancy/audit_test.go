package tenancy_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func events(t *testing.T, db *tenancy.DB, org uuid.UUID) []tenancy.Recorded {
	t.Helper()
	list, err := db.ListEvents(t.Context(), org, tenancy.EventFilter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestNobodyChangesOrRemovesAnEvent(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	doors := map[string]func(fn func(tx pgx.Tx) error) error{
		"Within":  func(fn func(tx pgx.Tx) error) error { return db.Within(t.Context(), org, fn) },
		"Reshape": func(fn func(tx pgx.Tx) error) error { return db.Reshape(t.Context(), org, fn) },
		"System":  func(fn func(tx pgx.Tx) error) error { return db.System(t.Context(), fn) },
	}
	for name, door := range doors {
		for _, statement := range []string{
			"update rowhouse.audit_event set action = 'nothing'", "delete from rowhouse.audit_event", "truncate rowhouse.audit_event",
		} {
			err := door(func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), statement)
				return err
			})
			if !tenancy.IsSQLState(err, "42501") {
				t.Errorf("%s: %s: want permission denied, got %v", name, statement, err)
			}
		}
	}
	if len(events(t, db, org)) == 0 {
		t.Error("no event is left")
	}
}

func TestAnEventIsOfItsOrganizationAlone(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	ours, _ := tenancytest.Org(t, db)
	theirs, _ := tenancytest.Org(t, db)
	err := db.Within(t.Context(), ours, func(tx pgx.Tx) error {
		return db.SignTx(t.Context(), tx, theirs, &tenancy.Event{Action: "forge"})
	})
	if !tenancy.IsSQLState(err, "42501") {
		t.Errorf("writing into another organization's log: %v", err)
	}
	for _, e := range events(t, db, ours) {
		if e.Action == "forge" {
			t.Error("the event was written")
		}
	}
}

func TestAChangeThatFailsLeavesNoEvent(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	before := len(events(t, db, org))
	boom := errors.New("boom")
	err := schema.NewStore(db).Change(t.Context(), org, func(c *schema.Change) error {
		c.Tell(tenancy.Event{Action: "create_base"})
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatal(err)
	}
	if got := len(events(t, db, org)); got != before {
		t.Errorf("%d events after a change that failed, %d before", got, before)
	}
}

func TestAChangeOfTheSchemaThatTellsNothingIsRefused(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	err := schema.NewStore(db).Change(t.Context(), org, func(*schema.Change) error { return nil })
	if err == nil {
		t.Error("it was committed")
	}
}
