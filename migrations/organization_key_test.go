package migrations_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// counts returns how many records and writes the present binary sees in a table.
func counts(t *testing.T, database *db.DB, org uuid.UUID, number int) (records, writes int) {
	t.Helper()
	err := database.Batch(t.Context(), org, func(b *pgx.Batch) {
		b.Queue("select sum(records), sum(writes) from "+schema.CountRelation(org)+" where table_number = $1", number).
			QueryRow(func(row pgx.Row) error { return row.Scan(&records, &writes) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return records, writes
}

// While the binary before migration 21 is running beside the present one, both enter the same
// organizations, and each sees the records that the other counts. Contract ends that.
func TestFormerBinaryRunsUntilContract(t *testing.T) {
	t.Parallel()
	h := newOlderDatabase(t, 20)
	older := h.connect(t, "rowhouse_app")
	o, empty := h.org(t), h.org(t)
	number := h.table(t, o, "Table")
	write := func(in olderOrg, table int) {
		t.Helper()
		execute(t, older, in.enter())
		_, err := older.Exec(t.Context(),
			`insert into rowhouse.record_count as c (org_id, table_number, slot, records, writes)
			values ($1, $2, 3, 10, 1) on conflict (org_id, table_number, slot) do update
			set records = c.records + excluded.records, writes = c.writes + 1`, in.id, table)
		if err != nil {
			t.Fatal(err)
		}
	}
	write(o, number)
	h.up(t)
	database := h.open(t)
	if records, writes := counts(t, database, o.id, number); records != 10 || writes != 1 {
		t.Errorf("%d records and %d writes were adopted", records, writes)
	}
	write(o, number)
	if records, writes := counts(t, database, o.id, number); records != 20 || writes != 2 {
		t.Errorf("%d records and %d writes after a write of the former binary", records, writes)
	}
	err := database.Batch(t.Context(), o.id, func(b *pgx.Batch) {
		b.Queue("insert into "+schema.CountRelation(o.id)+" values ($1, 3, 5, 1)", number)
	})
	if err != nil {
		t.Fatal(err)
	}
	var records, writes int
	err = older.QueryRow(t.Context(), `select sum(records), sum(writes) from rowhouse.record_count
		where table_number = $1`, number).
		Scan(&records, &writes)
	if err != nil || records != 25 || writes != 3 {
		t.Errorf("the former binary sees %d records and %d writes, %v", records, writes, err)
	}
	// The former binary creates an organization's first table, and an organization.
	made := h.org(t)
	for _, in := range []olderOrg{empty, made} {
		table := h.table(t, in, "Later")
		write(in, table)
		if records, _ := counts(t, database, in.id, table); records != 10 {
			t.Errorf("%d records in a table that the former binary created", records)
		}
	}

	if added, err := database.AddMissingKeys(t.Context()); err != nil || added != 0 { // all were entered above
		t.Fatalf("%d keys added, %v", added, err)
	}
	never := h.org(t)
	if added, err := database.AddMissingKeys(t.Context()); err != nil || added != 1 {
		t.Fatalf("%d keys added, %v", added, err)
	}
	for range 2 {
		if err := migrations.Contract(t.Context(), h.url); err != nil {
			t.Fatal(err)
		}
		h.up(t)
	}
	if found, total := h.policies(t, "gate.admit"); found != total || total != 9 {
		t.Errorf("%d of %d policies compare the key", found, total)
	}
	execute(t, older, o.enter())
	var seen int
	if err := older.QueryRow(
		t.Context(), "select count(*) from rowhouse.data_table",
	).Scan(&seen); err != nil || seen != 0 {
		t.Errorf("by its id alone, an organization shows %d tables, %v", seen, err)
	}
	if _, err := older.Exec(t.Context(), "select from "+schema.CountRelation(o.id)); !pgerror.Is(err, "RH020") {
		t.Errorf("by its id alone, the counts of an organization answer %v", err)
	}
	if records, writes := counts(t, database, o.id, number); records != 25 || writes != 3 {
		t.Errorf("%d records and %d writes at the end", records, writes)
	}
	if snapshot, err := schema.NewStore(database).Fresh(t.Context(), never.id); err != nil || len(snapshot.Bases) != 1 {
		t.Errorf("the organization that was never entered: %v", err)
	}
	if err := database.CheckIsolation(t.Context()); err != nil {
		t.Error(err)
	}
}

// Another SECRET_KEY is reported at start, and does not show as missing rows.
func TestWrongSecretKeyIsReported(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	for i, secret := range []string{tenancytest.Secret, "another secret of more than 32 bytes"} {
		database, err := db.Open(t.Context(), url, db.Options{MaxConns: 3, Secrets: [][]byte{[]byte(secret)}})
		if err != nil {
			t.Fatal(err)
		}
		err = database.CheckIsolation(t.Context())
		database.Close()
		if failed := err != nil; failed != (i == 1) {
			t.Errorf("secret %d: %v", i, err)
		}
	}
}
