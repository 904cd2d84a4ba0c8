-- Run by an administrator of the cluster, once for each database and again whenever it is asked for: it changes nothing that
-- is already so. {{login}} and {{logins}} are replaced by quoted values. See docs/decisions/0001-doors.md.
-- The logins with which people's own SQL runs, one for each base, are created while the service runs. Only this role
-- may create them, nobody can become it, and it does so only in the functions below. An administrator who may not
-- create such a role leaves SQL off.
do $$
declare
	logins  text := {{login}} || '_sql';
	creator text := {{login}} || '_sql_creator';
begin
	if exists (select from pg_extension where extname = 'citus') then
		return; -- the logins would be needed on every node
	end if;
	begin
		if to_regrole(quote_ident(logins)) is null then
			execute format('create role %I nologin noinherit nobypassrls', logins);
		end if;
		if to_regrole(quote_ident(creator)) is null then
			execute format('create role %I nologin createrole noinherit nobypassrls', creator);
		end if;
	exception
		when duplicate_object or unique_violation then
			null; -- another database of this cluster is being set up at the same moment
		when insufficient_privilege then
			raise notice 'The administrator may not create a role with CREATEROLE: SQL stays off.';
	end;
	if to_regrole(quote_ident(creator)) is not null and not exists (
		select from pg_auth_members m where m.roleid = to_regrole(quote_ident(logins)) and m.member = to_regrole(quote_ident(creator)))
	then
		execute format('grant %I to %I with admin option', logins, creator);
	end if;
end
$$;
do $$
declare
	name   text;
	login  record;
begin
	foreach name in array array['rowhouse_app', 'rowhouse_owner', 'rowhouse_system', 'rowhouse_search'] loop
		if not exists (select from pg_roles where rolname = name) then
			begin
				-- Nodes of Citus connect to each other as the role that a transaction has taken. Without a password nobody else can.
				execute format('create role %I %s noinherit nobypassrls', name,
					case when exists (select from pg_extension where extname = 'citus') then 'login' else 'nologin' end);
			exception when duplicate_object or unique_violation then
				null; -- another database of this cluster is being set up at the same moment
			end;
		end if;
	end loop;
	-- Each login may become one role and no other. That of DATABASE_URL migrates and serves nobody. From PostgreSQL 16 on, a grant
	-- locks the role until the end, so the order is the same for all databases of the cluster.
	for login in select * from jsonb_to_recordset({{logins}}) as l(name text, password text, role text) order by role, name loop
		if not exists (select from pg_roles where rolname = login.name) then
			begin
				execute format('create role %I login noinherit nobypassrls password %L', login.name, login.password);
			exception when duplicate_object or unique_violation then
				null;
			end;
		end if;
		if not exists (
			select from pg_auth_members m
			where m.roleid = to_regrole(login.role) and m.member = to_regrole(quote_ident(login.name)))
		then
			execute format('grant %I to %I', login.role, login.name);
		end if;
	end loop;
	-- The owner hands the search functions over to the role that may only search.
	if not exists (
		select from pg_auth_members m
		where m.roleid = 'rowhouse_search'::regrole and m.member = 'rowhouse_owner'::regrole)
	then
		grant rowhouse_search to rowhouse_owner;
	end if;
	if not exists (
		select from pg_database d, aclexplode(d.datacl) a
		where d.datname = current_database() and a.grantee = 'rowhouse_owner'::regrole and a.privilege_type = 'TEMPORARY')
	then
		execute format('grant create, temporary on database %I to rowhouse_owner', current_database());
	end if;
	-- Nobody else connects, such as the logins of another installation in this cluster, and nobody creates temporary
	-- tables, which could stand in the way of the product's own.
	for login in
		select * from jsonb_to_recordset({{logins}}) as l(name text)
		union all -- the logins of bases inherit this right from their group, and nothing else
		select {{login}} || '_sql' where to_regrole(quote_ident({{login}} || '_sql')) is not null
		union all -- nodes of Citus connect to each other as these
		select * from unnest(array['rowhouse_app', 'rowhouse_owner', 'rowhouse_system', 'rowhouse_search'])
			where exists (select from pg_extension where extname = 'citus')
	loop
		if not exists (
			select from pg_database d, aclexplode(d.datacl) a
			where d.datname = current_database() and a.grantee = to_regrole(quote_ident(login.name)) and a.privilege_type = 'CONNECT')
		then
			execute format('grant connect on database %I to %I', current_database(), login.name);
		end if;
	end loop;
	if exists (
		select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
		where d.datname = current_database() and a.grantee = 0)
	then
		execute format('revoke all on database %I from public', current_database());
	end if;
