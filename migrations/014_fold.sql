-- Text in one case of letters, cheaper. A search looks again at the text of each record that its index names, and ICU took half of that; text of
-- ASCII letters alone, which most is, is the same in the lower case of ICU and of "C". What these return is what they returned before, so that
-- indexes on them stay good.

create or replace function gate.fold(t text) returns text language plpgsql immutable strict parallel safe cost 4 as $$
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
$$;

-- fold_value is fold, for what costs nothing to be read several times, as a column: the planner puts its text in its place.
create function gate.fold_value(t text) returns text language sql immutable parallel safe
return case when octet_length(t) = length(t) then lower(t collate "C")
	else replace(replace(lower(t collate "und-x-icu"), 'ς', 'σ'), U&'i\0307', 'i') collate "C" end;

-- A timestamp without a time zone: the session's time zone need not be asked.
create or replace function gate.date_text(d date) returns text language plpgsql immutable strict parallel safe as $$
begin
	return to_char(d::timestamp, 'YYYY-MM-DD');
end
$$;

-- A session that has looked at a search index keeps its expression with the former text of fold in it, which no condition of now is like: it
-- would read whole tables until its connection ends. renew_search_indexes sets of each what it is set to, which makes every session read it
-- anew. It does so for those with oids above the given one, at most so many of them in one transaction, and returns the last, or null
-- when there was none left. It waits for nobody who reads or writes, and they do not wait for it.
create function gate.renew_search_indexes(above oid, most integer) returns oid language plpgsql as $$
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
$$;
revoke execute on function gate.renew_search_indexes(oid, integer) from public;
