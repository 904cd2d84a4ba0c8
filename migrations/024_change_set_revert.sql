-- Which change sets a change set has reverted. The log itself (migration 22) says what was changed, and not why.
create table rowhouse.change_set_revert (
	org_id     uuid not null references rowhouse.organization on delete cascade,
	change_set uuid not null,
	reverted   uuid not null,
	primary key (org_id, change_set, reverted)
);
create index change_set_revert_by_reverted on rowhouse.change_set_revert (org_id, reverted);
select gate.protect('rowhouse.change_set_revert');
grant select, insert on rowhouse.change_set_revert to rowhouse_app;
