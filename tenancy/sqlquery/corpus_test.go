package sqlquery_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The corpus of attacks: families, each a text with places in braces, multiplied by what may stand
// there. {victim} is the schema of another organization, {table} a table of it, {sibling} one of another
// base of the attacker's own organization.

func words(text string) []string { return strings.Fields(text) }

var places = map[string][]string{
	"catalogue": words(
		`pg_class pg_attribute pg_attrdef pg_constraint pg_index pg_proc pg_policy pg_policies pg_description
		pg_namespace pg_type pg_trigger pg_rewrite pg_depend pg_shdepend pg_statistic pg_stats pg_stats_ext pg_sequence
		pg_sequences pg_authid pg_auth_members pg_shadow pg_user pg_group pg_roles pg_database pg_db_role_setting
		pg_tablespace pg_event_trigger pg_extension pg_settings pg_file_settings pg_hba_file_rules pg_config pg_views
		pg_tables pg_indexes pg_matviews pg_rules pg_locks pg_stat_activity pg_stat_all_tables pg_stat_user_tables
		pg_stat_database pg_stat_replication pg_statio_all_tables pg_prepared_statements pg_prepared_xacts pg_cursors
		pg_largeobject pg_replication_slots pg_stat_statements pg_stat_ssl pg_stat_wal pg_enum pg_inherits pg_collation
		pg_timezone_names pg_available_extensions pg_backend_memory_contexts pg_shmem_allocations pg_user_mappings
		information_schema.tables information_schema.columns information_schema.views information_schema.schemata
		information_schema.table_privileges information_schema.role_table_grants information_schema.routines
		information_schema.enabled_roles`,
	),
	"look": {
		"select * from {catalogue}", "select count(*) from {catalogue}",
		"select 1 where exists (select 1 from {catalogue})",
		"with x as (select * from {catalogue}) select * from x",
		"select name from ships union all select c::text from {catalogue} c",
		"select (select string_agg(c::text, ',') from {catalogue} c)",
	},
	"function": {
		"set_config('app.org_id', '{org}', true)", "set_config('role', 'rowhouse_owner', true)",
		"set_config('statement_timeout', '0', false)", "set_config('transaction_read_only', 'off', true)",
		"current_setting('app.key')", "current_setting('app.org_id')", "current_setting('data_directory')",
		"pg_read_file('/etc/passwd')", "pg_ls_dir('.')", "pg_stat_file('.')", "pg_read_binary_file('PG_VERSION')",
		"lo_import('/etc/passwd')", "lo_create(1)", "lo_get(1)", "pg_sleep(1)", "pg_sleep_for('1 second')",
		"pg_advisory_lock(20737, 1)", "pg_advisory_xact_lock(1)", "pg_try_advisory_lock(20737, 1)",
		"pg_notify('river', 'x')", "pg_terminate_backend(1)", "pg_cancel_backend(1)", "pg_reload_conf()",
		"pg_relation_size('{table}')", "pg_total_relation_size('{table}')", "pg_database_size(1)",
		"pg_table_size('{table}')", "to_regclass('{table}')", "to_regrole('rowhouse_app')",
		"to_regnamespace('{victim}')", "to_regproc('gate.organization')",
		"query_to_xml('select * from {table}', true, false, '')", "table_to_xml('{table}', true, false, '')",
		"database_to_xml(true, false, '')", "schema_to_xml('{victim}', true, false, '')",
		"cursor_to_xml('c', 1, true, false, '')", "xpath('/a', '<a/>')", "gate.organization()",
		"gate.find_records('{victim}', 1, 'x', '{}', '%', 1, '{}', '{}', '{}')", "gate.admit('x')",
		"sql_login.create('a', 'b')", "sql_login.drop('rowhouse')", "version()", "current_database()",
		"current_schema()", "current_schemas(true)", "inet_server_addr()", "inet_client_addr()",
		"pg_backend_pid()", "pg_postmaster_start_time()", "txid_current()", "pg_current_xact_id()",
		"pg_current_wal_lsn()", "pg_export_snapshot()", "pg_my_temp_schema()", "pg_is_in_recovery()",
		"has_table_privilege('{table}', 'select')", "has_schema_privilege('{victim}', 'usage')",
		"pg_has_role('rowhouse_owner', 'member')", "pg_get_viewdef('ships'::text)", "pg_get_functiondef(1)",
		"pg_get_constraintdef(1)", "pg_get_indexdef(1)", "pg_get_userbyid(10)", "obj_description(1)",
		"col_description(1, 1)", "shobj_description(1, 'pg_database')", "format_type(1, 1)",
		"pg_describe_object(1, 1, 1)", "nextval('rowhouse.next_table')", "currval('rowhouse.next_table')",
		"lastval()", "setval('rowhouse.next_table', 1)", "dblink('', 'select 1')", "pg_stat_get_activity(null)",
		"pg_lock_status()", "pg_prepared_statement()", "pg_cursor()", "pg_show_all_settings()",
		"pg_logical_emit_message(true, 'a', 'b')", "pg_create_restore_point('x')", "pg_switch_wal()",
		"pg_stat_reset()", "pg_log_backend_memory_contexts(1)", "pg_promote()", "pg_rotate_logfile()", "random()",
		"setseed(0.5)", "gen_random_uuid()", "clock_timestamp()", "repeat('x', 1000000000)",
		"lpad('x', 1000000000)", "rpad('x', 1000000000)", "generate_series(1, 1000000000)", "factorial(100000)",
		"format('%1000000000s', 1)", "json_agg(1)", "xmlagg(null)", "string_agg(pg_read_file('/etc/passwd'), '')",
		"row_to_json(pg_class)", "to_json(1)", "jsonb_agg(1)", "md5('a')", "encode('a', 'base64')",
		"currtid2('{table}', '(0,1)')", "pg_column_size(1)", "pg_typeof(1)", "pg_input_is_valid('a', 'regclass')",
	},
	"call": {
		"select {function}", "select name from ships where {function} is not null",
		"select name from ships order by {function}", "select * from {function}",
		"with x as (select {function} as y) select y from x", "select pg_catalog.{function}",
	},
	"foreign": {
		"{table}", "{link}", "{sibling}", "{count}", "rowhouse.organization", "rowhouse.organization_key",
		"rowhouse.person", "rowhouse.member", "rowhouse.session", "rowhouse.api_key", "rowhouse.base",
		"rowhouse.data_table", "rowhouse.field", "rowhouse.view", "rowhouse.audit_event", "rowhouse.sql_base",
		"rowhouse.base_share", "rowhouse.invitation", "rowhouse.trash", "rowhouse.change_set",
		"rowhouse.idempotency", "rowhouse.number_secret", "rowhouse.canary", "rowhouse.webhook",
		"rowhouse.comment", "rowhouse.schema_version", "river.river_job", "pg_temp.x", "public.x",
	},
	"reach": {
		"select * from {foreign}", "select count(*) from {foreign}", "select 1 from ships, {foreign}",
		"select 1 from ships join {foreign} x on true", "select 1 where exists (select 1 from {foreign})",
		"select (select max(x::text) from {foreign} x)", "with x as (select * from {foreign}) select * from x",
		"select name from ships union select x::text from {foreign} x",
		"select 1 from ships, lateral (select * from {foreign}) x",
		"select name from ships where name in (select x::text from {foreign} x)", "select * from only {foreign}",
		"select * from {foreign} tablesample system (100)", "table {foreign}",
		"select 1 from {foreign} for update",
	},
	"statement": {
		"insert into ships (name) values ('x')", "update ships set name = 'x'", "delete from ships",
		"truncate ships", "merge into ships using ships s on true when matched then delete",
		"copy ships to '/tmp/x'", "copy ships to program 'id'", "copy (select 1) to stdout",
		"copy ships from stdin", "do $$ begin perform 1; end $$", "do 'begin perform 1; end'", "call x()",
		"create table x (a int)", "create temp table x (a int)", "create view x as select 1",
		"create role x superuser", "create extension dblink",
		"create function f() returns int language sql as 'select 1'", "create schema x",
		"create index on ships (name)", "drop table ships", "drop view ships", "drop schema public cascade",
		"drop role rowhouse", "alter role current_user superuser", "alter role current_user password 'x'",
		"alter view ships set (security_barrier = off)", "alter system set port = 1",
		"alter database postgres set x.y = 1", "grant rowhouse_owner to current_user",
		"revoke all on ships from public", "set role rowhouse_owner", "set session authorization rowhouse_owner",
		"set app.org_id = '{org}'", "set local app.org_id = '{org}'", "set statement_timeout = 0", "reset all",
		"reset role", "show all", "show data_directory", "begin", "commit", "rollback", "savepoint a",
		"start transaction read write", "set transaction read write", "lock table ships", "listen river",
		"notify river, 'x'", "unlisten *", "prepare p as select 1", "execute p", "deallocate all", "discard all",
		"declare c cursor for select 1", "fetch all from c", "close c", "move c", "explain select 1",
		"explain analyze select pg_sleep(1)", "vacuum", "analyze", "cluster", "reindex table ships",
		"refresh materialized view x", "checkpoint", "load 'x'", "comment on view ships is 'x'",
		"security label on view ships is 'x'", "import foreign schema x from server y into z",
		"create server x foreign data wrapper y", "select 1 into x", "select * into temp x from ships",
		"create table x as select 1", "values (1) returning 1", "select 1; select 2",
		"select 1;; delete from ships",
	},
	"type": words(
		`regclass regproc regprocedure regrole regnamespace regtype regoper regconfig oid xid tid cid pg_lsn name "char"
		xml refcursor txid_snapshot pg_snapshot json inet cidr bytea bit tsvector tsquery money int4range
			aclitem record pg_class
		information_schema.sql_identifier rowhouse.person`,
	),
	"cast": {
		"select '{table}'::{type}", "select cast('rowhouse_owner' as {type})", "select name::{type} from ships",
		"select {type} '1'", "select '{1,2}'::{type}[]",
		"select name from ships where '{table}'::{type} is not null", "select null::{type}",
	},
	"trick": {
		"select/**/*/**/from/**/pg_class", "select * from pg_class -- ships",
		"select 1 /* ; */; select * from pg_class", "select $$a$$", "select $x$pg_class$x$", "select E'\\x41'",
		"select U&'\\0041'", `select * from U&"pg\005fclass"`, `select * from "pg_class"`,
		`select * from "Pg_Class"`, "select * from PG_CLASS", "select * from ｐｇ＿ｃｌａｓｓ",
		"with pg_class as (select 1) select * from pg_class",
		"select * from pg_class, (with pg_class as (select 1) select 1) x",
		"with a as (with pg_roles as (select 1 as x) select x from pg_roles) select * from a, pg_roles",
		"with x as (delete from ships returning 1) select * from x",
		"with x as (insert into ships default values returning 1) select 1 from x",
		"with recursive x as (select 1 as n union all select n + 1000 from x) select n from x",
		"select (ships).* from ships", "select (s).name from ships s", "select s from ships s",
		"select ships.ctid from ships", "select tableoid from ships", "select xmin from ships",
		"select cmax from ships", "select ctid from ships", "select tableoid::regclass from ships",
		"select * from ships where name operator(pg_catalog.~) 'a'", "select 1 operator(public.+) 1",
		"select name collate \"pg_catalog\".\"C\" from ships", "select current_user", "select session_user",
		"select user", "select current_role", "select current_catalog", "select current_schema",
		"select system_user", "select array(select relname from pg_class)", "select row(1, 2)",
		"select xmlelement(name a)", "select json_object('a': 1)",
		"select json_table('[]', '$[*]' columns (a int path '$'))",
		"select * from xmltable('/a' passing '<a/>' columns b text)",
		"select * from rows from (unnest(array[1]), pg_ls_dir('.'))", "select * from unnest(array[1]) as t(a int)",
		"select $1", "select :x", "select ?", "select {fn now()}", "select 1 from ships group by pg_sleep(1)",
		"select 1 limit (select count(*) from pg_class)", "select 1 offset pg_sleep(1)",
		"select name from ships window w as (order by pg_sleep(1))",
		"select count(*) filter (where pg_sleep(1) is null) from ships",
		"select percentile_cont(0.5) within group (order by pg_sleep(1)) from ships",
		"select * from ships s join lateral pg_ls_dir('.') x on true",
		"select string_agg(name, (select string_agg(relname, ',') from pg_class)) from ships",
		"select case when (select count(*) from {table}) > 0 then 1 end",
		"select 1 / (select count(*) from {table})",
		"select 1 from ships where (select count(*) from {sibling}) > 0",
		"select coalesce((select 1 from {table}), 2)", "select greatest((select count(*) from {table}), 1)",
		"select name from ships where name like (select max(name) from {sibling})",
		"select 1 where ('{table}')::text::regclass is not null",
		"select count(*) from ships a, ships b, ships c, ships d, ships e, ships f, ships g, ships h",
		"select \"\"", "select '", "select \"", "select /*", "select (", ")", "select 1)", ";", ";;", "select", "",
		" ", "\x00", "select '\x00'", "\xff", "select '\xff'",
	},
	"wrap": {
		"{trick}", "select * from ({trick}) x", "with x as ({trick}) select * from x",
		"select 1 where exists ({trick})", "({trick})", "{trick};", "/* a */ {trick} -- b",
		"{trick} union all select null", "explain {trick}",
	},
}

