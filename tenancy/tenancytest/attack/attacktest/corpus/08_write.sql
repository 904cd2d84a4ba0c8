-- Changing what is the victim's, and learning from keys.
-- let target = {victim_table} | {victim_other} | {victim_link}
--# update every row [tag]
update {victim_link} set pos_a = pos_a + 1
--# update every record [tag]
update {victim_table} set {victim_column} = 'changed'
--# update and return [row]
update {victim_table} set updated_at = updated_at returning *
--# delete every row [tag]
delete from {target}
--# delete and return [row]
delete from {target} returning *
--# delete with one's own rows as the pretext [tag]
delete from {target} t using {own_table} o
--# update from one's own rows [tag]
update {victim_table} t set {victim_column} = o.id::text from {own_table} o
--# truncate [success]
truncate {target}
--# truncate with all that refers to it [success]
truncate {victim_table} cascade
--# drop [success]
drop table {target} cascade
--# drop the schema [success]
drop schema {victim_schema} cascade
--# lock [own]
lock table {target} in access share mode
--# insert a record [tag]
insert into {victim_table} (id) values (gen_random_uuid())
--# insert a link [tag]
insert into {victim_link} (a, b) select '{victim_record}', '{victim_record}'
--# insert with a known id: a key tells whether it is there [tag state=23505]
insert into {victim_table} (id) values ('{victim_record}')
--# insert with a known id unless it is there [tag success]
insert into {victim_table} (id) values ('{victim_record}') on conflict do nothing
--# insert with a known id or update [tag]
insert into {victim_table} (id) values ('{victim_record}') on conflict (id) do update set updated_at = now()
--# insert under the victim's id [tag state=23505]
set local app.org_id = '{victim_id}'; insert into {victim_table} (id) values ('{victim_record}')
--# insert a value that a unique field holds [tag state=23505]
insert into {victim_table} (id, {victim_code}) values (gen_random_uuid(), upper('q') || 'uokka-code-5')
--# insert by copy [tag success]
copy {victim_table} (id) from stdin
--# merge into it [tag]
merge into {victim_table} t using {own_table} o on t.id = o.id when matched then delete when not matched then insert
(id) values (o.id)
--# merge into every row [tag]
merge into {target} t using (values (1)) v on true when matched then delete
--# point one's own link at a record of the victim [tag]
insert into {own_link} (a, b) select '{victim_record}', b from {own_link} limit 1
--# refer to it from a table of one's own [success]
create temporary table t (a uuid references {victim_table}); insert into t values ('{victim_record}')
--# a constraint on it [success]
alter table {target} add check (true)
--# a unique index that tells duplicates [success]
create unique index on {victim_table} ({victim_amount})
--# a trigger [success]
create trigger t before insert on {target} for each row execute function suppress_redundant_updates_trigger()
--# a rule [success]
create rule r as on insert to {target} do also notify leak
--# a view over it that others read [success]
create view public.v as select * from {target}
--# a materialized view [success]
create materialized view public.v as select * from {target}
--# a policy that lets everybody in [success]
create policy everybody on {target} using (true)
--# drop the policy [success]
drop policy organization on {target}
--# alter the policy [success]
alter policy organization on {target} using (true)
--# disable row security [success]
alter table {target} disable row level security
--# no force [success]
alter table {target} no force row level security
-- A grant without the right to grant warns and changes nothing, which the comparison of states shows.
--# grant it [own]
grant select on {target} to public
--# grant it with the right to grant [own]
grant all on {target} to {app_login} with grant option
--# a column [success]
alter table {target} add column leak text
--# a column's type [success]
alter table {victim_table} alter column {victim_column} type text using {victim_column} || ''
--# its name [success]
alter table {target} rename to leak
--# its schema [success]
alter table {target} set schema {own_schema}
--# its comment [success]
comment on table {target} is 'leak'
--# its label [success]
security label on table {target} is 'leak'
--# cluster it [success]
cluster {victim_table}
--# reindex it [success]
rollback
-- then
reindex table {target}
--# an index's settings [success]
alter index {victim_schema}.{victim_unique} set (fillfactor = 50)
--# a publication of it [success]
create publication p for table {target}
--# a publication of everything [success]
create publication p for all tables
--# a publication of the victim's schema [success]
create publication p for tables in schema {victim_schema}
--# a subscription [success]
create subscription s connection 'dbname={database}' publication p with (connect = false)
--# an event trigger [success]
create event trigger e on ddl_command_start execute function suppress_redundant_updates_trigger()
--# a table in the victim's schema [success]
create table {victim_schema}.leak (a text)
--# a function in the victim's schema [success]
create function {victim_schema}.leak() returns text language sql as 'select ''''::text'
--# a schema [success]
create schema leak
--# a table in the public schema [success]
create table public.leak (a text)
--# a table of the gate [success]
create table gate.leak (a text)
--# a version of the victim's table [success]
create or replace function version.{victim_rel}() returns bigint language sql immutable return 99::bigint
--# the version's owner [success]
alter function version.{victim_rel}() owner to rowhouse_app
--# drop the version [success]
drop function version.{victim_rel}()
--# replace the door's function [success]
create or replace function gate.organization() returns uuid language sql as $$ select '{victim_id}'::uuid $$
--# replace the search [success]
create or replace function gate.fold(t text) returns text language sql as 'select t'
--# the search's owner [success]
alter function gate.find_records owner to rowhouse_app
--# the search's path [success]
alter function gate.find_records set search_path = pg_temp
--# an operator class in place of the default [success]
create operator class pg_temp.o default for type uuid using btree as function 1 uuid_cmp(uuid, uuid)
--# a collation [success]
create collation public.c from "C"
--# a text search configuration [success]
create text search configuration public.c (copy = simple)
--# a conversion [success]
create default conversion public.c for 'UTF8' to 'LATIN1' from utf8_to_iso8859_1
-- let meta = base | workspace | view | member | invitation | base_share | attachment | audit_event | record_index | trash
-- | organization | change_set | change_set_revert | data_table | field | person | canary
--# delete what is shared [tag]
delete from rowhouse.{meta} where to_jsonb({meta}) ->> 'org_id' is distinct from '{own_id}'
--# read what is shared, of anybody else [row]
select 1 from rowhouse.{meta} m where to_jsonb(m) ->> 'org_id' is distinct from '{own_id}' and to_jsonb(m) ->> 'id' is
distinct from '{own_person}'
--# lock what is shared, of anybody else [row]
select 1 from rowhouse.{meta} m where to_jsonb(m) ->> 'org_id' = '{victim_id}' for update
--# truncate what is shared [success]
truncate rowhouse.{meta} cascade
--# disable row security of what is shared [success]
alter table rowhouse.{meta} disable row level security
--# move what one sees to the victim [tag]
update rowhouse.{meta} set org_id = '{victim_id}'
--# insert a base for the victim [tag]
insert into rowhouse.base (org_id, id, workspace_id, name, position) select '{victim_id}', gen_random_uuid(), id, 'x',
1 from rowhouse.workspace limit 1
--# insert a member of the victim [tag state=23505]
insert into rowhouse.member (org_id, person_id, role) values ('{victim_id}', '{own_person}', 'owner')
--# insert the victim's owner among one's own and read the name
insert into rowhouse.member (org_id, person_id, role) values ('{own_id}', '{victim_person}', 'viewer'); select id,
email, name from rowhouse.person
--# insert a member under the victim's id [tag]
set local app.org_id = '{victim_id}'; insert into rowhouse.member (org_id, person_id, role) values ('{victim_id}',
'{own_person}', 'owner')
--# a view of the victim's table [tag]
insert into rowhouse.view (org_id, id, table_id, name, type, position) values ('{victim_id}', gen_random_uuid(),
'{victim_table_id}', 'x', 'grid', 1)
--# a view of one's own of the victim's table: a foreign key tells [tag]
insert into rowhouse.view (org_id, id, table_id, name, type, position) values ('{own_id}', gen_random_uuid(),
'{victim_table_id}', 'x', 'grid', 1)
--# a share of the victim's base [tag]
insert into rowhouse.base_share (org_id, base_id, share_id) values ('{own_id}', '{victim_base}', 'x')
--# an invitation to the victim [tag]
insert into rowhouse.invitation (org_id, id, email, role, token_hash, expires_at) values ('{victim_id}',
gen_random_uuid(), 'a@example.com', 'owner', '\x00', now() + interval '1 day')
--# an event in the victim's audit log [tag]
insert into rowhouse.audit_event (org_id, id, credential_kind, credential, request, action, subject) values
('{victim_id}', gen_random_uuid(), 'x', 'x', 'x', 'x', 'x')
--# a table of one's own with the victim's number [tag success]
insert into rowhouse.data_table (org_id, id, base_id, number, name, position, version) values ('{own_id}',
gen_random_uuid(), '{own_base}', {victim_number}, 'x', 9, 9)
--# a table of one's own with the victim's number, by update [tag success]
update rowhouse.data_table set number = {victim_number} where id = '{own_table_id}'
--# a field of one's own on the victim's column [tag success]
insert into rowhouse.field (org_id, id, table_id, number, name, type, position) values ('{own_id}', gen_random_uuid(),
'{own_table_id}', {victim_column_number}, 'x', 'text', 9)
--# a version of one's own table that others publish [tag success]
update rowhouse.data_table set version = version + 1
--# one's own table under another name, past the login that changes schemas [tag success]
update rowhouse.data_table set name = name || ' changed'
--# one's own field under another number [tag success]
update rowhouse.field set number = {victim_column_number} where id = '{own_field_id}'
--# an organization [tag success]
insert into rowhouse.organization (org_id, name) values (gen_random_uuid(), 'x')
--# the victim's organization once more: a key tells [tag state=23505]
insert into rowhouse.organization (org_id, name) values ('{victim_id}', 'x')
--# one's own organization's id [tag success]
update rowhouse.organization set org_id = gen_random_uuid() where org_id = '{own_id}'
--# one's own organization away, with all below it [tag success]
delete from rowhouse.organization
--# one's own table away, with the function of its version [tag success]
delete from rowhouse.data_table
--# an index record of the victim [tag]
insert into rowhouse.record_index (org_id, table_number, name, reason) values ('{own_id}', {victim_number}, 'i', 'f')
--# the victim's counts
select * from rowhouse.record_count
--# the victim's counts in its schema [row]
select * from {victim_schema}.record_count
--# the victim's counts under its id
set local app.org_id = '{victim_id}'; select sum(records) from rowhouse.record_count where table_number =
{victim_number}
--# change the victim's counts [tag]
update rowhouse.record_count set records = 0 where table_number = {victim_number}
--# add to the victim's counts [tag]
insert into rowhouse.record_count (org_id, table_number, slot, records, writes) values ('{victim_id}',
{victim_number}, 31, 5, 5)
--# a person [tag success]
insert into rowhouse.person (id, email, name) values (gen_random_uuid(), 'x@example.com', 'x')
--# a person's e-mail: a key tells [state=23505]
insert into rowhouse.person (id, email, name) values (gen_random_uuid(), upper('q') || 'uokka@example.com', 'x')
--# a person's password [row]
select password_hash from rowhouse.person
