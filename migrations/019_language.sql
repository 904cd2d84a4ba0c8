-- The language of the application's texts for a person.
alter table rowhouse.person
	add column language text not null default '' constraint person_language_known check (language in ('', 'en', 'de', 'fr'));
