-- Organizations, people, members; workspaces, bases, tables, fields, views; and the gate in front of them.

-- USAGE lets a session prepare a statement before it takes a role. It reads nothing.
grant usage on schema rowhouse, gate to public;

-- ---------------------------------------------------------------------------------------------------------------------
-- The gate

-- enter names the organization whose rows this transaction may touch.
create function gate.enter(org uuid) returns void language plpgsql as $$
begin
	perform set_config('app.org_id', org::text, true);
end
$$;

-- wall puts a metadata table behind row-level security. This and wall_record are the only places that write a policy for
-- tenant data. The sub-select is evaluated once for a query and not once for a row; after a transaction the setting reads
-- '' and not null.
create function gate.wall(rel regclass) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format($policy$
		create policy organization on %s to rowhouse_app, rowhouse_owner
		using (org_id = (select nullif(current_setting('app.org_id', true), '')::uuid))
	$policy$, rel);
end
$$;

-- wall_record does the same for a record table, which belongs to one organization whole. Its rows carry no organization, so
-- the policy is a constant that the planner evaluates once.
create function gate.wall_record(rel regclass, org uuid) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format($policy$
		create policy organization on %s to rowhouse_app, rowhouse_owner
		using ((select current_setting('app.org_id', true)) = %L)
	$policy$, rel, org);
	execute format('create policy search on %s for select to rowhouse_search using (true)', rel);
	execute format('grant select, insert, update, delete on %s to rowhouse_app', rel);
	execute format('grant select on %s to rowhouse_search', rel);
end
$$;

-- wall_system opens a table to the look-ups that come before an organization is known. A table without org_id has this
-- policy alone.
create function gate.wall_system(rel regclass) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy system on %s to rowhouse_system using (true)', rel);
end
$$;

-- Only the owner builds walls.
revoke execute on function gate.wall(regclass), gate.wall_record(regclass, uuid), gate.wall_system(regclass) from public;

-- ---------------------------------------------------------------------------------------------------------------------
-- People and organizations

-- A person is not of one organization. Members of an organization see each other's id, e-mail and name, and nothing else.
create table rowhouse.person (
	id             uuid        primary key,
	email          text        not null constraint person_email_form check (email = lower(email) and length(email) between 3 and 320),
	name           text        not null,
	password_hash  text,
	email_verified timestamptz,
	created_at     timestamptz not null default now(),
	constraint person_email_key unique (email)
);
select gate.wall_system('rowhouse.person');
grant select, insert, update, delete on rowhouse.person to rowhouse_system;

create table rowhouse.organization (
	org_id         uuid        primary key,
	name           text        not null,
	schema_version bigint      not null default 1, -- raised by every change below a workspace
	created_at     timestamptz not null default now()
);
select gate.wall('rowhouse.organization');
select gate.wall_system('rowhouse.organization');
grant select, insert, update, delete on rowhouse.organization to rowhouse_app;
grant select on rowhouse.organization to rowhouse_system;

create table rowhouse.member (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	person_id  uuid        not null references rowhouse.person on delete cascade,
	role       text        not null constraint member_role_known check (role in ('viewer', 'editor', 'admin', 'owner')),
	created_at timestamptz not null default now(),
	primary key (org_id, person_id)
);
create index member_person on rowhouse.member (person_id);
select gate.wall('rowhouse.member');
select gate.wall_system('rowhouse.member');
grant select, insert, update, delete on rowhouse.member to rowhouse_app;
grant select on rowhouse.member to rowhouse_system;

create policy fellow_member on rowhouse.person for select to rowhouse_app, rowhouse_owner using (exists (
	select from rowhouse.member m
	where m.org_id = (select nullif(current_setting('app.org_id', true), '')::uuid) and m.person_id = person.id));
grant select (id, email, name) on rowhouse.person to rowhouse_app;

create table rowhouse.invitation (
	org_id      uuid        not null references rowhouse.organization on delete cascade,
	id          uuid        not null,
	email       text        not null check (email = lower(email)),
	role        text        not null check (role in ('viewer', 'editor', 'admin', 'owner')),
	token_hash  bytea       not null,
	invited_by  uuid        references rowhouse.person on delete set null,
	created_at  timestamptz not null default now(),
	expires_at  timestamptz not null,
	accepted_at timestamptz,
	primary key (org_id, id)
);
create index invitation_token on rowhouse.invitation (token_hash);
create unique index invitation_pending on rowhouse.invitation (org_id, email) where accepted_at is null;
select gate.wall('rowhouse.invitation');
select gate.wall_system('rowhouse.invitation');
grant select, insert, update, delete on rowhouse.invitation to rowhouse_app;
grant select on rowhouse.invitation to rowhouse_system;

-- ---------------------------------------------------------------------------------------------------------------------
-- Workspaces, bases, tables, fields, views

create table rowhouse.workspace (
	org_id     uuid             not null references rowhouse.organization on delete cascade,
	id         uuid             not null,
	name       text             not null,
	color      text             not null,
	icon       jsonb,
	is_default boolean          not null default false,
	position   double precision not null,
	created_at timestamptz      not null default now(),
	primary key (org_id, id)
);
create unique index workspace_default on rowhouse.workspace (org_id) where is_default;
select gate.wall('rowhouse.workspace');
grant select, insert, update, delete on rowhouse.workspace to rowhouse_app;

