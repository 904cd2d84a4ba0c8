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
