-- What the planner says of the victim's tables. A plan that names them estimates them.
-- let target = {victim_table} | {victim_link} | {victim_other}
-- let explain = explain | explain (analyze) | explain (verbose, settings) | explain (analyze, buffers, timing off)
-- | explain (format json) | explain (analyze, format xml)
--# explain a scan [row]
{explain} select * from {target}
--# explain a filter [row]
explain select * from {target} where ctid > '(0,1)'
--# explain a look-up by a key [row]
explain select * from {victim_table} where id = '{victim_record}'
--# explain a group, whose estimate tells distinct values [row]
explain select {victim_column} from {victim_table} group by {victim_column}
--# explain a range, whose estimate tells a histogram [row]
explain select 1 from {victim_table} where {victim_amount} < 100
--# explain an equality, whose estimate tells common values [row]
explain select 1 from {victim_table} where {victim_code} = 'x'
--# explain a join of the victim's tables [row]
explain select 1 from {victim_table} t join {victim_link} l on l.a = t.id join {victim_other} o on o.id = l.b
--# explain a write [row]
explain update {victim_table} set updated_at = updated_at
--# explain a delete [row]
explain delete from {target}
--# explain with a search pattern [row]
explain select 1 from {victim_table} where {victim_column} like '%x%'
--# explain under the victim's id [row]
set local app.org_id = '{victim_id}'; explain select * from {target}
--# explain in the statement's own plan [row]
explain select set_config('app.org_id', '{victim_id}', true), count(*) from {target}
--# explain as a table [row]
explain create table pg_temp.x as select * from {target}
--# explain a cursor [row]
explain declare c cursor for select * from {target}
--# explain in a DO block
do $$ declare l text; begin for l in execute 'explain select * from {target}' loop raise exception '%', l; end loop;
end $$
--# explain in query_to_xml [value]
select query_to_xml('explain select * from {target}', true, false, '')
--# explain analyze in query_to_xml [value]
select query_to_xml('explain (analyze, buffers) select * from {target}', true, false, '')
--# explain by another role [row]
set local role rowhouse_owner; explain select * from {target}
--# explain as the search's role [row]
set local role rowhouse_search; explain select * from {target}
--# explain as the login [row]
reset role; explain select * from {target}
--# explain without row security [row]
set local row_security = off; explain select * from {target}
--# explain a left join that may be removed [state=99999]
explain select o.id from {own_table} o left join {victim_table} t on t.id = o.id
--# explain a constant false [own]
explain select * from {target} where false
--# explain a limit of nothing [row]
explain select * from {target} limit 0
--# explain an inner table of an exists [row]
explain select 1 from {own_table} o where exists (select from {target})
--# explain a tablesample [row]
explain select * from {target} tablesample system (10)
--# explain an insert from the victim [row]
explain insert into {own_table} (id) select gen_random_uuid() from {target}
--# explain a merge [row]
explain merge into {own_table} o using {target} t on false when not matched then do nothing
--# explain a count, whose cost tells pages [row]
explain select count(*) from {target}
--# explain the index alone [row]
set local enable_seqscan = off; set local enable_bitmapscan = off; explain select id from {victim_table} order by id
--# a plan in the log, sent to the client
set local client_min_messages = debug5; set local debug_print_plan = on; select 1 from {target} limit 1
--# a rewritten query in the log, sent to the client
set local client_min_messages = debug5; set local debug_print_rewritten = on; set local debug_pretty_print = on;
select 1 from {target} limit 1
--# statistics of the planner, sent to the client
set local client_min_messages = log; set local log_planner_stats = on; select 1 from {target} limit 1
--# plans by the extension that logs them
load 'auto_explain'; set local client_min_messages = log; set local auto_explain.log_min_duration = 0; select 1 from
{target} limit 1
-- let cached = {cached_get} | {cached_list} | {cached_count} | {cached_update} | {cached_search}
-- let mode = auto | force_generic_plan | force_custom_plan
--# explain a statement that the session has cached [row]
set local plan_cache_mode = {mode}; explain execute {cached}
--# explain a cached statement and run it [row]
explain (analyze, buffers) execute {cached}
--# explain a cached statement in query_to_xml [value]
select query_to_xml($q$explain execute {cached}$q$, true, false, '')
--# explain a cached statement in a DO block
do $$ declare l text; begin for l in execute $q$explain execute {cached}$q$ loop raise exception '%', l; end loop; end
$$
--# explain a cached statement with one's own guess of the key [row]
set local app.org_id = '{victim_id}'; set local app.key = '{own_key}'; explain execute {cached}
--# explain every statement that the session has cached
do $$ declare n text; c integer; l text; begin for n, c in select name, cardinality(parameter_types) from
pg_prepared_statements loop begin
for l in execute format('explain execute %I%s', n, case when c > 0 then '(' ||
array_to_string(array_fill('null'::text, array[c]), ',') || ')' end)
loop raise notice '%', l; end loop; exception when others then null; end; end loop; end $$
--# the texts of statements that the session has cached [row]
select name, statement from pg_prepared_statements
