package migrations_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A testDatabase belongs to one test, which may change all of it.
type testDatabase struct {
	database string
	db       *db.DB
	store    *schema.Store
}

func newTestDatabase(t *testing.T) *testDatabase {
	t.Helper()
	h := &testDatabase{database: tenancytest.FreshDatabaseURL(t)}
	var err error
	if h.db, err = db.Open(t.Context(), h.database, db.Options{MaxConns: 2}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.db.Close)
	h.store = schema.NewStore(h.db)
	return h
}

// A base is one of an organization of its own.
type base struct{ org, id uuid.UUID }

func (h *testDatabase) base(t *testing.T) base {
	t.Helper()
	org, _ := tenancytest.Org(t, h.db)
	snapshot, err := h.store.Cached(t.Context(), org)
	if err != nil {
		t.Fatal(err)
	}
	made, err := h.store.CreateBase(t.Context(), org, snapshot.Workspaces[0].ID, "Base")
	if err != nil {
		t.Fatal(err)
	}
	return base{org, made.ID}
}

// undoFrom14 undoes the migrations from 14 on, so that a test can apply them to an older database.
const undoFrom14 = "drop function gate.wall_record, gate.demand, gate.finish, gate.find, gate.find_records, gate.search_text; " +
	"alter function gate.protect rename to wall; alter function gate.protect_system rename to wall_system; " +
	"alter function gate.protect_records rename to wall_record; alter function gate.renew_policies rename to renew_walls; " +
	"alter function gate.assert rename to demand; alter function gate.raise rename to refuse; " +
	"alter function gate.complete_request rename to finish; alter function gate.publish_version rename to tell_version; " +
	"alter trigger publish_version on rowhouse.data_table rename to tell_version; " +
	"alter function gate.timestamp_text rename to moment_text; " +
	"create function gate.enter(org uuid) returns void language sql as 'select'; " +
	"create function gate.search(integer, integer[], text, bigint, uuid[], integer[], integer[]) returns uuid[] language sql as 'select null::uuid[]'; " +
	"create function gate.find(house text, table_number integer, index text, columns integer[], pattern text, most bigint, people uuid[], " +
	"user_columns integer[], links integer[]) returns tid[] language sql as 'select null::tid[]'; " +
	"create function gate.search_text(rel regclass, columns integer[]) returns text language sql as 'select null::text'; " +
	"grant create on schema gate to rowhouse_search; alter function gate.find owner to rowhouse_search; " +
	"revoke create on schema gate from rowhouse_search; " +
	"drop function gate.fold_value, gate.renew_search_indexes; drop table rowhouse.canary; " +
	"alter table rowhouse.view drop column access, drop column created_by; " +
	"alter table rowhouse.invitation drop column former_hashes; " +
	"alter table rowhouse.person drop column device_epoch; drop schema river cascade; "

// A database of a binary before migration 7 has policies in the former wording, each table in a transaction of few.
func TestOldRowSecurityPoliciesAreRewritten(t *testing.T) {
	t.Parallel()
	h := newTestDatabase(t)
	for range 2 {
		base := h.base(t)
		for i := range 3 {
			made, err := h.store.CreateTable(t.Context(), base.org, base.id, fmt.Sprint("Table ", i), []schema.FieldSpec{{Name: "Name", Type: schema.Text}})
			if err != nil {
				t.Fatal(err)
			}
			snapshot, err := h.store.Fresh(t.Context(), base.org)
			if err != nil {
				t.Fatal(err)
			}
			err = h.db.SchemaTx(t.Context(), base.org, func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), "alter policy organization on "+snapshot.Table(made.ID).Relation()+
					" using ((select current_setting('app.org_id', true)) = '"+base.org.String()+"')")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	policies := func() (former, total int, organizations int) {
		t.Helper()
		err := h.db.SystemTx(t.Context(), func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `select count(*) filter (where w.condition not like '%CASE%'), count(*),
					count(distinct substring(w.condition from '[0-9a-f]{8}-[0-9a-f-]{27}'))
				from (select pg_get_expr(p.polqual, p.polrelid) as condition from pg_policy p join pg_class c on c.oid = p.polrelid
					join pg_namespace n on n.oid = c.relnamespace where p.polname = 'organization' and n.nspname like 'org\_%') w`).
				Scan(&former, &total, &organizations)
		})
		if err != nil {
			t.Fatal(err)
		}
		return former, total, organizations
	}
	if former, total, _ := policies(); former != 6 || total != 6 {
		t.Fatalf("%d former policies of %d", former, total)
	}
	for range 2 {
		if err := migrations.Up(t.Context(), h.database); err != nil {
			t.Fatal(err)
		}
		if former, total, organizations := policies(); former != 0 || total != 6 || organizations != 2 {
			t.Fatalf("%d former policies of %d, of %d organizations", former, total, organizations)
		}
	}
	var last *uint32
	err := h.db.OwnerConn(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "select gate.renew_policies(gate.renew_policies(gate.renew_policies(0, 4), 4), 4)").Scan(&last)
	})
	if err != nil || last != nil {
		t.Errorf("two steps of four do not cover six tables: %v %v", last, err)
	}
}

