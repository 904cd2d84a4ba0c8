-- What a database on Citus has in addition to schema.sql and gate/, or in another form. Up runs this as rowhouse_owner at its end, each time. See docs/decisions/0028-citus.md.
--
-- The metadata is on the coordinator. The record tables of an organization are in its schema, which Citus places on one worker.

-- Migrations run only on the coordinator, and so did their grants.
grant usage on schema rowhouse, gate, version to public;

-- propagate sends the worker what its policies and row rules compare, and the number of the transaction's changes. A
-- worker learns of a setting only by SET LOCAL in an explicit transaction.
create or replace function gate.propagate() returns void language plpgsql as $$
begin
	execute format('set local app.org_id = %L', coalesce(current_setting('app.org_id', true), ''));
	execute format('set local app.key = %L', coalesce(current_setting('app.key', true), ''));
	execute format('set local app.person = %L', coalesce(current_setting('app.person', true), ''));
	if current_setting('app.change', true) <> '' then
		execute format('set local app.change = %L', current_setting('app.change'));
	end if;
end
$$;

-- draw_change is gate/change_log.sql's, on all nodes. It runs on the coordinator.
create or replace function gate.draw_change(above bigint) returns text language plpgsql as $$
begin
	if above >= current_setting('app.change')::bigint then
		execute format('set local app.change = %L', above + 1);
	end if;
	return current_setting('app.change');
end
$$;

-- Citus evaluates what it can of a statement before it sends the statement, and both branches of a CASE. So assert is
-- one function here, and stable, because an UPDATE accepts no volatile one.
create or replace function gate.assert(fact boolean, state text) returns boolean language plpgsql stable as $$
begin
	if fact is not true then
		raise exception 'a condition of the transaction does not hold' using errcode = state;
	end if;
	return true;
end
$$;

-- shard_of returns the name that an object of a table, or the table itself, has on the node of the table's only shard; null if the table is
-- not distributed.
create or replace function gate.shard_of(object regclass, rel regclass) returns text language sql stable as $$
	select format('%I.%I', n.nspname, c.relname || '_' || s.shardid)
	from pg_dist_shard s, pg_class c join pg_namespace n on n.oid = c.relnamespace where s.logicalrelid = rel and c.oid = object
$$;

-- sharpen gives a shard the policy that the table would have without Citus. It runs on the shard's node; once is an aggregate, so that it runs
-- once.
create or replace function gate.sharpen(shard text, condition text, once bigint) returns void language plpgsql as $$
begin
	execute format('alter policy organization on %s using (%s)', shard, condition);
end
$$;

-- sharpen_shard sharpens the shard of a table, and sharpen_table does so for an organization's. A move copies the coordinator's policy, which
-- is as strict but evaluated for every row, so sharpen_table follows each move.
create or replace function gate.sharpen_shard(rel regclass, condition text) returns void language plpgsql as $$
begin
	if gate.shard_of(rel, rel) is not null then
		execute format('select gate.sharpen(%L, %L, count(*)) from (select from %s limit 1) t', gate.shard_of(rel, rel), condition, rel);
	end if;
end
$$;
create or replace function gate.sharpen_table(rel regclass, org uuid) returns void language sql as $$
	select gate.sharpen_shard(rel, gate.record_policy(org))
$$;

-- clean_list merges the pending list of a shard's search index, on its node; clean_shard does so for an index by its
-- name here.
create or replace function gate.clean_list(index text, once bigint) returns bigint language plpgsql as $$
begin
	return gin_clean_pending_list(index::regclass);
end
$$;
create or replace function gate.clean_shard(index regclass) returns bigint language plpgsql as $$
declare
	rel   regclass := (select x.indrelid from pg_index x where x.indexrelid = index);
	pages bigint;
begin
	execute format('select gate.clean_list(%L, count(*)) from (select from %s limit 1) t', gate.shard_of(index, rel), rel) into pages;
	return pages;
end
$$;
revoke execute on function gate.shard_of(regclass, regclass), gate.sharpen(text, text, bigint), gate.sharpen_shard(regclass, text),
	gate.sharpen_table(regclass, uuid), gate.clean_list(text, bigint), gate.clean_shard(regclass) from public;

-- without_select is the condition of a policy without the sub-select, which Citus refuses in the policy of a table
-- and accepts in the policy of its shard. with_select is the reverse.
create or replace function gate.without_select(condition text) returns text language sql immutable as $$
	select regexp_replace(condition, '\(\s*select\s+(case\M.*\mend)( as "case")?\)', '(\1)', 'i')
$$;
create or replace function gate.with_select(condition text) returns text language sql immutable as $$
	select regexp_replace(gate.without_select(condition), '(\mcase\M.*\mend\M)', '(select \1)', 'i')
