-- The version of a table's schema as a function without arguments, version.t_<number>(), that yields a constant. A statement that selects it
-- has the constant in its plan, and PostgreSQL plans anew, from the next transaction on, when the function was replaced. So a single
-- row tells the version it was read at for nothing, where the look-up in rowhouse.data_table was half of what the row cost.
create schema version;
grant usage on schema version to public; -- as that of rowhouse and gate: to prepare a statement before a role is taken

create function gate.tell_version() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
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

-- A trigger and not the service, for the binary before this one changes schemas too. It fires while the row of the table is locked, so no
-- two sessions replace one function at once.
create trigger tell_version after insert or delete or update of version on rowhouse.data_table
	for each row execute function gate.tell_version();

-- The tables that there are. The owner sees them past the wall for this one statement, which changes nothing but to fire the trigger; the
-- trigger's lock keeps others from changing them.
alter table rowhouse.data_table no force row level security;
update rowhouse.data_table set version = version;
alter table rowhouse.data_table force row level security;
