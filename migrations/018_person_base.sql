-- The bases that a person opened last, and the favourites.
alter table rowhouse.person
	add column recent_bases uuid[] not null default '{}',
	add column favorite_bases uuid[] not null default '{}';
