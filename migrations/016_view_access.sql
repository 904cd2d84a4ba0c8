-- Who may see and change a view: everybody who works in the base, its maker alone, or everybody while only admins change it.
-- A binary from before this migration makes views that everybody shares, as all were.

alter table rowhouse.view
	add column access text not null default 'collaborative',
	add column created_by uuid;
alter table rowhouse.view add constraint view_access check (access in ('collaborative', 'personal', 'locked')) not valid;
alter table rowhouse.view validate constraint view_access;
alter table rowhouse.view add constraint view_maker check (access <> 'personal' or created_by is not null) not valid;
alter table rowhouse.view validate constraint view_maker;
