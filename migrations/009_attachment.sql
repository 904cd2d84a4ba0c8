-- Files in records. A new table only: the binary before is not affected, and what it does is right for a file too: a cell that it
-- clears or a record that it deletes leaves the file to the sweep.

-- A file is uploaded for one table and may stand in any of its records. The cell repeats what a reader needs of it, so that
-- reading records asks nothing here. There is no foreign key: the row outlives what it belonged to until its content is removed too.
create table rowhouse.attachment (
	org_id       uuid        not null,
	id           uuid        not null,
	table_id     uuid        not null,
	name         text        not null,
	size         bigint      not null,              -- while arriving: the room that is reserved for it
	type         text        not null default '',
	sha256       bytea,
	width        integer,                           -- of an image that has a thumbnail, in pixels as it is shown
	height       integer,
	state        text        not null constraint attachment_state_known check (state in ('arriving', 'ready', 'leaving')),
	created_by   uuid,
	created_at   timestamptz not null default now(),
	kept_at      timestamptz,                       -- when it was last put into a record
	unused_since timestamptz,                       -- when the sweep first found it in no record
	primary key (org_id, id)
);
create index attachment_by_table on rowhouse.attachment (org_id, table_id);
select gate.wall('rowhouse.attachment');
select gate.wall_system('rowhouse.attachment');
grant select, insert, update, delete on rowhouse.attachment to rowhouse_app;
grant select on rowhouse.attachment to rowhouse_system;
