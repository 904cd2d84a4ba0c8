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
 LANGUAGE sql
AS $function$$function$

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
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
	if fact is not true then
		raise exception 'a condition of the transaction does not hold' using errcode = state;
	end if;
	return true;
end
$function$

CREATE OR REPLACE FUNCTION gate.attach_trigger(rel regclass, name name, function text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	if not exists (select from pg_trigger t where t.tgrelid = rel and t.tgname = name) then
		execute format('create trigger %I before insert or update on %s for each row execute function %s()', name, rel, function);
	end if;
end
$function$

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
	)', schema_name)
$function$

CREATE OR REPLACE FUNCTION gate.change_month(month date, OUT low bigint, OUT high bigint)
 RETURNS record
 LANGUAGE sql
 IMMUTABLE
AS $function$
	select (extract(epoch from date_trunc('month', month::timestamp)) * 1000000)::bigint,
		(extract(epoch from date_trunc('month', month::timestamp) + interval '1 month') * 1000000)::bigint
$function$

CREATE OR REPLACE FUNCTION gate.clean_list(index text, once bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
	return gin_clean_pending_list(index::regclass);
end
$function$

CREATE OR REPLACE FUNCTION gate.clean_shard(index regclass)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
	rel   regclass := (select x.indrelid from pg_index x where x.indexrelid = index);
	pages bigint;
begin
	execute format('select gate.clean_list(%L, count(*)) from (select from %s limit 1) t', gate.shard_of(index, rel), rel) into pages;
	return pages;
end
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

CREATE OR REPLACE FUNCTION gate.coordinator_policy(org uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
	select gate.without_select(gate.record_policy(org))
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
 LANGUAGE plpgsql
AS $function$
begin
	if above >= current_setting('app.change')::bigint then
		execute format('set local app.change = %L', above + 1);
	end if;
	return current_setting('app.change');
end
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

CREATE OR REPLACE FUNCTION gate.drop_stale_indexes(above oid, most integer)
 RETURNS oid
 LANGUAGE plpgsql
AS $function$
declare
	natural_order oid := 'gate.natural_order'::regcollation;
	folds         text := md5((select gate.search_fold(string_agg(chr(n), ' ' order by n)) from generate_series(128, 8591) n));
	refolded      boolean := folds is distinct from obj_description('gate.search_fold(text)'::regprocedure, 'pg_proc');
	reordered     boolean := (select c.collversion from pg_collation c where c.oid = natural_order)
		is distinct from pg_collation_actual_version(natural_order);
	index         record;
	last          oid;
begin
	if not refolded and not reordered then
		return null;
	end if;
	for index in
		select c.oid, n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind = 'i' and n.nspname like 'org\_%' and c.oid > above and (
			refolded and c.relname like 's\_%'
			or reordered and exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
				and d.refclassid = 'pg_collation'::regclass and d.refobjid = natural_order))
		order by c.oid limit most
	loop
		last := index.oid;
		execute format('drop index if exists %I.%I', index.nspname, index.relname);
	end loop;
	if last is null then
		execute format('comment on function gate.search_fold(text) is %L', folds);
		alter collation gate.natural_order refresh version;
	end if;
	return last;
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

CREATE OR REPLACE FUNCTION gate.find_record_ids(schema_name text, table_number integer, index text, columns integer[], pattern text, most bigint, people uuid[], user_columns integer[], links integer[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
	org         uuid := gate.organization();
	-- Names of record tables are unique in the database, so data_table decides whether the table belongs to the organization.
	rel         regclass := case when starts_with(schema_name, 'org_') then to_regclass(format('%I.t_%s', schema_name, table_number)) end;
	full_index  regclass := to_regclass(format('%I.%I', schema_name, index));
	folded      text := gate.search_fold(pattern);
	indexed     integer[];
	remaining   integer[] := '{}';
	condition   text;
	column_no   integer;
	linked      uuid[] := '{}';
	hits        uuid[];
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
				select o.id from %I.%I o where gate.search_fold(o.%I::text) like $1)))',
			case links[4 * i + 2] when 1 then 'a' else 'b' end, schema_name, 'l_' || links[4 * i + 1],
			case links[4 * i + 2] when 1 then 'b' else 'a' end, schema_name, 't_' || links[4 * i + 3], 'f_' || links[4 * i + 4])
			into linked using folded, linked;
	end loop;
	if cardinality(linked) > 0 then
		condition := condition || ' or id = any ($3)';
	end if;

	execute format('select array(select id from %s where %s order by id %s)', rel, condition,
		case when most is null then '' else 'limit ' || most end)
		into hits using folded, people, linked;
	return hits;
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
	folded      text := gate.search_fold(pattern);
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
				select o.id from %I.%I o where gate.search_fold(o.%I::text) like $1)))',
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

