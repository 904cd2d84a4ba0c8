-- Every organization gets a log of the changes of its records, and every record the number of its latest change. See
-- docs/decisions/0029-change-log.md.

-- The binary before this migration neither numbers nor logs what it writes, and goes on working.

-- change_month returns the bounds of the change numbers of a month. A number is a time in microseconds since 1970.
create function gate.change_month(month date, out low bigint, out high bigint) language sql immutable as $$
	select (extract(epoch from date_trunc('month', month::timestamp)) * 1000000)::bigint,
		(extract(epoch from date_trunc('month', month::timestamp) + interval '1 month') * 1000000)::bigint
$$;

-- add_change_months creates the parts of an organization's log in which the changes of today and tomorrow (in UTC) belong. A part grants
-- nothing to anybody: all access is through the whole table, whose policy holds.
create function gate.add_change_months(schema_name text) returns void language plpgsql as $$
declare
	month  date;
	bounds record;
	part   text;
begin
	foreach month in array array[(now() at time zone 'utc')::date, (now() at time zone 'utc' + interval '1 day')::date] loop
		part := format('%I.%I', schema_name, 'change_' || to_char(month, 'YYYY_MM'));
		if to_regclass(part) is null then
			bounds := gate.change_month(month);
			execute format('create table %s partition of %I.change for values from (%s) to (%s)', part, schema_name, bounds.low, bounds.high);
			execute format('alter table %s enable row level security', part);
			execute format('alter table %s force row level security', part);
		end if;
	end loop;
end
$$;

-- change_log returns the statement that creates the table of an organization's log.
create function gate.change_log(schema_name text) returns text language sql immutable as $$
	-- number is that of the transaction. kind: 1 created, 2 updated, 3 deleted, 4 linked from another record, 5 restored, 10 a change of the
	-- schema, which has no records. request is null if its id is that of the change set. previous and before are in the order of records: the
	-- number of the change before, and what stood in the changed columns, f_ and the number of the field. Of a creation both are null.
	select format('create table %I.change (
		number       bigint   not null,
		change_set   uuid     not null,
		person       uuid,
		table_number integer  not null,
		kind         smallint not null,
		credential   text     not null,
		request      text,
		records      uuid[]   not null,
		previous     bigint[],
		before       jsonb
	) partition by range (number)', schema_name)
$$;

-- protect_change_log lets requests of the organization read its log and add to it. policy is the condition of the organization's policy.
create function gate.protect_change_log(rel regclass, policy text) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, policy);
	execute format('grant select, insert on %s to rowhouse_app', rel);
end
$$;

-- add_change_log creates an organization's log, or what its table lacks of it.
create function gate.add_change_log(schema_name text, policy text) returns void language plpgsql as $$
declare
	name text := format('%I.change', schema_name);
begin
	if exists (select from pg_policy where polrelid = to_regclass(name)) then
		return;
	end if;
	if to_regclass(name) is null then
		execute gate.change_log(schema_name);
	end if;
	execute format('create index change_by_number on %I.change (number)', schema_name);
	execute format('create index deletion on %I.change (table_number, number) where kind = 3', schema_name);
	-- Ids of change sets begin with the time, so they lie on few pages.
	execute format('create index change_by_set on %I.change using brin (change_set) with (pages_per_range = 16, autosummarize = on)', schema_name);
	perform gate.protect_change_log(to_regclass(name), policy);
	perform gate.add_change_months(schema_name);
end
$$;

-- As before, and the log.
create or replace function gate.add_record_count(org uuid, schema_name text) returns void language plpgsql as $$
begin
	if to_regclass(format('%I.change', schema_name)) is null then
		perform gate.add_change_log(schema_name, gate.record_policy(org));
	end if;
	if to_regclass(format('%I.record_count', schema_name)) is not null then
		return;
	end if;
	execute format('create table %I.record_count (
		table_number integer  not null,
		slot         smallint not null,
		records      bigint   not null,
		writes       bigint   not null,
		primary key (table_number, slot)
	) with (fillfactor = 40)', schema_name);
	perform gate.protect_records(to_regclass(format('%I.record_count', schema_name)), org);
	if gate.admits_id() then
		execute format('create trigger mirror after insert or update on %I.record_count for each row when (pg_trigger_depth() = 0) '
			'execute function gate.mirror_record_count(%L)', schema_name, org);
	end if;
end
$$;

-- add_versions gives the record tables after the given one the number of the latest change of each record, and their organization its log.
-- It changes one table per call if it is asked to, and returns the last, or null at the end.
create function gate.add_versions(above oid, most integer) returns oid language plpgsql as $$
declare
	found record;
	last  oid;
