-- How often the page of a shared view was opened, and whether its readers change records.
alter table rowhouse.view_share
	add column visits bigint not null default 0,
	add column editable boolean not null default false;
