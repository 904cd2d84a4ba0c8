package migrations_test

import (
	"fmt"
	"testing"

	"github.com/rowhouse/rowhouse/migrations"
)

// A log of before migration 26 gets the index on what has come and gone in place of the former one,
// unless a version of migration 22 has made it.
func TestOlderLogsAreIndexedAnew(t *testing.T) {
	t.Parallel()
	t.Run("former index", func(t *testing.T) {
		t.Parallel()
		indexAnew(t, func(*olderDatabase, string) {})
	})
	t.Run("present index", func(t *testing.T) {
		t.Parallel()
		indexAnew(t, func(h *olderDatabase, log string) {
			execute(t, h.owner, "drop index "+log[:len(log)-len("change")]+"deletion",
				"create index presence on "+log+" (table_number, kind, number) where kind in (1, 3, 5)",
				"create aggregate gate.jsonb_merge(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}')")
		})
	})
}

func indexAnew(t *testing.T, before func(h *olderDatabase, log string)) {
	t.Helper()
	h := newOlderDatabase(t, 9)
	o := h.org(t)
	h.table(t, o, "Table")
	if err := migrations.UpTo(t.Context(), h.url, 25); err != nil {
		t.Fatal(err)
	}
	execute(t, h.owner, "select gate.add_versions(0, 1)",
		fmt.Sprintf("alter table %[1]s.change no force row level security; "+
			"insert into %[1]s.change (number, change_set, table_number, kind, credential, records) "+
			"select (extract(epoch from now()) * 1000000)::bigint + n, gen_random_uuid(), 1, 1 + n %% 3, '', '{}' "+
			"from generate_series(1, 1000) n; alter table %[1]s.change force row level security", o.schema()))
	before(h, o.schema()+".change")
	for range 2 {
		h.up(t)
		var indexes, valid, former int
		if err := h.owner.QueryRow(t.Context(), `select count(*), count(*) filter (where x.indisvalid),
				count(*) filter (where pg_get_indexdef(x.indexrelid) like '%kind = 3)')
			from pg_index x join pg_class c on c.oid = x.indrelid
			where c.relnamespace = $1::regnamespace and c.relname like 'change%'
				and pg_get_indexdef(x.indexrelid) like '%kind%'`, o.schema()).
			Scan(&indexes, &valid, &former); err != nil {
			t.Fatal(err)
		}
		if indexes < 2 || valid != indexes || former != 0 { // the log, and its part of this month
			t.Errorf("%d indexes, %d of them valid, %d as before", indexes, valid, former)
		}
	}
}
