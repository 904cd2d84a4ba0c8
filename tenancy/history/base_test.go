package history_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A page does not read the whole log for each change set, even before PostgreSQL has statistics of it.
func TestAPageOfChangeSetsReadsLittleOfTheLog(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Trees")
	w.create(table, tenancytest.Person(t, w.db), `{"Name":"Oak"}`)
	admin := tenancytest.Admin(t)
	w.fillLog(table, 40_000, time.Millisecond)
	blocks := func() (size, read int64) {
		const from = ` from pg_statio_all_tables where relname like 'change\_%' and schemaname = `
		return w.logStatistic(admin, "pg_relation_size(relid) / 8192"+from),
			w.logStatistic(admin, "heap_blks_read + heap_blks_hit"+from)
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
		updates := 0 // the others made the base and the table, at a time that is among theirs
		for i := range got.Sets {
			if tables := got.Sets[i].Tables; len(tables) == 1 && tables[0].Updated == 1 {
				updates++
			}
		}
		if len(got.Sets) != 100 || updates < 90 {
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

// logStatistic is the sum of a number over the parts of the log, or its shard on another node. sql ends before the name
// of the organization's schema.
func (w *world) logStatistic(admin *pgx.Conn, sql string) (sum int64) {
	w.Helper()
	sql = "select coalesce(sum(n), 0) from (select " + sql + "'" + organization.SchemaName(w.org) + "') x(n)"
	if w.db.Distributed() {
		sql = "select sum(result::bigint) from run_command_on_workers($$" + sql + "$$)"
	}
	w.must(admin.QueryRow(w.Context(), sql).Scan(&sum))
	return sum
}

// fillLog adds change sets of one entry each, one after the other.
func (w *world) fillLog(table *schema.Table, entries int, apart time.Duration) {
	w.Helper()
	_, err := tenancytest.Admin(w.T).Exec(w.Context(), `insert into `+changelog.Relation(w.org)+`
			(number, change_set, person, table_number, kind, credential, records, previous, before)
		select n.number,
			(lpad(to_hex(n.number / 1000), 12, '0') || '7000800000000000' || lpad(to_hex(i % 65536), 4, '0'))::uuid,
			$1, $2, 2, 'ses_a', array[gen_random_uuid()], array[n.number - 1], '[{"f_1": "what stood there"}]'
		from generate_series(1, $3::bigint) i cross join lateral (select $4::bigint + i * $5 as number) n`,
		w.owner, table.Number, entries, time.Now().Add(-time.Duration(entries+1)*apart).UnixMicro(),
		apart.Microseconds())
	w.must(err)
}

func TestChangeSetsThatAreFarApartAreListed(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Trees")
	w.create(table, tenancytest.Person(t, w.db), `{"Name":"Oak"}`)
	w.fillLog(table, 60, 11*time.Second)
	in := history.BaseRequest{Limit: 20}
	for range 3 {
		page, err := history.OfBase(t.Context(), w.db, w.fresh(), w.base, in)
		w.must(err)
		if len(page.Sets) != 20 {
			t.Fatalf("the page has %d change sets", len(page.Sets))
		}
		in.Cursor = page.Cursor
	}
	page, err := history.OfBase(t.Context(), w.db, w.fresh(), w.base, in)
	w.must(err)
	if len(page.Sets) == 0 || page.Sets[0].Tables[0].Updated != 1 {
		t.Errorf("the last page has %+v", page.Sets)
	}
}

// The index of change sets is one of blocks, which is read as a whole for each value that it is asked for.
func TestAPageOfChangeSetsReadsTheIndexOfBlocksFewTimes(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Trees")
	w.create(table, tenancytest.Person(t, w.db), `{"Name":"Oak"}`)
	w.fillLog(table, 40_000, time.Millisecond)
	admin := tenancytest.Admin(t)
	_, err := admin.Exec(t.Context(), "vacuum (analyze) "+changelog.Relation(w.org))
	w.must(err)
	reads := func() int64 {
		return w.logStatistic(admin, `idx_blks_read + idx_blks_hit from pg_statio_all_indexes
			where indexrelname like 'change\_%set\_%' and schemaname = `)
	}
	cursor := ""
	for page := range 2 {
		before := reads()
		// What a connection has read is known when it has ended.
		own, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{Secrets: tenancytest.Secrets()})
		w.must(err)
		got, err := history.OfBase(t.Context(), own, w.fresh(), w.base, history.BaseRequest{Limit: 100, Cursor: cursor})
		own.Close()
		w.must(err)
		if len(got.Sets) != 100 || len(got.Sets[99].Tables) != 1 || got.Sets[99].Tables[0].Updated != 1 {
			t.Fatalf("the page has %d change sets", len(got.Sets))
		}
		cursor = got.Cursor
		time.Sleep(200 * time.Millisecond)
		if read := reads() - before; read > 100 {
			t.Errorf("page %d has read %d blocks of the index", page, read)
		} else {
			t.Logf("page %d: %d blocks of the index", page, read)
		}
	}
}
