-- The functions of the schema gate after all migrations. `go test ./migrations -run RecordedText -update` writes this file.

CREATE OR REPLACE FUNCTION gate.add_change_log(schema_name text, policy text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
	execute format('create index presence on %I.change (table_number, kind, number) where kind in (1, 3, 5)', schema_name);
	-- Ids of change sets begin with the time, so they lie on few pages.
	execute format('create index change_by_set on %I.change using brin (change_set) with (pages_per_range = 16, autosummarize = on)', schema_name);
	perform gate.protect_change_log(to_regclass(name), policy);
	perform gate.add_change_months(schema_name);
end
$function$

CREATE OR REPLACE FUNCTION gate.add_change_months(schema_name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.add_record_count(org uuid, schema_name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.add_record_count_with_table()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
	perform gate.add_record_count(new.org_id, n.nspname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relname = 't_' || new.number and n.nspname like 'org\_%';
	return null;
end
$function$

CREATE OR REPLACE FUNCTION gate.add_version_with_table()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
	rel regclass := (select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relname = 't_' || new.number and n.nspname like 'org\_%');
begin
	if rel is not null and not exists (select from pg_attribute a where a.attrelid = rel and a.attname = 'version') then
		execute format('alter table %s add column version bigint not null default 0', rel);
	end if;
	return null;
end
$function$

CREATE OR REPLACE FUNCTION gate.add_versions(above oid, most integer)
 RETURNS oid
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.admit(hash bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if sha256(convert_to(coalesce(current_setting('app.key', true), ''), 'UTF8')) is distinct from hash then
		raise exception 'the key is not that of the table''s organization' using errcode = 'RH020';
	end if;
	return true;
end
$function$

CREATE OR REPLACE FUNCTION gate.admits_id()
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN false

CREATE OR REPLACE FUNCTION gate.adopt_record_count(schema_name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.adopt_record_counts(above oid, most integer)
 RETURNS oid
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.assert(fact boolean, state text)
 RETURNS boolean
 LANGUAGE sql
RETURN CASE WHEN fact THEN true ELSE gate.raise(state) END

CREATE OR REPLACE FUNCTION gate.change_horizon()
 RETURNS bigint
 LANGUAGE plpgsql
 SET lock_timeout TO '3s'
AS $function$
declare
	horizon    bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint - 1;
	org_number integer := ('x' || right(replace(gate.organization()::text, '-', ''), 8))::bit(32)::integer;
begin
	if org_number is null then
		raise exception 'no organization is entered' using errcode = '42501';
	end if;
	for slot in 0 .. 31 loop
		begin
			perform pg_advisory_xact_lock(20768 + slot, org_number);
			raise exception 'release' using errcode = 'RH014';
		exception when sqlstate 'RH014' then
			null;
		end;
	end loop;
	return horizon;
end
$function$

CREATE OR REPLACE FUNCTION gate.change_log(schema_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.change_month(month date, OUT low bigint, OUT high bigint)
 RETURNS record
 LANGUAGE sql
 IMMUTABLE
AS $function$
	select (extract(epoch from date_trunc('month', month::timestamp)) * 1000000)::bigint,
		(extract(epoch from date_trunc('month', month::timestamp) + interval '1 month') * 1000000)::bigint
$function$

CREATE OR REPLACE FUNCTION gate.complete_request(run uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	perform set_config('app.attempt', run::text, true);
	update rowhouse.idempotency set done_at = coalesce(done_at, clock_timestamp()) where attempt = run;
	if not found then
		raise exception 'the request is being run by another' using errcode = 'RH010';
	end if;
end
$function$

CREATE OR REPLACE FUNCTION gate.contract()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.date_text(d date)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
	return to_char(d::timestamp, 'YYYY-MM-DD');
end
$function$

CREATE OR REPLACE FUNCTION gate.draw_change(above bigint)
 RETURNS text
 LANGUAGE sql
AS $function$
	select set_config('app.change', greatest(above + 1, current_setting('app.change')::bigint)::text, true)
$function$

CREATE OR REPLACE FUNCTION gate.drop_sql_base()
 RETURNS trigger
 LANGUAGE plpgsql
 SET client_min_messages TO 'warning'
AS $function$
declare
	name text;
begin
	foreach name in array old.former || old.schema_name loop
		execute format('drop schema if exists %I cascade', name);
	end loop;
	if to_regprocedure('sql_login.drop(text)') is not null then
		perform sql_login.drop(old.login);
	end if;
	return null;
end
$function$

CREATE OR REPLACE FUNCTION gate.drop_sql_schemas(names text[])
 RETURNS text[]
 LANGUAGE plpgsql
 SET client_min_messages TO 'warning'
AS $function$
declare
	name text;
	kept text[] := '{}';
begin
	foreach name in array names loop
		if name !~ '^sql_[0-9a-f]{16}$' then
			raise exception '% is not a schema of views', name;
		end if;
		begin
			set local lock_timeout = '100ms';
			execute format('drop schema if exists %I cascade', name);
		exception when lock_not_available then
			kept := kept || name;
		end;
	end loop;
	return kept;
end
$function$

CREATE OR REPLACE FUNCTION gate.enter_table(org uuid, table_number integer, known_version bigint, hold boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	perform set_config('app.org_id', org::text, true);
	if hold then
		perform pg_advisory_xact_lock_shared(20737, table_number);
	end if;
	if not exists (
		select from rowhouse.data_table t
		where t.org_id = org and t.number = table_number and t.version = known_version)
	then
		raise exception 'the schema of table % has changed', table_number using errcode = 'RH001';
	end if;
end
$function$

CREATE OR REPLACE FUNCTION gate.find_records(schema_name text, table_number integer, index text, columns integer[], pattern text, most bigint, people uuid[], user_columns integer[], links integer[])
 RETURNS tid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.fold(t text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 4
AS $function$
begin
	if octet_length(t) = length(t) then
		return lower(t collate "C");
	end if;
	t := lower(t collate "und-x-icu");
	if t like '%ς%' or t like U&'%i\0307%' then
		return replace(replace(t, 'ς', 'σ'), U&'i\0307', 'i');
	end if;
	return t;
end
$function$

CREATE OR REPLACE FUNCTION gate.fold_value(t text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(t) = length(t)) THEN lower((t COLLATE "C")) ELSE (replace(replace(lower((t COLLATE "und-x-icu")), 'ς'::text, 'σ'::text), 'i̇'::text, 'i'::text) COLLATE "C") END

CREATE OR REPLACE FUNCTION gate.hold_table(table_number integer, known_version bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	perform pg_advisory_xact_lock_shared(20737, table_number);
	if not exists (
		select from rowhouse.data_table t
		where t.org_id = (select gate.organization()) and t.number = table_number and t.version = known_version)
	then
		raise exception 'the schema of table % has changed', table_number using errcode = 'RH001';
	end if;
end
$function$

CREATE OR REPLACE FUNCTION gate.list_text(entries text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
	return array_to_string(entries, chr(31));
end
$function$

CREATE OR REPLACE FUNCTION gate.mirror_record_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.next_table_number()
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.number_text(x double precision)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (((abs(x) >= ('1000000000000000'::numeric)::double precision) AND (abs(x) < ('1000000000000000000000'::numeric)::double precision)) OR ((abs(x) < (0.0001)::double precision) AND (abs(x) >= (0.000001)::double precision))) THEN (((x)::text)::numeric)::text ELSE (x)::text END

CREATE OR REPLACE FUNCTION gate.organization()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.prepare_change_log(org uuid, schema_name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	if to_regclass(format('%I.change', schema_name)) is null then
		perform gate.add_change_log(schema_name, gate.record_policy(org));
	else
		perform gate.add_change_months(schema_name);
	end if;
end
$function$

CREATE OR REPLACE FUNCTION gate.protect(rel regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (org_id = (select gate.organization()))', rel);
end
$function$

CREATE OR REPLACE FUNCTION gate.protect_change_log(rel regclass, policy text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, policy);
	execute format('grant select, insert on %s to rowhouse_app', rel);
end
$function$

CREATE OR REPLACE FUNCTION gate.protect_records(rel regclass, org uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.protect_system(rel regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy system on %s to rowhouse_system using (true)', rel);
end
$function$

CREATE OR REPLACE FUNCTION gate.publish_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
	if tg_op = 'DELETE' then
		execute format('drop function if exists version.t_%s()', old.number);
	else
		execute format('create or replace function version.t_%s() returns bigint language sql immutable parallel safe return %s::bigint',
			new.number, new.version);
	end if;
	return null;
end
$function$

CREATE OR REPLACE FUNCTION gate.raise(state text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
	raise exception 'a condition of the transaction does not hold' using errcode = state;
end
$function$

CREATE OR REPLACE FUNCTION gate.record_id(number integer, id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (((((((((((((((((((((((((((((((('rec_'::text || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((number >> 27) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((number >> 22) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((number >> 17) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((number >> 12) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((number >> 7) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((number >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((number << 3) & 31) | (get_byte(uuid_send(id), 0) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 0) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 1) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 1) << 2) & 31) | (get_byte(uuid_send(id), 2) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 2) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 2) << 4) & 31) | (get_byte(uuid_send(id), 3) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 3) << 1) & 31) | (get_byte(uuid_send(id), 4) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 4) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 4) << 3) & 31) | (get_byte(uuid_send(id), 5) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 5) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 6) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 6) << 2) & 31) | (get_byte(uuid_send(id), 7) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 7) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 7) << 4) & 31) | (get_byte(uuid_send(id), 8) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 8) << 1) & 31) | (get_byte(uuid_send(id), 9) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 9) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 9) << 3) & 31) | (get_byte(uuid_send(id), 10) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 10) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 11) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 11) << 2) & 31) | (get_byte(uuid_send(id), 12) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 12) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 12) << 4) & 31) | (get_byte(uuid_send(id), 13) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 13) << 1) & 31) | (get_byte(uuid_send(id), 14) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 14) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 14) << 3) & 31) | (get_byte(uuid_send(id), 15) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 15) >> 0) & 31)), 1))

CREATE OR REPLACE FUNCTION gate.record_policy(org uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.release_sql(rel regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET client_min_messages TO 'warning'
AS $function$
declare
	name text;
begin
	for name in
		select distinct n.nspname from pg_depend d
		join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
		join pg_class v on v.oid = r.ev_class and v.relkind = 'v'
		join pg_namespace n on n.oid = v.relnamespace
		where d.refclassid = 'pg_class'::regclass and d.refobjid = rel and n.nspname ~ '^sql_[0-9a-f]{16}$' order by 1
	loop
		update rowhouse.sql_base set digest = '' where schema_name = name;
		execute format('drop schema if exists %I cascade', name);
	end loop;
end
$function$

CREATE OR REPLACE FUNCTION gate.renew_policies(above oid, most integer)
 RETURNS oid
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.renew_search_indexes(above oid, most integer)
 RETURNS oid
 LANGUAGE plpgsql
AS $function$
declare
	index record;
	last  oid;
begin
	for index in
		select c.oid, n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind = 'i' and c.relname like 's\_%' and n.nspname like 'org\_%' and c.oid > above
		order by c.oid limit most
	loop
		last := index.oid;
		execute format('alter index if exists %I.%I alter column 1 set statistics -1', index.nspname, index.relname);
	end loop;
	return last;
end
$function$

CREATE OR REPLACE FUNCTION gate.restore_rows(rel regclass, rows jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
	columns text := (
		select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
		where a.attrelid = rel and a.attnum > 0 and not a.attisdropped
			and exists (select from jsonb_array_elements(rows) r where r ? a.attname));
begin
	if columns is not null then
		execute format('insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1)', rel, columns) using rows;
	end if;
end
$function$

CREATE OR REPLACE FUNCTION gate.rewrite_policies(org uuid, schema_name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION gate.search_text(rel regclass, columns integer[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
	expression text;
begin
	select string_agg(format(case a.atttypid
			when 'text'::regtype then 'coalesce(%I, '''')'
			when 'double precision'::regtype then 'coalesce(gate.number_text(%I), '''')'
			when 'date'::regtype then 'coalesce(gate.date_text(%I), '''')'
			when 'timestamptz'::regtype then 'coalesce(gate.timestamp_text(%I), '''')'
			when 'text[]'::regtype then 'coalesce(gate.list_text(%I), '''')'
			else 'coalesce(%I::text, '''')' end, a.attname), ' || chr(31) || ' order by c.number)
		into expression
		from unnest(columns) c(number)
		join pg_catalog.pg_attribute a on a.attrelid = rel and not a.attisdropped
			and a.attname = case c.number when -1 then 'created_at' when -2 then 'updated_at' else 'f_' || c.number end;
	return 'gate.fold(' || coalesce(expression, '''''') || ')';
end
$function$

CREATE OR REPLACE FUNCTION gate.timestamp_text(m timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
	t text := to_char(m at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US');
begin
	return case when right(t, 3) = '000' then left(t, -3) else t end || 'Z';
end
$function$

CREATE OR REPLACE FUNCTION gate.user_id(id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (((((((((((((((((((((((((('usr_'::text || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 0) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 0) << 2) & 31) | (get_byte(uuid_send(id), 1) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 1) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 1) << 4) & 31) | (get_byte(uuid_send(id), 2) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 2) << 1) & 31) | (get_byte(uuid_send(id), 3) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 3) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 3) << 3) & 31) | (get_byte(uuid_send(id), 4) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 4) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 5) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 5) << 2) & 31) | (get_byte(uuid_send(id), 6) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 6) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 6) << 4) & 31) | (get_byte(uuid_send(id), 7) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 7) << 1) & 31) | (get_byte(uuid_send(id), 8) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 8) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 8) << 3) & 31) | (get_byte(uuid_send(id), 9) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 9) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 10) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 10) << 2) & 31) | (get_byte(uuid_send(id), 11) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 11) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 11) << 4) & 31) | (get_byte(uuid_send(id), 12) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 12) << 1) & 31) | (get_byte(uuid_send(id), 13) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 13) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 13) << 3) & 31) | (get_byte(uuid_send(id), 14) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 14) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 15) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 15) << 2) & 31)), 1))