$$;
create or replace function gate.coordinator_policy(org uuid) returns text language sql stable as $$
	select gate.without_select(gate.record_policy(org))
$$;
revoke execute on function gate.without_select(text), gate.with_select(text), gate.coordinator_policy(uuid) from public;

-- protect_records and rewrite_policies are gate/isolation.sql's, in two steps: the table, and its shard.
create or replace function gate.protect_records(rel regclass, org uuid) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, gate.coordinator_policy(org));
	execute format('grant select, insert, update, delete on %s to rowhouse_app', rel);
	if left(split_part(rel::text, '.', 2), 2) in ('t_', 'l_') then
		execute format('create policy search on %s for select to rowhouse_search using (true)', rel);
		execute format('grant select on %s to rowhouse_search', rel);
	end if;
	perform gate.sharpen_table(rel, org);
end
$$;
create or replace function gate.rewrite_policies(org uuid, schema_name text) returns void language plpgsql as $$
declare
	rel regclass;
begin
	for rel in
		select c.oid from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = schema_name and p.polname = 'organization' order by c.oid
	loop
		execute format('alter policy organization on %s using (%s)', rel, gate.coordinator_policy(org));
		perform gate.sharpen_table(rel, org);
	end loop;
end
$$;

-- An organization's log has no parts. Creating one needs every node, so on the first of a month the loss of a node
-- would end all writes. Deleting below a number needs the index on it and one node. protect_change_log is
-- gate/change_log.sql's, in two steps. It sharpens the shard before the policy is in force, because whoever migrates
-- does not have the key.
do $$
begin
	execute replace(pg_get_functiondef('gate.change_log'::regproc), ' partition by range (number)', '');
end
$$;
create or replace function gate.add_change_months(schema_name text) returns void language sql as '';
create or replace function gate.protect_change_log(rel regclass, policy text) returns void language plpgsql as $$
begin
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, gate.without_select(policy));
	perform gate.sharpen_shard(rel, gate.with_select(policy));
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('grant select, insert on %s to rowhouse_app', rel);
end
$$;

-- The functions that statements, policies and indexes of record tables use on the workers.
do $$
declare
	signature text;
begin
	for signature in
		select p.oid::regprocedure from pg_proc p
		where p.pronamespace = 'gate'::regnamespace
			and (p.proname in ('assert', 'admit', 'sharpen', 'clean_list', 'jsonb_merge',
				'fold', 'fold_value', 'search_fold', 'number_text', 'date_text', 'timestamp_text', 'list_text')
				or p.proname like 'formula\_%')
	loop
		perform create_distributed_function(signature::regprocedure);
	end loop;
end
$$;

-- Lists are sorted, and searched, on the workers. They refuse to create objects that they would propagate.
do $$
declare
	failure text;
begin
	for failure in
		select format('%s on %s: %s', statement, ran.nodeport, ran.result) from unnest(array[
			'create collation if not exists gate.natural_order (provider = icu, locale = ''und-u-kn-true'')',
			'create schema if not exists dictionary',
			'grant usage on schema dictionary to rowhouse_app, rowhouse_system, rowhouse_search',
			'create extension if not exists unaccent with schema dictionary']) with ordinality as step(statement, place)
		cross join lateral run_command_on_workers('set citus.enable_ddl_propagation = off; ' || statement) ran
		where not ran.success order by place
	loop
		raise exception 'a worker cannot %', failure;
	end loop;
end
$$;

-- The canary has a copy on a worker. If something is missing on the worker, such as the settings of a transaction,
-- the copy has no rows there.
set citus.enable_schema_based_sharding = on;
create schema if not exists worker;
set citus.enable_schema_based_sharding = off;
create table if not exists worker.canary (org_id uuid primary key);
do $$
begin
	if not (select relforcerowsecurity from pg_class where oid = 'worker.canary'::regclass) then
		insert into worker.canary values ('00000000-0000-7000-8000-00000000ca11');
		alter table worker.canary enable row level security;
		alter table worker.canary force row level security;
		create policy organization on worker.canary to rowhouse_app, rowhouse_owner using (org_id::text = current_setting('app.org_id', true));
		grant select on worker.canary to rowhouse_app;
	end if;
end
$$;
grant usage on schema worker to public;

-- find_record_ids is find_records for records on another node, where a position (ctid) means nothing.
grant create on schema gate to rowhouse_search;
set citus.enable_ddl_propagation = off;
set role rowhouse_search;
do $$
begin
	execute replace(replace(replace(pg_get_functiondef('gate.find_records'::regproc), 'gate.find_records(', 'gate.find_record_ids('), 'tid[]', 'uuid[]'),
		'select ctid from', 'select id from');
end
$$;
set role rowhouse_owner;
set citus.enable_ddl_propagation = on;
revoke create on schema gate from rowhouse_search;
