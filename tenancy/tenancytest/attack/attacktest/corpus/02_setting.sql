-- Entering the victim's organization by its id, before or while a statement runs.
-- let target = {victim_table} | {victim_link} | {victim_other}
-- let meta = rowhouse.base | rowhouse.data_table | rowhouse.field | rowhouse.view | rowhouse.member
-- | rowhouse.change_set | rowhouse.change_set_revert | rowhouse.invitation | rowhouse.base_share | rowhouse.attachment
-- | rowhouse.audit_event | rowhouse.organization | rowhouse.person | rowhouse.workspace | rowhouse.trash
-- let key = {own_key} | {victim_id} | {own_id} | 00000000000000000000000000000000
--# name the victim before [row]
set local app.org_id = '{victim_id}'; select * from {target} limit 3
--# name the victim before, with a key [row]
set local app.org_id = '{victim_id}'; set local app.key = '{key}'; select * from {target} limit 3
--# name the victim for the session [row]
commit; begin; set app.org_id = '{victim_id}'; set role rowhouse_app; select * from {target} limit 3
--# forget the key [row]
reset app.key; set local app.org_id = '{victim_id}'; select * from {target} limit 3
--# name the victim before and read what all organizations share
set local app.org_id = '{victim_id}'; select * from {meta}
--# name the victim before and read what all organizations share, with a key of one's own
set local app.key = '{own_key}'; set local app.org_id = '{victim_id}'; select * from {meta} where true
--# name the victim in capitals and braces
set local app.org_id = '{{victim_id}}'; select * from {meta} limit 50
--# name the victim in the same select list [value]
select set_config('app.org_id', '{victim_id}', true), (select count(*) from {target})
--# name the victim in a CTE [value]
with e as materialized (select set_config('app.org_id', '{victim_id}', true) s) select (select count(*) from {target})
from e
--# name the victim in a data-modifying CTE's neighbour [value]
with e as materialized (select set_config('app.org_id', '{victim_id}', true) s), r as (select count(*) n from
{target}) select n from e, r
--# name the victim in a lateral sub-select [value]
select n from (select set_config('app.org_id', '{victim_id}', true) s offset 0) e, lateral (select count(*) n from
{target} where e.s is not null) r
--# name the victim in the where clause [row]
select t.* from {target} t where set_config('app.org_id', '{victim_id}', true) is not null limit 2
--# name the victim in a join condition [row]
select t.* from (values (1)) v join {target} t on set_config('app.org_id', '{victim_id}', true) is not null limit 2
--# name the victim in an order by of an outer query [value]
select v, (select count(*) from {target} where v > 0) from generate_series(1, 2) v order by set_config('app.org_id',
'{victim_id}', true)
--# name the victim in an aggregate [value]
select max(set_config('app.org_id', '{victim_id}', true)), (select count(*) from {target})
--# name the victim in a window function [value]
select first_value(set_config('app.org_id', '{victim_id}', true)) over (), (select count(*) from {target})
--# name the victim in a case that comes first [value]
select case when set_config('app.org_id', '{victim_id}', true) <> '' then (select count(*) from {target}) end
--# name the victim in coalesce [value]
select coalesce(nullif(set_config('app.org_id', '{victim_id}', true), '{victim_id}'), (select count(*)::text from
{target}))
--# name the victim in a limit [row]
select t.* from {target} t limit length(set_config('app.org_id', '{victim_id}', true))
--# name the victim in a values list [value]
select * from (values (set_config('app.org_id', '{victim_id}', true), 0), ('', (select count(*) from {target}))) v
--# name the victim in a union's first branch [row]
select id from (select set_config('app.org_id', '{victim_id}', true) id union all select ctid::text from {target}
offset 1) u where id <> '{victim_id}'
--# name the victim in a set-returning function [value]
select (select count(*) from {target}) from generate_series(1, length(set_config('app.org_id', '{victim_id}', true)) -
35) g
--# name the victim with the key that is in force [value]
select set_config('app.org_id', '{victim_id}', true), set_config('app.key', current_setting('app.key', true), true),
(select count(*) from {target})
--# name the victim in an array sub-select [value]
select array(select set_config('app.org_id', '{victim_id}', true)), array(select ctid from {target} limit 1)
--# name the victim with exists [value]
select set_config('app.org_id', '{victim_id}', true), exists (select from {target})
--# name the victim in a grouping [value]
select set_config('app.org_id', '{victim_id}', true) s, (select count(*) from {target}) from (values (1)) v group by s
--# name the victim while sorting [row]
select t.ctid from {target} t order by set_config('app.org_id', '{victim_id}', true) limit 1
--# name the victim in a recursive query [value]
with recursive e (i, s) as (select 0, set_config('app.org_id', '{victim_id}', true) union all select i + 1, s from e
where i < 1)
select (select count(*) from {target}) from e
--# name the victim and back [value]
select n from (select set_config('app.org_id', '{victim_id}', true) a, (select count(*) n from {target}),
set_config('app.org_id', '{own_id}', true) b) q
--# name the victim in a DO block
do $$ declare r record; begin perform set_config('app.org_id', '{victim_id}', true);
for r in select * from {target} loop raise notice '%', r; end loop; end $$
--# name the victim and hold its table, then read [row]
set local app.org_id = '{victim_id}'; select gate.hold_table({victim_number}, (select version.{victim_rel}())); select * from {target}
limit 1
--# name the victim and read all that is shared in one statement
select set_config('app.org_id', '{victim_id}', true), (select string_agg(x::text, ',') from (select * from {meta}) x)
--# lateral over what is shared
select x from (select set_config('app.org_id', '{victim_id}', true) s offset 0) e, lateral (select m::text x from
{meta} m where e.s is not null) r
--# choose among organizations in shared tables [row]
select 1 from {meta} m where (to_jsonb(m) ->> 'org_id') = '{victim_id}'
-- let pattern = app.org_id = '' | app.org_id = '%' | app.key = '' | app.key = '%' | app.org_id to default
-- | app.key to default | app.attempt = '{victim_id}' | app.slot = '0'
--# set something else [row]
set local {pattern}; select 1 from {victim_table} limit 1
--# set something else and read what is shared [row]
set local {pattern}; select 1 from rowhouse.base where org_id = '{victim_id}'
--# ask for the key that was in force before [value]
reset app.key; select nullif(current_setting('app.key', true), '{own_key}')
--# the key after the transaction [value]
commit; select current_setting('app.key', true)
--# the organization after the transaction [value]
commit; begin; select current_setting('app.org_id', true)
--# the victim's key in the settings
select * from pg_settings; show all
--# guess the door's key with the hash that the policy shows [row]
do $$ begin perform set_config('app.key', substring(pg_get_expr(polqual, polrelid) from '[0-9a-f]{64}'), true) from
pg_policy
where polrelid = to_regclass('{victim_table}') and polname = 'organization'; end $$; select 1 from {victim_table}
limit 1
--# read the canary's neighbours [row]
set local app.org_id = '00000000-0000-7000-8000-00000000ca11'; select 1 from rowhouse.canary where org_id =
'00000000-0000-7000-8000-00000000ca11'
--# people by name and e-mail
select id, email, name from rowhouse.person
--# people by name under the victim's id
set local app.org_id = '{victim_id}'; select id, email, name from rowhouse.person
--# how many people there are [value]
select count(id) - 1 from rowhouse.person
--# a person by a guessed e-mail [row]
select id from rowhouse.person where email like 'quok' || '%'
--# a cast of a person's e-mail [state=22P02]
select 1 from rowhouse.person where id <> '{own_person}' and email::integer > 0
--# an attempt of the victim [row]
select attempt from rowhouse.idempotency
--# an attempt of the victim by its id as a setting [row]
set local app.attempt = '{victim_id}'; select attempt, done_at from rowhouse.idempotency
--# the answer of an attempt [row]
select answer from rowhouse.idempotency
--# complete a request of the victim by guess [success]
select gate.complete_request('{victim_id}')
--# complete every request [tag]
update rowhouse.idempotency set done_at = now()
--# complete every request and look at the attempts [row]
update rowhouse.idempotency set done_at = now() where done_at is null returning attempt
--# an older name of complete_request [success]
select gate.finish('{victim_person}')
