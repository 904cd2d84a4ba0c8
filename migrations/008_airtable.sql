-- Imports of Airtable bases (tenancy/transfer/airtable): a job of their own, with a token that ends with it.
alter table rowhouse.job
	drop constraint job_kind_known,
	add constraint job_kind_known check (kind in
		('export_table', 'export_base', 'import_table', 'import_base', 'import_airtable')),
	add column secret bytea constraint job_secret_ends_with_it check (secret is null or ended_at is null);

-- What has come from Airtable into a base: their ids, ours, and what was brought, so that another import brings the changes.
create table rowhouse.airtable_item (
	org_id      uuid        not null,
	base_id     uuid        not null,
	airtable_id text        not null,
	kind        text        not null constraint airtable_item_kind_known check (kind in
		('base', 'table', 'field', 'view', 'record', 'file', 'comment')),
	parent      text        not null default '', -- the Airtable id of the table, or of a comment's record
	object_id   uuid        not null,            -- ours; of a base, the base itself
	brought     jsonb       not null default '{}', -- of a record, a hash of each cell by the field's Airtable id
	links       jsonb,                           -- cells of links that are still to be written
	files       jsonb,                           -- cells of attachments that are still to be written
	comments    integer     not null default 0,  -- how many were brought
	wanted      integer     not null default 0,  -- how many there are
	seen        uuid,                            -- the job that met it last
	primary key (org_id, base_id, airtable_id),
	constraint airtable_item_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
create index airtable_item_by_parent on rowhouse.airtable_item (org_id, base_id, parent, kind);
create index airtable_item_by_object on rowhouse.airtable_item (org_id, base_id, object_id);
create index airtable_item_links on rowhouse.airtable_item (org_id, base_id, parent, airtable_id) where links is not null;
create index airtable_item_files on rowhouse.airtable_item (org_id, base_id, parent, airtable_id) where files is not null;
create index airtable_item_comments on rowhouse.airtable_item (org_id, base_id, parent, airtable_id) where wanted <> comments;
select gate.protect('rowhouse.airtable_item');
grant select, insert, update, delete on rowhouse.airtable_item to rowhouse_app;
-- As at the end of schema.sql.
alter table rowhouse.airtable_item alter column brought set statistics 0;
alter table rowhouse.airtable_item alter column links set statistics 0;
alter table rowhouse.airtable_item alter column files set statistics 0;
