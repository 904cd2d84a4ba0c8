-- Permissions: who sees and does what in bases, tables and fields (tenancy/schema/permission.go).
alter table rowhouse.member drop constraint member_role_known,
	add constraint member_role_known check (role in ('guest', 'viewer', 'editor', 'admin', 'owner'));
alter table rowhouse.invitation drop constraint invitation_role_check,
	add constraint invitation_role_known check (role in ('guest', 'viewer', 'editor', 'admin', 'owner')),
	add column bases jsonb;
alter table rowhouse.organization add column permission_version bigint not null default 1;
alter table rowhouse.workspace add column permission jsonb;
alter table rowhouse.base add column permission jsonb;
alter table rowhouse.data_table add column permission jsonb;
alter table rowhouse.field add column permission jsonb;
create table rowhouse.person_group (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	id         uuid        not null,
	name       text        not null,
	members    uuid[]      not null default '{}',
	created_at timestamptz not null default now(),
	primary key (org_id, id)
);
create unique index person_group_name on rowhouse.person_group (org_id, lower(name));
select gate.protect('rowhouse.person_group');
grant select on rowhouse.person_group to rowhouse_app;
-- As at the end of schema.sql.
alter table rowhouse.invitation alter column bases set statistics 0;
alter table rowhouse.workspace alter column permission set statistics 0;
alter table rowhouse.base alter column permission set statistics 0;
alter table rowhouse.data_table alter column permission set statistics 0;
alter table rowhouse.field alter column permission set statistics 0;
alter table rowhouse.person_group alter column name set statistics 0;
alter index rowhouse.person_group_name alter column 2 set statistics 0;
