-- The search as it was, but that the table, its schema and its index are found by one query: three of them were a sixth of what PostgreSQL did for
-- a search among 100,000 records. It is dropped and made anew, as in 008.

-- search returns the ids, in ascending order and at most `most` of them, of the records of a table of the present organization
-- whose text is like pattern in one of the given columns (as in search_text), that hold one of the given people in one of
-- the user columns (-3 and -4 are the authors of the creation and of the last change), or that are linked to a record whose primary
-- field is like pattern. links holds four numbers for each link: the join table's, 1 when this table's records are its side
-- a, the linked table's, and the linked table's primary field's.
drop function gate.search(integer, integer[], text, bigint, uuid[], integer[], integer[]);
create function gate.search(
	table_number integer, columns integer[], pattern text, most bigint, people uuid[], user_columns integer[], links integer[]
) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
	org       uuid := nullif(current_setting('app.org_id', true), '')::uuid;
	rel       regclass;
	house     name;
	folded    text := gate.fold(pattern);
	indexed   integer[];
	remaining integer[];
	condition text;
	column_no integer;
	linked    uuid[] := '{}';
	hits      uuid[];
begin
	-- The name of a record table is unique in the database; that it is the organization's is seen from data_table. A search index says in its
	-- comment which columns it covers. Columns newer than the index are read as they are.
	select c.oid, n.nspname, (
			select d.description::integer[]
			from pg_index x join pg_class i on i.oid = x.indexrelid
			join pg_description d on d.objoid = i.oid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
			where x.indrelid = c.oid and i.relname like 's\_%' and x.indisvalid
				-- Read only where it is ours: this condition is on both, so it comes after their join.
				and case when x.indrelid = c.oid and i.relname like 's\_%' then d.description::integer[] end <@ columns
			order by i.oid desc limit 1)
		into rel, house, indexed
		from rowhouse.data_table t
		join pg_class c on c.relname = 't_' || t.number and c.relkind = 'r'
		join pg_namespace n on n.oid = c.relnamespace and n.nspname like 'org\_%'
		where t.org_id = org and t.number = table_number;
	if rel is null then
		raise exception 'table % is not of the present organization', table_number using errcode = 'RH001';
	end if;
	indexed := coalesce(indexed, columns);
	condition := gate.search_text(rel, indexed) || ' like $1';
	remaining := array(select c from unnest(columns) c where c <> all (indexed));
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
		-- The join table's foreign keys prove that the linked table is of the same organization; a table is asked for by name
		-- in this table's own schema.
		execute format('select $2 || array(select distinct l.%I from %I.%I l where l.%I = any (array(
				select o.id from %I.%I o where gate.fold(o.%I::text) like $1)))',
			case links[4 * i + 2] when 1 then 'a' else 'b' end, house, 'l_' || links[4 * i + 1],
			case links[4 * i + 2] when 1 then 'b' else 'a' end, house, 't_' || links[4 * i + 3], 'f_' || links[4 * i + 4])
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
$$;
revoke execute on function gate.search(integer, integer[], text, bigint, uuid[], integer[], integer[]) from public;
grant execute on function gate.search(integer, integer[], text, bigint, uuid[], integer[], integer[]) to rowhouse_app;

grant create on schema gate to rowhouse_search;
alter function gate.search(integer, integer[], text, bigint, uuid[], integer[], integer[]) owner to rowhouse_search;
revoke create on schema gate from rowhouse_search;
