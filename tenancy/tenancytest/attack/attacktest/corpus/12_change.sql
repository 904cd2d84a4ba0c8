-- The log of what changed in the victim's records.
--# read the log [row]
select * from {victim_schema}.change
--# count the log [value]
select count(*) from {victim_schema}.change
--# read a part of the log [row]
select query_to_xml(format('select * from %s', inhrelid::regclass), true, false, '') from pg_inherits
where inhparent = '{victim_schema}.change'::regclass
--# explain the log [row]
explain select * from {victim_schema}.change where number > 0
--# change the log [tag]
update {victim_schema}.change set before = null
--# remove from the log [tag]
delete from {victim_schema}.change
--# truncate the log [success]
truncate {victim_schema}.change
--# a false entry [tag]
insert into {victim_schema}.change (number, change_set, table_number, kind, credential, records)
values ((extract(epoch from now()) * 1000000)::bigint, gen_random_uuid(), {victim_number}, 3, '', '{}')
--# one's own log, changed [tag]
update {own_schema}.change set before = null
--# one's own log, removed [tag]
delete from {own_schema}.change
--# a month of the victim's log [success]
select gate.add_change_months('{victim_schema}')
-- let schema = {victim_schema} | {own_schema}
--# a log with a policy of one's own [success]
select gate.add_change_log('{schema}', 'true')
-- The names of change sets, and how far the log can be read.
--# a change set of the victim's [tag]
insert into rowhouse.change_set (org_id, id, person_id, credential, name) values ('{victim_id}', gen_random_uuid(),
'{victim_person}', 'key_1', 'x')
--# one's own change sets, changed [tag]
update rowhouse.change_set set name = 'x'
--# one's own change sets, removed [tag]
delete from rowhouse.change_set
--# wait for the victim's writers [success]
set local app.org_id = '{victim_id}'; select gate.change_horizon()
