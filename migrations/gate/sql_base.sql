-- SQL of people over one base; see docs/decisions/0037-sql.md.

-- drop_sql_schemas drops the schemas that nobody is reading, and returns the others.
create or replace function gate.drop_sql_schemas(names text[]) returns text[] language plpgsql set client_min_messages = warning as $$
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
$$;

-- release_sql drops the views that read a table, because PostgreSQL neither drops nor replaces a column or a table
-- that a view reads. The next statement creates them again.
create or replace function gate.release_sql(rel regclass) returns void language plpgsql set client_min_messages = warning as $$
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
		update rowhouse.sql_class set digest = '' where schema_name = name;
		execute format('drop schema if exists %I cascade', name);
	end loop;
end
$$;

-- admit_person fails unless the person of the transaction is proven for a schema of views. The statement can set the
-- person, and cannot read the secret.
create or replace function gate.admit_person(name text) returns void language plpgsql stable as $$
begin
	if not exists (
		select from rowhouse.sql_class c where c.schema_name = name and encode(sha256(c.secret ||
			convert_to(current_setting('app.person', true), 'UTF8') || c.secret), 'hex') = current_setting('app.person_proof', true))
	then
		raise exception 'the person is not the one for whom the views are read' using errcode = '42501';
	end if;
end
$$;

-- The deletion of a base drops its views and its login.
create or replace function gate.drop_sql_base() returns trigger language plpgsql set client_min_messages = warning as $$
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
$$;

-- record_id and user_id write ids as the API does: 32 bits of table number and 128 bits in Crockford's base32. They are plain expressions,
-- so that PostgreSQL inlines them.
do $$
declare
	alphabet text := '''0123456789abcdefghjkmnpqrstvwxyz''';

	-- The digit of five bits from the given one of the uuid on; bits before the first come from the number, those behind the last are 0.
	digit  text;
	body   text;
	start  integer;
begin
	for prefix in 0 .. 1 loop
		body := '';
		-- A record's digits begin 32 bits before the uuid. The first six are of the number alone.
		for place in 0 .. case prefix when 0 then 25 else 31 end loop
			start := place * 5 - case prefix when 0 then 0 else 32 end;
			if start <= -5 then
				digit := format('(number >> %s) & 31', -start - 5);
			elsif start < 0 then
				digit := format('((number << %s) & 31) | (get_byte(uuid_send(id), 0) >> %s)', 5 + start, 3 - start);
			elsif start / 8 = 15 and start % 8 > 3 then
				digit := format('(get_byte(uuid_send(id), 15) << %s) & 31', start % 8 - 3);
			elsif start % 8 <= 3 then
				digit := format('(get_byte(uuid_send(id), %s) >> %s) & 31', start / 8, 3 - start % 8);
			else
				digit := format('((get_byte(uuid_send(id), %s) << %s) & 31) | (get_byte(uuid_send(id), %s) >> %s)',
					start / 8, start % 8 - 3, start / 8 + 1, 11 - start % 8);
			end if;
			body := body || format(' || substr(%s, 1 + (%s), 1)', alphabet, digit);
		end loop;
		if prefix = 1 then
			execute 'create or replace function gate.record_id(number integer, id uuid) returns text language sql immutable strict parallel safe return ''rec_'''
				|| body;
		else
			execute 'create or replace function gate.user_id(id uuid) returns text language sql immutable strict parallel safe return ''usr_''' || body;
		end if;
	end loop;
end
$$;