// A session of before migration 14 that has looked at a search index keeps using it afterwards.
func TestOpenSessionUsesSearchIndexAfterFoldChange(t *testing.T) {
	t.Parallel()
	h := newTestDatabase(t)
	base := h.base(t)
	made, err := h.store.CreateTable(t.Context(), base.org, base.id, "Table", []schema.FieldSpec{{Name: "Name", Type: schema.Text}, {Name: "Due", Type: schema.Date}})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := h.store.Fresh(t.Context(), base.org)
	if err != nil {
		t.Fatal(err)
	}
	table := snapshot.Table(made.ID)
	const condition = "gate.fold(coalesce(f_1, '') || chr(31) || coalesce(gate.date_text(f_2), ''))"
	err = h.db.SchemaTx(t.Context(), base.org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), undoFrom14+`update rowhouse.migration set version = 13;
			create or replace function gate.fold(t text) returns text language sql immutable parallel safe
				return replace(replace(lower(t collate "und-x-icu"), 'ς', 'σ'), U&'i\0307', 'i');
			create index s_1_2 on `+table.Relation()+` using gin ((`+condition+`) public.gin_trgm_ops)`, pgx.QueryExecModeSimpleProtocol)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = h.db.OwnerConn(t.Context(), func(ctx context.Context, session *pgx.Conn) error {
		// As the search function does: for other roles the policy precedes a condition that is not leakproof.
		if _, err := session.Exec(ctx, "set enable_seqscan = off; set role rowhouse_search", pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		uses := func() {
			t.Helper()
			rows, err := session.Query(ctx, "explain select from "+table.Relation()+" where "+condition+" like '%find%'", pgx.QueryExecModeSimpleProtocol)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil || !strings.Contains(strings.Join(plan, "\n"), "s_1_2") {
				t.Errorf("the search index is not used: %v\n%s", err, strings.Join(plan, "\n"))
			}
		}
		uses()
		if err := migrations.Up(ctx, h.database); err != nil {
			return err
		}
		uses()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What the fold of before migration 14 made of a text, the present ones make of it: indexes hold it.
func TestTextFoldIsUnchanged(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	for text, folded := range map[string]string{
		"": "", "Plain ASCII, 12.5!": "plain ascii, 12.5!", "ÄÖÜ Éclair": "äöü éclair", "ΟΔΟΣ ΣΑΣ": "οδοσ σασ", "ὀδυσσεύς": "ὀδυσσεύσ",
		"İSTANBUL Iğdır": "istanbul iğdır", "I\u0307": "i", "i\u0307": "i", "ПРИВЕТ, Мир": "привет, мир", "漢字 ABC": "漢字 abc", "ǅ Ⅷ Ａ": "ǆ ⅷ ａ", "ẞß": "ßß",
		"\x7f\x01": "\x7f\x01", "\U00010400": "\U00010428",
	} {
		var former, present, value string
		err := db.SystemTx(t.Context(), func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `select replace(replace(lower(t collate "und-x-icu"), 'ς', 'σ'), U&'i\0307', 'i'), gate.fold(t), gate.fold_value(t)
				from (select $1::text as t) x`, text).Scan(&former, &present, &value)
		})
		if err != nil || former != folded || present != folded || value != folded {
			t.Errorf("%q became %q, becomes %q and as a value %q, want %q: %v", text, former, present, value, folded, err)
		}
	}
}
