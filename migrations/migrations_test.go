package migrations_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// An olderDatabase belongs to one test. It has an earlier version, and its content is written as the
// binary of that version wrote it.
type olderDatabase struct {
	url     string
	version int32
	owner   *pgx.Conn
}

func newOlderDatabase(t *testing.T, version int32) *olderDatabase {
	t.Helper()
	h := &olderDatabase{url: tenancytest.EmptyDatabaseURL(t), version: version}
	if err := migrations.UpTo(t.Context(), h.url, version); err != nil {
		t.Fatal(err)
	}
	h.owner = h.connect(t, "rowhouse_owner")
	return h
}

// connect opens a session of one role.
func (h *olderDatabase) connect(t *testing.T, role string) *pgx.Conn {
	t.Helper()
	url := h.url
	if role == "rowhouse_app" {
		url = tenancytest.LoginURL(t, url, migrations.Request)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	execute(t, conn, "set role "+role)
	return conn
}

func execute(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// An olderOrg is an organization with a base.
type olderOrg struct{ id, base uuid.UUID }

func (o olderOrg) schema() string { return organization.SchemaName(o.id) }

func (o olderOrg) enter() string {
	return "select set_config('app.org_id', '" + o.id.String() + "', false)"
}

func (h *olderDatabase) org(t *testing.T) olderOrg {
	t.Helper()
	o, workspace := olderOrg{id.New(), id.New()}, id.New()
	execute(t, h.owner, "begin", o.enter(),
		fmt.Sprintf("insert into rowhouse.organization (org_id, name) values ('%s', 'Older')", o.id),
		fmt.Sprintf(`insert into rowhouse.workspace (org_id, id, name, color, is_default, position)
			values ('%s', '%s', 'Workspace', 'blue', true, 1)`, o.id, workspace),
		fmt.Sprintf(`insert into rowhouse.base (org_id, id, workspace_id, name, position)
			values ('%s', '%s', '%s', 'Base', 1)`, o.id, o.base, workspace),
		"create schema "+o.schema(), "grant usage on schema "+o.schema()+" to public", "commit")
	return o
}

// table creates a table with a text field and a date field and returns its number.
func (h *olderDatabase) table(t *testing.T, o olderOrg, name string) int {
	t.Helper()
	protect := "gate.wall_record"
	if h.version >= 20 {
		protect = "gate.protect_records"
	}
	execute(t, h.owner, "begin", o.enter())
	var number int
	err := h.owner.QueryRow(
		t.Context(),
		`insert into rowhouse.data_table (org_id, id, base_id, number, name, position, version)
		values ($1, $2, $3, nextval('rowhouse.next_table'), $4, 1, 7) returning number`, o.id, id.New(), o.base, name,
	).Scan(&number)
	if err != nil {
		t.Fatal(err)
	}
	relation := o.schema() + ".t_" + strconv.Itoa(number)
	execute(t, h.owner, "create table "+relation+` (id uuid primary key, created_at timestamptz not null default now(),
			updated_at timestamptz not null default now(), created_by uuid, updated_by uuid, f_1 text, f_2 date)`,
		fmt.Sprintf("select %s('%s', '%s')", protect, relation, o.id), "commit")
	return number
}

func (h *olderDatabase) up(t *testing.T) {
	t.Helper()
	if err := migrations.Up(t.Context(), h.url); err != nil {
		t.Fatal(err)
	}
}

// open opens the database with the present binary's connections.
func (h *olderDatabase) open(t *testing.T) *db.DB {
	t.Helper()
	database, err := db.Open(t.Context(), h.url, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	return database
}

// policies counts the policies of record tables whose condition contains a text, and all of them.
func (h *olderDatabase) policies(t *testing.T, text string) (found, total int) {
	t.Helper()
	err := h.owner.QueryRow(t.Context(),
		`select count(*) filter (where strpos(pg_get_expr(p.polqual, p.polrelid), $1) > 0), count(*)
		from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
		where p.polname = 'organization' and n.nspname like 'org\_%'`, text).Scan(&found, &total)
	if err != nil {
		t.Fatal(err)
	}
	return found, total
}

// A database of before migration 7 has policies in the former wording. Each is rewritten in a
// transaction of its own.
func TestOldRowSecurityPoliciesAreRewritten(t *testing.T) {
	t.Parallel()
	h := newOlderDatabase(t, 6)
	for range 2 {
		o := h.org(t)
		for i := range 3 {
			h.table(t, o, fmt.Sprint("Table ", i))
		}
	}
	if found, total := h.policies(t, "CASE"); found != 0 || total != 6 {
		t.Fatalf("%d present policies of %d", found, total)
	}
	for range 2 {
		h.up(t)
		if found, total := h.policies(t,
			"CASE"); found != 10 || total != 10 { // with the counts and the logs of two organizations
			t.Fatalf("%d present policies of %d", found, total)
		}
	}
}

// What the fold of before migration 14 made of a text, the present ones make of it: indexes hold it.
func TestTextFoldIsUnchanged(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	for text, folded := range map[string]string{
		"":                   "",
		"Plain ASCII, 12.5!": "plain ascii, 12.5!",
		"ÄÖÜ Éclair":         "äöü éclair",
		"ΟΔΟΣ ΣΑΣ":           "οδοσ σασ",
		"ὀδυσσεύς":           "ὀδυσσεύσ",
		"İSTANBUL Iğdır":     "istanbul iğdır",
		"I\u0307":            "i",
		"i\u0307":            "i",
		"ПРИВЕТ, Мир":        "привет, мир",
		"漢字 ABC":             "漢字 abc",
		"ǅ Ⅷ Ａ":              "ǆ ⅷ ａ",
		"ẞß":                 "ßß",
		"\x7f\x01":           "\x7f\x01",
		"\U00010400":         "\U00010428",
	} {
		var former, present, value string
		err := db.SystemTx(t.Context(), func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `select replace(replace(lower(t collate "und-x-icu"), 'ς', 'σ'), U&'i\0307',
				'i'), gate.fold(t), gate.fold_value(t)
				from (select $1::text as t) x`, text).Scan(&former, &present, &value)
		})
		if err != nil || former != folded || present != folded || value != folded {
			t.Errorf("%q became %q, becomes %q and as a value %q, want %q: %v",
				text, former, present, value, folded, err)
		}
	}
}

// Search indexes of before migration 45 hold accents, and those in the order of texts depend on the version of the
// library that orders them: what is stale goes, once, and is built anew when it is used.
func TestStaleIndexesAreDropped(t *testing.T) {
	t.Parallel()
	h := newOlderDatabase(t, 20)
	o := h.org(t)
	relation := o.schema() + ".t_" + strconv.Itoa(h.table(t, o, "Table"))
	search := func(fold string) string {
		return "create index s_1_1 on " + relation + " using gin ((" + fold +
			"(coalesce(f_1, ''))) public.gin_trgm_ops)"
	}
	expect := func(want string) {
		t.Helper()
		var have string
		err := h.owner.QueryRow(t.Context(), `select coalesce(string_agg(relname, ' ' order by relname), '')
			from pg_class where relkind = 'i' and relname ~ '^[is]_' and relnamespace = $1::regnamespace`,
			o.schema()).Scan(&have)
		if err != nil || have != want {
			t.Errorf("the indexes are %q, want %q: %v", have, want, err)
		}
	}
	execute(t, h.owner, search("gate.fold"), "create index i_2a on "+relation+" (f_2, id)")
	h.up(t)
	expect("i_2a")
	ordered := "create index i_1a on " + relation + " (f_1 collate gate.natural_order, id)"
	execute(t, h.owner, search("gate.search_fold"), ordered)
	h.up(t)
	expect("i_1a i_2a s_1_1")
	execute(t, connectURL(t, tenancytest.AdminURLOf(t, h.url)),
		"update pg_collation set collversion = 'former' where collname = 'natural_order'")
	h.up(t)
	expect("i_2a s_1_1")
	execute(t, h.owner, ordered, "comment on function gate.search_fold(text) is 'former'")
	h.up(t)
	expect("i_1a i_2a")
}
