-- Organizations are entered with a key. Until now whoever could set app.org_id could enter any organization, so row-level security
-- stopped a forgotten condition but not SQL of an attacker's own. See docs/decisions/0027-organization-keys.md.
--
-- The binary before this migration enters by id alone. As long as gate.admits_id() is true, that still works; `rowhouse migrate --contract`
-- ends it when no such process is left. In a new database, this migration ends it at once.

-- The key of an organization is 128 random bits in hexadecimal. sealed is the key encrypted with the service's SECRET_KEY, which the database
-- does not have; sealed_with is a fingerprint of that secret. hash is the SHA-256 of the key and opens nothing. There is no foreign key,
-- because the canary belongs to no organization.
create table rowhouse.organization_key (
	org_id      uuid        primary key,
	sealed      bytea       not null,
	sealed_with bytea       not null,
	hash        bytea       not null constraint organization_key_hash_size check (length(hash) = 32),
	created_at  timestamptz not null default now()
);
create index organization_key_sealed_with on rowhouse.organization_key (sealed_with, org_id);
select gate.protect_system('rowhouse.organization_key');
grant select on rowhouse.organization_key to rowhouse_system;
create policy owner on rowhouse.organization_key to rowhouse_owner using (true);

-- admits_id returns whether a transaction without a key may enter an organization by its id.
do $$
begin
	execute format('create function gate.admits_id() returns boolean language sql immutable parallel safe return %s',
		case when exists (select from pg_namespace where nspname like 'org\_%') then 'true' else 'false' end);
end
$$;

-- organization returns the organization of the transaction: app.org_id, if app.key is its key. Without a key it returns null. With a wrong
-- key it fails, because empty answers would look like lost data.
create function gate.organization() returns uuid language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
	org    uuid := nullif(current_setting('app.org_id', true), '')::uuid;
	secret text := nullif(current_setting('app.key', true), '');
begin
	if secret is null then
		return case when gate.admits_id() then org end;
	end if;
	if not exists (select from rowhouse.organization_key k where k.org_id = org and k.hash = sha256(convert_to(secret, 'UTF8'))) then
		raise exception 'the key is not that of the organization' using errcode = 'RH020';
	end if;
	return org;
end
$$;

-- admit fails unless the key of the transaction has the given hash. It is declared immutable so that the planner evaluates it: a stranger's
-- statement about a record table then fails before it is planned, so that not even EXPLAIN shows an estimate. The policy does not rely on it,
-- because a plan may be reused.
create function gate.admit(hash bytea) returns boolean language plpgsql immutable parallel safe as $$
begin
	if sha256(convert_to(coalesce(current_setting('app.key', true), ''), 'UTF8')) is distinct from hash then
		raise exception 'the key is not that of the table''s organization' using errcode = 'RH020';
	end if;
	return true;
end
$$;

-- record_policy returns the condition of the policy of an organization's record tables. The second half is a sub-select so that it is
-- evaluated once per query, and an inequality because the planner assumes that nearly every row satisfies one.
create function gate.record_policy(org uuid) returns text language plpgsql stable as $$
declare
	key_hash bytea := (select k.hash from rowhouse.organization_key k where k.org_id = org);
begin
	if gate.admits_id() then
		return format('(select case when current_setting(''app.org_id'', true) = %L then 1 end) <> 0', org);
	end if;
	if key_hash is null then
		raise exception 'organization % has no key', org;
	end if;
	return format('gate.admit(%1$L::bytea) and (select case when sha256(convert_to(current_setting(''app.key'', true), ''UTF8'')) = %1$L::bytea '
		'then 1 end) <> 0', key_hash);
end
$$;

create or replace function gate.protect_records(rel regclass, org uuid) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, gate.record_policy(org));
	execute format('grant select, insert, update, delete on %s to rowhouse_app', rel);
	if left(split_part(rel::text, '.', 2), 2) in ('t_', 'l_') then
		execute format('create policy search on %s for select to rowhouse_search using (true)', rel);
		execute format('grant select on %s to rowhouse_search', rel);
	end if;
end
$$;

create or replace function gate.protect(rel regclass) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (org_id = (select gate.organization()))', rel);
end
$$;
-- hold_table keeps the schema of a table from changing until the transaction ends, and fails if its version is not the known one.
create function gate.hold_table(table_number integer, known_version bigint) returns void language plpgsql as $$
begin
	perform pg_advisory_xact_lock_shared(20737, table_number);
	if not exists (
		select from rowhouse.data_table t
		where t.org_id = (select gate.organization()) and t.number = table_number and t.version = known_version)
	then
		raise exception 'the schema of table % has changed', table_number using errcode = 'RH001';
	end if;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Counts of records are in the schema of the organization, so that writing a record touches this schema alone.

