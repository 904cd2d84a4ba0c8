-- Organizations that an owner has deleted, for as long as an owner can restore them.
create table rowhouse.deleted_organization (
	org_id     uuid        primary key references rowhouse.organization on delete cascade,
	name       text        not null,
	deleted_at timestamptz not null default now(),
	deleted_by uuid        not null
);
select gate.protect('rowhouse.deleted_organization');
select gate.protect_system('rowhouse.deleted_organization');
grant select on rowhouse.deleted_organization to rowhouse_app;
grant select on rowhouse.deleted_organization to rowhouse_system;
select gate.hide_deleted('rowhouse.organization');
select gate.hide_deleted('rowhouse.webhook');
select gate.hide_deleted('rowhouse.backup_setting');
-- As at the end of schema.sql.
alter table rowhouse.deleted_organization alter column name set statistics 0;
