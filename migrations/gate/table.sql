-- The state of a table other than its records: its number, its version, the counts, and rows that come back from the
-- trash.

-- next_table_number returns the number of a new table. It is part of the ids of the table's records, so the numbers come in an order that only this
-- database knows and do not reveal how many tables the service has: a Feistel network over a sequence, whose results never repeat.
create or replace function gate.next_table_number() returns integer language plpgsql as $$
declare
	secret     bytea := (select s.secret from rowhouse.number_secret s);
	place      bigint;
	upper_half bigint;
	lower_half bigint;
	mixed      bytea;
begin
	loop
		place := nextval('rowhouse.next_table');
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
$$;

-- publish_version replaces version.t_<number>() when the version of a table's schema changes.
create or replace function gate.publish_version() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
	if tg_op = 'DELETE' then
		execute format('drop function if exists version.t_%s()', old.number);
	else
		execute format('create or replace function version.t_%s() returns bigint language sql immutable parallel safe return %s::bigint',
			new.number, new.version);
	end if;
	return null;
end
$$;

-- add_record_count creates the tables that an organization has once: the log of changes, and the counts of records and writes of its tables. The
-- writers keep the counts in their own transactions. They are spread over slots, so that writers seldom wait for each other; readers add them up.
-- Rows are updated in place (HOT), for which each page keeps room.
create or replace function gate.add_record_count(org uuid, schema_name text) returns void language plpgsql as $$
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
end
$$;

-- attach_trigger lets a function run before each record of a table is written, if it does not yet.
create or replace function gate.attach_trigger(rel regclass, name name, function text) returns void language plpgsql as $$
begin
	if not exists (select from pg_trigger t where t.tgrelid = rel and t.tgname = name) then
		execute format('create trigger %I before insert or update on %s for each row execute function %s()', name, rel, function);
	end if;
end
$$;

-- restore_rows puts rows back into a metadata table: those columns that they have and the table still has.
create or replace function gate.restore_rows(rel regclass, rows jsonb) returns void language plpgsql as $$
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
$$;
