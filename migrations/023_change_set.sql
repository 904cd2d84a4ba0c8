-- Change sets of several requests, and how far the log of changes can be read. What is new here, the binary before does not touch.

-- A change set that several requests of one credential have joined under a name. The sets of single requests have no row.
create table rowhouse.change_set (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	id         uuid        not null,             -- v7: in order of time
	person_id  uuid        not null,
	credential text        not null,             -- its public id
	name       text        not null,
	created_at timestamptz not null default now(),
	primary key (org_id, id)
);
create index change_set_by_name on rowhouse.change_set (org_id, credential, name, created_at);
alter table rowhouse.change_set alter column name set statistics 0; -- they would tell everybody what people wrote
select gate.protect('rowhouse.change_set');
grant select, insert on rowhouse.change_set to rowhouse_app;

-- change_horizon returns a number with which and below which the organization's log is complete: every transaction that drew such a number
-- has ended. A writer draws its number, which is at least the time, while it shares the lock of its slot; so whoever takes each slot's lock for
-- a moment has waited for those who drew a number before. The end of the inner transaction releases the lock. Writers of the slot wait while
-- this waits, so it does not wait long.
create function gate.change_horizon() returns bigint language plpgsql set lock_timeout = '3s' as $$
declare
	horizon    bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint - 1;
	org_number integer := ('x' || right(replace(gate.organization()::text, '-', ''), 8))::bit(32)::integer;
begin
	if org_number is null then
		raise exception 'no organization is entered' using errcode = '42501';
	end if;
	for slot in 0 .. 31 loop
		begin
			perform pg_advisory_xact_lock(20768 + slot, org_number);
			raise exception 'release' using errcode = 'RH014';
		exception when sqlstate 'RH014' then
			null;
		end;
	end loop;
	return horizon;
end
$$;
