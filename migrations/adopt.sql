-- Upgrades a database of version 38 or later of the migrations before schema.sql to what schema.sql creates. Nothing
-- here fails if it has been done already. The functions of the schema gate are installed before this.
alter table rowhouse.oauth_grant add column if not exists step_up_until timestamptz;
alter table rowhouse.idempotency add column if not exists rights text[];
create collation if not exists gate.natural_order (provider = icu, locale = 'und-u-kn-true');
create schema if not exists dictionary;
grant usage on schema dictionary to rowhouse_app, rowhouse_system, rowhouse_search;
create extension if not exists unaccent with schema dictionary;
create table if not exists rowhouse.approval (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	call       bytea       not null constraint approval_call_size check (length(call) = 16),
	question   uuid        not null,
	approved   boolean     not null,
	expires_at timestamptz not null,
	primary key (org_id, call)
);
do $$
begin
	if not exists (select from pg_policy where polrelid = 'rowhouse.approval'::regclass) then
		perform gate.protect('rowhouse.approval');
	end if;
end
$$;
grant select, insert, update, delete on rowhouse.approval to rowhouse_app;
drop function if exists gate.admits_id(), gate.adopt_record_count(text), gate.adopt_record_counts(oid, integer), gate.contract(),
	gate.mirror_record_count(), gate.renew_policies(oid, integer), gate.renew_search_indexes(oid, integer), gate.add_versions(oid, integer),
	gate.add_version_with_table(), gate.add_record_count_with_table(), gate.enter_table(uuid, integer, bigint, boolean);
create table if not exists rowhouse.schema_version (version int4 not null);
delete from rowhouse.schema_version;
insert into rowhouse.schema_version values (1);
drop table rowhouse.migration;