begin
	for found in
		select c.oid, c.oid::regclass as rel, n.nspname, pg_get_expr(p.polqual, p.polrelid) as condition
		from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_policy p on p.polrelid = c.oid and p.polname = 'organization'
		where n.nspname like 'org\_%' and c.relname like 't\_%' and c.relkind = 'r' and c.oid > above and not exists (
			select from pg_attribute a where a.attrelid = c.oid and a.attname = 'version')
		order by c.oid limit most
	loop
		last := found.oid;
		perform pg_advisory_xact_lock(20738, hashtext(found.nspname)); -- two migrations, or a migration and a new table
		perform gate.add_change_log(found.nspname, found.condition);
		execute format('alter table %s add column if not exists version bigint not null default 0', found.rel);
	end loop;
	return last;
end
$$;

-- A table that the previous binary creates gets its versions too.
create function gate.add_version_with_table() returns trigger language plpgsql as $$
declare
	rel regclass := (select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relname = 't_' || new.number and n.nspname like 'org\_%');
begin
	if rel is not null and not exists (select from pg_attribute a where a.attrelid = rel and a.attname = 'version') then
		execute format('alter table %s add column version bigint not null default 0', rel);
	end if;
	return null;
end
$$;
do $$
begin
	if exists (select from pg_namespace where nspname like 'org\_%') then
		create constraint trigger add_version after insert on rowhouse.data_table deferrable initially deferred
			for each row execute function gate.add_version_with_table();
	end if;
end
$$;

revoke execute on function gate.change_log(text), gate.protect_change_log(regclass, text), gate.add_change_months(text),
	gate.add_change_log(text, text), gate.add_versions(oid, integer) from public;

-- draw_change makes the number of the transaction's changes larger than another one.
create function gate.draw_change(above bigint) returns text language sql as $$
	select set_config('app.change', greatest(above + 1, current_setting('app.change')::bigint)::text, true)
$$;

-- As before, and partitioned tables. renew_policies brings the policies of a few tables after the given one to their present wording, and returns the last of them, or null at
-- the end. It changes one table per call if it is asked to, so that it holds one lock at a time and never deadlocks with requests.
create or replace function gate.renew_policies(above oid, most integer) returns oid language plpgsql as $$
declare
	found record;
	last  oid;
begin
	for found in
		select c.oid, c.oid::regclass as rel, n.nspname = 'rowhouse' as shared, c.relname, p.polname, pg_get_expr(p.polqual, p.polrelid) as condition
		from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_policy p on p.polrelid = c.oid
		where c.relkind in ('r', 'p') and c.oid > above and case
			when n.nspname = 'rowhouse' then pg_get_expr(p.polqual, p.polrelid) like '%app.org_id%'
			when n.nspname like 'org\_%' and p.polname = 'organization' then
				pg_get_expr(p.polqual, p.polrelid) not like (case when gate.admits_id() then '%CASE%' else '%gate.admit(%' end)
			else false end
		order by c.oid limit most * 3
	loop
		exit when most <= 0 and found.oid <> last;
		if found.oid is distinct from last then
			most := most - 1;
		end if;
		last := found.oid;
		if found.polname = 'fellow_member' then
			alter policy fellow_member on rowhouse.person using (exists (
				select from rowhouse.member m where m.org_id = (select gate.organization()) and m.person_id = person.id));
		elsif found.shared then
			execute format('alter policy %I on %s using (org_id = (select gate.organization()))', found.polname, found.rel);
		else
			execute format('alter policy organization on %s using (%s)', found.rel,
				gate.record_policy(substring(found.condition from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')::uuid));
			if found.relname = 'record_count' and not gate.admits_id() then
				execute format('drop trigger if exists mirror on %s', found.rel);
			end if;
		end if;
	end loop;
	return last;
end
$$;

-- contract ends what only earlier binaries need.
create or replace function gate.contract() returns void language plpgsql as $$
begin
	create or replace function gate.admits_id() returns boolean language sql immutable parallel safe return false;
	drop trigger if exists add_version on rowhouse.data_table;
	if to_regclass('rowhouse.record_count') is not null then
		drop trigger if exists mirror on rowhouse.record_count;
	end if;
	revoke insert, update, delete on rowhouse.organization, rowhouse.workspace, rowhouse.base, rowhouse.data_table, rowhouse.field, rowhouse.view
		from rowhouse_app;
	-- Who adds anybody to their organization sees that person's name and e-mail address.
	revoke insert, update on rowhouse.member from rowhouse_app;
	grant update (role) on rowhouse.member to rowhouse_app;
	revoke all on sequence rowhouse.next_table, rowhouse.next_field, rowhouse.next_link from rowhouse_app;
end
$$;