create table rowhouse.base (
	org_id       uuid             not null references rowhouse.organization on delete cascade,
	id           uuid             not null,
	workspace_id uuid             not null,
	name         text             not null,
	icon         jsonb,
	position     double precision not null,
	created_at   timestamptz      not null default now(),
	primary key (org_id, id),
	constraint base_workspace foreign key (org_id, workspace_id) references rowhouse.workspace
);
create index base_by_workspace on rowhouse.base (org_id, workspace_id);
select gate.wall('rowhouse.base');
grant select, insert, update, delete on rowhouse.base to rowhouse_app;

-- share_id is a secret of 128 random bits and is shown again to those who may read the base, so it is kept as it is.
create table rowhouse.base_share (
	org_id     uuid        not null,
	base_id    uuid        not null,
	share_id   text        not null,
	created_at timestamptz not null default now(),
	primary key (org_id, base_id),
	constraint base_share_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
create index base_share_lookup on rowhouse.base_share (share_id);
select gate.wall('rowhouse.base_share');
select gate.wall_system('rowhouse.base_share');
grant select, insert, update, delete on rowhouse.base_share to rowhouse_app;
grant select on rowhouse.base_share to rowhouse_system;

-- Names of record tables and columns come from these two sequences and are never used again.
create sequence rowhouse.next_table as integer;
create sequence rowhouse.next_field as integer;
create sequence rowhouse.next_link as integer;
grant usage on sequence rowhouse.next_table, rowhouse.next_field, rowhouse.next_link to rowhouse_app;

create table rowhouse.data_table (
	org_id     uuid             not null references rowhouse.organization on delete cascade,
	id         uuid             not null,
	base_id    uuid             not null,
	number     integer          not null,          -- the record table is t_<number>
	name       text             not null,
	icon       jsonb,
	position   double precision not null,
	version    bigint           not null,          -- raised by every change of the table, its fields and views
	created_at timestamptz      not null default now(),
	primary key (org_id, id),
	constraint data_table_number unique (org_id, number),
	constraint data_table_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
create unique index data_table_name on rowhouse.data_table (org_id, base_id, lower(name));
select gate.wall('rowhouse.data_table');
grant select, insert, update, delete on rowhouse.data_table to rowhouse_app;

create table rowhouse.field (
	org_id          uuid             not null references rowhouse.organization on delete cascade,
	id              uuid             not null,
	table_id        uuid             not null,
	number          integer          not null,     -- the column is f_<number>, where the type stores one
	name            text             not null,
	type            text             not null,
	config          jsonb            not null default '{}',
	is_primary      boolean          not null default false,
	position        double precision not null,
	hidden          boolean          not null default false,
	width           integer,
	-- For a link: the join table is l_<link_number>, this field's records are its side link_side ('a' or 'b').
	link_number     integer,
	link_side       text             check (link_side in ('a', 'b')),
	linked_table_id uuid,
	created_at      timestamptz      not null default now(),
	primary key (org_id, id),
	constraint field_number unique (org_id, number),
	constraint field_table foreign key (org_id, table_id) references rowhouse.data_table on delete cascade,
	constraint field_linked_table foreign key (org_id, linked_table_id) references rowhouse.data_table
);
create unique index field_name on rowhouse.field (org_id, table_id, lower(name));
create unique index field_primary on rowhouse.field (org_id, table_id) where is_primary;
create index field_by_linked_table on rowhouse.field (org_id, linked_table_id) where linked_table_id is not null;
select gate.wall('rowhouse.field');
grant select, insert, update, delete on rowhouse.field to rowhouse_app;

create table rowhouse.view (
	org_id     uuid             not null references rowhouse.organization on delete cascade,
	id         uuid             not null,
	table_id   uuid             not null,
	name       text             not null,
	type       text             not null,
	config     jsonb            not null default '{}',
	position   double precision not null,
	created_at timestamptz      not null default now(),
	primary key (org_id, id),
	constraint view_table foreign key (org_id, table_id) references rowhouse.data_table on delete cascade
);
create unique index view_name on rowhouse.view (org_id, table_id, lower(name));
select gate.wall('rowhouse.view');
grant select, insert, update, delete on rowhouse.view to rowhouse_app;

-- ---------------------------------------------------------------------------------------------------------------------
-- The gate in front of a record table

-- enter_table enters the organization and makes sure that the caller's idea of the table's schema is the present one. With
-- hold set, nobody changes the schema until the transaction ends; a schema change takes the same lock exclusively.
create function gate.enter_table(org uuid, table_number integer, known_version bigint, hold boolean) returns void
language plpgsql as $$
begin
	perform set_config('app.org_id', org::text, true);
	if hold then
		perform pg_advisory_xact_lock_shared(20737, table_number);
	end if;
	if not exists (
		select from rowhouse.data_table t
		where t.org_id = org and t.number = table_number and t.version = known_version)
	then
		raise exception 'the schema of table % has changed', table_number using errcode = 'RH001';
	end if;
end
$$;
