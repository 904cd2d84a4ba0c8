-- Webhooks: addresses that are told of the changes of a base, and how far each has been told. New tables; the binary before this migration
-- knows nothing of them, so what it serves meanwhile is told by the new one.

create table rowhouse.webhook (
	org_id           uuid        not null references rowhouse.organization on delete cascade,
	id               uuid        not null,
	base_id          uuid        not null,
	name             text        not null,
	url              text        not null,
	table_ids        uuid[],                          -- null: all, and the base itself
	kinds            smallint[],                      -- null: all
	field_ids        uuid[],                          -- null: all; else updates of other fields are not told
	condition        text,                            -- a filter of records as the API reads it, of the only table in table_ids; null: none
	include_values   boolean     not null,
	secret           bytea       not null,            -- encrypted
	old_secret       bytea,                           -- encrypted; signs as well until old_secret_until
	old_secret_until timestamptz,
	sealed_with      bytea       not null,            -- which of the service's secrets encrypted both
	created_by       uuid        not null,
	owner_id         uuid        not null,            -- whose rights the webhook has: who enabled it last
	created_at       timestamptz not null default now(),
	position         text        not null,            -- in the feed: what is before is in a delivery, or was not to be told
	enabled          boolean     not null default true,
	disabled_reason  text constraint webhook_disabled_reason_known check (disabled_reason in
		('paused', 'gone', 'failing', 'owner', 'history', 'filter')),
	notice_due       boolean     not null default false, -- its makers get a mail that it was disabled
	failing_since    timestamptz,                     -- the first failure since something was delivered
	-- Who works on it. A process that holds the lease looks again if queued_at was set meanwhile.
	queued_at        timestamptz,
	lease            uuid,
	leased_until     timestamptz,
	looked_at        timestamptz,
	next_attempt_at  timestamptz,                     -- the next delivery is not tried before
	slow             boolean     not null default false,
	primary key (org_id, id),
	constraint webhook_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
) with (fillfactor = 70);
create index webhook_by_base on rowhouse.webhook (org_id, base_id);
create index webhook_notice on rowhouse.webhook (org_id) where notice_due;
alter table rowhouse.webhook alter column name set statistics 0, alter column url set statistics 0;
select gate.protect('rowhouse.webhook');
select gate.protect_system('rowhouse.webhook');
grant select, insert, update, delete on rowhouse.webhook to rowhouse_app;
-- The job queue finds out whom to look at and whom to mail, and neither addresses nor secrets.
grant select (org_id, id, name, created_by, owner_id, enabled, disabled_reason, notice_due, queued_at, leased_until, looked_at, next_attempt_at,
	slow), update (queued_at, notice_due) on rowhouse.webhook to rowhouse_system;

-- A part of the feed that is, or was, one message. Its text is not kept: it is read from the log for each attempt.
create table rowhouse.webhook_delivery (
	org_id          uuid        not null references rowhouse.organization on delete cascade,
	webhook_id      uuid        not null,
	id              uuid        not null,             -- v7: in the order of the feed
	from_position   text        not null,
	to_position     text        not null,
	changes         integer     not null,
	state           text        not null constraint webhook_delivery_state_known check (state in ('pending', 'delivered', 'failed')),
	again           boolean     not null default false, -- a person wants it sent again
	attempts        integer     not null default 0,
	created_at      timestamptz not null default now(),
	attempted_at    timestamptz,
	next_attempt_at timestamptz,
	status          integer,                          -- of the last answer; null: there was none
	answer          text,                             -- the beginning of its body
	failure         text,                             -- why there was no answer
	milliseconds    integer,
	primary key (org_id, webhook_id, id),
	constraint webhook_delivery_webhook foreign key (org_id, webhook_id) references rowhouse.webhook on delete cascade
);
create index webhook_delivery_open on rowhouse.webhook_delivery (org_id, webhook_id, id) where state = 'pending' or again;
alter table rowhouse.webhook_delivery alter column answer set statistics 0, alter column failure set statistics 0;
select gate.protect('rowhouse.webhook_delivery');
grant select, insert, update, delete on rowhouse.webhook_delivery to rowhouse_app;
