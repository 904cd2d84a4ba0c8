-- Counts of records, and the search. The binary before this one writes no records, so nothing of it is disturbed.

-- How many records each table holds, and how many writes it has seen, kept by the writers in their own transactions. A table's
-- numbers are spread over slots, so that writers seldom wait for each other; readers add them up. Rows are updated in place
-- (HOT), for which each page keeps room. A writer locks its slot last and then commits.
create table rowhouse.record_count (
	org_id       uuid     not null,
	table_number integer  not null,
	slot         smallint not null,
	records      bigint   not null,
	writes       bigint   not null,
	primary key (org_id, table_number, slot),
	constraint record_count_table foreign key (org_id, table_number) references rowhouse.data_table (org_id, number) on delete cascade
) with (fillfactor = 40);
select gate.wall('rowhouse.record_count');
grant select, insert, update on rowhouse.record_count to rowhouse_app;

-- demand ends the transaction with the given SQLSTATE unless fact holds. With it a batch that was sent whole stops at its
-- first surprise.
create function gate.demand(fact boolean, state text) returns boolean language plpgsql as $$
begin
	if fact is not true then
		raise exception 'a condition of the write does not hold' using errcode = state;
	end if;
	return true;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Text as a reader sees it, in one case of letters. These are immutable, so that an index can hold what they return; they
-- do not depend on the database's locale or on the session's settings.

create function gate.fold(t text) returns text language sql immutable parallel safe
return replace(replace(lower(t collate "und-x-icu"), 'ς', 'σ'), U&'i\0307', 'i');

create function gate.number_text(x double precision) returns text language sql immutable parallel safe
return case when (abs(x) >= 1e15 and abs(x) < 1e21) or (abs(x) < 1e-4 and abs(x) >= 1e-6)
	then x::text::numeric::text else x::text end;

create function gate.date_text(d date) returns text language plpgsql immutable strict parallel safe as $$
begin
	return to_char(d, 'YYYY-MM-DD');
end
$$;

create function gate.moment_text(m timestamptz) returns text language plpgsql immutable strict parallel safe as $$
declare
	t text := to_char(m at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US');
begin
	return case when right(t, 3) = '000' then left(t, -3) else t end || 'Z';
end
$$;

create function gate.list_text(entries text[]) returns text language plpgsql immutable strict parallel safe as $$
begin
	return array_to_string(entries, chr(31));
end
$$;

-- search_text writes the expression that holds the text of the given columns of a record table. A column goes by its field's
-- number; -1 and -2 are the times of creation and of the last change. A search index is on exactly this text.
create function gate.search_text(rel regclass, columns integer[]) returns text language plpgsql stable as $$
declare
	expression text;
begin
	select string_agg(format(case a.atttypid
			when 'text'::regtype then 'coalesce(%I, '''')'
			when 'double precision'::regtype then 'coalesce(gate.number_text(%I), '''')'
			when 'date'::regtype then 'coalesce(gate.date_text(%I), '''')'
			when 'timestamptz'::regtype then 'coalesce(gate.moment_text(%I), '''')'
			when 'text[]'::regtype then 'coalesce(gate.list_text(%I), '''')'
			else 'coalesce(%I::text, '''')' end, a.attname), ' || chr(31) || ' order by c.number)
		into expression
		from unnest(columns) c(number)
		join pg_catalog.pg_attribute a on a.attrelid = rel and not a.attisdropped
			and a.attname = case c.number when -1 then 'created_at' when -2 then 'updated_at' else 'f_' || c.number end;
	return 'gate.fold(' || coalesce(expression, '''''') || ')';
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The search
--
-- LIKE is not leakproof: under row-level security the planner would run it only on rows that a policy has let through, never
-- through an index. So the search runs as rowhouse_search, for which a record table has the policy `using (true)`, and tests
-- the organization itself before it does anything else. Nothing that a caller passes becomes SQL but numbers of columns, and a pattern that
-- stays a parameter.

create policy search on rowhouse.data_table for select to rowhouse_search
	using (org_id = (select nullif(current_setting('app.org_id', true), '')::uuid));
grant select (org_id, number) on rowhouse.data_table to rowhouse_search;

-- search returns the ids, in ascending order and at most `most` of them, of the records of a table of the present organization
-- whose text is like pattern in one of the given columns (as in search_text), that hold one of the given people in one of
-- the user columns (-3 and -4 are the authors of the creation and of the last change), or that are linked to a record whose primary
-- field is like pattern. links holds four numbers for each link: the join table's, 1 when this table's records are its side
-- a, the linked table's, and the linked table's primary field's.
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
	if org is null or not exists (
		select from rowhouse.data_table d where d.org_id = org and d.number = table_number)
	then
		raise exception 'table % is not of the present organization', table_number using errcode = 'RH001';
	end if;
	select c.oid, n.nspname into rel, house from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relname = 't_' || table_number and n.nspname like 'org\_%' and c.relkind = 'r';
	if rel is null then
		raise exception 'table % is gone', table_number using errcode = 'RH001';
	end if;

	-- A search index says in its comment which columns it covers. Columns newer than the index are read as they are.
	select obj_description(i.oid, 'pg_class')::integer[] into indexed
		from pg_index x join pg_class i on i.oid = x.indexrelid
		where x.indrelid = rel and i.relname like 's\_%' and x.indisvalid
			and obj_description(i.oid, 'pg_class')::integer[] <@ columns
		order by i.oid desc limit 1;
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
