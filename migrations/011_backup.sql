-- Backups of an organization's bases to a bucket of its own. Each is tested in a scratch base that nobody sees; the release before
-- this one, while it runs, shows it.
alter table rowhouse.job
	drop constraint job_kind_known,
	add constraint job_kind_known check (kind in
		('export_table', 'export_base', 'import_table', 'import_base', 'import_airtable', 'import_archive', 'duplicate_base',
			'duplicate_table', 'backup_base'));
grant select (kind) on rowhouse.job to rowhouse_system; -- which decides the queue
alter table rowhouse.base add column scratch uuid; -- the job that tests a backup with it; nobody sees the base

-- Where the bases of an organization are backed up to each night (package transfer), which an admin has set up.
create table rowhouse.backup_setting (
	org_id      uuid        not null primary key references rowhouse.organization on delete cascade,
	endpoint    text        not null, -- a URL
	region      text        not null default '',
	bucket      text        not null,
	prefix      text        not null default '', -- of the names of objects
	access_key  text        not null,
	secret      bytea       not null, -- sealed: the key's
	keep_days   integer     not null constraint backup_setting_keeps check (keep_days between 1 and 3650),
	recipient   text        not null default '', -- of age; '': archives are not encrypted
	attachments boolean     not null,
	next_at     timestamptz not null,
	changed_by  uuid        not null,
	changed_at  timestamptz not null default now()
);
select gate.protect('rowhouse.backup_setting');
select gate.protect_system('rowhouse.backup_setting');
grant select, insert, update, delete on rowhouse.backup_setting to rowhouse_app;
grant select (org_id, next_at) on rowhouse.backup_setting to rowhouse_system;

-- The backups of bases. A row outlives its base, its job, and the settings, so that the last good backup is known.
create table rowhouse.backup (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	id         uuid        not null,           -- of the job
	base_id    uuid        not null,
	base_name  text        not null,
	state      text        not null default 'running' constraint backup_state_known check (state in
		('running', 'ok', 'failed')),
	store      text        not null,           -- the endpoint and the bucket
	object     text        not null,           -- its name there
	encrypted  boolean     not null,
	uploaded   boolean     not null default false,
	bytes      bigint      not null default 0, -- of the object
	sha256     text        not null default '',
	tables     integer     not null default 0, -- what was restored
	records    bigint      not null default 0,
	files      bigint      not null default 0,
	message    text        not null default '', -- why it failed, or what differs
	person_id  uuid,                           -- who asked for it; null: it was time
	started_at timestamptz not null default now(),
	ended_at   timestamptz,
	deleted_at timestamptz,                    -- of the object
	primary key (org_id, id)
);
create index backup_by_base on rowhouse.backup (org_id, base_id, id);
select gate.protect('rowhouse.backup');
grant select, insert, update, delete on rowhouse.backup to rowhouse_app;

-- Notices of admins in their inboxes: of backups that have failed.
create table rowhouse.backup_notice (
	org_id    uuid not null,
	id        uuid not null, -- v7: in order of time
	person_id uuid not null,
	backup_id uuid not null,
	read_at   timestamptz,
	primary key (org_id, id),
	constraint backup_notice_once unique (org_id, backup_id, person_id),
	constraint backup_notice_member foreign key (org_id, person_id) references rowhouse.member on delete cascade,
	constraint backup_notice_backup foreign key (org_id, backup_id) references rowhouse.backup on delete cascade
);
create index backup_notice_inbox on rowhouse.backup_notice (org_id, person_id, id);
select gate.protect('rowhouse.backup_notice');
grant select, insert, update, delete on rowhouse.backup_notice to rowhouse_app;
-- As at the end of schema.sql.
alter table rowhouse.backup_setting alter column access_key set statistics 0;
alter table rowhouse.backup alter column base_name set statistics 0;
alter table rowhouse.backup alter column sha256 set statistics 0;
alter table rowhouse.backup alter column message set statistics 0;
