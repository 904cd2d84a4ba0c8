package migrations_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

//go:embed testdata/former.sql
var former string

//go:embed testdata/structure.sql
var structure string

func execute(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// owner connects to a database as its owner.
func owner(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn := connectURL(t, tenancytest.LoginURL(t, url, migrations.Schema))
	execute(t, conn, "set role rowhouse_owner")
	return conn
}

func up(t *testing.T, url string) {
	t.Helper()
	if err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
}

// describe lists every table, column, constraint, index, policy, trigger, function and right.
func describe(t *testing.T, url string) map[string]bool {
	t.Helper()
	rows, err := connectURL(t, tenancytest.AdminURLOf(t, url)).Query(t.Context(), structure)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, line := range lines {
		all[line] = true
	}
	return all
}

// A database that was migrated has what schema.sql and the functions make, and nothing else. Its
// data stays.
func TestMigratedDatabaseEqualsNewOne(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	fresh := describe(t, url)
	if len(fresh) < 1000 {
		t.Fatalf("the structure has %d lines", len(fresh))
	}
	database, err := db.Open(t.Context(), url, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	if database.Distributed() {
		t.Skip("no database on Citus is older than schema.sql")
	}
	org, _ := tenancytest.Org(t, database)
	base, err := catalog.NewStore(database, catalog.Options{}).CreateBase(t.Context(), org, uuid.Nil, "Base")
	if err != nil {
		t.Fatal(err)
	}
	execute(t, connectURL(t, tenancytest.AdminURLOf(t, url)), former)
	if pending, err := migrations.Pending(t.Context(), url); err != nil || pending < 1 {
		t.Errorf("%d migrations are pending, %v", pending, err)
	}
	for range 2 {
		up(t, url)
		migrated := describe(t, url)
		for line := range fresh {
			if !migrated[line] {
				t.Errorf("a migrated database lacks %s", line)
			}
		}
		for line := range migrated {
			if !fresh[line] {
				t.Errorf("a migrated database also has %s", line)
			}
		}
	}
	if pending, err := migrations.Pending(t.Context(), url); err != nil || pending != 0 {
		t.Errorf("%d migrations are pending, %v", pending, err)
	}
	snapshot, err := catalog.NewStore(database, catalog.Options{}).Fresh(t.Context(), org)
	if err != nil || snapshot.Base(base.ID) == nil {
		t.Errorf("the base is gone: %v", err)
	}
}

// What is too old is refused, and nothing of it changes.
func TestOlderDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"version": "update rowhouse.migration set version = 37",
		"by id":   "create or replace function gate.admits_id() returns boolean language sql immutable return true",
	} {
		url := tenancytest.FreshDatabaseURL(t)
		execute(t, connectURL(t, tenancytest.AdminURLOf(t, url)), former, statement)
		before := describe(t, url)
		if err := migrations.Up(t.Context(), url); err == nil || !strings.Contains(err.Error(), "from 38 on") {
			t.Errorf("%s: %v", name, err)
		}
		if after := describe(t, url); fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%s: the database has changed", name)
		}
	}
}

// A process of an earlier release may start, and migrate, when a later one has migrated the database.
func TestLaterDatabaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	execute(
		t,
		owner(t, url),
		"update rowhouse.schema_version set version = version + 1",
		"comment on schema gate is 'later'",
	)
	if pending, err := migrations.Pending(t.Context(), url); err != nil || pending != -1 {
		t.Errorf("%d migrations are pending, %v", pending, err)
	}
	before := describe(t, url)
	if err := migrations.Up(t.Context(), url); err == nil {
		t.Error("a later database was migrated")
	}
	if after := describe(t, url); fmt.Sprint(before) != fmt.Sprint(after) {
		t.Error("a later database was changed")
	}
}

// Indexes hold what fold returns, so it returns the same forever.
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

// Search indexes depend on how a text is folded, and those in the order of texts on the version of the
// library that orders them. An index that is out of date is dropped once, and built again when it is used.
func TestStaleIndexesAreDropped(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	database, err := db.Open(t.Context(), url, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	store := catalog.NewStore(database, catalog.Options{})
	org, _ := tenancytest.Org(t, database)
	base, err := store.CreateBase(t.Context(), org, uuid.Nil, "Base")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.CreateTable(t.Context(), org, base.ID, "Table", []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text}, {Name: "Day", Type: schema.Date},
	}); err != nil {
		t.Fatal(err)
	}
	snapshot, err := store.Fresh(t.Context(), org)
	if err != nil {
		t.Fatal(err)
	}
	table := snapshot.Base(base.ID).Tables[0]
	conn := owner(t, url)
	name, day := table.Fields[0].Column(), table.Fields[1].Column()
	search := "create index s_1_1 on " + table.Relation() + " using gin ((gate.search_fold(coalesce(" + name +
		", ''))) public.gin_trgm_ops)"
	expect := func(want string) {
		t.Helper()
		var have string
		err := conn.QueryRow(t.Context(), `select coalesce(string_agg(relname, ' ' order by relname), '')
			from pg_class where relkind = 'i' and relname ~ '^[is]_' and relnamespace = $1::regnamespace`,
			organization.SchemaName(org)).Scan(&have)
		if err != nil || have != want {
			t.Errorf("the indexes are %q, want %q: %v", have, want, err)
		}
	}
	ordered := "create index i_1a on " + table.Relation() + " (" + name + " collate gate.natural_order, id)"
	execute(t, conn, search, "create index i_2a on "+table.Relation()+" ("+day+", id)", ordered)
	up(t, url)
	expect("i_1a i_2a s_1_1")
	execute(t, connectURL(t, tenancytest.AdminURLOf(t, url)),
		"update pg_collation set collversion = 'former' where collname = 'natural_order'")
	up(t, url)
	expect("i_2a s_1_1")
	execute(t, conn, ordered, "comment on function gate.search_fold(text) is 'former'")
	up(t, url)
	expect("i_1a i_2a")
}
