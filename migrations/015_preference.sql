-- How the application writes numbers and dates for a person, and on which day weeks begin in it.
alter table rowhouse.person
	add column locale text not null default '',
	add column first_day text not null default '' constraint person_first_day_known check (first_day in ('', 'saturday', 'sunday', 'monday'));
