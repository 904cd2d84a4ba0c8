-- Comments on records, whom they are told to, and what each person wants to be told. New tables alone: the binary before this migration does
-- not touch them. It reads past the entries of kind 20 in the log of changes, because they name no records.

-- A thread is a comment and the replies to it. record_id is a row of the table with table_number. There is no foreign key to it: a record that
-- comes back from the trash has its comments again, and purging deletes them. text is '' and deleted_at is set in the first comment of a
-- thread that was deleted and has replies; any other comment that is deleted is gone.
create table rowhouse.comment (
	org_id       uuid        not null references rowhouse.organization on delete cascade,
	id           uuid        not null,                  -- v7: in order of time
	table_number integer     not null,
	record_id    uuid        not null,
	thread_id    uuid        not null,                  -- the thread's first comment, which may be this one
	person_id    uuid        not null,                  -- the author, who may have left
	credential   text        not null,                  -- its public id: an agent may have written in the name of the author
	text         text        not null,
	mentions     uuid[]      not null default '{}',     -- people, in the order of the text
	created_at   timestamptz not null default clock_timestamp(),
	edited_at    timestamptz,
	deleted_at   timestamptz,
	resolved_at  timestamptz,                           -- of the thread, in its first comment
	resolved_by  uuid,
	primary key (org_id, id),
	constraint comment_thread foreign key (org_id, thread_id) references rowhouse.comment on delete cascade
);
create index comment_by_record on rowhouse.comment (org_id, table_number, record_id, thread_id, id);
create index comment_by_thread on rowhouse.comment (org_id, thread_id, id);
-- They would tell everybody what people wrote, and about which records.
alter table rowhouse.comment alter column text set statistics 0, alter column record_id set statistics 0;
select gate.protect('rowhouse.comment');
select gate.protect_system('rowhouse.comment');
grant select, insert, update, delete on rowhouse.comment to rowhouse_app;
-- The job that removes comments of records that are gone finds its organizations, and nothing else.
grant select (org_id) on rowhouse.comment to rowhouse_system;

-- A notice tells one person of one comment: in the inbox, by mail, or both. Who leaves the organization loses theirs.
create table rowhouse.comment_notice (
	org_id     uuid        not null,
	id         uuid        not null,                    -- v7: in order of time
	person_id  uuid        not null,
	comment_id uuid        not null,
	reason     text        not null constraint comment_notice_reason_known check (reason in ('mention', 'reply')),
	in_inbox   boolean     not null,
	by_mail    boolean     not null,
	read_at    timestamptz,
	primary key (org_id, id),
	constraint comment_notice_once unique (org_id, comment_id, person_id),
	constraint comment_notice_member foreign key (org_id, person_id) references rowhouse.member on delete cascade,
	constraint comment_notice_comment foreign key (org_id, comment_id) references rowhouse.comment on delete cascade
);
create index comment_notice_inbox on rowhouse.comment_notice (org_id, person_id, id) where in_inbox;
create index comment_notice_unread on rowhouse.comment_notice (org_id, person_id, id) where in_inbox and read_at is null;
select gate.protect('rowhouse.comment_notice');
grant select, insert, update, delete on rowhouse.comment_notice to rowhouse_app;

-- What a member wants to be told. Who has no row wants both.
create table rowhouse.notification_setting (
	org_id    uuid    not null,
	person_id uuid    not null,
	inbox     boolean not null,
	mail      boolean not null,
	primary key (org_id, person_id),
	constraint notification_setting_member foreign key (org_id, person_id) references rowhouse.member on delete cascade
);
select gate.protect('rowhouse.notification_setting');
grant select, insert, update on rowhouse.notification_setting to rowhouse_app;