// corpus returns every attack, each once.
func corpus(fill map[string]string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(text string) {
		for name, value := range fill {
			text = strings.ReplaceAll(text, "{"+name+"}", value)
		}
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	for _, family := range []struct{ form, inner string }{
		{"look", "catalogue"}, {"call", "function"}, {"reach", "foreign"}, {"cast", "type"}, {"wrap", "trick"},
	} {
		for _, form := range places[family.form] {
			for _, value := range places[family.inner] {
				add(strings.ReplaceAll(form, "{"+family.inner+"}", value))
			}
		}
	}
	for _, statement := range places["statement"] {
		add(statement)
		add("with x as (" + statement + ") select * from x")
		add("select 1; " + statement)
	}
	// Statements that are grown from what is allowed and what is not, the same each time.
	draw := rand.New(rand.NewPCG(1, 2))
	one := func(values []string) string { return values[draw.IntN(len(values))] }
	for range 400 {
		text := "select " + one([]string{"name", "count(*)", "*", "max(name)", one(places["function"])}) + " from " +
			one([]string{"ships", "captains", "ships s", one(places["foreign"]), one(places["catalogue"])})
		for range draw.IntN(4) {
			text += one([]string{
				" where name = 'x'",
				" group by 1",
				" order by 1",
				" limit 3",
				" where " + one(places["function"]) + " is null",
				" union select " + one(
					places["function"],
				),
				" and 1 = 1",
				" -- x",
				" /* y */",
				" join captains c on true",
				fmt.Sprintf(
					" where exists (select 1 from %s)",
					one(places["foreign"]),
				),
				"; " + one(places["statement"]),
			})
		}
		add(text)
	}
	return out
}