end
$$;
create extension if not exists pg_trgm with schema public;
revoke create on schema public from public;
-- Only members of the owner create schemas for it. An administrator who is no superuser is one for this moment.
do $$
declare
	name text;
begin
	foreach name in array array['rowhouse', 'gate'] loop
		if to_regnamespace(name) is not null then
			continue;
		end if;
		begin
			execute format('create schema %I authorization rowhouse_owner', name);
		exception when insufficient_privilege then
			grant rowhouse_owner to current_user;
			execute format('create schema %I authorization rowhouse_owner', name);
			revoke rowhouse_owner from current_user;
		end;
	end loop;
end
$$;

-- PostgreSQL's own functions and columns that reveal other people's tables: sizes, estimates, activity, locks, plans,
-- positions of rows. The product's own roles are granted rights on them separately. Revoking needs a superuser;
-- without one they stay open, which `rowhouse migrate` reports (SECURITY.md). pg_upgrade and a new major version need
-- this again.
do $$
declare
	found  regprocedure;
	names  text;
begin
	if not (select rolsuper from pg_roles where rolname = current_user) then
		return;
	end if;
	for found in
		select p.oid from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
		where p.pronamespace = 'pg_catalog'::regnamespace and a.grantee = 0 and (
			p.proname ~ '^(pg_stat_get_|lo_(creat|create|from_bytea|open|get|put|unlink|import|export)$|pg_current_wal_)'
			or p.proname in ('pg_relation_size', 'pg_table_size', 'pg_total_relation_size', 'pg_indexes_size', 'pg_database_size',
				'pg_tablespace_size', 'pg_lock_status', 'pg_prepared_statement', 'pg_prepared_xact', 'pg_cursor', 'pg_blocking_pids',
				'pg_safe_snapshot_blocking_pids', 'pg_isolation_test_session_is_blocked', 'pg_sequence_last_value', 'currtid2',
				'pg_relation_filepath', 'pg_relation_filenode', 'pg_filenode_relation', 'pg_logical_emit_message', 'pg_export_snapshot',
				'pg_get_replication_slots', 'pg_stat_clear_snapshot', 'pg_terminate_backend', 'pg_cancel_backend',
				'pg_control_checkpoint', 'pg_notification_queue_usage'))
	loop
		execute format('revoke execute on function %s from public', found);
	end loop;
	-- The owner shows the sizes of indexes, stops building one that a schema change waits for, and copies tables with automatic
	-- numbers.
	foreach found in array array['pg_relation_size(regclass)', 'pg_relation_size(regclass, text)', 'pg_lock_status()',
		'pg_sequence_last_value(regclass)']::regprocedure[]
	loop
		if not has_function_privilege('rowhouse_owner', found, 'execute') then
			execute format('grant execute on function %s to rowhouse_owner', found);
		end if;
	end loop;
	if has_column_privilege('rowhouse_app', 'pg_class', 'reltuples', 'select') then
		select string_agg(quote_ident(attname), ', ') into names from pg_attribute
			where attrelid = 'pg_class'::regclass and attname not in ('relpages', 'reltuples', 'relallvisible');
		revoke select on pg_class from public;
		execute format('grant select (%s) on pg_class to public', names);
	end if;
	if exists (select from pg_extension where extname = 'pg_stat_statements') then
		for names in
			select format('%s %s', case when d.classid = 'pg_proc'::regclass then 'function ' || d.objid::regprocedure
				else 'table ' || d.objid::regclass end, 'from public')
			from pg_depend d join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass
			where e.extname = 'pg_stat_statements' and d.deptype = 'e'
				and (d.classid = 'pg_proc'::regclass or d.classid = 'pg_class'::regclass)
		loop
			execute 'revoke all on ' || names;
		end loop;
	end if;
