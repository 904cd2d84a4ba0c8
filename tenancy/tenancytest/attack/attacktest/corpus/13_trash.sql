-- What the victim has deleted.
--# read the trash
select * from rowhouse.trash
--# read the trash under the victim's id
set local app.org_id = '{victim_id}'; select name, content from rowhouse.trash
--# count the victim's trash [value]
select count(*) from rowhouse.trash where org_id = '{victim_id}'
--# a false entry [success]
insert into rowhouse.trash (org_id, id, kind, object_id, base_id, name, content)
select org_id, gen_random_uuid(), 'view', gen_random_uuid(), base_id, 'x', content from rowhouse.trash
--# change one's own trash [success]
update rowhouse.trash set content = content
--# empty one's own trash [success]
delete from rowhouse.trash
--# truncate the trash [success]
truncate rowhouse.trash
--# put rows into a table [success]
select gate.restore_rows('rowhouse.view', (select content->'view' from rowhouse.trash limit 1))
-- let schema = {victim_schema} | {own_schema}
--# make a log [success]
select gate.prepare_change_log('{own_id}', '{schema}')
