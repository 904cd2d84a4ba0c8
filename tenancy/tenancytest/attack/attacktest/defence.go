package attacktest

import (
	"context"
	"fmt"
	"strings"
)

// A Defence is one of the things that keep an attacker out. Without it an attack must succeed, or
// nothing shows that the corpus would notice its loss.
type Defence struct {
	Name    string
	Remove  string // SQL of the administrator
	Attacks string // begins the names of attacks that find it out
	Login   Login  // through which they do; Request if empty

	guessable bool // names of cached statements become what the driver makes of their texts
}

// victimPolicies replaces the condition of every policy of the victim's records.
func victimPolicies(condition string) string {
	return `do $do$ declare r record; begin
		for r in select c.oid::regclass rel from pg_class c
			join pg_policy p on p.polrelid = c.oid and p.polname = 'organization'
			where c.relnamespace = to_regnamespace('{victim_schema}') loop
			execute format($q$alter policy organization on %s using (` + condition + `)$q$, r.rel);
		end loop; end $do$`
}

// functions grants functions of the system to everybody.
func functions(pattern string) string {
	return `do $do$ declare f regprocedure; begin
		for f in select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname ~ '` +
		pattern + `' loop
			execute format('grant execute on function %s to public', f);
		end loop; end $do$`
}

const everyVictimTable = `do $do$ declare r regclass; begin
	for r in select oid from pg_class where relnamespace = '{victim_schema}'::regnamespace and relkind = 'r' loop
		execute format('alter table %s {change}', r);
	end loop; end $do$`

func change(sql string) string { return strings.ReplaceAll(everyVictimTable, "{change}", sql) }

const keyCondition = `(select case when sha256(convert_to(current_setting('app.key', true), 'UTF8')) = ` +
	`'\x{victim_hash}' then 1 end) <> 0`

