-- Changing or removing what the audit log tells, through every login.
--# change every event [tag success]
update rowhouse.audit_event set action = 'x'
--# change an event under the victim's id [tag success]
set local app.org_id = '{victim_id}'; update rowhouse.audit_event set person_id = null, detail = '{}'
--# change events in a common table expression [tag success]
with changed as (update rowhouse.audit_event set at = now() returning 1) select count(*) from changed
--# change events by adding them again [tag success]
insert into rowhouse.audit_event (org_id, id, credential_kind, credential, request, action, subject) select org_id, id,
credential_kind, credential, request, action, subject from rowhouse.audit_event on conflict (org_id, id) do update set
action = 'x'
--# change events by a merge [tag success]
merge into rowhouse.audit_event e using (select 1) x on true when matched then update set action = 'x'
--# change events without row security [tag success]
set local row_security = off; update rowhouse.audit_event set action = 'x'
--# change events in a block [tag success]
do $$ begin update rowhouse.audit_event set action = 'x'; end $$
--# change events past triggers [tag success]
set local session_replication_role = replica; update rowhouse.audit_event set action = 'x'
--# remove every event [tag success]
delete from rowhouse.audit_event
--# remove an event under the victim's id [tag success]
set local app.org_id = '{victim_id}'; delete from rowhouse.audit_event
--# remove events in a common table expression [tag success]
with gone as (delete from rowhouse.audit_event returning 1) select count(*) from gone
--# remove events by a join [tag success]
delete from rowhouse.audit_event using rowhouse.member
--# remove events by a merge [tag success]
merge into rowhouse.audit_event e using (select 1) x on true when matched then delete
--# remove events at a cursor [tag success]
declare c cursor for select org_id from rowhouse.audit_event for update; move c; delete from rowhouse.audit_event where
current of c
--# remove events with the people of the log [tag success]
delete from rowhouse.audit_event where person_id in (select id from rowhouse.person)
--# truncate the log [success]
truncate rowhouse.audit_event
--# truncate the log alone [success]
truncate only rowhouse.audit_event restart identity restrict
--# truncate the log in a block [success]
do $$ begin execute 'truncate table rowhouse.audit_event'; end $$
-- let hold = update | no key update | share | key share
--# hold events for a change [row]
select 1 from rowhouse.audit_event for {hold}
--# change what the catalogue says of the log [success]
update pg_class set relname = 'x' where oid = 'rowhouse.audit_event'::regclass
-- The owner of the tables may do these (SECURITY.md), and nobody else.
-- let right = update | delete | truncate | trigger | all
--# as its owner: take the right [success]
grant {right} on rowhouse.audit_event to current_user; do $$ begin
	if not has_table_privilege('rowhouse.audit_event', replace('{right}', 'all', 'update')) then
		raise 'the grant had no effect';
	end if;
end $$
-- let way = drop table rowhouse.audit_event | drop schema rowhouse cascade
-- | alter table rowhouse.audit_event rename to forgotten | alter table rowhouse.audit_event set schema gate
-- | alter table rowhouse.audit_event drop column detail | alter table rowhouse.audit_event drop constraint audit_event_pkey
-- | alter table rowhouse.audit_event alter column action type text using 'x'
-- | alter table rowhouse.audit_event add constraint none check (false) not valid
-- | alter table rowhouse.audit_event no force row level security
-- | create rule none as on insert to rowhouse.audit_event do instead nothing
-- | create trigger none before insert on rowhouse.audit_event for each row execute function suppress_redundant_updates_trigger()
-- | create policy none on rowhouse.audit_event as restrictive with check (false)
--# as its owner: alter or replace the log [success]
{way}
