-- API keys that see only one view (schema.Subject.View). There is no foreign key: a key must not grow when its view is
-- deleted.
alter table rowhouse.api_key
	add column only_view uuid,
	add constraint api_key_view_of_base check (only_view is null or cardinality(only_bases) = 1);

-- Public shares of one view.
create table rowhouse.view_share (
	org_id        uuid        not null,
	view_id       uuid        not null,
	share_id      text        not null,
	password_hash text,
	expires_at    timestamptz,
	created_at    timestamptz not null default now(),
	primary key (org_id, view_id),
	constraint view_share_view foreign key (org_id, view_id) references rowhouse.view on delete cascade
);
create index view_share_lookup on rowhouse.view_share (share_id);
select gate.protect('rowhouse.view_share');
select gate.protect_system('rowhouse.view_share');
grant select, insert, update, delete on rowhouse.view_share to rowhouse_app;
grant select on rowhouse.view_share to rowhouse_system;
-- As at the end of schema.sql.
alter table rowhouse.view_share alter column share_id set statistics 0;