// Defences lists what may be removed, one at a time.
var Defences = []Defence{
	{
		Name: "the request login cannot become the owner", Attacks: "01_role: take",
		Remove: "grant rowhouse_owner to {request_login}",
	},
	{
		Name: "the request login cannot become the system", Attacks: "01_role: take",
		Remove: "grant rowhouse_system to {request_login}",
	},
	{
		Name: "the request login cannot become the search", Attacks: "01_role: take",
		Remove: "grant rowhouse_search to {request_login}",
	},
	{
		Name: "the request login inherits no statistics", Attacks: "01_role: take",
		Remove: "grant pg_read_all_stats to {request_login}",
	},
	{
		Name: "row-level security of records", Attacks: "04_scan: plain",
		Remove: change("disable row level security"),
	},
	{
		Name: "the owner is not exempt", Attacks: "04_scan: plain", Login: Schema,
		Remove: change("no force row level security"),
	},
	{
		Name: "the policy of records asks for the key", Attacks: "02_setting: name the victim before",
		Remove: victimPolicies(
			`(select case when current_setting('app.org_id', true) = '{victim_id}' then 1 end) <> 0`,
		),
	},
	{Name: "the planner asks for the key", Attacks: "05_plan: explain a scan", Remove: victimPolicies(keyCondition)},
	{Name: "names of cached statements are secret", Attacks: "05_plan: explain a statement that", guessable: true},
	{Name: "nobody replaces cached statements", Attacks: "10_key: replace a statement", guessable: true},
	{
		Name: "the policy of shared tables asks for the key", Attacks: "02_setting: name the victim before and read",
		Remove: `create or replace function gate.organization() returns uuid language sql stable security definer
			set search_path = pg_catalog, pg_temp as $$
			select nullif(current_setting('app.org_id', true), '')::uuid $$`,
	},
	{
		Name: "row-level security of shared tables", Attacks: "08_write: read what is shared",
		Remove: "alter table rowhouse.base disable row level security",
	},
	{
		Name: "requests add no members", Attacks: "08_write: insert the victim's owner",
		Remove: "grant insert on rowhouse.member to rowhouse_app",
	},
	{
		Name: "people show only to fellow members", Attacks: "02_setting: people",
		Remove: "alter policy fellow_member on rowhouse.person using (true)",
	},
	{
		Name: "an attempt is a capability", Attacks: "02_setting: an attempt",
		Remove: "alter policy attempt on rowhouse.idempotency using (true)",
	},
	{
		Name: "credentials are for the system", Attacks: "09_gate: a table of credentials",
		Remove: "grant select on rowhouse.session to rowhouse_app",
	},
	{
		Name:    "the queue is for the system",
		Remove:  "grant usage on schema river to rowhouse_app; grant select on river.river_job to rowhouse_app",
		Attacks: "09_gate: the queue",
	},
	{
		Name: "requests do not change the schema's tables", Attacks: "08_write: one's own table",
		Remove: "grant insert, update on rowhouse.data_table to rowhouse_app",
	},
	{
		Name: "requests do not change the audit log", Attacks: "11_audit: change every event",
		Remove: "grant update on rowhouse.audit_event to rowhouse_app",
	},
	{
		Name: "look-ups do not change the audit log", Attacks: "11_audit: change every event", Login: System,
		Remove: "grant update on rowhouse.audit_event to rowhouse_system",
	},
	{
		Name: "jobs do not remove from the audit log", Attacks: "11_audit: remove every event", Login: Job,
		Remove: "grant delete on rowhouse.audit_event to rowhouse_system",
	},
	{
		Name: "the owner does not truncate the audit log", Attacks: "11_audit: truncate the log", Login: Schema,
		Remove: "grant truncate on rowhouse.audit_event to rowhouse_owner",
	},
	{
		Name: "requests have no sequences", Attacks: "06_catalogue: the last number",
		Remove: "grant usage, select on all sequences in schema rowhouse to rowhouse_app",
	},
	{
		Name: "nobody makes temporary objects", Attacks: "03_error: a temporary",
		Remove: "grant temporary on database {database} to public",
	},
	{
		Name: "nobody creates in the public schema", Attacks: "08_write: a table in the public",
		Remove: "grant create on schema public to public",
	},
	{
		Name: "only the owner builds policies", Attacks: "09_gate: ",
		Remove: "grant execute on function gate.protect(regclass), gate.rewrite_policies(uuid, text) to public",
	},
	{
		Name: "only the owner adds counts", Attacks: "10_key: add counts",
		Remove: "grant execute on function gate.add_record_count(uuid, text) to public",
	},
	{
		Name: "the log has the organization's policy", Attacks: "12_change: read the log",
		Remove: "alter policy organization on {victim_schema}.change using (true)",
	},
	{
		Name: "the log is only added to", Attacks: "12_change: one's own log, changed",
		Remove: "grant update on {own_schema}.change to rowhouse_app",
	},
	{
		Name: "row-level security of the trash", Attacks: "13_trash: read the trash",
		Remove: "alter table rowhouse.trash disable row level security",
	},
	{
		Name: "only the owner empties the trash", Attacks: "13_trash: empty one's own",
		Remove: "grant delete on rowhouse.trash to rowhouse_app",
	},
	{
		Name: "only the owner restores rows", Attacks: "13_trash: put rows",
		Remove: "grant execute on function gate.restore_rows(regclass, jsonb) to public; " +
			"grant insert on rowhouse.view to rowhouse_app",
	},
	{
		Name: "change sets keep their names", Attacks: "12_change: one's own change sets, changed",
		Remove: "grant update on rowhouse.change_set to rowhouse_app",
	},
	{
		Name: "the keys are for the system", Attacks: "10_key: a table of secrets (organization_key)",
		Remove: `grant select on rowhouse.organization_key to rowhouse_app;
			create policy everybody on rowhouse.organization_key to rowhouse_app using (true)`,
	},
	{
		Name: "the secret of table numbers is the owner's", Attacks: "10_key: a table of secrets (number_secret)",
		Remove: "grant select on rowhouse.number_secret to rowhouse_app",
	},
	{
		Name: "an id without a key enters nothing", Attacks: "10_key: how many bases",
		Remove: `create or replace function gate.organization() returns uuid language sql stable parallel safe
			return nullif(current_setting('app.org_id', true), '')::uuid`,
	},
	{
		Name: "the search asks for the key", Attacks: "09_gate: search under",
		Remove: `do $do$ begin execute replace(pg_get_functiondef('gate.find_records'::regproc),
			':= gate.organization()',
			':= nullif(current_setting(''app.org_id'', true), '''')::uuid'); end $do$;
			alter policy search on rowhouse.data_table using (true)`,
	},
	{
		Name: "there are no statistics of what people wrote", Attacks: "10_key: an estimate",
		Remove: "alter table rowhouse.person alter column email set statistics -1; analyze rowhouse.person",
	},
	{
		Name: "nobody ends other sessions", Remove: functions("^pg_(terminate|cancel)_backend$"),
		Attacks: "09_gate: end another session",
	},
	{
		Name: "estimates of tables are closed", Attacks: "06_catalogue: an estimate",
		Remove: "grant select (reltuples, relpages, relallvisible) on pg_class to public",
	},
	{
		Name: "sizes of tables are closed", Attacks: "07_size: the size of a relation",
		Remove: functions("^pg_(total_relation|relation|table|indexes)_size$"),
	},
	{
		Name: "the size of the database is closed", Attacks: "07_size: the size of the",
		Remove: functions("^pg_(database|tablespace)_size$"),
	},
	{
		Name: "statistics of use are closed", Attacks: "07_size: a counter",
		Remove: functions("^pg_stat_get_(live|dead|tuples|numscans|ins_|mod_)"),
	},
	{
		Name: "statistics of the database are closed", Attacks: "07_size: a total",
		Remove: functions("^pg_stat_get_db_"),
	},
	{
		Name: "activity of other sessions is closed", Attacks: "07_size: a function of the whole",
		Remove: functions("^pg_stat_get_(activity|backend)"),
	},
	{Name: "locks are closed", Remove: functions("^pg_lock_status$"), Attacks: "07_size: a function of the whole"},
	{
		Name: "cached statements are not listed", Attacks: "05_plan: explain every",
		Remove: functions("^pg_prepared_statement$"),
	},
	{
		Name: "large objects are closed", Attacks: "06_catalogue: a large",
		Remove: functions("^lo_(creat|create|from_bytea)$"),
	},
	{Name: "the amount of log is closed", Remove: functions("^pg_current_wal_"), Attacks: "07_size: how much is"},
	{
		Name: "planner's statistics are closed", Attacks: "06_catalogue: the whole",
		Remove: "grant select on pg_statistic to public",
	},
	{Name: "places of rows are closed", Remove: functions("^currtid2$"), Attacks: "04_scan: the newest"},
	{Name: "files are closed", Remove: functions("^pg_(read_file|ls_dir)$"), Attacks: "07_size: read a file"},
}

// Without makes a copy of the world that lacks a defence.
func (w *World) Without(ctx context.Context, d Defence) (*World, error) {
	made, err := w.Copy(ctx)
	if err != nil {
		return nil, err
	}
	if d.guessable {
		made.guessable = true
	}
	if d.Remove != "" {
		if err := made.Admin(ctx, made.expand(d.Remove)); err != nil {
			_ = made.Drop(context.WithoutCancel(ctx))
			return nil, fmt.Errorf("removing the defence %q: %w", d.Name, err)
		}
	}
	return made, nil
}

// Of selects the attacks that find out that a defence is gone.
func (d *Defence) Of(attacks []Attack) []Attack {
	var out []Attack
	for _, a := range attacks {
		if strings.HasPrefix(a.ID(), d.Attacks) {
			out = append(out, a)
		}
	}
	return out
}
