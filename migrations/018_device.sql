-- The browsers in which a person has signed in before: a sign-in from another one is told by mail. A browser is known by a
-- cookie of its own; the hash covers the cookie and the person, so that rows of two people do not show that they share one.
-- A new table only: the binary before does not know it.
create table rowhouse.device (
	device_hash bytea       primary key constraint device_hash_size check (length(device_hash) = 32),
	person_id   uuid        not null references rowhouse.person on delete cascade,
	seen_at     timestamptz not null            -- the last sign-in
);
create index device_by_person on rowhouse.device (person_id, seen_at);
select gate.wall_system('rowhouse.device');
grant select, insert, update, delete on rowhouse.device to rowhouse_system;
