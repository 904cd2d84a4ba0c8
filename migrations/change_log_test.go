package migrations_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// An organization of before migration 22 gets its log, on Citus on the node of its tables.
func TestOrganizationsGetTheirLog(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	database, err := db.Open(t.Context(), url, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 6})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	store := schema.NewStore(database)
	org, person := tenancytest.Org(t, database)
	empty, _ := tenancytest.Org(t, database)
	base, err := store.CreateBase(t.Context(), org, uuid.Nil, "Base")
	if err != nil {
		t.Fatal(err)
	}
	table, err := store.CreateTable(t.Context(), org, base.ID, "Table", []schema.FieldSpec{{
		Name: "Name",
		Type: schema.Text,
	}})
	if err != nil {
		t.Fatal(err)
	}
	err = database.OwnerConn(t.Context(), func(_ context.Context, conn *pgx.Conn) error {
		execute(t, conn, "drop table "+changelog.Relation(org), "drop table if exists "+changelog.Relation(empty),
			"alter table "+table.Relation()+" drop column version")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	if err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	engine, actor := record.New(database, store), record.Actor{Org: org, Person: person}
	_, err = engine.Create(t.Context(), actor, table.ID, record.Creation{
		Records: []jsonvalue.ParsedObject{jsonvaluetest.ParseObject([]byte(`{"Name":"a"}`))},
	})
	if err != nil {
		t.Fatal(err)
	}
	if entries := entriesOf(t, database, org); entries != 1 {
		t.Errorf("%d entries in the log after a write", entries)
	}
	err = database.SchemaTx(t.Context(), org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "delete from "+changelog.Relation(org)+" where number < $1", int64(1)<<62)
		return err
	})
	if entries := entriesOf(t, database, org); err != nil || entries != 0 {
		t.Errorf("%d entries after the owner has deleted all, %v", entries, err)
	}
	if database.Distributed() {
		checkNodes(t, url, org)
		checkNodes(t, url, empty)
	}
}

func entriesOf(t *testing.T, database *db.DB, org uuid.UUID) (n int) {
	t.Helper()
	err := database.Batch(t.Context(), org, func(b *pgx.Batch) {
		b.Queue("select count(*) from " + changelog.Relation(org)).
			QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// checkNodes fails unless an organization has its log on the one node of all its tables, with the
// policy that is evaluated once per query.
func checkNodes(t *testing.T, url string, org uuid.UUID) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), tenancytest.AdminURLOf(t, url))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	var logs, nodes int
	err = conn.QueryRow(t.Context(), `select count(*) filter (where table_name = to_regclass($1 || '.change')),
		count(distinct nodeport) from citus_shards where table_name::text like $1 || '.%'`,
		organization.SchemaName(org)).Scan(&logs, &nodes)
	if err != nil || logs != 1 || nodes != 1 {
		t.Errorf("%d logs of the organization, whose tables are on %d nodes, %v", logs, nodes, err)
	}
	var sharp string
	err = conn.QueryRow(t.Context(), `select r.result from run_command_on_shards($1, $$select c.relforcerowsecurity
		and pg_get_expr(p.polqual, p.polrelid) ~ 'SELECT\s+CASE\s+WHEN .sha256' from pg_class c
		join pg_policy p on p.polrelid = c.oid where c.oid = '%s'::regclass$$) r`, changelog.Relation(org)).Scan(&sharp)
	if err != nil || sharp != "t" {
		t.Errorf("the policy of the log's shard: %s, %v", sharp, err)
	}
}
