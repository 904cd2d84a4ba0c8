-- The search, by where rows are: find returns their places (ctid), which are good for the rest of the statement, since its snapshot is one. Who reads
-- the records then need not look each of them up by its id. It also finds the usual index by its name, and not by joining the catalogue's tables. Both
-- matter when a search finds many records among a million. gate.search stays for the binary before this one.

-- find returns the places, in the order of the records' ids and at most `most` of them, of the records of a table of the present organization
-- whose text is like pattern in one of the given columns (as in search_text), that hold one of the given people in one of
-- the user columns (-3 and -4 are the authors of the creation and of the last change), or that are linked to a record whose primary
-- field is like pattern. house is the table's schema, and index the name of the search index for all of the columns, which need not be there. links holds
-- four numbers for each link: the join table's, 1 when this table's records are its side a, the linked table's, and the linked table's primary field's.
create function gate.find(
	house text, table_number integer, index text, columns integer[], pattern text, most bigint, people uuid[], user_columns integer[], links integer[]
) returns tid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
	org       uuid := nullif(current_setting('app.org_id', true), '')::uuid;
	-- The name of a record table is unique in the database, so it is the organization's if data_table says so.
	rel       regclass := case when starts_with(house, 'org_') then to_regclass(format('%I.t_%s', house, table_number)) end;
	usual     regclass := to_regclass(format('%I.%I', house, index));
	folded    text := gate.fold(pattern);
	indexed   integer[];
	remaining integer[] := '{}';
	condition text;
	column_no integer;
	linked    uuid[] := '{}';
	hits      tid[];
begin
	-- A search index says in its comment which columns it covers.
	select (select d.description::integer[] from pg_description d
			where d.objoid = usual and d.classoid = 'pg_class'::regclass and d.objsubid = 0
			and exists (select from pg_index x where x.indexrelid = usual and x.indrelid = rel and x.indisvalid))
		into indexed from rowhouse.data_table t where t.org_id = org and t.number = table_number;
	if not found or rel is null then
		raise exception 'table % is not of the present organization', table_number using errcode = 'RH001';
	end if;
	if indexed is distinct from columns then
		-- An index of before the latest change of the table's fields, or none yet. Columns newer than the index are read as they are.
		select d.description::integer[] into indexed
			from pg_index x join pg_class i on i.oid = x.indexrelid
			join pg_description d on d.objoid = i.oid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
			where x.indrelid = rel and i.relname like 's\_%' and x.indisvalid
				-- Read only where it is ours: this condition is on both, so it comes after their join.
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

	execute format('select array(select ctid from %s where %s order by id %s)', rel, condition,
		case when most is null then '' else 'limit ' || most end)
		into hits using folded, people, linked;
	return hits;
end
$$;
revoke execute on function gate.find(text, integer, text, integer[], text, bigint, uuid[], integer[], integer[]) from public;
grant execute on function gate.find(text, integer, text, integer[], text, bigint, uuid[], integer[], integer[]) to rowhouse_app;

grant create on schema gate to rowhouse_search;
alter function gate.find(text, integer, text, integer[], text, bigint, uuid[], integer[], integer[]) owner to rowhouse_search;
revoke create on schema gate from rowhouse_search;
