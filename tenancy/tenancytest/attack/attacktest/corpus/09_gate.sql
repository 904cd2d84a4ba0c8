-- The functions of the gate, with arguments of the victim.
-- let schema = {victim_schema} | {own_schema} | rowhouse | org_ | {victim_schema}"."x
-- let number = {victim_number} | {own_number} | {victim_other_number}
-- let most = null | 5
--# search with arguments of one's own choice [state=99999]
select case when '{schema}' = '{own_schema}' and {number} = {own_number} then 0 else cardinality(
gate.find_records('{schema}', {number}, 's_0', array[{victim_column_number}], '%', {most}, null, null, null)) end
--# search the victim's table [value]
select gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1, {victim_column_number}], '%a%', {most},
null, null, null)
--# search the victim's table under its id [value]
select set_config('app.org_id', '{victim_id}', true), gate.find_records('{victim_schema}', {victim_number}, 's_0',
array[-1], '%a%', {most}, null, null, null)
--# search under the victim's id [value]
set local app.org_id = '{victim_id}'; select gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1],
'%', {most}, null, null, null)
--# search the victim's people [value]
set local app.org_id = '{victim_id}'; select gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1],
'zzz', {most}, array['{victim_person}'::uuid], array[-3, -4], null)
--# search with the older name [value]
set local app.org_id = '{victim_id}'; select gate.find('{victim_schema}', {victim_number}, 's_0', array[-1], '%',
{most}, null, null, null)
--# search one's own number in the victim's schema [value]
select gate.find_records('{victim_schema}', {own_number}, 's_0', array[-1], '%', 5, null, null, null)
--# search the victim's number in one's own schema [value]
select gate.find_records('{own_schema}', {victim_number}, 's_0', array[-1], '%', 5, null, null, null)
--# search one's own records linked to the victim's records [value]
select gate.find_records('{own_schema}', {own_number}, 's_0', array[-1], 'zzz%', 5, null, null,
array[{victim_link_number}, 1, {victim_other_number}, {victim_other_column_number}])
--# search with the victim's linked table [value]
select gate.find_records('{own_schema}', {own_number}, 's_0', array[-1], '%quok', 5, null, null,
array[{own_link_number}, 1, {victim_number}, {victim_column_number}])
--# search with the victim's column [value]
select gate.find_records('{own_schema}', {own_number}, 's_0', array[{victim_column_number}], 'zzz', 5, null, null, null)
--# search with the victim's user column [value]
select gate.find_records('{own_schema}', {own_number}, 's_0', array[-1], 'zzz', 5, array['{victim_person}'::uuid],
array[{victim_column_number}], null)
--# search with the victim's people [value]
select gate.find_records('{own_schema}', {own_number}, 's_0', array[-1], 'zzz', 5, array['{victim_person}'::uuid],
array[-3, -4], null)
-- let index = {victim_unique} | {victim_rel}_pkey | x"."y | t_1; drop table x
--# search with an index of the victim [value]
select gate.find_records('{own_schema}', {own_number}, '{index}', array[-1], 'zzz', 5, null, null, null)
--# search with a link number that is SQL [success]
select gate.find_records('{own_schema}', {own_number}, 's_0', array[-1], 'z', 5, null, null,
array['1; drop'::text::integer])
--# search with a schema name that quotes [value]
select gate.find_records('{own_schema}".t_1 union select ctid from {victim_schema}.{victim_rel} --', {own_number},
's_0', array[-1], '%', 5, null, null, null)
--# search with no columns [value]
select gate.find_records('{victim_schema}', {victim_number}, 's_0', null, '%', 5, null, null, null)
--# search with a broken pattern [state=22025]
select gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1], '\', 5, null, null, null)
--# search with a negative limit [state=2201W]
select gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1], '%', -1, null, null, null)
--# explain the search [own]
explain (analyze, verbose) select gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1], '%', 5,
null, null, null)
--# places of the victim's rows found by the search, in a scan [row]
select * from {victim_table} where ctid = any (gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1],
'%', 5, null, null, null))
--# search with a path of one's own [value]
set local search_path = pg_temp, {victim_schema}; select gate.find_records('{victim_schema}', {victim_number}, 's_0',
array[-1], '%', 5, null, null, null)
--# search in a nested statement that enters [value]
select gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1], set_config('app.org_id', '{victim_id}',
true) || '%', 5, null, null, null)
--# search with arguments that enter [value]
select gate.find_records('{victim_schema}', {victim_number}, 's_0', array[-1], '%' || left(set_config('app.org_id',
'{victim_id}', true), 0), 5, null, null, null)
-- let rel = {victim_table} | rowhouse.base | {own_table}
--# the text of a search, of the victim [own]
select gate.search_text('{rel}'::regclass, array[-1, {victim_column_number}])
--# protect [success]
select gate.protect('{rel}'::regclass)
--# protect the system's tables [success]
select gate.protect_system('{rel}'::regclass)
--# protect records under one's own organization [success]
select gate.protect_records('{rel}'::regclass, '{own_id}')
--# rewrite policies [success]
select gate.rewrite_policies('{own_id}', 'org_of_nobody')
--# renew search indexes [success]
select gate.drop_stale_indexes(0, 200)
--# the trigger's function by hand [success]
select gate.publish_version()
--# ask which version the victim's table has [success]
select gate.hold_table({victim_number}, v) from generate_series(1, 40) v
--# which organization is in force, of the victim's id [value]
set local app.org_id = '{victim_id}'; select gate.organization()
--# which organization is in force, with the wrong key [value]
set local app.key = '{own_key}'; set local app.org_id = '{victim_id}'; select gate.organization()
--# which organization is in force, of no key [value]
set local app.key = ''; select gate.organization()
--# which organization is in force, by its hash [value]
set local app.org_id = '{victim_id}'; set local app.key = '\x00'; select gate.organization()
--# the organization with a table of one's own [value]
set local search_path = pg_temp; set local app.org_id = '{victim_id}'; select gate.organization()
-- let queue = river_job | river_queue | river_leader | river_notification | river_migration
--# the queue [success]
select * from river.{queue}
--# delete from the queue [success]
delete from river.{queue}
--# a job [success]
insert into river.river_job (args, kind) values ('{}', 'x')
-- let secret = api_key | session | mailed_token | oauth_client | oauth_grant | oauth_question | oauth_consent
-- | oauth_assertion | oauth_device | oauth_signing_key
--# a table of credentials [success]
select * from rowhouse.{secret}
--# how many credentials there are [success]
select count(*) from rowhouse.{secret}
--# delete credentials [success]
delete from rowhouse.{secret}
--# lock credentials [success]
select 1 from rowhouse.{secret} for update
--# hear what others notify
listen river_insert; listen "rowhouse.river_insert"; listen rowhouse; select pg_notification_queue_usage()
--# notify the queue [own]
notify "rowhouse.river_insert", '{"queue": "default"}'
--# an advisory lock that a schema change takes [own]
select pg_try_advisory_xact_lock(20737, {victim_number})
-- let end = pg_terminate_backend | pg_cancel_backend
--# end another session [success]
select {end}(2147483647)
--# end another session of one's own login, by a guess [value]
reset role; select bool_or({end}(pid)) from generate_series(pg_backend_pid() - 20, pg_backend_pid() + 20) pid where
pid <> pg_backend_pid()
--# end sessions that the activity shows [value]
select bool_or(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and usename like
'{login}%'
--# a checkpoint [success]
rollback
-- then
checkpoint
--# settings of the server [success]
rollback
-- then
alter system set row_security = off
--# a two-phase transaction that stays [success]
prepare transaction 'attack'
--# a database [success]
rollback
-- then
create database leak template {database}
--# drop the database [success]
rollback
-- then
drop database {database}
--# a tablespace [success]
rollback
-- then
create tablespace leak location '/tmp'
--# rights on the database [own]
reset role; grant all on database {database} to {app_login}
--# all sessions' default of a search path [success]
set session_replication_role = replica
--# triggers off [success]
set local session_replication_role = replica; delete from {victim_table}
--# parameters of administrators [success]
set local log_statement = 'all'
--# libraries of the session [success]
set local session_preload_libraries = 'x'
--# zero out broken pages [success]
set local zero_damaged_pages = on
--# ignore checksums [success]
set local ignore_checksum_failure = on
