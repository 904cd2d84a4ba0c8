-- A search takes letters with and without accents for the same: Tromso finds Tromsø. Filters do not.

-- What the extension brings can be called by everybody who may use its schema, and so only the roles of the service may.
create schema dictionary;
grant usage on schema dictionary to rowhouse_app, rowhouse_system, rowhouse_search;
create extension if not exists unaccent with schema dictionary;
do $$
declare
	place regnamespace := (select extnamespace from pg_extension where extname = 'unaccent');
begin
	if place <> 'dictionary'::regnamespace then
		raise exception 'the extension unaccent is in the schema %; drop it, and it is created in the schema dictionary', place;
	end if;
end
$$;

-- search_fold is fold, and without accents: text as a search compares it. A search index is on what it returns, which drop_stale_indexes
-- looks at.
create function gate.search_fold(t text) returns text language plpgsql immutable strict parallel safe cost 4 as $$
begin
	if octet_length(t) = length(t) then
		return lower(t collate "C");
	end if;
	return lower(dictionary.unaccent('dictionary.unaccent', gate.fold(t)) collate "C"); -- some signs become capitals, as №
end
$$;
revoke execute on function gate.search_fold(text) from public;
grant execute on function gate.search_fold(text) to rowhouse_app, rowhouse_owner, rowhouse_system, rowhouse_search;

do $$
begin
	execute replace(pg_get_functiondef('gate.search_text(regclass, integer[])'::regprocedure), 'gate.fold(', 'gate.search_fold(');
end
$$;
grant create on schema gate to rowhouse_search;
set local role rowhouse_search;
do $$
begin
	execute replace(pg_get_functiondef('gate.find_records'::regproc), 'gate.fold(', 'gate.search_fold(');
end
$$;
set local role rowhouse_owner;
revoke create on schema gate from rowhouse_search;

-- drop_stale_indexes drops indexes of record tables that were built by other rules than those of now: search indexes, when search_fold
-- returns something else than it did, as after this migration or a new version of the dictionary; and those in the order of texts, when the
-- library that orders them has another version. They are built anew when they are used. It drops those with oids above the given one, at
-- most so many of them in one transaction, and returns the last, or null when there was none left.
create function gate.drop_stale_indexes(above oid, most integer) returns oid language plpgsql as $$
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
revoke execute on function gate.drop_stale_indexes(oid, integer) from public;

-- Its work is done.
drop function gate.renew_search_indexes(oid, integer);
