package db_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// catalogue runs a query over the database's own catalogue, in a database that holds one table of
// every kind, and returns the rows as lines of text.
func catalogue(t *testing.T, sql string) []string {
	t.Helper()
	db := tenancytest.DB(t)
	store := catalog.NewStore(db, catalog.Options{})
	org, _ := tenancytest.Org(t, db)
	base, err := store.CreateBase(t.Context(), org, uuid.Nil, "Walls")
	if err != nil {
		t.Fatal(err)
	}
	table, err := store.CreateTable(t.Context(), org, base.ID, "Linked", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.CreateField(t.Context(), org, table.ID, catalog.FieldSpec{
		Name: "Self", Type: schema.LinkType, Config: json.RawMessage(`{"linkedTableId":"` + table.PublicID() + `"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), tenancytest.DatabaseURL(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// ours restricts a query with pg_class c and pg_namespace n to the product's own tables.
const ours = " c.relnamespace = n.oid and (n.nspname in ('rowhouse', 'gate', 'river') or n.nspname like 'org\\_%') " +
	"and c.relkind in ('r', 'p') "

func TestEveryTableForcesRowLevelSecurity(t *testing.T) {
	t.Parallel()
	open := catalogue(t, `select n.nspname || '.' || c.relname from pg_class c, pg_namespace n
		where `+ours+` and not (c.relrowsecurity and c.relforcerowsecurity)
		and c.relname not in ('schema_version')`) // one number, which only the owner reads
	if len(open) > 0 {
		t.Errorf("without forced row-level security: %v", open)
	}
}

func TestOnlyGeneratedPoliciesExist(t *testing.T) {
	t.Parallel()
	const record = `(gate.admit('\x<hash>'::bytea) AND (( SELECT CASE WHEN ` +
		`(sha256(convert_to(current_setting('app.key'::text, true), 'UTF8'::name)) = '\x<hash>'::bytea) ` +
		`THEN 1 ELSE NULL::integer END AS "case") <> 0))`
	tableRecord := record
	if tenancytest.DB(t).Distributed() { // the shard has the sub-select
		tableRecord = strings.NewReplacer("( SELECT CASE", " CASE", ` AS "case")`, "").Replace(record)
	}
	for _, line := range catalogue(t, `select distinct p.polname || ' on ' ||
			case when n.nspname in ('rowhouse', 'river') then c.relname when n.nspname = 'worker'
				then 'worker.' || c.relname else 'a record table' end || ' to ' ||
			coalesce((select string_agg(r.rolname, ',' order by r.rolname) from pg_roles r
			where r.oid = any (p.polroles)), 'everybody') || ': ' ||
			regexp_replace(case when p.polqual is null then 'no condition'
				else coalesce(pg_get_expr(p.polqual, p.polrelid), 'dropped meanwhile') end, '[0-9a-f]{64}',
				'<hash>', 'g')
			|| coalesce(' check ' || pg_get_expr(p.polwithcheck, p.polrelid), '')
			|| case when p.polname = 'deleted' and p.polpermissive then ' permissive' else '' end
		from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace`) {
		line = strings.Join(strings.Fields(line), " ")
		name, rest, _ := strings.Cut(line, " on ")
		object, rest, _ := strings.Cut(rest, " to ")
		role, text, _ := strings.Cut(rest, ": ")
		const metadata = "(org_id = ( SELECT gate.organization() AS organization))"
		const canary = "((org_id)::text = current_setting('app.org_id'::text, true))" // on a worker of Citus
		var valid bool
		switch name {
		case "organization":
			valid = role == "rowhouse_app,rowhouse_owner" && (text == metadata ||
				object == "a record table" && text == tableRecord || object == "worker.canary" && text == canary)
		case "search":
			valid = role == "rowhouse_search" &&
				(object == "a record table" && text == "true" || object == "data_table" && text == metadata)
		case "owner":
			valid = role == "rowhouse_owner" && (object == "organization_key" || object == "number_secret") &&
				text == "true"
		case "system":
			valid = role == "rowhouse_system" && object != "a record table" && text == "true"
		case "deleted": // restrictive: it only takes rows away
			valid = role == "rowhouse_app,rowhouse_system" && text == "(NOT (EXISTS ( SELECT "+
				"FROM rowhouse.deleted_organization d WHERE (d.org_id = "+object+".org_id))))"
		case "fellow_member":
			valid = object == "person"
		case "attempt":
			valid = object == "idempotency" &&
				strings.Contains(text, "attempt = ( SELECT (NULLIF(current_setting('app.attempt'")
		}
		if !valid && !strings.Contains(text, "dropped meanwhile") {
			t.Errorf("unknown policy: %s", line)
		}
	}
}

func TestEveryTenantKeyBeginsWithTheOrganization(t *testing.T) {
	t.Parallel()
	// RLS does not hide a collision in a unique key, nor a row that a foreign key finds.
	wrong := catalogue(t, `select n.nspname || '.' || c.relname || ' ' || i.relname
		from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid, pg_namespace n
		where `+ours+` and n.nspname = 'rowhouse' and x.indisunique
			and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id'
			and not a.attisdropped)
			and (select attname from pg_attribute a where a.attrelid = c.oid and a.attnum = x.indkey[0]) is distinct
			from 'org_id'
		union all
		select n.nspname || '.' || c.relname || ' ' || k.conname
		from pg_constraint k join pg_class c on c.oid = k.conrelid, pg_namespace n
		where `+ours+` and n.nspname = 'rowhouse' and k.contype = 'f'
			and exists (select from pg_attribute a where a.attrelid = k.confrelid and a.attname = 'org_id'
			and not a.attisdropped)
			and (select attname from pg_attribute a where a.attrelid = c.oid and a.attnum = k.conkey[1]) <> 'org_id'`)
	if len(wrong) > 0 {
		t.Errorf("keys that org_id does not lead: %v", wrong)
	}
}

func TestRolesHaveNoExtraPrivileges(t *testing.T) {
	t.Parallel()
	entered := "rolcanlogin"
	// Nodes connect to each other as these roles; nobody else can without a password.
	if tenancytest.DB(t).Distributed() {
		entered = "rolname in (" + passwords(t) + ")"
	}
	wrong := catalogue(t, `select rolname from pg_roles where rolname like 'rowhouse\_%'
		and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
			or (`+entered+` and rolname in ('rowhouse_app', 'rowhouse_owner', 'rowhouse_system', 'rowhouse_search'))
			or (rolcanlogin and rolinherit))
		and rolname !~ '_sql_(creator|[0-9a-f]{16})$'`)
	if len(wrong) > 0 {
		t.Errorf("roles with too much power: %v", wrong)
	}
	// One role creates the logins of bases, which inherit the right to connect.
	wrong = catalogue(t, `select rolname from pg_roles r where rolname ~
		'^rowhouse_.*_sql_(creator|[0-9a-f]{16})$' and (
		rolsuper or rolbypassrls or rolcreatedb or rolreplication or rolcanlogin = (rolname ~ '_creator$')
		or rolcreaterole <> (rolname ~ '_creator$')
		or exists (select from pg_auth_members m where m.roleid = r.oid)
		or exists (select from pg_auth_members m join pg_roles g on g.oid = m.roleid
			where m.member = r.oid and g.rolname <> regexp_replace(r.rolname, '_[^_]+$', ''))
		or exists (select from pg_class c where c.relowner = r.oid))
		union all
		select g.rolname || ' may ' || a.privilege_type from pg_roles g join pg_database d on true,
			aclexplode(d.datacl) a
		where g.rolname ~ '^rowhouse_.*_sql$' and a.grantee = g.oid and a.privilege_type <> 'CONNECT'`)
	if len(wrong) > 0 {
		t.Errorf("logins of bases with too much power: %v", wrong)
	}
	owned := catalogue(t, `select n.nspname || '.' || c.relname || ' is owned by ' || r.rolname
		from pg_class c join pg_roles r on r.oid = c.relowner, pg_namespace n
		where `+ours+` and r.rolname <> 'rowhouse_owner'`)
	if len(owned) > 0 {
		t.Errorf("tables of other owners: %v", owned)
	}
	public := catalogue(t, `select n.nspname || '.' || c.relname from pg_class c, pg_namespace n, aclexplode(c.relacl) a
		where `+ours+` and a.grantee = 0`)
	if len(public) > 0 {
		t.Errorf("tables that everybody may touch: %v", public)
	}
}

// passwords lists the roles that have a password, as SQL.
func passwords(t *testing.T) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), tenancytest.AdminURL(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	var roles string
	err = conn.QueryRow(t.Context(), `select string_agg(quote_literal(rolname), ', ') from pg_authid
		where rolpassword is not null`).Scan(&roles)
	if err != nil {
		t.Fatal(err)
	}
	return roles
}

// systemTables is the short list of what may be touched before an organization is known.
var systemTables = []string{
	"api_key", "attachment", "audit_event", "base_share", "deleted_organization", "idempotency", "invitation",
	"mailed_token", "member", "oauth_assertion", "oauth_client", "oauth_consent", "oauth_device", "oauth_grant",
	"oauth_question", "oauth_signing_key", "organization", "organization_key", "person", "record_index",
	"river_job", "river_leader", "river_migration", "river_notification", "river_queue", "session", "view_share",
}

func TestSystemRoleReachesListedTablesOnly(t *testing.T) {
	t.Parallel()
	got := catalogue(t, `select distinct c.relname::text from pg_class c, pg_namespace n, aclexplode(c.relacl) a
		where `+ours+` and a.grantee = 'rowhouse_system'::regrole order by 1`)
	if !slices.Equal(got, systemTables) {
		t.Errorf("rowhouse_system may touch\n%v, the list says\n%v", got, systemTables)
	}
}

func TestOnlySystemRoleReachesJobQueue(t *testing.T) {
	t.Parallel()
	grants := catalogue(t, `select distinct what from (
			select 'schema to ' || coalesce(r.rolname, 'everybody') from pg_namespace n, aclexplode(n.nspacl) a
				left join pg_roles r on r.oid = a.grantee where n.nspname = 'river'
			union all
			select 'function to ' || coalesce(r.rolname, 'everybody') from pg_proc p
			join pg_namespace n on n.oid = p.pronamespace,
				aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a left join pg_roles r on r.oid = a.grantee
				where n.nspname = 'river'
			union all
			select 'table to ' || coalesce(r.rolname, 'everybody') from pg_class c
			join pg_namespace n on n.oid = c.relnamespace,
				aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee where n.nspname = 'river'
		) granted (what) where what not like '% to rowhouse_owner' order by 1`)
	if want := []string{
		"function to rowhouse_system", "schema to rowhouse_system", "table to rowhouse_system",
	}; !slices.Equal(grants, want) {
		t.Errorf("the queue is open for\n%v, and should be for\n%v", grants, want)
	}
}

// definers are the functions that run with the rights of their owner. Each sets its search_path and
// tests the organization.
var definers = []string{"gate.find_records", "gate.organization", "sql_login.create", "sql_login.drop"}

// classDefiners are those that give SQL of a person what they may read, in the schemas of rowhouse.sql_class.
const classDefiners = `^sql_[0-9a-f]{16}\. (copy|size) \d+$`

func TestSecurityDefinerFunctionsAreListed(t *testing.T) {
	t.Parallel()
	got := catalogue(t,
		`select distinct n.nspname || '.' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
		where p.prosecdef and n.nspname !~ '^(pg_|information_schema|org_)'
			and n.nspname || '.' || p.proname !~ '`+classDefiners+`' order by 1`)
	want := definers
	if tenancytest.DB(t).Distributed() {
		want = []string{"gate.find_record_ids", "gate.find_records", "gate.organization"}
	}
	if !slices.Equal(got, want) {
		t.Errorf("functions with their owner's rights are\n%v, the list says\n%v", got, want)
	}
	loose := catalogue(t,
		`select n.nspname || '.' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
		where p.prosecdef and not coalesce(p.proconfig::text like '%search_path=%', false)`)
	if len(loose) > 0 {
		t.Errorf("functions with their owner's rights and no search_path of their own: %v", loose)
	}
}
