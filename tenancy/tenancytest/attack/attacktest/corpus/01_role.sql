-- Taking another role, and reading with it.
-- let role = rowhouse_owner | rowhouse_system | rowhouse_search | {login} | {schema_login} | {lookup_login}
-- | {job_login} | postgres | pg_read_all_data | pg_write_all_data | pg_read_all_stats | pg_monitor
-- | pg_read_server_files | pg_execute_server_program | pg_signal_backend | pg_database_owner | pg_checkpoint
-- let way = set role {role} | set local role {role} | set session authorization {role}
-- | set role none; set role {role} | do $$ begin perform set_config('role', '{role}', false); end $$
-- | do $$ begin execute 'set role {role}'; end $$
--# take the role [success]
{way}
-- let high = rowhouse_owner | rowhouse_system | rowhouse_search | pg_read_all_data
-- let target = {victim_table} | {victim_link} | rowhouse.person | rowhouse.base | rowhouse.api_key | rowhouse.session
-- | rowhouse.oauth_signing_key | river.river_job
--# read with a role taken in the same statement [value]
select set_config('role', '{high}', true), (select string_agg(x::text, ',') from (select * from {target} limit 5) x)
--# read with a role taken before
select set_config('role', '{high}', true); select * from {target} limit 5
--# read after the transaction with a role for the session
commit; set role {high}; select * from {target} limit 5
--# read as the login itself [row]
reset role; select 1 from {target} limit 1
--# inherit the role's rights through a grant of one's own [success]
grant {high} to {app_login}
--# inherit by changing the login [success]
reset role; alter group {high} add user {app_login}
--# alter the role that serves requests [success]
alter role rowhouse_app bypassrls
--# alter the login [success]
reset role; alter role {app_login} superuser
--# let the login inherit [success]
reset role; alter role {app_login} inherit bypassrls
-- A login may change its own settings and password: that lasts, disturbs, and shows nothing.
--# give the login another search path for its next session [own]
reset role; alter role {app_login} set search_path = pg_temp; rollback
--# give the login another password [own]
reset role; alter role {app_login} password 'intruder'; rollback
-- The server refuses this setting when the login next connects.
--# give the login another session user [own]
reset role; alter role {app_login} set session_authorization = 'postgres'; rollback
--# give the search another search path [success]
reset role; alter role rowhouse_search set search_path = pg_temp; rollback
--# give the service's login settings for its next session [success]
reset role; alter role all set row_security = off
--# set settings of the database [success]
reset role; alter database {database} set row_security = off
--# create a role [success]
reset role; create role rowhouse_intruder login
--# drop a role [success]
reset role; drop role rowhouse_search
--# rename a role [success]
reset role; alter role rowhouse_search rename to rowhouse_intruder
--# reassign what the owner owns [success]
reset role; reassign owned by rowhouse_owner to {app_login}
--# drop what the owner owns [success]
reset role; drop owned by rowhouse_owner
--# take the victim's schema [success]
alter schema {victim_schema} owner to rowhouse_app
--# take the victim's table [success]
alter table {victim_table} owner to rowhouse_app
--# take a table of the service [success]
alter table rowhouse.base owner to rowhouse_app
--# change the default privileges of the owner [success]
alter default privileges for role rowhouse_owner grant select on tables to rowhouse_app
--# take a role in a CTE before reading
with taken as materialized (select set_config('role', 'rowhouse_owner', true)) select t.* from taken, {victim_table} t
limit 3
--# take the system role in a CTE before reading people
with taken as materialized (select set_config('role', 'rowhouse_system', true)) select t.* from taken, rowhouse.person
t limit 3
--# take a role inside a savepoint that is rolled back [row]
savepoint s; set local role rowhouse_owner; rollback to s; select 1 from {victim_table} limit 1
--# change the role by the setting's system table [success]
update pg_settings set setting = 'rowhouse_owner' where name = 'role'; set row_security = off; select 1 from
{victim_table}
--# change is_superuser [success]
set is_superuser = on
--# change session_authorization through set_config [success]
select set_config('session_authorization', 'postgres', true)
--# write to pg_authid [success]
update pg_authid set rolbypassrls = true
--# write to pg_auth_members [success]
insert into pg_auth_members (roleid, member, grantor, admin_option) values ('rowhouse_owner'::regrole,
'rowhouse_app'::regrole, 10, true)
--# read the passwords [row]
reset role; select rolname, rolpassword from pg_authid where rolpassword is not null
--# read the passwords through the view [row]
reset role; select usename, passwd from pg_shadow where passwd is not null
--# read settings of roles and databases
select * from pg_db_role_setting
--# ask whether the login is a member of a stronger role [row]
reset role; select r.rolname from pg_roles r where r.rolname in ('rowhouse_owner', 'rowhouse_system',
'rowhouse_search', 'postgres') and pg_has_role(r.oid, 'MEMBER')
