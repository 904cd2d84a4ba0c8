package history_test

import (
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A page does not read the whole log for each change set, even before PostgreSQL has statistics of it.
func TestAPageOfChangeSetsReadsLittleOfTheLog(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Trees")
	w.create(table, tenancytest.Person(t, w.db), `{"Name":"Oak"}`)
	admin := tenancytest.Admin(t)
	const entries = 40_000
	// One change set for each, a millisecond after the other.
	_, err := admin.Exec(t.Context(), `insert into `+changelog.Relation(w.org)+`
			(number, change_set, person, table_number, kind, credential, records, previous, before)
		select n.number,
			(lpad(to_hex(n.number / 1000), 12, '0') || '7000800000000000' || lpad(to_hex(i % 65536), 4, '0'))::uuid,
			$1, $2, 2, 'ses_a', array[gen_random_uuid()], array[n.number - 1], '[{"f_1": "what stood there"}]'
		from generate_series(1, $3::bigint) i cross join lateral (select $4::bigint + i * 1000 as number) n`,
		w.owner, table.Number, entries, time.Now().Add(-time.Minute).UnixMicro())
	w.must(err)
	blocks := func() (size, read int64) {
		w.must(admin.QueryRow(t.Context(), `select sum(pg_relation_size(relid) / 8192),
			sum(heap_blks_read + heap_blks_hit) from pg_statio_all_tables where schemaname = $1 and
			relname like 'change\_2%'`, organization.SchemaName(w.org)).Scan(&size, &read))
		return size, read
	}
	cursor := ""
	for page := range 3 {
		size, before := blocks()
		// What a connection has read is known when it has ended.
		own, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{Secrets: tenancytest.Secrets()})
		w.must(err)
		got, err := history.OfBase(t.Context(), own, w.fresh(), w.base, history.BaseRequest{Limit: 100, Cursor: cursor})
		own.Close()
		w.must(err)
		if len(got.Sets) != 100 || len(got.Sets[50].Tables) != 1 || got.Sets[50].Tables[0].Updated != 1 {
			t.Fatalf("the page has %d change sets, with %+v", len(got.Sets), got.Sets)
		}
		cursor = got.Cursor
		time.Sleep(200 * time.Millisecond)
		if _, after := blocks(); after-before > 5*size {
			t.Errorf("page %d has read %d blocks of a log of %d", page, after-before, size)
		} else {
			t.Logf("page %d: %d blocks of %d", page, after-before, size)
		}
	}
}