CREATE OR REPLACE FUNCTION gate.formula_abs(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > 1e300 then gate.formula_bound(a) else abs(coalesce(a, 0)) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_add(a double precision, b double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	end if;
	a := coalesce(a, 0) + coalesce(b, 0);
	if a > 1e300 or a < -1e300 then
		return 4e301;
	end if;
	return a;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_add_days(a date, n double precision, unit text)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN gate.formula_day(gate.formula_add_time(gate.formula_moment(a, 'UTC'::text), n, unit, 'UTC'::text), 'UTC'::text)

CREATE OR REPLACE FUNCTION gate.formula_add_time(a timestamp with time zone, n double precision, unit text, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	size  double precision;
	local timestamp;
	count numeric;
begin
	if a > timestamptz '20000-01-01 00:00+00' then
		return a;
	elsif n > 1e300 or starts_with(unit, U&'\FFFF') then
		return gate.formula_time_error(gate.formula_code(null, n, null, unit));
	elsif a is null then
		return null;
	end if;
	n := coalesce(n, 0);
	unit := gate.formula_unit(unit);
	if unit is null then
		return gate.formula_time_error(6::smallint);
	end if;
	size := case unit when 'millisecond' then 0.001 when 'second' then 1 when 'minute' then 60 when 'hour' then 3600 end;
	if abs(n) > 1e15 then
		return gate.formula_time_error(5::smallint);
	elsif size is not null then
		if abs(n) < 1e-9 then
			return a;
		elsif extract(epoch from a)::double precision + n * size not between -62135596800 and 253402300799.9995 then
			return gate.formula_time_error(5::smallint);
		end if;
		return a + make_interval(secs => round((n * size)::numeric, 3)::double precision);
	end if;
	count := round(n::numeric * case unit when 'week' then 7 when 'quarter' then 3 when 'year' then 12 else 1 end);
	local := a at time zone zone;
	if unit in ('day', 'week') then
		if (local::date - date '0001-01-01') + count not between 0 and 3652058 then
			return gate.formula_time_error(5::smallint);
		end if;
		local := local + make_interval(days => count::integer);
	else
		if extract(year from local) * 12 + extract(month from local) - 1 + count not between 12 and 119999 then
			return gate.formula_time_error(5::smallint);
		end if;
		local := local + make_interval(months => count::integer);
	end if;
	return local at time zone zone;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_ago(a timestamp with time zone, b timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	seconds double precision;
	n       integer;
begin
	if a is null or a > timestamptz '20000-01-01 00:00+00' then
		return gate.formula_text_error(gate.formula_error(a));
	end if;
	seconds := abs(extract(epoch from a - b));
	return case
		when seconds < 44.5 then 'a few seconds' when seconds < 89.5 then 'a minute' when seconds < 2670 then round(seconds / 60) || ' minutes'
		when seconds < 5370 then 'an hour' when seconds < 77400 then round(seconds / 3600) || ' hours' when seconds < 127800 then 'a day'
		when seconds < 2203200 then round(seconds / 86400) || ' days' when seconds < 3888000 then 'a month'
		when seconds < 27561600 then round(seconds / 2629800) || ' months' when seconds < 47304000 then 'a year'
		else round(seconds / 31557600) || ' years' end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_average(a double precision[])
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	x     double precision;
	total double precision := 0;
	n     integer := 0;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		elsif x is not null then
			total := total + x;
			n := n + 1;
		end if;
		if abs(total) > 1e300 then
			return 4e301;
		end if;
	end loop;
	return case when n > 0 then case when abs(total) < 1e-290 then 0 else total / n end end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_between(later timestamp with time zone, earlier timestamp with time zone, unit text, zone text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	a      timestamp;
	b      timestamp;
	months integer;
begin
	if later > timestamptz '20000-01-01 00:00+00' or earlier > timestamptz '20000-01-01 00:00+00' or starts_with(unit, U&'\FFFF') then
		return coalesce(gate.formula_error(later), gate.formula_error(earlier), gate.formula_error(unit)) * 1e301;
	elsif later is null or earlier is null then
		return null;
	end if;
	unit := gate.formula_unit(unit);
	if unit is null then
		return 6e301;
	elsif unit in ('millisecond', 'second', 'minute', 'hour') then
		return trunc(extract(epoch from later - earlier) * 1000 / case unit when 'millisecond' then 1 when 'second' then 1000
			when 'minute' then 60000 else 3600000 end)::double precision;
	end if;
	a := later at time zone zone;
	b := earlier at time zone zone;
	if unit in ('day', 'week') then
		return trunc(extract(epoch from a - b) / 86400 / case unit when 'day' then 1 else 7 end)::double precision;
	end if;
	months := (extract(year from a) - extract(year from b)) * 12 + extract(month from a) - extract(month from b);
	if months > 0 and b + make_interval(months => months) > a then
		months := months - 1;
	elsif months < 0 and b + make_interval(months => months) < a then
		months := months + 1;
	end if;
	return trunc(months::numeric / case unit when 'month' then 1 when 'quarter' then 3 else 12 end)::double precision;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_bound(a double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (((a > ('1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (a < ('10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision)) OR (a < ('-1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) OR (a > ('320000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision)) THEN ('40000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision ELSE a END

CREATE OR REPLACE FUNCTION gate.formula_case(a text, up boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when starts_with(a, U&'\FFFF') then a when up then upper(a collate "und-x-icu") else lower(a collate "und-x-icu") end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_clock(a timestamp with time zone, template text, zone text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > timestamptz '20000-01-01 00:00+00' then gate.formula_text_error(gate.formula_error(a))
		else to_char(a at time zone zone, template) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_code(a text, b double precision, c double precision, d text)
 RETURNS smallint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return coalesce(gate.formula_error(a), gate.formula_error(b), gate.formula_error(c), gate.formula_error(d));
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_compact(a anyarray)
 RETURNS anyarray
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return array(select x from unnest(a) with ordinality u(x, place) where x is not null and x::text <> '' order by place);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_compare(a double precision, b double precision, how text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	end if;
	a := coalesce(a, 0);
	b := coalesce(b, 0);
	return case how when '=' then a = b when '!=' then a <> b when '<' then a < b when '<=' then a <= b when '>' then a > b
		else a >= b end::integer;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_compare(a text, b text, how text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if starts_with(a, U&'\FFFF') then
		return gate.formula_error(a) * 1e301;
	elsif starts_with(b, U&'\FFFF') then
		return gate.formula_error(b) * 1e301;
	end if;
	a := coalesce(a, '') collate "C";
	b := coalesce(b, '');
	return case how when '=' then a = b when '!=' then a <> b when '<' then a < b collate "C" when '<=' then a <= b collate "C"
		when '>' then a > b collate "C" else a >= b collate "C" end::integer;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_compare(a timestamp with time zone, b timestamp with time zone, how text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > timestamptz '20000-01-01 00:00+00' then
		return gate.formula_error(a) * 1e301;
	elsif b > timestamptz '20000-01-01 00:00+00' then
		return gate.formula_error(b) * 1e301;
	end if;
	return case how when '=' then a is not distinct from b when '!=' then a is distinct from b when '<' then coalesce(a < b, false)
		when '<=' then coalesce(a <= b, false) when '>' then coalesce(a > b, false) else coalesce(a >= b, false) end::integer;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_compare(a date, b date, how text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > date '20000-01-01' then
		return gate.formula_error(a) * 1e301;
	elsif b > date '20000-01-01' then
		return gate.formula_error(b) * 1e301;
	end if;
	return case how when '=' then a is not distinct from b when '!=' then a is distinct from b when '<' then coalesce(a < b, false)
		when '<=' then coalesce(a <= b, false) when '>' then coalesce(a > b, false) else coalesce(a >= b, false) end::integer;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_count(a double precision[])
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return coalesce(gate.formula_error(a) * 1e301, (select count(x) from unnest(a) x));
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_count_all(a text[])
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return coalesce(gate.formula_error(a) * 1e301, coalesce(cardinality(a), 0));
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_count_values(a text[])
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return coalesce(gate.formula_error(a) * 1e301, (select count(nullif(x, '')) from unnest(a) x));
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_date_error(code smallint)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ('20000-01-01'::date + (code)::integer)

CREATE OR REPLACE FUNCTION gate.formula_day(a timestamp with time zone, zone text)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (a > '20000-01-01 00:00:00+00'::timestamp with time zone) THEN gate.formula_date_error(gate.formula_error(a)) ELSE ((a AT TIME ZONE zone))::date END

CREATE OR REPLACE FUNCTION gate.formula_divide(a double precision, b double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	elsif b is null or b = 0 then
		return 1e301;
	elsif a is null or a = 0 then
		return 0;
	elsif abs(a) between 1e-150 and 1e150 and abs(b) between 1e-150 and 1e150 then
		return a / b;
	elsif ln(abs(a)) - ln(abs(b)) > 690.7755 then
		return 4e301;
	elsif ln(abs(a)) - ln(abs(b)) < -690 then
		return 0;
	end if;
	return a / b;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_encode_url(a text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	encoded text;
begin
	if starts_with(a, U&'\FFFF') or a !~ '[^A-Za-z0-9_.!~*''()-]' then
		return a;
	end if;
	select string_agg(case when c ~ '[A-Za-z0-9_.!~*''()-]' then c else
		regexp_replace(upper(encode(convert_to(c, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by place)
		into encoded from regexp_split_to_table(a, '') with ordinality u(c, place);
	return case when length(encoded) > 100000 then U&'\FFFF' || 8 else encoded end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_end(a double precision[], latest boolean)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	x   double precision;
	ans double precision;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		elsif ans is null or latest and x > ans or not latest and x < ans then
			ans := x;
		end if;
	end loop;
	return coalesce(ans, 0);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_end(a timestamp with time zone[], latest boolean)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return (select case when max(x) > timestamptz '20000-01-01 00:00+00' then max(x) when latest then max(x) else min(x) end
		from unnest(a) x);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_end(a date[], latest boolean)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return (select case when max(x) > date '20000-01-01' then max(x) when latest then max(x) else min(x) end from unnest(a) x);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_end_part(a text, n double precision)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if starts_with(a, U&'\FFFF') or n > 1e300 then
		return gate.formula_text_error(gate.formula_code(a, n, null, null));
	elsif gate.formula_whole(n) < 0 then
		return U&'\FFFF' || 6;
	end if;
	return right(a, gate.formula_whole(n));
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_error(a double precision)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (a >= ('10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) THEN CASE WHEN (a <= ('320000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) THEN (((a / ('10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))::smallint)::integer ELSE 4 END ELSE NULL::integer END

CREATE OR REPLACE FUNCTION gate.formula_error(a text)
 RETURNS smallint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if starts_with(a, U&'\FFFF') then
		return case when a ~ '^.[0-9]{1,2}$' then substr(a, 2)::smallint else 6 end;
	end if;
	return null;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_error(a date)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (a > '20000-01-01'::date) THEN ((a - '20000-01-01'::date))::smallint ELSE NULL::smallint END

CREATE OR REPLACE FUNCTION gate.formula_error(a timestamp with time zone)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (a > '20000-01-01 00:00:00+00'::timestamp with time zone) THEN ((EXTRACT(epoch FROM (a - '20000-01-01 00:00:00+00'::timestamp with time zone)) / (86400)::numeric))::smallint ELSE NULL::smallint END

CREATE OR REPLACE FUNCTION gate.formula_error(a double precision[])
 RETURNS smallint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	x double precision;
begin
	foreach x in array coalesce(a, '{}') loop
		if x >= 1e301 then
			return gate.formula_error(x);
		end if;
	end loop;
	return null;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_error(a text[])
 RETURNS smallint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	x text;
begin
	foreach x in array coalesce(a, '{}') loop
		if starts_with(x, U&'\FFFF') then
			return gate.formula_error(x);
		end if;
	end loop;
	return null;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_error(a date[])
 RETURNS smallint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return (select gate.formula_error(max(x)) from unnest(a) x);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_error(a timestamp with time zone[])
 RETURNS smallint
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return (select gate.formula_error(max(x)) from unnest(a) x);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_even(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > 1e300 then gate.formula_bound(a) when abs(a) < 1e-200 then sign(a + abs(a)) * 2
		else ceil(coalesce(a, 0) / 2) * 2 end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_exp(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a > 690.7755 then 4e301 when a < -690 then 0 else exp(coalesce(a, 0)) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_extract(a text, parts text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	part  text;
	match integer[];
	first integer;
	place integer := 1;
begin
	if starts_with(a, U&'\FFFF') or starts_with(parts[1], U&'\FFFF') then
		return gate.formula_text_error(coalesce(gate.formula_error(a), gate.formula_error(parts[1])));
	end if;
	a := coalesce(a, '');
	foreach part in array parts loop
		exit when place > length(a) and first is not null;
		match := gate.formula_first(a, part, place);
		if first is null then
			first := match[1];
			if first is null then
				return null;
			end if;
		end if;
		place := coalesce(match[2], length(a) + 1);
	end loop;
	return substr(a, first, place - first);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_field(a timestamp with time zone, what text, zone text, first integer)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	local timestamp;
	day   integer;
begin
	if a is null or a > timestamptz '20000-01-01 00:00+00' then
		return gate.formula_error(a) * 1e301;
	end if;
	local := a at time zone zone;
	case what
	when 'weekday' then
		return (extract(dow from local)::integer - first + 7) % 7;
	when 'week' then -- the first one is that of the first of January
		day := (extract(dow from date_trunc('year', local))::integer - first + 7) % 7;
		return (extract(doy from local)::integer - 1 + day) / 7 + 1;
	when 'second' then
		return floor(extract(second from local));
	else
		return extract(year from local) * (what = 'year')::integer + extract(month from local) * (what = 'month')::integer
			+ extract(day from local) * (what = 'day')::integer + extract(hour from local) * (what = 'hour')::integer
			+ extract(minute from local) * (what = 'minute')::integer;
	end case;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_find(what text, a text, start double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	before integer := greatest(gate.formula_whole(start) - 1, 0);
	place  integer;
begin
	if starts_with(what, U&'\FFFF') or starts_with(a, U&'\FFFF') or start > 1e300 then
		return gate.formula_code(what, null, null, a) * 1e301;
	end if;
	place := strpos(substr(coalesce(a, ''), before + 1), coalesce(what, ''));
	return case when place = 0 or before > length(coalesce(a, '')) then 0 else place + before end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_first(a text, pattern text, place integer)
 RETURNS integer[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	marked text := regexp_replace(translate(a, U&'\FFFE', U&'\FFFD'), pattern, U&'\FFFE', place, 1);
	first  integer := strpos(marked, U&'\FFFE');
begin
	return case when first > 0 then array[first, first + 1 + length(a) - length(marked)] end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_format(a timestamp with time zone, format text, zone text, words text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	local  timestamp;
	sign_  text;
	joined text := '';
	hours  integer;
	offset_ integer;
	monday integer;
begin
	if a > timestamptz '20000-01-01 00:00+00' or starts_with(format, U&'\FFFF') then
		return gate.formula_text_error(coalesce(gate.formula_error(a), gate.formula_error(format)));
	elsif a is null then
		return null;
	elsif length(format) > 1000 then
		return U&'\FFFF' || 8;
	end if;
	words := coalesce(words, gate.formula_locale());
	local := a at time zone zone;
	hours := extract(hour from local);
	offset_ := round(extract(epoch from local - (a at time zone 'UTC')) / 60);
	for sign_ in select m[1] from regexp_matches(coalesce(nullif(format, ''), 'YYYY-MM-DDTHH:mm:ssZ'), '\[[^]]*\]|\\.|MMMM|MMM|MM|Mo|M|DDDD|DDDo|DDD|'
		'DD|Do|D|dddd|ddd|dd|do|d|YYYY|YY|Y|Qo|Q|GGGG|GG|gggg|gg|Wo|WW|W|wo|ww|w|HH|H|hh|h|kk|k|mm|m|ss|s|S{1,9}|ZZ|Z|zz|z|A|a|E|e|X|x|'
		'LTS|LT|LLLL|LLL|LL|L|llll|lll|ll|l|.', 'g') m
	loop
		joined := joined || case
			when sign_ like '[_%' then substr(sign_, 2, length(sign_) - 2)
			when sign_ like '\\_' then substr(sign_, 2)
			when sign_ !~ '^[A-Za-z]' then sign_
			else case sign_
			when 'YYYY' then to_char(local, 'YYYY') when 'YY' then to_char(local, 'YY') when 'Y' then to_char(local, 'FMYYYY')
			when 'MM' then to_char(local, 'MM') when 'M' then to_char(local, 'FMMM')
			when 'MMMM' then words[extract(month from local)::integer] when 'MMM' then words[12 + extract(month from local)::integer]
			when 'Mo' then gate.formula_ordinal(extract(month from local)::integer, words[44])
			when 'DD' then to_char(local, 'DD') when 'D' then to_char(local, 'FMDD')
			when 'Do' then gate.formula_ordinal(extract(day from local)::integer, words[44])
			when 'DDDD' then to_char(local, 'DDD') when 'DDD' then to_char(local, 'FMDDD')
			when 'DDDo' then gate.formula_ordinal(extract(doy from local)::integer, words[44])
			when 'dddd' then words[25 + extract(dow from local)::integer] when 'ddd' then words[32 + extract(dow from local)::integer]
			when 'dd' then left(words[32 + extract(dow from local)::integer], 2) when 'd' then extract(dow from local)::text
			when 'e' then extract(dow from local)::text when 'E' then extract(isodow from local)::text
			when 'do' then gate.formula_ordinal(extract(dow from local)::integer, words[44])
			when 'Q' then to_char(local, 'Q') when 'Qo' then gate.formula_ordinal(extract(quarter from local)::integer, words[44])
			when 'W' then to_char(local, 'FMIW') when 'WW' then to_char(local, 'IW')
			when 'Wo' then gate.formula_ordinal(extract(week from local)::integer, words[44])
			when 'GGGG' then to_char(local, 'IYYY') when 'GG' then to_char(local, 'IY')
			when 'w' then gate.formula_field(a, 'week', zone, 0)::text
			when 'ww' then lpad(gate.formula_field(a, 'week', zone, 0)::text, 2, '0')
			when 'wo' then gate.formula_ordinal(gate.formula_field(a, 'week', zone, 0)::integer, words[44])
			when 'gggg' then to_char(local, 'YYYY') when 'gg' then to_char(local, 'YY')
			when 'HH' then to_char(local, 'HH24') when 'H' then hours::text
			when 'hh' then to_char(local, 'HH12') when 'h' then to_char(local, 'FMHH12')
			when 'kk' then lpad(case when hours = 0 then 24 else hours end::text, 2, '0') when 'k' then case when hours = 0 then 24 else hours end::text
			when 'mm' then to_char(local, 'MI') when 'm' then to_char(local, 'FMMI') when 'ss' then to_char(local, 'SS') when 's' then to_char(local, 'FMSS')
			when 'A' then words[case when hours < 12 then 39 else 40 end] when 'a' then lower(words[case when hours < 12 then 39 else 40 end])
			when 'Z' then case when offset_ < 0 then '-' else '+' end || to_char(abs(offset_) / 60, 'FM00') || ':' || to_char(abs(offset_) % 60, 'FM00')
			when 'ZZ' then case when offset_ < 0 then '-' else '+' end || to_char(abs(offset_) / 60, 'FM00') || to_char(abs(offset_) % 60, 'FM00')
			when 'X' then floor(extract(epoch from a))::text when 'x' then floor(extract(epoch from a) * 1000)::text
			when 'L' then gate.formula_format(a, replace(words[41], '!', ','), zone, words)
			when 'l' then gate.formula_format(a, replace(replace(replace(words[41], '!', ','), 'MM', 'M'), 'DD', 'D'), zone, words)
			when 'LL' then gate.formula_format(a, replace(words[42], '!', ','), zone, words)
			when 'll' then gate.formula_format(a, replace(replace(words[42], '!', ','), 'MMMM', 'MMM'), zone, words)
			when 'LT' then gate.formula_format(a, words[43], zone, words)
			when 'LTS' then gate.formula_format(a, replace(words[43], 'mm', 'mm:ss'), zone, words)
			when 'LLL' then gate.formula_format(a, replace(words[42], '!', ',') || ' ' || words[43], zone, words)
			when 'lll' then gate.formula_format(a, replace(replace(words[42], '!', ','), 'MMMM', 'MMM') || ' ' || words[43], zone, words)
			when 'LLLL' then gate.formula_format(a, 'dddd, ' || replace(words[42], '!', ',') || ' ' || words[43], zone, words)
			when 'llll' then gate.formula_format(a, 'ddd, ' || replace(replace(words[42], '!', ','), 'MMMM', 'MMM') || ' ' || words[43], zone, words)
			when 'z' then case when offset_ = 0 then 'UTC' else gate.formula_format(a, 'Z', zone, words) end
			when 'zz' then case when offset_ = 0 then 'UTC' else gate.formula_format(a, 'Z', zone, words) end
			else case when sign_ like 'S%' then rpad(left(to_char(local, 'US'), length(sign_)), length(sign_), '0') else sign_ end
			end end;
	end loop;
	return joined;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_holidays(list text)
 RETURNS date[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	day  text;
	days date[] := '{}';
begin
	foreach day in array string_to_array(coalesce(list, ''), ',') loop
		day := btrim(day, E' \t\r\n"''');
		if day <> '' then
			days := days || gate.formula_day(gate.formula_parse(day, null, null, 'UTC'), 'UTC');
		end if;
	end loop;
	return array(select distinct d from unnest(days) d where d > date '20000-01-01' or extract(isodow from d) < 6);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_id(table_number integer, id uuid)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
	bits constant text := table_number::bit(32)::text || ('x' || replace(id::text, '-', ''))::bit(128)::text;
begin
	return 'rec_' || (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', substr(bits, i * 5 + 1, 5)::bit(5)::integer + 1, 1), '' order by i)
		from generate_series(0, 31) i);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_int(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > 1e300 then gate.formula_bound(a) else floor(coalesce(a, 0)) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_join(a text[], separator text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	joined text;
begin
	if starts_with(separator, U&'\FFFF') then
		return separator;
	end if;
	joined := array_to_string(a, coalesce(separator, ''), '');
	if strpos(joined, U&'\FFFF') > 0 and gate.formula_error(a) is not null then
		return gate.formula_text_error(gate.formula_error(a));
	elsif octet_length(joined) > 100000 and length(joined) > 100000 then
		return U&'\FFFF' || 8;
	end if;
	return joined;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_length(a text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when starts_with(a, U&'\FFFF') then gate.formula_error(a) * 1e301 else length(coalesce(a, '')) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_locale()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN string_to_array(('January,February,March,April,May,June,July,August,September,October,November,December,Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,'::text || 'Sep,Oct,Nov,Dec,Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sun,Mon,Tue,Wed,Thu,Fri,Sat,AM,PM,MM/DD/YYYY,MMMM D! YYYY,h:mm A,'::text), ','::text)

CREATE OR REPLACE FUNCTION gate.formula_log(a double precision, base double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif base > 1e300 then
		return gate.formula_bound(base);
	elsif a is null or a <= 0 or base is null or base <= 0 then
		return 2e301;
	elsif base = 1 then
		return 1e301;
	elsif base = 10 then
		return log(a);
	end if;
	a := ln(a) / ln(base);
	return case when abs(a - round(a)) < 1e-12 then round(a) else a end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_logic(a double precision[], how text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	x   double precision;
	odd boolean := false;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		elsif coalesce(x, 0) <> 0 then
			if how = 'or' then
				return 1;
			end if;
			odd := not odd;
		elsif how = 'and' then
			return 0;
		end if;
	end loop;
	return case how when 'and' then 1 when 'or' then 0 else odd::integer end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_make(y integer, mo integer, d integer, h integer, mi integer, s double precision, offset_ text, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	local timestamp;
begin
	if y not between 1 and 9999 or mo not between 1 and 12 or d not between 1 and 31 or h not between 0 and 24 or mi not between 0 and 59
		or s < 0 or s >= 60 or h = 24 and (mi > 0 or s > 0)
		or d > extract(day from make_date(y, mo, 1) + interval '1 month - 1 day') then
		return gate.formula_time_error(3::smallint);
	end if;
	local := make_timestamp(y, mo, d, 0, 0, 0) + make_interval(hours => h, mins => mi, secs => s);
	if offset_ is null then
		return local at time zone zone;
	elsif upper(offset_) = 'Z' then
		return local at time zone 'UTC';
	elsif substr(offset_, 2, 2)::integer > 15 or right(offset_, 2)::integer > 59 then
		return gate.formula_time_error(3::smallint);
	end if;
	return (local at time zone 'UTC') - (offset_::char || '1')::integer
		* make_interval(hours => substr(offset_, 2, 2)::integer, mins => right(offset_, 2)::integer);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_match(a text, pattern text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if starts_with(a, U&'\FFFF') or starts_with(pattern, U&'\FFFF') then
		return coalesce(gate.formula_error(a), gate.formula_error(pattern)) * 1e301;
	end if;
	return (coalesce(a, '') ~ pattern)::integer;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_mod(a double precision, b double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	remainder double precision;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	elsif b is null or b = 0 then
		return 1e301;
	elsif a is null or a = 0 then
		return 0;
	elsif abs(a) not between 1e-15 and 1e15 or abs(b) not between 1e-15 and 1e15 then
		if abs(a) < abs(b) then
			return case when (a < 0) = (b < 0) then a else a + b end;
		end if;
		return 4e301;
	end if;
	remainder := mod(a::text::numeric, b::text::numeric);
	return case when remainder <> 0 and (remainder < 0) <> (b < 0) then remainder + b else remainder end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_moment(a date, zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (a > '20000-01-01'::date) THEN gate.formula_time_error(gate.formula_error(a)) ELSE ((a)::timestamp without time zone AT TIME ZONE zone) END

CREATE OR REPLACE FUNCTION gate.formula_moments(a date[], zone text)
 RETURNS timestamp with time zone[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return array(select gate.formula_moment(x, zone) from unnest(a) with ordinality u(x, place) order by place);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_month(name text, words text[])
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	key text := lower(btrim(name, '. '));
begin
	for i in 1 .. 24 loop
		if key = lower(btrim(words[i], '.')) then
			return (i - 1) % 12 + 1;
		end if;
	end loop;
	for i in 1 .. 12 loop
		if length(key) >= 3 and starts_with(lower(words[i]), key) then
			return i;
		end if;
	end loop;
	return 0;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_multiple(a double precision, unit double precision, up boolean)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	exact    numeric;
	quotient numeric;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif unit > 1e300 then
		return gate.formula_bound(unit);
	elsif unit is null or unit = 0 then
		return 1e301;
	elsif a is null or a = 0 then
		return 0;
	end if;
	exact := abs(unit)::text::numeric;
	quotient := a::text::numeric / exact;
	exact := case when up then ceil(quotient) else floor(quotient) end * exact;
	return case when abs(exact) > 1e300 then 4e301 else exact::double precision end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_multiply(a double precision, b double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	elsif a is null or b is null or a = 0 or b = 0 then
		return 0;
	elsif abs(a) between 1e-150 and 1e150 and abs(b) between 1e-150 and 1e150 then
		return a * b;
	elsif ln(abs(a)) + ln(abs(b)) > 690.7755 then
		return 4e301;
	elsif ln(abs(a)) + ln(abs(b)) < -690 then
		return 0;
	end if;
	return a * b;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_negate(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a = 0 then 0 else -coalesce(a, 0) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_not(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a <> 0 then 0 else 1 end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_number_error(code smallint)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((code)::double precision * ('10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision)

CREATE OR REPLACE FUNCTION gate.formula_odd(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	size double precision;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	end if;
	size := ceil((abs(coalesce(a, 0)) - 1) / 2) * 2 + 1;
	size := greatest(size, 1);
	return case when a < 0 then -size else size end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_only(a double precision[])
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when cardinality(a) > 1 then coalesce(gate.formula_error(a) * 1e301, 10e301) else a[array_lower(a, 1)] end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_only(a date[])
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when cardinality(a) > 1 then gate.formula_date_error(coalesce(gate.formula_error(a), 10::smallint))
		else a[array_lower(a, 1)] end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_only(a timestamp with time zone[])
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when cardinality(a) > 1 then gate.formula_time_error(coalesce(gate.formula_error(a), 10::smallint))
		else a[array_lower(a, 1)] end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_ordinal(n integer, suffix text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (n || CASE WHEN (suffix <> ''::text) THEN suffix WHEN (((n % 100) >= 11) AND ((n % 100) <= 13)) THEN 'th'::text WHEN ((n % 10) = 1) THEN 'st'::text WHEN ((n % 10) = 2) THEN 'nd'::text WHEN ((n % 10) = 3) THEN 'rd'::text ELSE 'th'::text END)

CREATE OR REPLACE FUNCTION gate.formula_parse(a text, format text, words text[], zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	m       text[];
	signs   text[] := '{}';
	sign_   text;
	pattern text := '';
	part    text;
	y integer; mo integer := 1; d integer := 1; h integer := 0; mi integer := 0; s double precision := 0;
	half    text;
	offset_ text;
	clock   constant text := '(?:(?:T|,?\s+at\s+|,?\s+)(\d{1,2})(?::(\d{2}))?(?::(\d{2}(?:\.\d{1,9})?))?\s*([ap])?\.?m?\.?\s*(Z|[-+]\d{2}:?\d{2})?)?\s*$';
begin
	if starts_with(a, U&'\FFFF') or starts_with(format, U&'\FFFF') then
		return gate.formula_time_error(coalesce(gate.formula_error(a), gate.formula_error(format)));
	elsif a is null or a !~ '\S' then
		return null;
	elsif length(a) > 200 or length(format) > 200 then
		return gate.formula_time_error(3::smallint);
	end if;
	words := coalesce(words, gate.formula_locale());
	if coalesce(format, '') = '' then
		a := regexp_replace(a, '^\s*(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*\.?,?\s+', '', 'i');
		m := regexp_match(a, '^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})' || clock, 'i');
		if m is null then
			m := regexp_match(a, '^\s*(\d{4})(\d{2})(\d{2})' || clock, 'i');
		end if;
		if m is null then
			m := regexp_match(a, '^\s*(\d{1,2})[-/](\d{1,2})[-/](\d{4}|\d{2})' || clock, 'i');
			if m is not null then
				m[1:3] := array[m[3], m[1], m[2]];
			end if;
		end if;
		if m is null then
			m := regexp_match(a, '^\s*(\d{1,2})(?:st|nd|rd|th)?[-\s]+([[:alpha:]]{3,})\.?[-,\s]+(\d{4})' || clock, 'i');
			if m is not null then
				m[1:3] := array[m[3], gate.formula_month(m[2], words)::text, m[1]];
			end if;
		end if;
		if m is null then
			m := regexp_match(a, '^\s*([[:alpha:]]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})' || clock, 'i');
			if m is not null then
				m[1:3] := array[m[3], gate.formula_month(m[1], words)::text, m[2]];
			end if;
		end if;
		if m is null then
			return gate.formula_time_error(3::smallint);
		end if;
		y := m[1]; mo := m[2]; d := m[3]; h := coalesce(m[4]::integer, 0); mi := coalesce(m[5]::integer, 0);
		s := coalesce(m[6]::double precision, 0); half := lower(m[7]); offset_ := m[8];
		if length(m[1]) < 4 then
			y := y + case when y > 68 then 1900 else 2000 end;
		end if;
	else
		for sign_ in select r[1] from regexp_matches(format, '\[[^]]*\]|MMMM|MMM|MM|M|DDDD|DDD|DD|Do|D|dddd|ddd|dd|d|YYYY|YY|Y|HH|H|hh|h|kk|k|mm|m|ss|s|'
			'S{1,9}|ZZ|Z|A|a|X|x|[^[:alnum:]]+|.', 'g') r
		loop
			part := case
				when sign_ in ('YYYY', 'Y') then '(\d{1,4})' when sign_ in ('YY', 'MM', 'M', 'DD', 'D', 'HH', 'H', 'hh', 'h', 'kk', 'k', 'mm', 'm', 'ss', 's')
					then '(\d{1,2})' when sign_ = 'Do' then '(\d{1,2})(?:st|nd|rd|th|\.|er|º|ª)?'
				when sign_ in ('MMMM', 'MMM') then '([[:alpha:]]+\.?)' when sign_ in ('A', 'a') then '([ap])\.?m?\.?'
				when sign_ in ('Z', 'ZZ') then '(Z|[-+]\d{2}:?\d{2})' when sign_ in ('X', 'x') then '(-?\d{1,14})'
				when sign_ like 'S%' then '(\d{1,9})' when sign_ in ('dddd', 'ddd', 'dd') then '[[:alpha:]]+\.?' when sign_ = 'd' then '\d'
				when sign_ like '[_%' then regexp_replace(substr(sign_, 2, length(sign_) - 2), '(\W)', '\\\1', 'g')
				when sign_ ~ '^[^[:alnum:]]' then '[^[:alnum:]]*?' else sign_ end;
			pattern := pattern || part;
			if part like '(%' then
				signs := signs || sign_;
			end if;
		end loop;
		m := regexp_match(a, '^\s*' || pattern, 'i');
		if m is null or signs = '{}' then
			return gate.formula_time_error(3::smallint);
		end if;
		for i in 1 .. cardinality(signs) loop
			case
			when signs[i] in ('YYYY', 'Y') then y := m[i];
			when signs[i] = 'YY' then y := m[i]::integer + case when m[i]::integer > 68 then 1900 else 2000 end;
			when signs[i] in ('MM', 'M') then mo := m[i];
			when signs[i] in ('MMMM', 'MMM') then mo := gate.formula_month(m[i], words);
			when signs[i] in ('DD', 'D', 'Do') then d := m[i];
			when signs[i] in ('HH', 'H', 'hh', 'h', 'kk', 'k') then h := m[i];
			when signs[i] in ('mm', 'm') then mi := m[i];
			when signs[i] in ('ss', 's') then s := s + m[i]::integer;
			when signs[i] in ('A', 'a') then half := lower(m[i]);
			when signs[i] in ('Z', 'ZZ') then offset_ := m[i];
			when signs[i] like 'S%' then s := s + ('0.' || m[i])::double precision;
			when signs[i] in ('X', 'x') then
				if abs(m[i]::numeric) > (case when signs[i] = 'X' then 60000000000 else 60000000000000 end) then
					return gate.formula_time_error(5::smallint);
				end if;
				return to_timestamp(m[i]::double precision / case when signs[i] = 'X' then 1 else 1000 end);
			else null;
			end case;
		end loop;
		if y is null then
			return gate.formula_time_error(6::smallint);
		end if;
	end if;
	if half is not null then
		if h not between 1 and 12 then
			return gate.formula_time_error(3::smallint);
		end if;
		h := h % 12 + case when half = 'p' then 12 else 0 end;
	end if;
	return gate.formula_make(y, mo, d, h, mi, s, offset_, zone);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_part(a text, start double precision, n double precision)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if starts_with(a, U&'\FFFF') or start > 1e300 or n > 1e300 then
		return gate.formula_text_error(gate.formula_code(a, start, n, null));
	elsif gate.formula_whole(n) < 0 or gate.formula_whole(start) < 0 then
		return U&'\FFFF' || 6;
	end if;
	return substr(a, greatest(gate.formula_whole(start), 1), gate.formula_whole(n));
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_pattern(pattern text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
	if starts_with(pattern, U&'\FFFF') then
		return pattern;
	elsif length(pattern) > 500 or pattern ~ '\\[1-9]|\(\?<|^\*\*\*' then
		return U&'\FFFF' || 7;
	end if;
	perform '' ~ pattern;
	return coalesce(pattern, '');
exception when invalid_regular_expression then
	return U&'\FFFF' || 7;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_power(a double precision, b double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	size double precision;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	end if;
	a := coalesce(a, 0);
	b := coalesce(b, 0);
	if b = 0 then
		return 1;
	elsif a = 0 then
		return case when b < 0 then 1e301 else 0 end;
	elsif a < 0 and b <> trunc(b) then
		return 2e301;
	end if;
	if abs(a) = 1 then
		return case when a < 0 and mod(abs(b)::numeric, 2) = 1 then -1 else 1 end;
	elsif abs(b) < 1e-150 then
		return 1;
	end if;
	size := case when abs(b) < 1e100 then ln(abs(a)) * b else sign(ln(abs(a))) * sign(b) * 1e6 end;
	return case when size > 690.7755 then 4e301 when size < -690 then 0 else power(a, b) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_regex_replace(a text, parts text[], new text, once boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	done  text := '';
	found text;
	place integer;
	work  bigint := 0; -- characters that were read
begin
	if starts_with(a, U&'\FFFF') or starts_with(new, U&'\FFFF') or starts_with(parts[1], U&'\FFFF') then
		return gate.formula_text_error(coalesce(gate.formula_error(a), gate.formula_error(parts[1]), gate.formula_error(new)));
	end if;
	a := coalesce(a, '');
	if cardinality(parts) = 1 then
		new := regexp_replace(replace(coalesce(new, ''), '\', '\\'), '\$([1-9])', '\\\1', 'g');
		if (length(a) + 1)::bigint * (length(new) + 1) > 1000000 and regexp_count(a, parts[1])::bigint * (length(new) + length(a)) > 10000000 then
			return U&'\FFFF' || 8;
		end if;
		a := regexp_replace(a, parts[1], new, 'g');
		return case when length(a) > 100000 then U&'\FFFF' || 8 else a end;
	end if;
	loop
		place := (gate.formula_first(a, parts[1], 1))[1];
		exit when place is null or place > length(a);
		work := work + length(a) + length(done);
		if length(done) > 100000 or work > 10000000 then
			return U&'\FFFF' || 8;
		end if;
		found := gate.formula_extract(a, parts);
		done := done || left(a, place - 1) || coalesce(new, '') || case when found = '' then substr(a, place, 1) else '' end;
		a := substr(a, place + greatest(length(found), 1));
		exit when once;
	end loop;
	done := done || a;
	return case when length(done) > 100000 then U&'\FFFF' || 8 else done end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_repeat(a text, n double precision)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if starts_with(a, U&'\FFFF') or n > 1e300 then
		return gate.formula_text_error(gate.formula_code(a, n, null, null));
	elsif gate.formula_whole(n) < 0 then
		return U&'\FFFF' || 6;
	elsif length(a)::bigint * gate.formula_whole(n) > 100000 then
		return U&'\FFFF' || 8;
	end if;
	return repeat(a, case when a = '' then 0 else gate.formula_whole(n) end);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_replace(a text, start double precision, n double precision, new text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if starts_with(a, U&'\FFFF') or start > 1e300 or n > 1e300 or starts_with(new, U&'\FFFF') then
		return gate.formula_text_error(gate.formula_code(a, start, n, new));
	elsif gate.formula_whole(n) < 0 or gate.formula_whole(start) < 1 then
		return U&'\FFFF' || 6;
	end if;
	a := coalesce(a, '');
	return gate.formula_join(array[left(a, gate.formula_whole(start) - 1), new,
		substr(a, gate.formula_whole(start) + gate.formula_whole(n))], '');
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_round(a double precision, digits double precision, how text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	exact numeric;
	unit  numeric;
begin
	if how = 'half' and a > 0 and a < 1e15 and digits between 0 and 15 then -- nearly always, and in one step
		return round(a::text::numeric, digits::integer)::double precision;
	elsif a > 1e300 then
		return gate.formula_bound(a);
	elsif digits > 1e300 then
		return gate.formula_bound(digits);
	end if;
	a := coalesce(a, 0);
	digits := trunc(coalesce(digits, 0));
	if digits > 300 or a = 0 or digits = 0 and a = trunc(a) then
		return a;
	elsif digits < -300 then
		return 0;
	end if;
	exact := a::text::numeric;
	unit := ('1e' || (-digits)::integer)::numeric;
	exact := case how
		when 'half' then floor(exact / unit + 0.5)
		when 'down' then trunc(exact / unit)
		else sign(exact) * ceil(abs(exact) / unit) end * unit;
	return case when abs(exact) > 1e300 then 4e301 else exact::double precision end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_same(a timestamp with time zone, b timestamp with time zone, unit text, zone text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > timestamptz '20000-01-01 00:00+00' or b > timestamptz '20000-01-01 00:00+00' or starts_with(unit, U&'\FFFF') then
		return coalesce(gate.formula_error(a), gate.formula_error(b), gate.formula_error(unit)) * 1e301;
	elsif coalesce(unit, '') = '' then
		return (a is not distinct from b)::integer;
	elsif gate.formula_unit(unit) is null then
		return 6e301;
	elsif gate.formula_unit(unit) = 'week' then -- begins on Sunday
		a := a + interval '1 day';
		b := b + interval '1 day';
	end if;
	return (date_trunc(gate.formula_unit(unit), a at time zone zone) is not distinct from
		date_trunc(gate.formula_unit(unit), b at time zone zone))::integer;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_slice(a anyarray, first double precision, last double precision, failed anyarray)
 RETURNS anyarray
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	n      integer := coalesce(cardinality(a), 0);
	before integer := array_lower(a, 1) - 1;
	from_place integer := gate.formula_whole(first);
	to_place   integer := gate.formula_whole(coalesce(last, -1));
begin
	if first > 1e300 or last > 1e300 then
		return failed;
	elsif n = 1 and gate.formula_error(a) is not null then
		return a;
	end if;
	from_place := greatest(case when from_place < 0 then n + 1 + from_place else from_place end, 1);
	to_place := case when to_place < 0 then n + 1 + to_place else to_place end;
	return coalesce(a[before + from_place : before + to_place], '{}');
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_sqrt(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a < 0 then 2e301 else sqrt(coalesce(a, 0)) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_substitute(a text, old text, new text, which double precision)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	n     integer := gate.formula_whole(which);
	from_place integer := 1;
	place integer;
begin
	if starts_with(a, U&'\FFFF') or starts_with(old, U&'\FFFF') or starts_with(new, U&'\FFFF') or which > 1e300 then
		return gate.formula_text_error(coalesce(gate.formula_code(a, null, null, old), gate.formula_code(new, which, null, null)));
	elsif coalesce(a, '') = '' or coalesce(old, '') = '' then
		return a;
	elsif which is null then
		if (length(a)::bigint / length(old) + 1) * length(new) > 100000 then -- it may be
			return gate.formula_join(string_to_array(a, old), new);
		end if;
		return replace(a, old, coalesce(new, ''));
	elsif n < 1 then
		return U&'\FFFF' || 6;
	end if;
	loop
		place := strpos(substr(a, from_place), old);
		if place = 0 then
			return a;
		end if;
		from_place := from_place + place - 1;
		n := n - 1;
		if n = 0 then
			return gate.formula_join(array[left(a, from_place - 1), new, substr(a, from_place + length(old))], '');
		end if;
		from_place := from_place + length(old);
	end loop;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_subtract(a double precision, b double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	end if;
	a := coalesce(a, 0) - coalesce(b, 0);
	if a > 1e300 or a < -1e300 then
		return 4e301;
	end if;
	return a;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_sum(a double precision[])
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	x     double precision;
	total double precision := 0;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		end if;
		total := total + coalesce(x, 0);
		if abs(total) > 1e300 then
			return 4e301;
		end if;
	end loop;
	return total;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_text(a double precision)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	if a > 1e300 then
		return gate.formula_text_error(gate.formula_error(gate.formula_bound(a)));
	elsif a = trunc(a) and abs(a) < 1e15 then
		return a::bigint::text;
	elsif abs(a) >= 1e21 or abs(a) < 1e-6 then
		return regexp_replace(a::text, 'e([+-])0(\d)$', 'e\1\2');
	end if;
	return a::text::numeric::text;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_text(a date)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return coalesce(gate.formula_text_error(gate.formula_error(a)), to_char(a::timestamp, 'YYYY-MM-DD'));
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_text(a timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return coalesce(gate.formula_text_error(gate.formula_error(a)), to_char(a at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_text_error(code smallint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ('￿'::text || code)

CREATE OR REPLACE FUNCTION gate.formula_texts(a double precision[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return array(select gate.formula_text(x) from unnest(a) with ordinality u(x, place) order by place);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_texts(a date[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return array(select gate.formula_text(x) from unnest(a) with ordinality u(x, place) order by place);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_texts(a timestamp with time zone[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return array(select gate.formula_text(x) from unnest(a) with ordinality u(x, place) order by place);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_time_error(code smallint)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ('20000-01-01 00:00:00+00'::timestamp with time zone + ((code)::double precision * '24:00:00'::interval))

CREATE OR REPLACE FUNCTION gate.formula_trim(a text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return regexp_replace(a, '^\s+|\s+$', '', 'g');
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_truth(a double precision)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a <> 0 then 1 else 0 end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_truth(a text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return case when starts_with(a, U&'\FFFF') then gate.formula_error(a) * 1e301 when a <> '' then 1 else 0 end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_truth(a date)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return coalesce(gate.formula_error(a) * 1e301, case when a is null then 0 else 1 end);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_truth(a timestamp with time zone)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return coalesce(gate.formula_error(a) * 1e301, case when a is null then 0 else 1 end);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_truths(a text[])
 RETURNS double precision[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return array(select gate.formula_truth(x) from unnest(a) with ordinality u(x, place) order by place);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_unique(a anyarray)
 RETURNS anyarray
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
	return array(select x from (select distinct on (x) x, place from unnest(a) with ordinality u(x, place) order by x, place) d
		order by place);
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_unit(unit text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (unit = ANY (ARRAY['ms'::text, 'millisecond'::text, 'milliseconds'::text])) THEN 'millisecond'::text WHEN (unit = ANY (ARRAY['s'::text, 'second'::text, 'seconds'::text])) THEN 'second'::text WHEN (unit = ANY (ARRAY['m'::text, 'minute'::text, 'minutes'::text])) THEN 'minute'::text WHEN (unit = ANY (ARRAY['h'::text, 'hour'::text, 'hours'::text])) THEN 'hour'::text WHEN (unit = ANY (ARRAY['d'::text, 'day'::text, 'days'::text])) THEN 'day'::text WHEN (unit = ANY (ARRAY['w'::text, 'week'::text, 'weeks'::text])) THEN 'week'::text WHEN (unit = ANY (ARRAY['M'::text, 'month'::text, 'months'::text])) THEN 'month'::text WHEN (unit = ANY (ARRAY['Q'::text, 'quarter'::text, 'quarters'::text])) THEN 'quarter'::text WHEN (unit = ANY (ARRAY['y'::text, 'year'::text, 'years'::text])) THEN 'year'::text ELSE NULL::text END

CREATE OR REPLACE FUNCTION gate.formula_value(a text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	digits text;
begin
	if starts_with(a, U&'\FFFF') then
		return gate.formula_error(a) * 1e301;
	elsif a is null or a !~ '\S' then
		return null;
	end if;
	digits := translate((regexp_match(a, '[-+−]?[\s$€£¥]*(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?'))[1], ', −$€£¥' || E'\t\n\r\u00a0', '  -');
	digits := replace(digits, ' ', '');
	if digits is null or length(digits) > 400 or digits ~ '[eE][-+]?\d{4,}$' then
		return 2e301;
	elsif digits::numeric = 0 then
		return 0;
	elsif abs(digits::numeric) > 1e300 then
		return 4e301;
	elsif abs(digits::numeric) < 1e-300 then
		return 0;
	end if;
	return case when a ~ '^\s*\(.*\)\s*$' then -digits::double precision when a ~ '\d\s*%' then digits::double precision / 100
		else digits::double precision end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_whole(a double precision)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (trunc(LEAST(GREATEST(COALESCE(a, (0)::double precision), ('-1000000000'::integer)::double precision), (1000000000)::double precision)))::integer

CREATE OR REPLACE FUNCTION gate.formula_workday(a date, n double precision, list text)
 RETURNS date
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	holidays date[];
	failed   smallint;
	step     integer;
	left_    integer;
begin
	if a > date '20000-01-01' then
		return a;
	elsif n > 1e300 or starts_with(list, U&'\FFFF') then
		return gate.formula_date_error(gate.formula_code(null, n, null, list));
	elsif a is null then
		return null;
	end if;
	holidays := gate.formula_holidays(list);
	failed := gate.formula_error(holidays);
	if failed is not null then
		return gate.formula_date_error(failed);
	elsif abs(coalesce(n, 0)) > 100000 then
		return gate.formula_date_error(5::smallint);
	end if;
	step := sign(n);
	left_ := abs(gate.formula_whole(n));
	-- whole weeks at once where no holiday is in the way
	if cardinality(holidays) = 0 and left_ > 10 and extract(isodow from a) < 6 then
		a := a + step * 7 * (left_ / 5);
		left_ := left_ % 5;
	end if;
	while left_ > 0 loop
		a := a + step;
		if extract(isodow from a) < 6 and not a = any (holidays) then
			left_ := left_ - 1;
		end if;
	end loop;
	return case when a between date '0001-01-01' and date '9999-12-31' then a else gate.formula_date_error(5::smallint) end;
end
$function$

CREATE OR REPLACE FUNCTION gate.formula_workdays(a date, b date, list text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
	holidays date[];
	first    date := least(a, b);
	last     date := greatest(a, b);
	n        integer;
begin
	if a > date '20000-01-01' or b > date '20000-01-01' or starts_with(list, U&'\FFFF') then
		return coalesce(gate.formula_error(a), gate.formula_error(b), gate.formula_error(list)) * 1e301;
	elsif a is null or b is null then
		return null;
	end if;
	holidays := gate.formula_holidays(list);
	if gate.formula_error(holidays) is not null then
		return gate.formula_error(holidays) * 1e301;
	end if;
	n := (last - first + 1) / 7 * 5;
	n := n + (select count(*) from generate_series((first + (last - first + 1) / 7 * 7)::timestamp, last, interval '1 day') d where extract(isodow from d) < 6)
		- (select count(*) from unnest(holidays) d where d between first and last);
	return case when a > b then -n else n end;
end
$function$

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

CREATE OR REPLACE FUNCTION gate.propagate()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	execute format('set local app.org_id = %L', coalesce(current_setting('app.org_id', true), ''));
	execute format('set local app.key = %L', coalesce(current_setting('app.key', true), ''));
	if current_setting('app.change', true) <> '' then
		execute format('set local app.change = %L', current_setting('app.change'));
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
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, gate.without_select(policy));
	perform gate.sharpen_shard(rel, gate.with_select(policy));
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
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
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, gate.coordinator_policy(org));
	execute format('grant select, insert, update, delete on %s to rowhouse_app', rel);
	if left(split_part(rel::text, '.', 2), 2) in ('t_', 'l_') then
		execute format('create policy search on %s for select to rowhouse_search using (true)', rel);
		execute format('grant select on %s to rowhouse_search', rel);
	end if;
	perform gate.sharpen_table(rel, org);
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
		execute format('alter policy organization on %s using (%s)', rel, gate.coordinator_policy(org));
		perform gate.sharpen_table(rel, org);
	end loop;
end
$function$

CREATE OR REPLACE FUNCTION gate.search_fold(t text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 4
AS $function$
begin
	if octet_length(t) = length(t) then
		return lower(t collate "C");
	end if;
	return lower(dictionary.unaccent('dictionary.unaccent', gate.fold(t)) collate "C"); -- some signs become capitals, as №
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
	return 'gate.search_fold(' || coalesce(expression, '''''') || ')';
end
$function$

CREATE OR REPLACE FUNCTION gate.shard_of(object regclass, rel regclass)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
	select format('%I.%I', n.nspname, c.relname || '_' || s.shardid)
	from pg_dist_shard s, pg_class c join pg_namespace n on n.oid = c.relnamespace where s.logicalrelid = rel and c.oid = object
$function$

CREATE OR REPLACE FUNCTION gate.sharpen(shard text, condition text, once bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	execute format('alter policy organization on %s using (%s)', shard, condition);
end
$function$

CREATE OR REPLACE FUNCTION gate.sharpen_shard(rel regclass, condition text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	if gate.shard_of(rel, rel) is not null then
		execute format('select gate.sharpen(%L, %L, count(*)) from (select from %s limit 1) t', gate.shard_of(rel, rel), condition, rel);
	end if;
end
$function$

CREATE OR REPLACE FUNCTION gate.sharpen_table(rel regclass, org uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
	select gate.sharpen_shard(rel, gate.record_policy(org))
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

CREATE OR REPLACE FUNCTION gate.use_plan(org uuid, used bytea, expires timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	insert into rowhouse.used_plan (org_id, token, expires_at) values (org, used, expires) on conflict do nothing;
	if not found then
		raise exception 'the plan was applied before' using errcode = 'RH015';
	end if;
	delete from rowhouse.used_plan where org_id = org and token in (
		select u.token from rowhouse.used_plan u where u.org_id = org and u.expires_at < now() - interval '1 hour'
		limit 100 for update skip locked);
end
$function$

CREATE OR REPLACE FUNCTION gate.user_id(id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (((((((((((((((((((((((((('usr_'::text || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 0) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 0) << 2) & 31) | (get_byte(uuid_send(id), 1) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 1) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 1) << 4) & 31) | (get_byte(uuid_send(id), 2) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 2) << 1) & 31) | (get_byte(uuid_send(id), 3) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 3) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 3) << 3) & 31) | (get_byte(uuid_send(id), 4) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 4) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 5) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 5) << 2) & 31) | (get_byte(uuid_send(id), 6) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 6) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 6) << 4) & 31) | (get_byte(uuid_send(id), 7) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 7) << 1) & 31) | (get_byte(uuid_send(id), 8) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 8) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 8) << 3) & 31) | (get_byte(uuid_send(id), 9) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 9) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 10) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 10) << 2) & 31) | (get_byte(uuid_send(id), 11) >> 6))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 11) >> 1) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 11) << 4) & 31) | (get_byte(uuid_send(id), 12) >> 4))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 12) << 1) & 31) | (get_byte(uuid_send(id), 13) >> 7))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 13) >> 2) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + (((get_byte(uuid_send(id), 13) << 3) & 31) | (get_byte(uuid_send(id), 14) >> 5))), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 14) >> 0) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 15) >> 3) & 31)), 1)) || substr('0123456789abcdefghjkmnpqrstvwxyz'::text, (1 + ((get_byte(uuid_send(id), 15) << 2) & 31)), 1))

CREATE OR REPLACE FUNCTION gate.with_select(condition text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
	select regexp_replace(gate.without_select(condition), '(\mcase\M.*\mend\M)', '(select \1)', 'i')
$function$

CREATE OR REPLACE FUNCTION gate.without_select(condition text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
	select regexp_replace(condition, '\(\s*select\s+(case\M.*\mend)( as "case")?\)', '(\1)', 'i')
$function$
