-- A stand-in for the migration and the provisioning that seal the doors.
create table gate.door (org_id uuid primary key, hash bytea not null);
alter table gate.door owner to rowhouse_owner;

create function gate.organization() returns uuid language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
begin
	return (select d.org_id from gate.door d where d.org_id = nullif(current_setting('app.org_id', true), '')::uuid
		and d.hash = sha256(convert_to(current_setting('app.key', true), 'UTF8')));
end
$$;
grant usage on schema gate to rowhouse_search;
grant select on gate.door to rowhouse_search;
alter function gate.organization() owner to rowhouse_search;

-- Immutable by declaration alone, so that the planner runs it before it estimates anything.
create function gate.guard(hash bytea) returns boolean language plpgsql immutable as $$
begin
	if sha256(convert_to(coalesce(current_setting('app.key', true), ''), 'UTF8')) <> hash then
		raise exception 'no key' using errcode = '42501';
	end if;
	return true;
end
$$;
alter function gate.guard(bytea) owner to rowhouse_owner;

do $$
declare
	p record;
begin
	for p in
		select pol.polname, pol.polrelid::regclass rel, pg_get_expr(pol.polqual, pol.polrelid) qual from pg_policy pol
		join pg_class c on c.oid = pol.polrelid where c.relnamespace = 'rowhouse'::regnamespace
	loop
		if p.qual like '%app.org_id%' then
			execute format('alter policy %I on %s using (%s)', p.polname, p.rel,
				replace(p.qual, '(NULLIF(current_setting(''app.org_id''::text, true), ''''::text))::uuid', 'gate.organization()'));
		end if;
	end loop;
	execute replace(replace(pg_get_functiondef('gate.find_records'::regproc),
		'nullif(current_setting(''app.org_id'', true), '''')::uuid', 'gate.organization()'), E'\r', '');
end
$$;

revoke insert, update, delete on rowhouse.data_table, rowhouse.field, rowhouse.organization from rowhouse_app;
grant update (name) on rowhouse.organization to rowhouse_app;
revoke usage on all sequences in schema rowhouse from rowhouse_app;
revoke execute on function gate.renew_policies(oid, integer), gate.renew_search_indexes(oid, integer) from public;

-- What tells sizes and statistics of tables, and of other sessions. The system's own views check the
-- functions that they call against the caller, so they close with them.
do $$
declare
	f regprocedure;
begin
	for f in
		select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace and (
			proname ~ '^pg_stat_get_' or proname ~ '^pg_(total_relation|relation|table|indexes|database|tablespace)_size$'
			or proname ~ '^pg_current_wal_' or proname in ('pg_lock_status', 'pg_prepared_statement', 'pg_prepared_xact',
				'pg_cursor', 'pg_blocking_pids', 'pg_safe_snapshot_blocking_pids', 'pg_isolation_test_session_is_blocked',
				'pg_sequence_last_value', 'currtid2', 'pg_relation_filepath', 'pg_relation_filenode', 'pg_filenode_relation',
				'pg_logical_emit_message', 'pg_export_snapshot', 'lo_creat', 'lo_create', 'lo_from_bytea', 'lo_open',
				'lo_get', 'lo_put', 'lo_unlink', 'lo_import', 'lo_export', 'pg_get_replication_slots', 'pg_stat_clear_snapshot'))
	loop
		execute format('revoke execute on function %s from public', f);
	end loop;
	revoke select on pg_class from public;
	execute (select format('grant select (%s) on pg_class to public', string_agg(quote_ident(attname), ', '))
		from pg_attribute where attrelid = 'pg_class'::regclass
		and attname not in ('relpages', 'reltuples', 'relallvisible') and attname <> 'cmax' and not attisdropped);
end
$$;
