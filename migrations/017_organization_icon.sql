-- Organizations have an icon or a picture, as bases have.
alter table rowhouse.organization add column icon jsonb;
-- As at the end of schema.sql.
alter table rowhouse.organization alter column icon set statistics 0;
