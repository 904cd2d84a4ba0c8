-- Imports of bases from more products than Airtable: a kind of job of their own, so that a release that knows none of them
-- sends their tokens nowhere.
alter table rowhouse.job
	drop constraint job_kind_known,
	add constraint job_kind_known check (kind in
		('export_table', 'export_base', 'import_table', 'import_base', 'import_airtable', 'import_archive', 'duplicate_base',
			'duplicate_table', 'backup_base', 'import_product'));