end
$$;

-- Citus shows everybody the names and sizes of all organizations' tables.
do $$
declare
	shown regclass;
begin
	if exists (select from pg_extension where extname = 'citus') then
		for shown in
			select c.oid from pg_class c, aclexplode(c.relacl) a
			where c.relnamespace in ('pg_catalog'::regnamespace, 'public'::regnamespace) and c.relkind = 'v' and c.relname like 'citus\_%' and a.grantee = 0
		loop
			execute format('revoke all on %s from public', shown);
		end loop;
	end if;
end
$$;

-- The functions that create and drop the logins of bases; see docs/decisions/0037-sql.md.
do $$
declare
	creator text := {{login}} || '_sql_creator';
	member  boolean := false;
begin
	if to_regrole(quote_ident(creator)) is null or to_regnamespace('sql_login') is not null then
		return;
	end if;
	if not pg_has_role(current_user, creator, 'member') then
		execute format('grant %I to current_user', creator);
		member := true;
	end if;
	execute format('create schema sql_login authorization %I', creator);
	execute format('set local role %I', creator);
	-- create makes a login, or gives it another password. verifier is what PostgreSQL keeps of the password.
	create function sql_login.create(login text, verifier text) returns void language plpgsql security definer
	set search_path = pg_catalog, pg_temp as $f$
	declare
		logins text := regexp_replace(current_user, '_creator$', '');
	begin
		if login is null or verifier is null or not starts_with(login, logins || '_')
			or substr(login, length(logins) + 2) !~ '^[0-9a-f]{16}$' or verifier !~ '^SCRAM-SHA-256\$'
		then
			raise exception 'not the login of a base' using errcode = '42501';
		end if;
		if to_regrole(quote_ident(login)) is null then
			execute format('create role %I login inherit nosuperuser nocreatedb nocreaterole noreplication connection limit 8 in role %I',
				login, logins);
			-- The connection sets the same; these hold if it does not.
			execute format('alter role %I set default_transaction_read_only = on', login);
			execute format('alter role %I set statement_timeout = %L', login, '5s');
			execute format('alter role %I set idle_in_transaction_session_timeout = %L', login, '10s');
			execute format('alter role %I set search_path = pg_catalog, pg_temp', login);
			execute format('alter role %I set max_parallel_workers_per_gather = 0', login);
			execute format('alter role %I set work_mem = %L', login, '8MB');
		elsif not exists (
			select from pg_auth_members m
			where m.roleid = to_regrole(quote_ident(logins)) and m.member = to_regrole(quote_ident(login)))
		then
			raise exception 'not the login of a base' using errcode = '42501';
		end if;
		execute format('alter role %I password %L', login, verifier);
	end
	$f$;
	create function sql_login.drop(login text) returns void language plpgsql security definer
	set search_path = pg_catalog, pg_temp as $f$
	declare
		logins text := regexp_replace(current_user, '_creator$', '');
	begin
		if starts_with(login, logins || '_') and substr(login, length(logins) + 2) ~ '^[0-9a-f]{16}$'
			and to_regrole(quote_ident(login)) is not null
		then
			execute format('drop role %I', login);
		end if;
	exception when dependent_objects_still_exist then
		null; -- a copy of the database in the same cluster has views for it
	end
	$f$;
	revoke all on function sql_login.create(text, text), sql_login.drop(text) from public;
	grant usage on schema sql_login to rowhouse_owner;
	grant execute on function sql_login.create(text, text), sql_login.drop(text) to rowhouse_owner;
	reset role;
	if member and not (select rolsuper from pg_roles where rolname = current_user) then
		execute format('revoke %I from current_user', creator);
	end if;
end
$$;
