-- The keys of organizations, the secret of table numbers, and what else depends on them.
-- let secret = organization_key | number_secret
--# a table of secrets [success]
select * from rowhouse.{secret}
--# how many secrets there are [success]
select count(*) from rowhouse.{secret}
--# a table of secrets as the login [success]
reset role; select * from rowhouse.{secret}
--# copy secrets [success]
copy rowhouse.{secret} to stdout
--# lock secrets [success]
lock table rowhouse.{secret} in access share mode
--# select secrets for update [success]
select 1 from rowhouse.{secret} for update
--# explain secrets [success]
explain select * from rowhouse.{secret}
--# secrets as XML [value]
select nullif(table_to_xml('rowhouse.{secret}', true, false, '')::text, '')
--# statistics of secrets [row]
select * from pg_stats where schemaname = 'rowhouse' and tablename = '{secret}'
--# the estimate of how many secrets there are [value]
select reltuples from pg_class where oid = to_regclass('rowhouse.{secret}')
--# delete secrets [success]
delete from rowhouse.{secret}
--# truncate secrets [success]
truncate rowhouse.{secret}
--# disable row security of secrets [success]
alter table rowhouse.{secret} disable row level security
--# the victim's key [success]
select sealed, hash from rowhouse.organization_key where org_id = '{victim_id}'
--# the hash alone [success]
select hash from rowhouse.organization_key where org_id = '{victim_id}'
--# give the victim a key that one knows [success]
update rowhouse.organization_key set hash = sha256('{own_key}') where org_id = '{victim_id}'
--# give the victim a key besides [success]
insert into rowhouse.organization_key (org_id, sealed, hash) values ('{victim_id}', '\x00', sha256('{own_key}'))
--# take the victim's key along with one's own [success]
insert into rowhouse.organization_key (org_id, sealed, hash) values ('{victim_id}', '\x00', sha256('{own_key}'))
on conflict (org_id) do update set hash = excluded.hash
--# a table's number as this database mixes it [success]
select gate.next_table_number()
--# a stranger's statement that is told by the secret [success]
select sha256(secret || '1') from rowhouse.number_secret
-- let arguments = '{victim_id}', '{victim_schema}' | '{own_id}', '{victim_schema}' | '{victim_id}', '{own_schema}'
-- | '{own_id}', '{own_schema}'
--# add counts [success]
select gate.add_record_count({arguments})
-- let org = {victim_id} | {own_id}
--# the text of a policy [success]
select gate.record_policy('{org}')
-- let call = gate.rewrite_policies('{victim_id}', '{own_schema}') | gate.attach_trigger('{own_table}'::regclass, 't', 'gate.publish_version')
-- | gate.protect_records('{own_table}'::regclass, '{victim_id}') | gate.protect_system('rowhouse.organization_key')
-- | gate.drop_sql_base() | gate.drop_sql_schemas('{}'::text[]) | gate.release_sql('{own_table}'::regclass)
--# a function that only the owner calls [success]
select {call}
--# a function that only the owner calls, under the victim's id [success]
set local app.org_id = '{victim_id}'; select {call}
--# let every key in [success]
create or replace function gate.admit(hash bytea) returns boolean language sql immutable return true
--# name the organization oneself [success]
create or replace function gate.organization() returns uuid language sql stable return '{victim_id}'::uuid
-- let fire = publish_version | drop_sql_base
--# a trigger of one's own that runs the gate's function [success]
create trigger t after insert on {own_table} for each row execute function gate.{fire}()
--# one's own counts under the victim's number [own]
insert into {own_schema}.record_count (table_number, slot, records, writes) values ({victim_number}, 1, 1, 1)
--# one's own counts under the victim's number, and the victim's [row]
insert into {own_schema}.record_count (table_number, slot, records, writes) values ({victim_number}, 2, 1, 1)
on conflict (table_number, slot) do nothing; select 1 from {victim_schema}.record_count
--# the counts of the victim, changed [tag]
update {victim_schema}.record_count set records = 0
--# explain the counts of the victim [row]
explain select * from {victim_schema}.record_count
--# hold the victim's table [success]
select gate.hold_table({victim_number}, version.{victim_rel}())
--# hold the victim's table under its id [success]
set local app.org_id = '{victim_id}'; select gate.hold_table({victim_number}, version.{victim_rel}())
--# hold the victim's table without a key [success]
set local app.org_id = '{victim_id}'; set local app.key = ''; select gate.hold_table({victim_number},
version.{victim_rel}())
--# hold the victim's table and read it [row]
do $$ begin perform gate.hold_table({victim_number}, version.{victim_rel}()); exception when others then null; end $$;
select 1 from {victim_table} limit 1
-- let hash = \x{victim_hash} | \x00 | \x
--# be admitted by the hash that the policy shows [success]
select gate.admit('{hash}')
--# be admitted by nothing [own]
select gate.admit(null), gate.admit('\x{own_hash}')
--# be admitted by nothing and read [row]
select t.* from {victim_table} t where gate.admit(null)
-- let value = '' | null | repeat('0', 32) | repeat('x', 1000000) | '{own_key}' | '{victim_hash}' | '\x{victim_hash}'
-- | convert_from('\x{own_hash}', 'LATIN1') | '{victim_id}' | '%' | chr(1114111) | '{own_key} ' | '{own_key}{own_key}'
-- | upper('{own_key}') | 'true'
-- let read = {victim_table} | {victim_link} | {victim_schema}.record_count
--# another key [row]
set local app.org_id = '{victim_id}'; do $$ begin perform set_config('app.key', {value}, true); end $$; select 1 from
{read} limit 1
--# another key and one's own id [row]
do $$ begin perform set_config('app.key', {value}, true); end $$; select 2 from {read} limit 1
--# another key and what is shared [row]
set local app.org_id = '{victim_id}'; do $$ begin perform set_config('app.key', {value}, true); end $$; select 1 from
rowhouse.base limit 1
--# another key, and which organization is in force [value]
set local app.org_id = '{victim_id}'; do $$ begin perform set_config('app.key', {value}, true); end $$; select
gate.organization()
--# another key, and what the planner says [row]
set local app.org_id = '{victim_id}'; do $$ begin perform set_config('app.key', {value}, true); end $$; explain select
1 from {read}
--# another key, and a search [value]
set local app.org_id = '{victim_id}'; do $$ begin perform set_config('app.key', {value}, true); end $$; select
gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1, {victim_column_number}], '%', 5, null, null,
null)
--# another key, and a statement that is cached [row]
set local app.org_id = '{victim_id}'; do $$ begin perform set_config('app.key', {value}, true); end $$; execute 
{cached_list}
--# another key, and the plan of a statement that is cached [row]
set local app.org_id = '{victim_id}'; do $$ begin perform set_config('app.key', {value}, true); end $$; explain
(costs) execute {cached_list}
-- let set = set_config('app.org_id', '{victim_id}', true) || set_config('app.key', '{own_key}', true)
-- | set_config('app.org_id', '{victim_id}', true) || set_config('app.key', '', true)
-- | set_config('app.org_id', '{victim_id}', true) || set_config('app.key', '{victim_hash}', true)
-- | coalesce(set_config('app.key', null, true), '') || set_config('app.org_id', '{victim_id}', true)
-- let shared = rowhouse.base | rowhouse.member | rowhouse.audit_event | rowhouse.person | {victim_table}
--# set before the scan, in a CTE
with e as materialized (select {set} s) select to_jsonb(t) from e, {shared} t where e.s is not null
--# set before the scan, in a lateral sub-select
select x from (select {set} s offset 0) e, lateral (select to_jsonb(t) x from {shared} t where e.s is not null offset
0) r
--# set after the first row of the scan
select to_jsonb(t), {set} from {shared} t
--# set after the scan, in the select list, and scan again
select {set}, (select string_agg(t::text, ',') from {shared} t)
--# set while the scan runs, in where
select to_jsonb(t) from {shared} t where {set} is not null
--# set between two scans
select to_jsonb(a), (select string_agg(b::text, ',') from {shared} b where a is not null and s is not null)
from (select t a, {set} s from rowhouse.workspace t offset 0) q
--# set by a recursive query between its rounds
with recursive e (i, s) as (select 0, {set} union all select i + 1, {set} from e where i < 2)
select (select string_agg(t::text, ',') from {shared} t where i > 0) from e
--# set by the first branch of a union
select {set} union all select t::text from {shared} t
--# set in a DO block and reset
do $$ declare r record; begin perform {set}; for r in select * from {shared} loop raise notice '%', r; end loop; end $$
--# set, and fetch from a cursor that was declared before
declare c cursor for select * from {shared}; select {set}; fetch all from c
--# set, and fetch the rest of a cursor that has begun
declare c cursor for select * from {shared}; fetch 1 from c; select {set}; fetch all from c
--# set, and execute what was prepared under one's own key
prepare mine as select * from {shared}; select {set}; execute mine; deallocate mine
--# set, and execute what was planned under one's own key
set local plan_cache_mode = force_generic_plan; prepare mine as select * from rowhouse.base; execute mine; select
{set}; execute mine; deallocate mine
--# set, and execute with parameters what was planned under one's own key [own]
prepare mine (uuid) as select * from {shared} where $1 is not null; execute mine ('{own_id}'); execute mine
('{own_id}'); execute mine ('{own_id}');
execute mine ('{own_id}'); execute mine ('{own_id}'); execute mine ('{own_id}'); select {set}; execute mine
('{own_id}'); deallocate mine
--# prepare under one's own key, and explain under the victim's id [row]
prepare mine as select * from {victim_table}; do $$ begin perform {set}; end $$; explain execute mine; deallocate mine
--# prepare in one transaction, set in the next
prepare mine as select * from {shared}; commit; begin; set local role rowhouse_app; select {set}; execute mine;
deallocate mine
--# set for the session, and read in the next transaction [own]
select set_config('app.org_id', '{victim_id}', false), set_config('app.key', '{own_key}', false); commit; begin; set
local role rowhouse_app; select * from {shared}
--# a function's own settings [success]
create function pg_temp.f() returns bigint language sql set app.org_id = '{victim_id}' as
'select count(*) from rowhouse.base'
--# how many bases the id alone shows
set local app.org_id = '{victim_id}'; reset app.key; select to_jsonb(t) from rowhouse.base t
--# that the wrong key is one's own error [state=P0001]
set local app.key = 'x'; select 1 from rowhouse.base
--# where the key is checked, in words
set local client_min_messages = debug5; set local app.org_id = '{victim_id}'; select gate.organization()
-- let word = email | name
--# an estimate that tells people's words, of a range [state=P0001]
do $$ declare l text; a text; b text; begin
for l in execute 'explain select 1 from rowhouse.person where {word} < ''q''' loop a := coalesce(a, substring(l from
'rows=[0-9]+')); end loop;
for l in execute 'explain select 1 from rowhouse.person where {word} > ''q''' loop b := coalesce(b, substring(l from
'rows=[0-9]+')); end loop;
if a <> b then raise exception '% %', a, b; end if; end $$
--# an estimate that tells people's words, of a value [state=P0001]
do $$ declare l text; a text; b text; begin
for l in execute 'explain select 1 from rowhouse.person where {word} = ''Quok'' || ''ka 3''' loop a := coalesce(a,
substring(l from 'rows=[0-9]+')); end loop;
for l in execute 'explain select 1 from rowhouse.person where {word} = ''Quok'' || ''ka nine''' loop b := coalesce(b,
substring(l from 'rows=[0-9]+')); end loop;
if a <> b then raise exception '% %', a, b; end if; end $$
-- let name = {name_enter} | {name_meta} | {name_get} | {name_list} | {name_search} | {name_count} | {name_update}
--# replace a statement that the driver runs for whoever comes next [success]
deallocate {name}
--# keep the key of whoever comes next on this connection [success]
deallocate {name_enter}; prepare {name_enter} (uuid, text) as select set_config('role', 'rowhouse_app', true),
set_config('app.org_id', $1::text, true), set_config('app.key', set_config('app.kept', $2, false), true)
--# put the victim's owner in one's own place and read the name
update rowhouse.member set person_id = '{victim_person}'; select id, email, name from rowhouse.person
--# put the victim's owner into one's own invitation and read the name
update rowhouse.invitation set invited_by = '{victim_person}'; select id, email, name from rowhouse.person
