-- Sizes, statistics of use, and other sessions.
-- let target = {victim_table} | {victim_link} | {victim_other}
-- let size = pg_relation_size | pg_table_size | pg_total_relation_size | pg_indexes_size
--# the size of a relation [value]
select {size}('{target}'::regclass)
--# the size of all that is the victim's [value]
select sum({size}(oid)) from pg_class where relnamespace = '{victim_schema}'::regnamespace
--# the size of what is shared [value]
select {size}('rowhouse.audit_event')
--# the size as XML
select query_to_xml('select {size}(''{target}'')', true, false, '')
--# a size as the login [value]
reset role; select {size}('{target}'::regclass)
-- let fork = main | fsm | vm
--# the size of a fork [value]
select pg_relation_size('{target}', '{fork}')
--# the size of the database [value]
select pg_database_size(current_database())
--# the size of the database by number [value]
select pg_database_size((select oid from pg_database where datname = current_database()))
--# the size of the tablespace [value]
select pg_tablespace_size('pg_default')
--# the size of the tablespace by number [value]
select pg_tablespace_size(1663)
--# the file of a relation [value]
select pg_relation_filepath('{target}')
--# the number of the file [value]
select pg_relation_filenode('{target}')
-- let counter = numscans | tuples_returned | tuples_fetched | tuples_inserted | tuples_updated | tuples_deleted
-- | tuples_hot_updated | live_tuples | dead_tuples | mod_since_analyze | ins_since_vacuum | blocks_fetched
-- | blocks_hit | last_vacuum_time | last_autovacuum_time | last_analyze_time | last_autoanalyze_time | vacuum_count
-- | autovacuum_count | analyze_count | autoanalyze_count | xact_numscans | xact_tuples_returned
-- | xact_tuples_inserted | xact_blocks_fetched
--# a counter of the victim's table [value success]
select pg_stat_get_{counter}('{victim_table}'::regclass)
-- let use = pg_stat_all_tables | pg_stat_user_tables | pg_statio_all_tables | pg_statio_user_tables
-- | pg_stat_xact_all_tables | pg_stat_xact_user_tables | pg_stat_all_indexes | pg_stat_user_indexes
-- | pg_statio_all_indexes | pg_statio_user_indexes | pg_statio_all_sequences | pg_statio_user_sequences
--# the use of tables [row]
select * from {use} where schemaname = '{victim_schema}' or schemaname = 'rowhouse'
-- let service = pg_stat_activity | pg_stat_database | pg_stat_database_conflicts | pg_stat_bgwriter | pg_stat_wal
-- | pg_stat_archiver | pg_stat_slru | pg_stat_ssl | pg_stat_gssapi | pg_stat_replication | pg_stat_wal_receiver
-- | pg_stat_subscription | pg_stat_replication_slots | pg_stat_user_functions | pg_stat_xact_user_functions
-- | pg_stat_progress_analyze | pg_stat_progress_vacuum | pg_stat_progress_create_index | pg_stat_progress_copy
-- | pg_stat_progress_cluster | pg_stat_progress_basebackup | pg_stat_recovery_prefetch | pg_stat_subscription_stats
-- | pg_locks | pg_prepared_statements | pg_prepared_xacts | pg_cursors | pg_stat_statements | pg_stat_statements_info
-- | pg_buffercache
--# a view of the whole service [row]
select * from {service}
--# a view of the whole service as XML [value]
select nullif(query_to_xml('select * from {service}', true, true, '')::text, '')
-- let function = pg_stat_get_activity(null) | pg_stat_get_backend_idset() | pg_lock_status()
-- | pg_prepared_statement() | pg_cursor() | pg_prepared_xact() | pg_stat_get_wal_senders()
-- | pg_stat_get_progress_info('VACUUM') | pg_stat_get_wal() | pg_stat_get_archiver() | pg_stat_get_slru()
-- | pg_get_replication_slots() | pg_ls_dir('.') | pg_ls_waldir() | pg_ls_logdir() | pg_ls_tmpdir()
-- | pg_ls_archive_statusdir() | pg_ls_logicalsnapdir() | pg_stat_file('PG_VERSION')
-- | pg_get_backend_memory_contexts() | pg_get_shmem_allocations() | pg_show_all_file_settings() | pg_hba_file_rules()
-- | pg_show_replication_origin_status() | pg_stat_get_recovery_prefetch()
--# a function of the whole service [row]
select * from {function}
--# the text that another session runs [value]
select pg_stat_get_backend_activity(i) from pg_stat_get_backend_idset() i
--# who another session is [value]
select pg_stat_get_backend_userid(1)
--# when another session began [value]
select pg_stat_get_backend_start(1)
--# who blocks another session [value]
select pg_blocking_pids(pg_backend_pid())
--# who blocks a serializable session [success]
select pg_safe_snapshot_blocking_pids(pg_backend_pid())
--# whether a session is blocked [success]
select pg_isolation_test_session_is_blocked(pg_backend_pid(), '{}')
-- let total = xact_commit | xact_rollback | blocks_fetched | blocks_hit | tuples_returned | tuples_fetched
-- | tuples_inserted | tuples_updated | tuples_deleted | numbackends | sessions | session_time | active_time
-- | temp_bytes | deadlocks
--# a total of the database [value]
select pg_stat_get_db_{total}(oid) from pg_database where datname = current_database()
-- let wal = pg_current_wal_lsn | pg_current_wal_insert_lsn | pg_current_wal_flush_lsn
--# how much is written [value]
select {wal}()
--# how much the victim's write has written: a message in the log [success]
select pg_logical_emit_message(false, 'a', 'b')
-- let path = global/pg_control | PG_VERSION | postgresql.auto.conf | pg_hba.conf | /etc/passwd | base/1/PG_VERSION
--# read a file [success]
select pg_read_file('{path}')
--# read a file as bytes [success]
select pg_read_binary_file('{path}')
--# load a file [success]
create temporary table t (a text); copy t from '{path}'
--# run a program [success]
copy (select 1) to program 'true'
-- let slot = pg_create_logical_replication_slot('s', 'test_decoding') | pg_create_physical_replication_slot('s')
-- | pg_logical_slot_get_changes('s', null, null) | pg_logical_slot_peek_changes('s', null, null)
-- | pg_drop_replication_slot('s') | pg_replication_origin_create('o') | pg_export_snapshot() | pg_start_backup('b')
-- | pg_backup_start('b') | pg_switch_wal() | pg_create_restore_point('r') | pg_promote() | pg_reload_conf()
-- | pg_rotate_logfile() | pg_log_backend_memory_contexts(1) | pg_stat_reset() | pg_stat_reset_shared('wal')
-- | pg_stat_reset_single_table_counters('{victim_table}'::regclass) | pg_import_system_collations('pg_catalog')
--# a function of administrators [success]
select {slot}
-- let extension = dblink | postgres_fdw | file_fdw | adminpack | pageinspect | pg_visibility | pgstattuple
-- | pg_buffercache | pg_stat_statements | pgrowlocks | pg_freespacemap | pg_walinspect | amcheck | lo | pg_surgery
-- | plperl | hstore | pg_prewarm | citext
--# an extension [success]
create extension {extension}
--# a library [success]
load '$libdir/pgstattuple'
--# a page of the victim [success]
select get_raw_page('{victim_table}', 0)
--# tuples of the victim [success]
select * from pgstattuple('{victim_table}')
--# row locks of the victim [success]
select * from pgrowlocks('{victim_table}')
--# free space of the victim [success]
select * from pg_freespace('{victim_table}')
--# visibility of the victim's pages [success]
select * from pg_visibility_map('{victim_table}')
--# a connection back [success]
select * from dblink('dbname={database} user=postgres', 'select 1') t (a integer)
--# a connection back as the login [success]
select dblink_connect('c', 'dbname={database}')
--# a foreign server [success]
create server s foreign data wrapper postgres_fdw
--# the pending list of a search index [success]
select gin_clean_pending_list(indexrelid) from pg_index where indrelid = '{victim_table}'::regclass
--# a summary of pages [success]
select brin_summarize_new_values(indexrelid) from pg_index where indrelid = '{victim_table}'::regclass
--# when a transaction committed
select pg_xact_commit_timestamp(xmin) from pg_class where relname = '{victim_rel}'
--# the last committed transaction
select * from pg_last_committed_xact()
--# how full the queue of notifications is [value]
select pg_notification_queue_usage()
--# statistics as this transaction sees them
select pg_stat_clear_snapshot(), pg_stat_force_next_flush()
--# the storage of rows in bytes [value]
select sum(pg_column_size(t.*)) from {target} t
--# objects by name
select pg_identify_object(1259, '{target}'::regclass, 0), pg_describe_object(1259, '{target}'::regclass, 0)
