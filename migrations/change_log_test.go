package migrations_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// On Citus, an organization's log is on the node of its tables.
func TestLogIsOnNodeOfTables(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	database, err := db.Open(t.Context(), url, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 6})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	if !database.Distributed() {
		t.Skip("one node")
	}
	store := catalog.NewStore(database, catalog.Options{})
	org, _ := tenancytest.Org(t, database)
	empty, _ := tenancytest.Org(t, database)
	base, err := store.CreateBase(t.Context(), org, uuid.Nil, "Base")
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.CreateTable(t.Context(), org, base.ID, "Table",
		[]catalog.FieldSpec{{Name: "Name", Type: schema.Text}})
	if err != nil {
		t.Fatal(err)
	}
	checkNodes(t, url, org)
	checkNodes(t, url, empty)
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
