-- Pages of a base that show several views.
create table rowhouse.dashboard (
	org_id     uuid        not null,
	id         uuid        not null,
	base_id    uuid        not null,
	name       text        not null,
	tiles      jsonb       not null default '[]', -- of package dashboard
	created_at timestamptz not null default now(),
	primary key (org_id, id),
	constraint dashboard_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
create unique index dashboard_name on rowhouse.dashboard (org_id, base_id, lower(name));
select gate.protect('rowhouse.dashboard');
grant select, insert, update, delete on rowhouse.dashboard to rowhouse_app;
-- As at the end of schema.sql.
alter table rowhouse.dashboard alter column name set statistics 0;
alter table rowhouse.dashboard alter column tiles set statistics 0;
alter index rowhouse.dashboard_name alter column 3 set statistics 0;
