-- One row behind a wall like any other, which every process looks for at its start: its organization must see it, and another must not. A wall that
-- does not hold, or a setting that gets lost on the way to PostgreSQL, shows as too many rows or as none, and never as an error.
create table rowhouse.canary (org_id uuid primary key);
select gate.wall('rowhouse.canary');
grant select on rowhouse.canary to rowhouse_app;

-- An organization that is not there (tenancy/canary.go).
select set_config('app.org_id', '00000000-0000-7000-8000-00000000ca11', true);
insert into rowhouse.canary values ('00000000-0000-7000-8000-00000000ca11');
select set_config('app.org_id', '', true);
