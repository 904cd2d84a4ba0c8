-- Jobs of people: imports and exports (tenancy/transfer).
create table rowhouse.job (
	org_id       uuid        not null references rowhouse.organization on delete cascade,
	id           uuid        not null,
	kind         text        not null constraint job_kind_known check (kind in
		('export_table', 'export_base', 'import_table', 'import_base')),
	state        text        not null default 'queued' constraint job_state_known check (state in
		('queued', 'running', 'done', 'failed', 'cancelled')),
	person_id    uuid        not null,
	base_id      uuid        not null,
	table_id     uuid,
	caller       jsonb       not null,             -- the credential with which it was asked for, as far as it limits the job
	request      jsonb       not null,
	step         integer     not null default 0,   -- how many steps are done, each in one transaction with what it writes
	progress     jsonb       not null default '{}', -- what the next step needs of those before
	done         bigint      not null default 0,   -- rows
	total        bigint,                           -- null: not known yet
	report       jsonb,
	file_id      uuid,                             -- the result
	change_set   uuid,
	cancelled    boolean     not null default false, -- somebody wants it to end
	-- The worker that has it. A lease that is not renewed ends, and another worker goes on.
	lease        uuid,
	leased_until timestamptz,
	attempts     integer     not null default 0,   -- that failed since the last step
	not_before   timestamptz,
	queued_at    timestamptz default now(),        -- null: to be queued
	created_at   timestamptz not null default now(),
	started_at   timestamptz,
	ended_at     timestamptz,
	primary key (org_id, id),
	constraint job_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
) with (fillfactor = 70);
create index job_by_base on rowhouse.job (org_id, base_id);
create index job_by_person on rowhouse.job (org_id, person_id, id);
create index job_unfinished on rowhouse.job (org_id, id) where state in ('queued', 'running');
select gate.protect('rowhouse.job');
select gate.protect_system('rowhouse.job');
grant select, insert, update, delete on rowhouse.job to rowhouse_app;
-- The job queue finds which jobs to run, and not what they are about.
grant select (org_id, id, state, leased_until, not_before, queued_at, ended_at), update (queued_at) on rowhouse.job to rowhouse_system;
-- As at the end of schema.sql.
alter table rowhouse.job alter column caller set statistics 0;
alter table rowhouse.job alter column request set statistics 0;
alter table rowhouse.job alter column progress set statistics 0;
alter table rowhouse.job alter column report set statistics 0;
