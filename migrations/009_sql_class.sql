-- SQL of people from whom something of a base is hidden: their views, and the login that may read them (decision 68).
create table rowhouse.sql_class (
	org_id      uuid        not null,
	base_id     uuid        not null,
	class       text        not null, -- names the rights
	schema_name text        not null,
	login       text        not null,
	digest      bytea       not null,
	former      text[]      not null default '{}',
	secret      bytea       not null, -- proves to the views for whom the service reads
	built_at    timestamptz not null default now(),
	primary key (org_id, base_id, class),
	constraint sql_class_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
alter table rowhouse.sql_class alter column secret set statistics 0;
select gate.protect('rowhouse.sql_class');
grant select on rowhouse.sql_class to rowhouse_app;
create trigger drop_sql_base after delete on rowhouse.sql_class for each row execute function gate.drop_sql_base();
