-- Takes from a database what adopt.sql, and later a numbered migration, adds to one of an earlier version.
set role rowhouse_owner;
drop table rowhouse.sql_class;
drop table rowhouse.oauth_device;
drop table rowhouse.deleted_organization cascade;
alter table rowhouse.person drop column locale, drop column first_day, drop column language, drop column time_zone,
	drop column recent_bases, drop column favorite_bases;
drop table rowhouse.airtable_item;
drop table rowhouse.backup_notice, rowhouse.backup, rowhouse.backup_setting;
alter table rowhouse.base drop column scratch;
drop table rowhouse.job;
drop table rowhouse.form_answer;
drop table rowhouse.view_share;
drop table rowhouse.dashboard;
alter table rowhouse.api_key drop column only_view;
drop table rowhouse.schema_version, rowhouse.approval, rowhouse.person_group;
alter table rowhouse.member drop constraint member_role_known,
	add constraint member_role_known check (role in ('viewer', 'editor', 'admin', 'owner'));
alter table rowhouse.invitation drop constraint invitation_role_known, drop column bases,
	add constraint invitation_role_check check (role in ('viewer', 'editor', 'admin', 'owner'));
alter table rowhouse.organization drop column permission_version, drop column icon;
alter table rowhouse.workspace drop column permission;
alter table rowhouse.base drop column permission;
alter table rowhouse.data_table drop column permission;
alter table rowhouse.field drop column permission;
create table rowhouse.migration (version int4 not null);
insert into rowhouse.migration values (38);
alter table rowhouse.oauth_grant drop column step_up_until;
alter table rowhouse.idempotency drop column rights;
drop collation gate.natural_order;
drop schema dictionary cascade;
create function gate.admits_id() returns boolean language sql immutable parallel safe return false;
create function gate.contract() returns void language sql as '';
grant execute on function gate.drop_sql_schemas(text[]) to rowhouse_app;
revoke usage on schema gate from public;
comment on schema gate is null;