-- add_record_count creates the counts of an organization, unless they exist.
create function gate.add_record_count(org uuid, schema_name text) returns void language plpgsql as $$
begin
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

-- rewrite_policies gives the policies of an organization's tables the hash of its present key.
create function gate.rewrite_policies(org uuid, schema_name text) returns void language plpgsql as $$
declare
	rel regclass;
begin
	for rel in
		select c.oid from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = schema_name and p.polname = 'organization' order by c.oid
	loop
		execute format('alter policy organization on %s using (%s)', rel, gate.record_policy(org));
	end loop;
end
$$;

-- mirror_record_count tells the counts of one binary to the other while both are running. A mirrored count has a slot of its own (from 32 on),
-- so that two writers never wait for each other in turn.
create function gate.mirror_record_count() returns trigger language plpgsql as $$
declare
	records bigint := new.records - case tg_op when 'UPDATE' then old.records else 0 end;
	writes  bigint := new.writes - case tg_op when 'UPDATE' then old.writes else 0 end;
	schema_name text;
begin
	if tg_table_schema = 'rowhouse' then
		schema_name := (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
			where c.relname = 't_' || new.table_number and n.nspname like 'org\_%');
		if to_regclass(format('%I.record_count', schema_name)) is not null then
			execute format('insert into %I.record_count as c values ($1, $2, $3, $4) on conflict (table_number, slot)
				do update set records = c.records + $3, writes = c.writes + $4', schema_name)
				using new.table_number, new.slot + 32, records, writes;
		end if;
	else
		insert into rowhouse.record_count as c values (tg_argv[0]::uuid, new.table_number, new.slot + 32, records, writes)
			on conflict (org_id, table_number, slot) do update set records = c.records + excluded.records, writes = c.writes + excluded.writes;
	end if;
	return null;
end
$$;
-- adopt_record_count copies the counts of one organization to its own schema. Writers of its tables wait meanwhile.
create function gate.adopt_record_count(schema_name text) returns void language plpgsql as $$
declare
	org uuid;
begin
	-- Only the owner calls this, and sees the organizations past their policy for this one statement.
	select substring(pg_get_expr(p.polqual, p.polrelid) from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')::uuid into org
		from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = schema_name and p.polname = 'organization' limit 1;
	if org is null then
		return; -- an organization without tables gets its counts with the first one
	end if;
	perform set_config('app.org_id', org::text, true);
	perform from rowhouse.organization where org_id = org for update;
	if to_regclass(format('%I.record_count', schema_name)) is not null then
		return;
	end if;
	perform pg_advisory_xact_lock(20737, t.number) from (select number from rowhouse.data_table where org_id = org order by number) t;
	perform gate.add_record_count(org, schema_name);
	execute format('alter table %I.record_count disable trigger mirror', schema_name);
	execute format('insert into %I.record_count select table_number, slot + 32, records, writes from rowhouse.record_count where org_id = $1',
		schema_name) using org;
	execute format('alter table %I.record_count enable trigger mirror', schema_name);
end
$$;

-- adopt_record_counts does so for the organizations after the given schema and returns the last one, or null at the end.
create function gate.adopt_record_counts(above oid, most integer) returns oid language plpgsql as $$
declare
	found record;
	last  oid;
begin
	for found in select oid, nspname from pg_namespace where nspname like 'org\_%' and oid > above order by oid limit least(most, 1) loop
		last := found.oid;
		perform gate.adopt_record_count(found.nspname);
	end loop;
	return last;
end
$$;

-- The first table of an organization brings its counts, whichever binary creates it.
create function gate.add_record_count_with_table() returns trigger language plpgsql as $$
begin
	perform gate.add_record_count(new.org_id, n.nspname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relname = 't_' || new.number and n.nspname like 'org\_%';
	return null;
end
$$;
create constraint trigger add_record_count after insert on rowhouse.data_table deferrable initially deferred
	for each row execute function gate.add_record_count_with_table();
create trigger mirror after insert or update on rowhouse.record_count for each row when (pg_trigger_depth() = 0)
	execute function gate.mirror_record_count();

-- ---------------------------------------------------------------------------------------------------------------------
-- Numbers of tables

-- The number of a table is part of the ids of its records. next_table_number returns them in an order that only this database knows, so that
-- ids do not tell how many tables the service has: a Feistel network over a sequence, whose results never repeat.
create table rowhouse.number_secret (secret bytea not null);
alter table rowhouse.number_secret enable row level security;
alter table rowhouse.number_secret force row level security;
create policy owner on rowhouse.number_secret to rowhouse_owner using (true);
insert into rowhouse.number_secret values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

create function gate.next_table_number() returns integer language plpgsql as $$
declare
	secret     bytea := (select s.secret from rowhouse.number_secret s);
	place      bigint;
	upper_half bigint;
	lower_half bigint;
	mixed      bytea;
begin
	loop
		place := nextval('rowhouse.next_table');
		if gate.admits_id() then
			return place; -- the binary before takes the numbers in turn
		end if;
		upper_half := place >> 16;
		lower_half := place & 65535;
		for round in 1 .. 4 loop
			mixed := sha256(secret || convert_to(round || ' ' || lower_half, 'UTF8'));
			select lower_half, upper_half # (get_byte(mixed, 0) * 256 + get_byte(mixed, 1)) into upper_half, lower_half;
		end loop;
		place := (upper_half << 16) | lower_half;
		if place between 1 and 2147483647 and to_regproc('version.t_' || place) is null then
			return place;
		end if;
	end loop;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- What each role may do

-- Only the owner builds policies and numbers tables.
revoke execute on function gate.record_policy(uuid), gate.rewrite_policies(uuid, text), gate.add_record_count(uuid, text), gate.adopt_record_count(text),
	gate.adopt_record_counts(oid, integer), gate.next_table_number() from public;
revoke execute on function gate.protect_records(regclass, uuid), gate.protect(regclass), gate.protect_system(regclass),
	gate.renew_policies(oid, integer), gate.renew_search_indexes(oid, integer) from public;

-- An invitation is accepted by the system role, which knows the person and the organization.
grant update (accepted_at) on rowhouse.invitation to rowhouse_system;
grant insert, update (role) on rowhouse.member to rowhouse_system;

-- renew_policies brings the policies of a few tables after the given one to their present wording, and returns the last of them, or null at
-- the end. It changes one table per call if it is asked to, so that it holds one lock at a time and never deadlocks with requests.
create or replace function gate.renew_policies(above oid, most integer) returns oid language plpgsql as $$
declare
	found record;
	last  oid;
begin
	for found in
		select c.oid, c.oid::regclass as rel, n.nspname = 'rowhouse' as shared, c.relname, p.polname, pg_get_expr(p.polqual, p.polrelid) as condition
		from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_policy p on p.polrelid = c.oid
		where c.relkind = 'r' and c.oid > above and case
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

-- contract ends what only the binary before this migration needs.
create function gate.contract() returns void language plpgsql as $$
begin
	create or replace function gate.admits_id() returns boolean language sql immutable parallel safe return false;
	drop trigger if exists mirror on rowhouse.record_count;
	revoke insert, update, delete on rowhouse.organization, rowhouse.workspace, rowhouse.base, rowhouse.data_table, rowhouse.field, rowhouse.view
		from rowhouse_app;
	-- Who adds anybody to their organization sees that person's name and e-mail address.
	revoke insert, update on rowhouse.member from rowhouse_app;
	grant update (role) on rowhouse.member to rowhouse_app;
	revoke all on sequence rowhouse.next_table, rowhouse.next_field, rowhouse.next_link from rowhouse_app;
end
$$;
revoke execute on function gate.contract() from public;
do $$
begin
	if not gate.admits_id() then
		perform gate.contract();
		drop trigger add_record_count on rowhouse.data_table;
		drop table rowhouse.record_count;
	end if;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Estimates

-- The planner's estimates of a table that organizations share come from everybody's rows, because = and < of these types are leakproof.
-- EXPLAIN with one condition after another would tell the values in the statistics. So there are none of what people wrote and of what
-- is secret. provision.sql removes those that exist.
do $$
declare
	found record;
begin
	for found in
		select a.attrelid::regclass as rel, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
		where c.relnamespace = 'rowhouse'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
			and has_column_privilege('rowhouse_app', c.oid, a.attnum, 'select')
			and (a.attname in ('name', 'email', 'share_id', 'token_hash', 'sha256') or a.atttypid = 'jsonb'::regtype)
	loop
		execute format('alter table %s alter column %I set statistics 0', found.rel, found.attname);
	end loop;
	for found in
		select a.attrelid::regclass as rel, a.attnum from pg_attribute a join pg_index i on i.indexrelid = a.attrelid
		join pg_class c on c.oid = i.indrelid
		where c.relnamespace = 'rowhouse'::regnamespace and i.indkey[a.attnum - 1] = 0
	loop
		execute format('alter index %s alter column %s set statistics 0', found.rel, found.attnum);
	end loop;
end
$$;

-- Names that the binary two versions ago called.
drop function gate.demand(boolean, text), gate.finish(uuid), gate.wall_record(regclass, uuid);
grant create on schema gate to rowhouse_search;
set local role rowhouse_search;
drop function gate.find(text, integer, text, integer[], text, bigint, uuid[], integer[], integer[]);
-- find_records as it was, for the organization whose key is in force.
create or replace function gate.find_records(
	schema_name text, table_number integer, index text, columns integer[], pattern text, most bigint, people uuid[], user_columns integer[], links integer[]
) returns tid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
	org         uuid := gate.organization();
	-- Names of record tables are unique in the database, so data_table decides whether the table belongs to the organization.
	rel         regclass := case when starts_with(schema_name, 'org_') then to_regclass(format('%I.t_%s', schema_name, table_number)) end;
	full_index  regclass := to_regclass(format('%I.%I', schema_name, index));
	folded      text := gate.fold(pattern);
	indexed     integer[];
	remaining   integer[] := '{}';
	condition   text;
	column_no   integer;
	linked      uuid[] := '{}';
	hits        tid[];
begin
	-- The comment on a search index lists the columns that it covers.
	select (select d.description::integer[] from pg_description d
			where d.objoid = full_index and d.classoid = 'pg_class'::regclass and d.objsubid = 0
			and exists (select from pg_index x where x.indexrelid = full_index and x.indrelid = rel and x.indisvalid))
		into indexed from rowhouse.data_table t where t.org_id = org and t.number = table_number;
	if not found or rel is null then
		raise exception 'table % is not of the present organization', table_number using errcode = 'RH001';
	end if;
	if indexed is distinct from columns then
		-- The index predates the latest change of the table's fields, or does not exist. Columns newer than the index are scanned.
		select d.description::integer[] into indexed
			from pg_index x join pg_class i on i.oid = x.indexrelid
			join pg_description d on d.objoid = i.oid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
			where x.indrelid = rel and i.relname like 's\_%' and x.indisvalid
				-- The condition refers to both relations, so it is evaluated after their join and parses our comments only.
				and case when x.indrelid = rel and i.relname like 's\_%' then d.description::integer[] end <@ columns
			order by i.oid desc limit 1;
		indexed := coalesce(indexed, columns);
		remaining := array(select c from unnest(columns) c where c <> all (indexed));
	end if;
	condition := gate.search_text(rel, indexed) || ' like $1';
	if cardinality(remaining) > 0 then
		condition := condition || ' or ' || gate.search_text(rel, remaining) || ' like $1';
	end if;

	if cardinality(people) > 0 then
		foreach column_no in array user_columns loop
			condition := condition || case column_no
				when -3 then ' or created_by = any ($2)'
				when -4 then ' or updated_by = any ($2)'
				else format(' or %I && $2', 'f_' || column_no) end;
		end loop;
	end if;

	for i in 0 .. coalesce(cardinality(links), 0) / 4 - 1 loop
		-- The join table's foreign keys guarantee that the linked table belongs to the same organization, and thus to this schema.
		execute format('select $2 || array(select distinct l.%I from %I.%I l where l.%I = any (array(
				select o.id from %I.%I o where gate.fold(o.%I::text) like $1)))',
			case links[4 * i + 2] when 1 then 'a' else 'b' end, schema_name, 'l_' || links[4 * i + 1],
			case links[4 * i + 2] when 1 then 'b' else 'a' end, schema_name, 't_' || links[4 * i + 3], 'f_' || links[4 * i + 4])
			into linked using folded, linked;
	end loop;
	if cardinality(linked) > 0 then
		condition := condition || ' or id = any ($3)';
	end if;

	execute format('select array(select ctid from %s where %s order by id %s)', rel, condition,
		case when most is null then '' else 'limit ' || most end)
		into hits using folded, people, linked;
	return hits;
end
$$;
set local role rowhouse_owner;
revoke create on schema gate from rowhouse_search;
