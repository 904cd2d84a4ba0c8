-- The system catalogues. Names of schemas and tables are ids and tell nothing; sizes, estimates and statistics do.
-- let catalogue = pg_class | pg_attribute | pg_attrdef | pg_constraint | pg_index | pg_proc | pg_policy
-- | pg_description | pg_shdescription | pg_namespace | pg_type | pg_trigger | pg_rewrite | pg_depend | pg_shdepend
-- | pg_init_privs | pg_default_acl | pg_statistic | pg_statistic_ext | pg_statistic_ext_data | pg_sequence
-- | pg_largeobject | pg_largeobject_metadata | pg_authid | pg_auth_members | pg_shadow | pg_user | pg_group
-- | pg_roles | pg_database | pg_db_role_setting | pg_tablespace | pg_seclabel | pg_shseclabel | pg_event_trigger
-- | pg_extension | pg_foreign_data_wrapper | pg_foreign_server | pg_foreign_table | pg_user_mapping
-- | pg_user_mappings | pg_publication | pg_publication_rel | pg_publication_tables | pg_subscription
-- | pg_subscription_rel | pg_replication_origin | pg_replication_origin_status | pg_replication_slots | pg_enum
-- | pg_range | pg_inherits | pg_partitioned_table | pg_transform | pg_settings | pg_file_settings | pg_hba_file_rules
-- | pg_ident_file_mappings | pg_config | pg_shmem_allocations | pg_backend_memory_contexts | pg_views | pg_tables
-- | pg_matviews | pg_indexes | pg_sequences | pg_rules | pg_policies
--# the whole catalogue
select * from pg_catalog.{catalogue}
-- let stats = pg_stats | pg_stats_ext | pg_stats_ext_exprs
--# the planner's statistics [row]
select * from {stats} where schemaname = '{victim_schema}'
--# the planner's statistics of what is shared [row]
select * from {stats} where schemaname = 'rowhouse'
-- let column = reltuples | relpages | relallvisible
--# an estimate [value]
select {column} from pg_class where oid = to_regclass('{victim_table}')
--# an estimate of the link table [value]
select {column} from pg_class where oid = to_regclass('{victim_link}')
--# an estimate of an index [value]
select max({column}) from pg_class where relnamespace = to_regnamespace('{victim_schema}') and relkind = 'i'
--# an estimate as part of the row [value]
select to_jsonb(c) -> '{column}' from pg_class c where oid = to_regclass('{victim_table}')
--# an estimate in a condition [row]
select 1 from pg_class where oid = to_regclass('{victim_table}') and {column} > 5
--# an estimate in an order [value]
select {column} from pg_class where relnamespace = to_regnamespace('{victim_schema}') order by {column} desc limit 1
--# an estimate by a join using [row]
select 1 from pg_class join (select generate_series(1, 9999)::int {column}) s using ({column}) where relname =
'{victim_rel}'
--# an estimate by copy
copy (select {column} from pg_class where relname = '{victim_rel}') to stdout
--# an estimate through the leak of an error [state=22012]
select 1 from pg_class where relname = '{victim_rel}' and 1 / ({column} - {column})::int > 0
--# an estimate by XML
select query_to_xml('select {column} from pg_class where relname = ''{victim_rel}''', true, false, '')
--# the class as a whole row [value]
select (c::text) from pg_class c where relname = '{victim_rel}' and c::text ~ '[1-9]'
--# the class as a table
copy pg_class to stdout
--# the estimate of the toast table [value]
select t.relpages from pg_class c join pg_class t on t.oid = c.reltoastrelid where c.relname = '{victim_rel}'
--# histogram by the function that reads it [row]
select s.* from pg_statistic_ext_data d, pg_mcv_list_items(d.stxdmcv) s
--# histogram bounds [row]
select histogram_bounds, most_common_vals, n_distinct from pg_stats where tablename = '{victim_rel}'
--# statistics of one's own on the victim's table [success]
create statistics pg_temp.s on {victim_column}, {victim_code} from {victim_table}
--# analyze the victim's table [success]
analyze verbose {victim_table}; select 1 / (select count(*) from pg_stats where tablename = '{victim_rel}')
--# analyze in words
analyze verbose {victim_table}
--# vacuum in words
rollback
-- then
vacuum verbose {victim_table}
--# the comment of a search index
select d.description from pg_description d join pg_class c on c.oid = d.objoid where c.relnamespace =
to_regnamespace('{victim_schema}')
--# the version of the victim's table schema
select version.{victim_rel}()
--# the texts of policies
select * from pg_policies where schemaname = '{victim_schema}'
--# the texts of functions
select pg_get_functiondef(oid) from pg_proc where pronamespace in (to_regnamespace('version'), to_regnamespace('gate'))
--# the texts of constraints
select pg_get_constraintdef(oid) from pg_constraint where connamespace = to_regnamespace('{victim_schema}')
--# the texts of indexes
select pg_get_indexdef(indexrelid) from pg_index join pg_class on oid = indrelid where relnamespace =
to_regnamespace('{victim_schema}')
--# default values of columns
select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = to_regclass('{victim_table}')
--# missing values of columns [value]
select max(attmissingval::text) from pg_attribute where attrelid = to_regclass('{victim_table}')
-- let view = tables | columns | table_privileges | column_privileges | table_constraints | check_constraints
-- | key_column_usage | referential_constraints | constraint_column_usage | constraint_table_usage | views
-- | view_column_usage | routines | parameters | triggers | schemata | sequences | domains | role_table_grants
-- | role_column_grants | role_routine_grants | applicable_roles | administrable_role_authorizations | enabled_roles
-- | user_mappings | foreign_tables | foreign_servers | data_type_privileges | udt_privileges | usage_privileges
-- | sql_features
--# the information schema
select * from information_schema.{view}
-- let sequence = next_table | next_field | next_link
--# the last number of a sequence [value]
select last_value from rowhouse.{sequence}
--# the last number of a sequence by the view [value]
select last_value from pg_sequences where schemaname = 'rowhouse' and sequencename = '{sequence}'
--# the last number of a sequence by the function [value]
select pg_sequence_last_value('rowhouse.{sequence}'::regclass)
--# the next number of a sequence [success]
select nextval('rowhouse.{sequence}')
--# set a sequence [success]
select setval('rowhouse.{sequence}', 1)
--# the current number of a sequence [success]
select currval('rowhouse.{sequence}')
--# the parameters of a sequence [own]
select pg_sequence_parameters('rowhouse.{sequence}'::regclass)
--# the queue's sequence [success]
select nextval('river.river_job_id_seq')
--# the queue's sequence by the view [value]
select last_value from pg_sequences where schemaname = 'river' order by last_value desc nulls last limit 1
--# the door's keys [row]
select * from gate.door
--# the door's key in a function's text
select prosrc from pg_proc where prosrc ilike '%key%'
--# the number of the migration [row]
select * from rowhouse.schema_version
--# write to a catalogue [success]
update pg_class set relrowsecurity = false where relname = '{victim_rel}'
--# write to the policies' catalogue [success]
delete from pg_policy where polrelid = to_regclass('{victim_table}')
--# write with system tables allowed [success]
set allow_system_table_mods = on
--# large objects of others
select lo_get(oid) from pg_largeobject_metadata
--# a large object of one's own [success]
select lo_create(0)
--# a large object from bytes [success]
select lo_from_bytea(0, '\x00')
--# import a file as a large object [success]
select lo_import('/etc/hostname')
--# export a large object [success]
select lo_export(1, '/tmp/rowhouse_attack')
