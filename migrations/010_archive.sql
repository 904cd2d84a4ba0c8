-- Imports of base archives, and copies of bases and tables. An import has no base before the archive is known to be whole.
alter table rowhouse.job
	drop constraint job_kind_known,
	add constraint job_kind_known check (kind in
		('export_table', 'export_base', 'import_table', 'import_base', 'import_airtable', 'import_archive', 'duplicate_base',
			'duplicate_table')),
	alter column base_id drop not null,
	add constraint job_base_known check (base_id is not null or kind = 'import_archive');
