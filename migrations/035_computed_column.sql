-- What stands in the columns of computed fields. A new table alone: the binary before this migration does not touch it, and the triggers that keep
-- the columns up run for its writes too.

-- A row is a computed field whose values are kept in columns of its record table, f_<field_number> and e_<field_number>. expression names what the
-- trigger of the table computes into them, and is '' while it computes nothing, as after the field was deleted. The columns are read once they are
-- filled for every record. There is no foreign key to the field: one that comes back from the trash has its columns again.
create table rowhouse.computed_column (
	org_id       uuid    not null references rowhouse.organization on delete cascade,
	field_number integer not null,
	table_number integer not null,
	type         text    not null,  -- of the values, in SQL
	expression   text    not null,
	filled       boolean not null,
	filled_to    uuid,              -- the record up to which they are filled; null is none
	primary key (org_id, field_number)
);
create index computed_column_unfilled on rowhouse.computed_column (org_id, table_number) where not filled and expression <> '';
select gate.protect('rowhouse.computed_column');
select gate.protect_system('rowhouse.computed_column');
grant select on rowhouse.computed_column to rowhouse_app;
-- The job that fills columns finds its tables, and nothing else.
grant select (org_id, table_number, expression, filled) on rowhouse.computed_column to rowhouse_system;

-- attach_trigger lets a function run before each record of a table is written, if it does not yet.
create function gate.attach_trigger(rel regclass, name name, function text) returns void language plpgsql as $$
begin
	if not exists (select from pg_trigger t where t.tgrelid = rel and t.tgname = name) then
		execute format('create trigger %I before insert or update on %s for each row execute function %s()', name, rel, function);
	end if;
end
$$;
revoke execute on function gate.attach_trigger(regclass, name, text) from public;
-- The time zone in which the formulas of a base read a clock. The binary before this migration leaves it as it is.
alter table rowhouse.base add column time_zone text not null default 'UTC';

-- As migration 29 has it, the login of a base calls no function that its views do not need. Others keep their rights by name.
do $$
declare
	found regprocedure;
begin
	if exists (select from pg_extension where extname = 'citus') then
		return;
	end if;
	for found in select p.oid from pg_proc p where p.pronamespace = 'gate'::regnamespace and p.proname like 'formula\_%' loop
		execute format('revoke execute on function %s from public', found);
		execute format('grant execute on function %s to rowhouse_app, rowhouse_owner, rowhouse_system, rowhouse_search', found);
	end loop;
end
$$;
