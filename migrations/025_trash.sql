-- What was deleted stays restorable, and changes of the schema are in the log. New tables, a column that may be null, and functions: the
-- binary before this migration deletes for good, and is not affected by what the trash keeps, because nothing there refers to a live table.

-- An entry holds the metadata rows of what was deleted, so that restoring is putting them back. The columns and tables that they describe
-- stay where they are. kind column is the former column of a field whose type was changed; object_id is the field then.
create table rowhouse.trash (
	org_id       uuid        not null references rowhouse.organization on delete cascade,
	id           uuid        not null,
	kind         text        not null constraint trash_kind_known check (kind in ('field', 'table', 'view', 'base', 'column')),
	object_id    uuid        not null,
	part_of      uuid,                                  -- the entry with which this one was deleted: a table's base
	base_id      uuid        not null,
	table_id     uuid,                                  -- null: a base
	table_number integer,
	field_number integer,
	link_number  integer,                               -- of a link field
	name         text        not null,
	content      jsonb       not null,                  -- rows by table, and what views of live tables lost
	change_set   uuid,
	person_id    uuid,                                  -- null: the service itself
	deleted_at   timestamptz not null default clock_timestamp(),
	primary key (org_id, id),
	constraint trash_part_of foreign key (org_id, part_of) references rowhouse.trash on delete cascade
);
create index trash_by_time on rowhouse.trash (org_id, deleted_at, id);
create index trash_by_part on rowhouse.trash (org_id, part_of) where part_of is not null;
create unique index trash_object on rowhouse.trash (org_id, object_id) where kind <> 'column';
alter table rowhouse.trash alter column name set statistics 0, alter column content set statistics 0;
select gate.protect('rowhouse.trash');
select gate.protect_system('rowhouse.trash');
-- Only the owner adds and removes.
grant select on rowhouse.trash to rowhouse_app;
-- The job that purges finds its organizations, and no names.
grant select (org_id, deleted_at) on rowhouse.trash to rowhouse_system;

-- The audit log names the group of changes that an event belongs to.
alter table rowhouse.audit_event add column change_set uuid;

-- restore_rows puts rows back into a metadata table: those columns that they have and the table still has.
create function gate.restore_rows(rel regclass, rows jsonb) returns void language plpgsql as $$
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

-- prepare_change_log makes sure that an organization has a log, and the log a part for the present month.
create function gate.prepare_change_log(org uuid, schema_name text) returns void language plpgsql as $$
begin
	if to_regclass(format('%I.change', schema_name)) is null then
		perform gate.add_change_log(schema_name, gate.record_policy(org));
	else
		perform gate.add_change_months(schema_name);
	end if;
end
$$;

revoke execute on function gate.restore_rows(regclass, jsonb), gate.prepare_change_log(uuid, text) from public;
