package audit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func events(t *testing.T, database *db.DB, org uuid.UUID) []audit.Entry {
	t.Helper()
	list, err := audit.List(t.Context(), database, org, audit.Filter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAuditEventsAreImmutable(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	transactions := map[string]func(fn func(tx pgx.Tx) error) error{
		"Tx":       func(fn func(tx pgx.Tx) error) error { return db.Tx(t.Context(), org, fn) },
		"SchemaTx": func(fn func(tx pgx.Tx) error) error { return db.SchemaTx(t.Context(), org, fn) },
		"System":   func(fn func(tx pgx.Tx) error) error { return db.SystemTx(t.Context(), fn) },
	}
	for name, transaction := range transactions {
		for _, statement := range []string{
			"update rowhouse.audit_event set action = 'nothing'", "delete from rowhouse.audit_event",
			"truncate rowhouse.audit_event",
		} {
			err := transaction(func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), statement)
				return err
			})
			if !pgerror.Is(err, pgerrcode.InsufficientPrivilege) {
				t.Errorf("%s: %s: want permission denied, got %v", name, statement, err)
			}
		}
	}
	if len(events(t, db, org)) == 0 {
		t.Error("no event is left")
	}
}

func TestADetailIsBounded(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	for _, detail := range []any{
		map[string]any{"count": 20_000, "created": strings.Repeat("rec ", 200_000)}, strings.Repeat("x", 20_000),
	} {
		err := db.Tx(t.Context(), org, func(tx pgx.Tx) error {
			return audit.RecordTx(t.Context(), tx, org, &audit.Event{Action: "import_records", Detail: detail})
		})
		if err != nil {
			t.Fatal(err)
		}
		got := string(events(t, db, org)[0].Detail)
		_, object := detail.(map[string]any)
		if len(got) > 100 || !strings.Contains(got, `"omittedBytes"`) || object != strings.Contains(got, "20000") {
			t.Errorf("the detail is %.200s", got)
		}
	}
}

func TestAuditEventsAreIsolatedByOrganization(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	ours, _ := tenancytest.Org(t, db)
	theirs, _ := tenancytest.Org(t, db)
	err := db.Tx(t.Context(), ours, func(tx pgx.Tx) error {
		return audit.RecordTx(t.Context(), tx, theirs, &audit.Event{Action: "forge"})
	})
	if !pgerror.Is(err, pgerrcode.InsufficientPrivilege) {
		t.Errorf("writing into another organization's log: %v", err)
	}
	for _, e := range events(t, db, ours) {
		if e.Action == "forge" {
			t.Error("the event was written")
		}
	}
}

func TestFailedChangeRecordsNoEvent(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	before := len(events(t, db, org))
	boom := errors.New("boom")
	err := catalog.NewStore(db, catalog.Options{}).Change(t.Context(), org, func(c *catalog.Change) error {
		c.SetAuditEvent(audit.Event{Action: "create_base"})
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatal(err)
	}
	if got := len(events(t, db, org)); got != before {
		t.Errorf("%d events after a change that failed, %d before", got, before)
	}
}

func TestSchemaChangeWithoutEventIsRefused(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	err := catalog.NewStore(db, catalog.Options{}).Change(t.Context(), org, func(*catalog.Change) error { return nil })
	if err == nil {
		t.Error("it was committed")
	}
}
