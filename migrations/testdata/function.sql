-- The functions of the schema gate after all migrations. `go test ./migrations -run RecordedText -update` writes this file.

CREATE OR REPLACE FUNCTION gate.assert(fact boolean, state text)
 RETURNS boolean
 LANGUAGE sql
RETURN CASE WHEN fact THEN true ELSE gate.raise(state) END

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

CREATE OR REPLACE FUNCTION gate.date_text(d date)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
	return to_char(d::timestamp, 'YYYY-MM-DD');
end
$function$

CREATE OR REPLACE FUNCTION gate.demand(fact boolean, state text)
 RETURNS boolean
 LANGUAGE sql
RETURN gate.assert(fact, state)

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

CREATE OR REPLACE FUNCTION gate.find(house text, table_number integer, index text, columns integer[], pattern text, most bigint, people uuid[], user_columns integer[], links integer[])
 RETURNS tid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
RETURN gate.find_records(house, table_number, index, columns, pattern, most, people, user_columns, links)

CREATE OR REPLACE FUNCTION gate.find_records(schema_name text, table_number integer, index text, columns integer[], pattern text, most bigint, people uuid[], user_columns integer[], links integer[])
 RETURNS tid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
	org         uuid := nullif(current_setting('app.org_id', true), '')::uuid;
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

CREATE OR REPLACE FUNCTION gate.finish(run uuid)
 RETURNS void
 LANGUAGE sql
RETURN gate.complete_request(run)

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

CREATE OR REPLACE FUNCTION gate.list_text(entries text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
	return array_to_string(entries, chr(31));
end
$function$

CREATE OR REPLACE FUNCTION gate.number_text(x double precision)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (((abs(x) >= ('1000000000000000'::numeric)::double precision) AND (abs(x) < ('1000000000000000000000'::numeric)::double precision)) OR ((abs(x) < (0.0001)::double precision) AND (abs(x) >= (0.000001)::double precision))) THEN (((x)::text)::numeric)::text ELSE (x)::text END

CREATE OR REPLACE FUNCTION gate.protect(rel regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format($policy$
		create policy organization on %s to rowhouse_app, rowhouse_owner
		using (org_id = (select nullif(current_setting('app.org_id', true), '')::uuid))
	$policy$, rel);
end
$function$

CREATE OR REPLACE FUNCTION gate.protect_records(rel regclass, org uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format($policy$
		create policy organization on %s to rowhouse_app, rowhouse_owner
		using ((select case when current_setting('app.org_id', true) = %L then 1 end) <> 0)
	$policy$, rel, org);
	execute format('create policy search on %s for select to rowhouse_search using (true)', rel);
	execute format('grant select, insert, update, delete on %s to rowhouse_app', rel);
	execute format('grant select on %s to rowhouse_search', rel);
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

CREATE OR REPLACE FUNCTION gate.renew_policies(above oid, most integer)
 RETURNS oid
 LANGUAGE plpgsql
AS $function$
declare
	wall record;
	last oid;
begin
	for wall in
		select c.oid, c.oid::regclass as rel, pg_get_expr(p.polqual, p.polrelid) as condition
		from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
		where p.polname = 'organization' and n.nspname like 'org\_%' and c.oid > above
		order by c.oid limit most
	loop
		last := wall.oid;
		if wall.condition not like '%CASE%' then
			execute format('alter policy organization on %s using ((select case when current_setting(''app.org_id'', true) = %L then 1 end) <> 0)',
				wall.rel, substring(wall.condition from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'));
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

CREATE OR REPLACE FUNCTION gate.wall_record(rel regclass, org uuid)
 RETURNS void
 LANGUAGE sql
RETURN gate.protect_records(rel, org)
