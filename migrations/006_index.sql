-- What is known of the indexes that were built because queries used them. A new table only: the binary before is not affected.

-- An index of a record table is in schema org_…, under this name; PostgreSQL itself drops it with a column that it is on.
create table rowhouse.record_index (
	org_id       uuid        not null,
	table_number integer     not null,
	name         text        not null,
	reason       text        not null,             -- the kind of query that asked for it, in terms of field numbers: f12
	created_at   timestamptz not null default now(),
	used_at      timestamptz not null default now(), -- when a query of that kind was last seen, to the hour
	refused      boolean     not null default false, -- a value was too long for it: it is not built again
	primary key (org_id, table_number, name),
	constraint record_index_table foreign key (org_id, table_number) references rowhouse.data_table (org_id, number) on delete cascade
);
select gate.wall('rowhouse.record_index');
select gate.wall_system('rowhouse.record_index');
grant select, insert, update, delete on rowhouse.record_index to rowhouse_app;
grant select on rowhouse.record_index to rowhouse_system;
