-- API keys that see only one view (schema.Subject.View). There is no foreign key: a key must not grow when its view is
-- deleted.
alter table rowhouse.api_key
	add column only_view uuid,
	add constraint api_key_view_of_base check (only_view is null or cardinality(only_bases) = 1);
