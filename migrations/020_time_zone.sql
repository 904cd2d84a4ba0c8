-- The time zone whose clock shows times to a person.
alter table rowhouse.person add column time_zone text not null default '';
