-- The search in the text of records, and the indexes that depend on how texts are folded and ordered.

-- search_text returns the SQL expression for the text of the given columns of a record table. A column is identified by its field's number; -1 and
-- -2 are the times of creation and of the last change. A search index is on exactly this expression.
create or replace function gate.search_text(rel regclass, columns integer[]) returns text language plpgsql stable as $$
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
$$;

-- find_records returns the physical locations (ctid) of matching records of a table of the present organization, at most `most` of them,
-- in the order of the records' ids. They are valid for the rest of the statement. A record matches if its text is like pattern in one of
-- the given columns (as in search_text), if one of the user columns contains one of the given people (-3 and -4 are the authors of the
-- creation and of the last change), or if it is linked to a record whose primary field is like pattern. index is the name of the search
-- index for all of the columns, which need not exist. links has four numbers for each link: the join table, 1 if this table's records are
-- its side a, the linked table, and the linked table's primary field.
--
-- LIKE is not leakproof: under row-level security the planner would apply it only to rows that a policy let through, and never use an
-- index. So the function runs as rowhouse_search, whose policy on record tables is `using (true)`, and checks the organization first. It
-- writes only numbers of columns into SQL; the pattern stays a parameter.
grant create on schema gate to rowhouse_search;
set local role rowhouse_search;
create or replace function gate.find_records(
	schema_name text, table_number integer, index text, columns integer[], pattern text, most bigint, people uuid[], user_columns integer[],
	links integer[]
) returns tid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
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
$$;
revoke execute on function gate.find_records(text, integer, text, integer[], text, bigint, uuid[], integer[], integer[]) from public;
grant execute on function gate.find_records(text, integer, text, integer[], text, bigint, uuid[], integer[], integer[])
	to rowhouse_app, rowhouse_owner, rowhouse_system;
set local role rowhouse_owner;
revoke create on schema gate from rowhouse_search;

-- drop_stale_indexes drops indexes of record tables that were built by other rules than the present ones: search
-- indexes, when search_fold returns something else than before, as after a new version of the dictionary; and text
-- indexes, when the library that orders texts has another version. Indexes are built again when they are used. It
-- drops indexes with oids above the given one, at most so many in one transaction, and returns the last oid, or null
-- when none was left.
create or replace function gate.drop_stale_indexes(above oid, most integer) returns oid language plpgsql as $$
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
$$;
