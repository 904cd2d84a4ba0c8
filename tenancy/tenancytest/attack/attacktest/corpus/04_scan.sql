-- Reading the victim's rows by every way there is to read rows.
-- let target = {victim_table} | {victim_other} | {victim_link}
--# plain [row]
select * from {target}
--# count [value]
select count(*) from {target}
--# table [row]
table {target}
--# only [row]
select * from only {target} limit 1
--# exists [value]
select exists (select from {target})
--# by place [row]
select * from {target} where ctid = '(0,1)'
--# by a range of places [row]
select ctid from {target} where ctid >= '(0,0)' and ctid < '(9,0)'
--# system columns [row]
select ctid, xmin, xmax, cmin, cmax, tableoid from {target} limit 1
-- It asks no policy: the place tells a page, and an error tells the last one.
--# the newest place of a row [success]
select currtid2('{target}', '(0,1)')
--# whether there is such a page [success state=58P01 state=XX000 state=22023]
select currtid2('{target}', '(99999,1)')
--# row locks [row]
select * from {target} for update skip locked
--# row locks for a key [row]
select * from {target} for key share nowait
--# row_security off [row]
set local row_security = off; select * from {target}
--# row_security off for the function that reads [row]
do $$ begin perform set_config('row_security', 'off', true); end $$; select * from {target} limit 1
--# copy [row]
copy {target} to stdout
--# copy of a query [row]
copy (select * from {target}) to stdout with (format csv, header)
--# copy in binary [row]
copy (select t::text from {target} t) to stdout with (format binary)
--# copy to a program [success]
copy (select * from {target}) to program 'cat > /tmp/rowhouse_attack'
--# copy to a file [success]
copy {target} to '/tmp/rowhouse_attack'
--# a cursor [row]
declare c cursor for select * from {target}; fetch 3 from c
--# a cursor that scrolls back [row]
declare c scroll cursor for select * from {target}; fetch last from c
--# a cursor that outlives the transaction [row]
declare c cursor with hold for select * from {target}; commit; fetch 3 from c
--# a cursor that outlives the transaction, with another organization afterwards [row]
declare c cursor with hold for select * from {target}; commit; begin; set local role rowhouse_app; set local
app.org_id = '{victim_id}'; fetch 3 from c
--# a binary cursor opened as one and fetched as the other [row]
declare c binary cursor for select * from {target}; set local app.org_id = '{victim_id}'; fetch 3 from c
--# a cursor by place [tag]
declare c cursor for select * from {target}; fetch 1 from c; delete from {target} where current of c
--# a prepared statement of one's own [row]
prepare mine as select * from {target}; execute mine; deallocate mine
--# a prepared statement, planned for the attacker, run under the victim's id [row]
prepare mine as select * from {target}; set local app.org_id = '{victim_id}'; execute mine; deallocate mine
--# table_to_xml
select table_to_xml('{target}', true, false, '')
--# query_to_xml
select query_to_xml('select * from {target}', true, false, '')
--# query_to_xml of a count [value]
select (xpath('/table/row/n/text()', query_to_xml('select count(*) n from {target}', true, false, '')))[1]::text
--# query_to_xml that enters on the way
select query_to_xml('select set_config(''app.org_id'', ''{victim_id}'', true)', true, false, ''),
query_to_xml('select * from {target}', true, false, '')
--# query_to_xml with a role
select query_to_xml('set role rowhouse_owner', true, false, ''), query_to_xml('select * from {target}', true, false, '')
--# cursor_to_xml
declare c cursor for select * from {target}; select cursor_to_xml('c', 5, true, false, '')
--# a shape of the table with its schema
select table_to_xml_and_xmlschema('{target}', true, false, '')
--# a DO block that raises each row
do $$ declare r record; begin for r in select * from {target} loop raise exception '%', r; end loop; end $$
--# a DO block that executes
do $$ declare n bigint; begin execute 'select count(*) from {target}' into n; if n > 0 then raise exception '% rows',
n; end if; end $$
--# json of the rows [value]
select json_agg(t) from {target} t
--# text search over the rows [value]
select ts_stat.word from ts_stat('select to_tsvector(t::text) from {target} t') limit 1
--# a join with the attacker's rows [row]
select 1 from {own_table} o, {target} t limit 1
--# a union with the attacker's rows [row]
select 1 from (select 'own' s from {own_table} union all select 'foreign' from {target}) u where s = 'foreign'
--# a difference [row]
select id from (select t::text id from {target} t except select o::text from {own_table} o) d
--# a semi-join [row]
select 1 from generate_series(1, 1) where 1 in (select 1 from {target})
--# an anti-join [value]
select not (1 not in (select 1 from {target}))
--# a sub-select in a limit [row]
select 1 from {own_table} limit (select count(*) from {target})
--# a sub-select in an offset [value]
select coalesce((select 0 from generate_series(1, 1) offset (select count(*) from {target})), 1)
--# generate_series over the count [row]
select * from generate_series(1, (select count(*) from {target}))
--# an aggregate that stops early [value]
select min(t::text) from {target} t
--# an index-only scan [value]
set local enable_seqscan = off; select count(*) from {target} where tableoid > 0
--# parallel workers [value]
set local force_parallel_mode = on; set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0; set local
min_parallel_table_scan_size = 0; select count(*) from {target}
--# another isolation level [row]
rollback; begin isolation level serializable; set local role rowhouse_app; set local app.org_id = '{victim_id}';
select * from {target} limit 1
--# a read-only transaction [row]
rollback; begin read only deferrable; set local role rowhouse_app; set local app.org_id = '{victim_id}'; set local
app.key = '{own_key}'; select 1 from {target} limit 1
--# another session's snapshot [success]
set transaction snapshot '00000003-0000001B-1'; select * from {target}
--# inheritance of a table of one's own [success]
create table pg_temp.child () inherits ({target})
--# a table like it, with what the planner knows [success]
create table pg_temp.alike (like {target} including all)
--# a merge that reads [tag]
merge into {own_table} o using {target} t on false when not matched then do nothing
-- let cached = execute {cached_get} | execute {cached_list} | execute {cached_count} | execute {cached_update}
--# a statement that the session has cached for the victim [row]
{cached}
--# a cached statement under the victim's id [row]
set local app.org_id = '{victim_id}'; {cached}
--# a cached statement under a generic plan [row]
set local plan_cache_mode = force_generic_plan; {cached}
--# a cached statement under a generic plan and the victim's id [row]
set local app.org_id = '{victim_id}'; set local plan_cache_mode = force_generic_plan; {cached}
--# a cached search [row]
execute {cached_search}
--# a cached search under the victim's id [row]
set local app.org_id = '{victim_id}'; execute {cached_search}
--# a cached list of fields [own]
execute {cached_meta}
--# a cached list of fields under the victim's id
set local app.org_id = '{victim_id}'; execute {cached_meta}
--# every statement that the session has cached
do $$ declare n text; c integer; r record; begin for n, c in select name, cardinality(parameter_types) from
pg_prepared_statements loop begin
execute format('execute %I%s', n, case when c > 0 then '(' || array_to_string(array_fill('null'::text, array[c]), ',')
|| ')' end) into r;
raise notice '%', r; exception when others then null; end; end loop; end $$
-- let whole = schema_to_xml('{victim_schema}', true, false, '') | database_to_xml(true, false, '')
-- | schema_to_xml('rowhouse', true, false, '') | schema_to_xml_and_xmlschema('{victim_schema}', false, false, '')
-- | schema_to_xml('river', true, false, '') | database_to_xml_and_xmlschema(false, true, 'x')
-- | schema_to_xml('gate', true, false, '')
--# all of it as XML
select {whole}
--# all of it as XML, under the victim's id
set local app.org_id = '{victim_id}'; select {whole}
