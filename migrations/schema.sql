-- The tables that organizations share, with their grants and policies. A new database is created from this file. A
-- change of it comes with a numbered migration that changes existing databases; a test compares the two.
--
-- Three things are elsewhere. provision.sql creates the roles and the schemas rowhouse and gate. gate/ has the functions, which are installed
-- first. The record tables of an organization are in its own schema (org_…) and are created with the tables of its bases: t_<number> has the
-- records of a table, l_<number> the pairs of a link, record_count how many records there are, and change the log of changes.
--
-- gate.protect enables row-level security for a table with the organization of each row; gate.protect_system exempts
-- the system role, which works before an organization is known.

-- As for gate; see gate/install.sql.
grant usage on schema rowhouse to public;

-- The order of texts in lists: that of the Unicode collation algorithm, where letters come before accents and accents before cases, and digits
-- count as numbers, so that item 2 comes before item 10. Texts that are equal in all of this are in the order of their bytes, so that no two
-- different texts have the same position.
create collation gate.natural_order (provider = icu, locale = 'und-u-kn-true');

-- Everybody who may use a schema may call the functions of its extensions, so the dictionary of searches has a schema
-- of its own.
create schema dictionary;
grant usage on schema dictionary to rowhouse_app, rowhouse_system, rowhouse_search;
create extension if not exists unaccent with schema dictionary;
do $$
declare
	place regnamespace := (select extnamespace from pg_extension where extname = 'unaccent');
begin
	if place <> 'dictionary'::regnamespace then
		raise exception 'the extension unaccent is in the schema %; drop it, and it is created in the schema dictionary', place;
	end if;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- People and organizations

-- A person may be a member of several organizations. Members of an organization see each other's id, e-mail and name, and nothing else.
create table rowhouse.person (
	id             uuid        primary key,
	email          text        not null constraint person_email_form check (email = lower(email) and length(email) between 3 and 320),
	name           text        not null,
	password_hash  text,
	email_verified timestamptz,
	created_at     timestamptz not null default now(),
	-- The key that signs the device cookies of the person, in addition to the service's secret. Sign-in limits are
	-- wider for a browser with a valid cookie, and a mail reports a sign-in from any other. Another value invalidates
	-- the cookies of all browsers. It is null until the first sign-in, which is not reported.
	device_epoch   uuid,
	-- How the application writes numbers and dates for the person, a BCP 47 tag, on which day weeks begin in it, and the language of its
	-- texts and of mails. Empty: as the browser has it.
	locale         text        not null default '',
	first_day      text        not null default '' constraint person_first_day_known check (first_day in ('', 'saturday', 'sunday', 'monday')),
	language       text        not null default '' constraint person_language_known check (language in ('', 'en', 'de', 'fr')),
	time_zone      text        not null default '', -- whose clock shows times that have no other; empty: the base's
	-- The bases that the person finds first. They may be gone: what the person does not see is left out by the application.
	recent_bases   uuid[]      not null default '{}',
	favorite_bases uuid[]      not null default '{}',
	constraint person_email_key unique (email)
);
select gate.protect_system('rowhouse.person');
grant select, insert, update, delete on rowhouse.person to rowhouse_system;

-- Everything below an organization carries its id, and row-level security compares it (gate.organization). Requests read the metadata as
-- rowhouse_app; only changes of the schema, as rowhouse_owner, write it.
create table rowhouse.organization (
	org_id         uuid        primary key,
	name           text        not null,
	schema_version bigint      not null default 1, -- raised by every change below a workspace
	created_at     timestamptz not null default now(),
	permission_version bigint  not null default 1, -- raised by every change of permissions and groups
	icon           jsonb                           -- of package schema; null: none
);
select gate.protect('rowhouse.organization');
select gate.protect_system('rowhouse.organization');
grant select on rowhouse.organization to rowhouse_app;
grant select on rowhouse.organization to rowhouse_system;

-- Organizations that an owner has deleted, for as long as an owner can restore them. Their rows stay, and some of them are hidden from all
-- requests and jobs (gate.hide_deleted). The name is here because that of the organization is hidden.
create table rowhouse.deleted_organization (
	org_id     uuid        primary key references rowhouse.organization on delete cascade,
	name       text        not null,
	deleted_at timestamptz not null default now(),
	deleted_by uuid        not null
);
select gate.protect('rowhouse.deleted_organization');
select gate.protect_system('rowhouse.deleted_organization');
grant select on rowhouse.deleted_organization to rowhouse_app;
grant select on rowhouse.deleted_organization to rowhouse_system;
select gate.hide_deleted('rowhouse.organization');

-- The key of an organization is 128 random bits in hexadecimal. sealed is the key encrypted with the service's SECRET_KEY, which the database
-- does not have; sealed_with is a fingerprint of that secret. hash is the SHA-256 of the key and opens nothing. There is no foreign key,
-- because the canary belongs to no organization.
create table rowhouse.organization_key (
	org_id      uuid        primary key,
	sealed      bytea       not null,
	sealed_with bytea       not null,
	hash        bytea       not null constraint organization_key_hash_size check (length(hash) = 32),
	created_at  timestamptz not null default now()
);
create index organization_key_sealed_with on rowhouse.organization_key (sealed_with, org_id);
select gate.protect_system('rowhouse.organization_key');
grant select on rowhouse.organization_key to rowhouse_system;
create policy owner on rowhouse.organization_key to rowhouse_owner using (true);

-- One row, protected like any other, which every process reads at start: its organization must see it, and no other
-- may. A policy that is not in force, or a setting that is lost on the way to PostgreSQL, shows as too many rows or
-- none, and never as an error. The row is written before the table is protected, because its organization does not
-- exist (tenancy/db/canary.go).
create table rowhouse.canary (org_id uuid primary key);
insert into rowhouse.canary values ('00000000-0000-7000-8000-00000000ca11');
select gate.protect('rowhouse.canary');
grant select on rowhouse.canary to rowhouse_app;

create table rowhouse.member (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	person_id  uuid        not null references rowhouse.person on delete cascade,
	role       text        not null constraint member_role_known check (role in ('guest', 'viewer', 'editor', 'admin', 'owner')),
	created_at timestamptz not null default now(),
	primary key (org_id, person_id)
);
create index member_person on rowhouse.member (person_id);
select gate.protect('rowhouse.member');
select gate.protect_system('rowhouse.member');
-- Only the system role adds members, because whoever adds a person to an organization sees that person's name and e-mail address.
grant select, update (role), delete on rowhouse.member to rowhouse_app;
grant select, insert, update (role) on rowhouse.member to rowhouse_system;

create policy fellow_member on rowhouse.person for select to rowhouse_app, rowhouse_owner using (exists (
	select from rowhouse.member m
	where m.org_id = (select gate.organization()) and m.person_id = person.id));
grant select (id, email, name) on rowhouse.person to rowhouse_app;

create table rowhouse.invitation (
	org_id      uuid        not null references rowhouse.organization on delete cascade,
	id          uuid        not null,
	email       text        not null check (email = lower(email)),
	role        text        not null constraint invitation_role_known check (role in ('guest', 'viewer', 'editor', 'admin', 'owner')),
	token_hash  bytea       not null,
	invited_by  uuid        references rowhouse.person on delete set null,
	created_at  timestamptz not null default now(),
	expires_at  timestamptz not null,
	accepted_at timestamptz,
	-- Inviting an address again mails a new link. Links mailed before remain valid until the invitation is accepted, revoked or expired, because
	-- people open whichever mail they find first. Every link gives the invitation's present role.
	former_hashes bytea[]   not null default '{}',
	-- What the person gets in bases: [{base, role}].
	bases         jsonb,
	primary key (org_id, id)
);
create index invitation_token on rowhouse.invitation (token_hash);
create unique index invitation_pending on rowhouse.invitation (org_id, email) where accepted_at is null;
create index invitation_former on rowhouse.invitation using gin (former_hashes);
select gate.protect('rowhouse.invitation');
select gate.protect_system('rowhouse.invitation');
grant select, insert, update, delete on rowhouse.invitation to rowhouse_app;
grant select on rowhouse.invitation to rowhouse_system;
-- The system role accepts invitations, because the person is not a member yet.
grant update (accepted_at) on rowhouse.invitation to rowhouse_system;

-- Groups get permissions as people do. Who is no member has none, so a person who has left may still be in members.
create table rowhouse.person_group (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	id         uuid        not null,
	name       text        not null,
	members    uuid[]      not null default '{}',
	created_at timestamptz not null default now(),
	primary key (org_id, id)
);
create unique index person_group_name on rowhouse.person_group (org_id, lower(name));
select gate.protect('rowhouse.person_group');
grant select on rowhouse.person_group to rowhouse_app;

-- ---------------------------------------------------------------------------------------------------------------------
-- Credentials

create table rowhouse.api_key (
	id           uuid        primary key,
	person_id    uuid        not null references rowhouse.person on delete cascade,
	name         text        not null,
	secret_hash  bytea       not null constraint api_key_hash_size check (length(secret_hash) = 32),
	prefix       text        not null,          -- of the value, shown so that a person can distinguish keys
	last_four    text        not null,
	scopes       text[]      not null constraint api_key_scopes_some check (cardinality(scopes) > 0),
	-- What the key is narrowed to. No foreign keys: a key must not grow when what it was narrowed to is deleted.
	only_org     uuid,
	only_bases   uuid[]      constraint api_key_bases_some check (cardinality(only_bases) > 0),
	only_view    uuid,                          -- (schema.Subject.View)
	created_at   timestamptz not null default now(),
	expires_at   timestamptz,
	revoked_at   timestamptz,
	last_used_at timestamptz,
	replaced_by  uuid,                          -- set by a rotation
	constraint api_key_secret unique (secret_hash),
	constraint api_key_bases_of_org check (only_bases is null or only_org is not null),
	constraint api_key_view_of_base check (only_view is null or cardinality(only_bases) = 1)
);
create index api_key_by_person on rowhouse.api_key (person_id);
select gate.protect_system('rowhouse.api_key');
grant select, insert, update, delete on rowhouse.api_key to rowhouse_system;

create table rowhouse.session (
	id         uuid        primary key,
	person_id  uuid        not null references rowhouse.person on delete cascade,
	token_hash bytea       not null constraint session_hash_size check (length(token_hash) = 32),
	user_agent text        not null,
	address    text        not null,
	created_at timestamptz not null default now(),
	seen_at    timestamptz not null default now(),
	expires_at timestamptz not null,            -- however much it is used
	constraint session_token unique (token_hash)
);
create index session_by_person on rowhouse.session (person_id);
create index session_by_end on rowhouse.session (expires_at);
select gate.protect_system('rowhouse.session');
grant select, insert, update, delete on rowhouse.session to rowhouse_system;

-- A token that proves that a mail was received. It works once, and only while the person still has that address, except
-- for one with which they change to it.
create table rowhouse.mailed_token (
	token_hash bytea       primary key constraint mailed_token_hash_size check (length(token_hash) = 32),
	person_id  uuid        not null references rowhouse.person on delete cascade,
	purpose    text        not null constraint mailed_token_purpose check (purpose in ('verify', 'reset', 'change')),
	email      text        not null,
	created_at timestamptz not null default now(),
	expires_at timestamptz not null
);
create index mailed_token_by_person on rowhouse.mailed_token (person_id);
select gate.protect_system('rowhouse.mailed_token');
grant select, insert, update, delete on rowhouse.mailed_token to rowhouse_system;

-- ---------------------------------------------------------------------------------------------------------------------
-- The authorization server

-- A registered client (RFC 7591) or the last good copy of a client's metadata document, whose id is then its URL.
create table rowhouse.oauth_client (
	id           text        primary key,
	kind         text        not null constraint oauth_client_kind check (kind in ('registered', 'document')),
	metadata     jsonb       not null,
	secret_hash  bytea,                       -- SHA-256 of a generated secret
	created_at   timestamptz not null default now(),
	expires_at   timestamptz not null,        -- moved on by use
	fresh_until  timestamptz                  -- of a document: when it is to be fetched again
);
create index oauth_client_expiry on rowhouse.oauth_client (expires_at);
select gate.protect_system('rowhouse.oauth_client');
grant select, insert, update, delete on rowhouse.oauth_client to rowhouse_system;

-- A grant is what a person allowed a client: it begins as a code, and is then the family of all tokens that follow
-- from it. One row has the one code and the one live refresh token, so neither can fork.
create table rowhouse.oauth_grant (
	id             uuid        primary key,
	person_id      uuid        not null references rowhouse.person on delete cascade,
	client_id      text        not null references rowhouse.oauth_client on delete cascade,
	only_org       uuid,                      -- the organization it is narrowed to; null is all of the person's
	resource       text        not null,
	scopes         text[]      not null,
	redirect_uri   text        not null,      -- as the client sent it
	code_hash      bytea       not null,
	code_challenge text        not null,
	code_expires   timestamptz not null,
	redeemed_at    timestamptz,
	generation     integer     not null default 0,
	refresh_hash   bytea,                     -- of the live refresh token
	refresh_until  timestamptz,               -- when it lapses unused
	rotated_at     timestamptz,
	replaced_hash  bytea,                     -- of the refresh token before it, which may be sent again for a moment
	seed           bytea,                     -- with the token before it, gives the live one: useless by itself
	created_at     timestamptz not null,
	used_at        timestamptz not null,
	expires_at     timestamptz not null,      -- of the whole family
	revoked_at     timestamptz,
	revoked_why    text,
	step_up_until  timestamptz                -- until when the client is asked to authorize again for more scopes
) with (fillfactor = 80);
create index oauth_grant_person on rowhouse.oauth_grant (person_id, client_id);
create index oauth_grant_client on rowhouse.oauth_grant (client_id);
select gate.protect_system('rowhouse.oauth_grant');
grant select, insert, update, delete on rowhouse.oauth_grant to rowhouse_system;

-- A consent form that was shown and not yet answered. The handle in the form is known here by its hash.
create table rowhouse.oauth_question (
	handle_hash  bytea       primary key,
	session_hash bytea       not null,
	person_id    uuid        not null references rowhouse.person on delete cascade,
	request      jsonb       not null,
	expires_at   timestamptz not null
);
create index oauth_question_expiry on rowhouse.oauth_question (expires_at);
select gate.protect_system('rowhouse.oauth_question');
grant select, insert, update, delete on rowhouse.oauth_question to rowhouse_system;

-- A remembered consent. subject_hash covers person, client, redirect URI, resource and scopes, each exactly.
create table rowhouse.oauth_consent (
	subject_hash bytea       primary key,
	person_id    uuid        not null references rowhouse.person on delete cascade,
	client_id    text        not null references rowhouse.oauth_client on delete cascade,
	only_org     uuid,
	created_at   timestamptz not null
);
create index oauth_consent_person on rowhouse.oauth_consent (person_id, client_id);
create index oauth_consent_client on rowhouse.oauth_consent (client_id);
select gate.protect_system('rowhouse.oauth_consent');
grant select, insert, update, delete on rowhouse.oauth_consent to rowhouse_system;

-- Client assertions that were used (RFC 7523 section 3, jti), until they expire by themselves.
create table rowhouse.oauth_assertion (
	jti_hash   bytea       primary key,
	expires_at timestamptz not null
);
create index oauth_assertion_expiry on rowhouse.oauth_assertion (expires_at);
select gate.protect_system('rowhouse.oauth_assertion');
grant select, insert, update, delete on rowhouse.oauth_assertion to rowhouse_system;

-- A device that waits until a person types its user code (RFC 8628). The grant that follows has the device code as
-- its code, so that it is redeemed once.
create table rowhouse.oauth_device (
	device_hash   bytea       primary key constraint oauth_device_hash_size check (length(device_hash) = 32),
	user_code_mac bytea       not null,       -- keyed, because what people type is short
	client_id     text        not null references rowhouse.oauth_client on delete cascade,
	resource      text        not null,
	scopes        text[]      not null,
	address       text        not null,       -- the network that the device asked from
	created_at    timestamptz not null,
	expires_at    timestamptz not null,
	interval_s    integer     not null,       -- how long the device has to wait between requests
	polled_at     timestamptz,
	denied_at     timestamptz,
	grant_id      uuid,                       -- what a person allowed
	constraint oauth_device_user_code unique (user_code_mac),
	constraint oauth_device_decided_once check (denied_at is null or grant_id is null)
);
create index oauth_device_client on rowhouse.oauth_device (client_id);
create index oauth_device_expiry on rowhouse.oauth_device (expires_at);
select gate.protect_system('rowhouse.oauth_device');
grant select, insert, update, delete on rowhouse.oauth_device to rowhouse_system;

create table rowhouse.oauth_signing_key (
	kid         text        primary key,
	state       text        not null constraint oauth_signing_key_state check (state in ('next', 'active', 'retiring')),
	sealed      bytea       not null,         -- the private key, encrypted with a key from the configuration
	created_at  timestamptz not null,
	active_at   timestamptz,
	retiring_at timestamptz
);
create unique index oauth_signing_key_single on rowhouse.oauth_signing_key (state) where state in ('next', 'active');
select gate.protect_system('rowhouse.oauth_signing_key');
grant select, insert, update, delete on rowhouse.oauth_signing_key to rowhouse_system;

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
	permission jsonb,           -- an Access (tenancy/schema/permission.go)
	primary key (org_id, id)
);
create unique index workspace_default on rowhouse.workspace (org_id) where is_default;
select gate.protect('rowhouse.workspace');
grant select on rowhouse.workspace to rowhouse_app;

create table rowhouse.base (
	org_id       uuid             not null references rowhouse.organization on delete cascade,
	id           uuid             not null,
	workspace_id uuid             not null,
	name         text             not null,
	icon         jsonb,
	position     double precision not null,
	created_at   timestamptz      not null default now(),
	time_zone    text             not null default 'UTC', -- in which formulas and relative days read a clock
	permission   jsonb,                                   -- an Access
	scratch      uuid,                                    -- the job that tests a backup with it; nobody sees the base
	primary key (org_id, id),
	constraint base_workspace foreign key (org_id, workspace_id) references rowhouse.workspace
);
create index base_by_workspace on rowhouse.base (org_id, workspace_id);
select gate.protect('rowhouse.base');
grant select on rowhouse.base to rowhouse_app;

-- share_id is a secret of 128 random bits and is shown again to those who may read the base, so it is stored in plain
-- text.
create table rowhouse.base_share (
	org_id     uuid        not null,
	base_id    uuid        not null,
	share_id   text        not null,
	created_at timestamptz not null default now(),
	primary key (org_id, base_id),
	constraint base_share_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
create index base_share_lookup on rowhouse.base_share (share_id);
select gate.protect('rowhouse.base_share');
select gate.protect_system('rowhouse.base_share');
grant select, insert, update, delete on rowhouse.base_share to rowhouse_app;
grant select on rowhouse.base_share to rowhouse_system;

-- Names of record tables and columns come from these sequences and are never reused.
create sequence rowhouse.next_table as integer;
create sequence rowhouse.next_field as integer;
create sequence rowhouse.next_link as integer;

-- The version of a table's schema is also a function without arguments, version.t_<number>(), which returns a constant. A statement that selects
-- it has the constant in its plan, and PostgreSQL plans again in the next transaction after the function was replaced. So a record is read
-- together with the version at no cost, where a look-up in rowhouse.data_table was half of the cost of reading one.
create schema version;
grant usage on schema version to public;

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
	permission jsonb,                              -- a TablePermission
	primary key (org_id, id),
	constraint data_table_number unique (org_id, number),
	constraint data_table_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
create unique index data_table_name on rowhouse.data_table (org_id, base_id, lower(name));
select gate.protect('rowhouse.data_table');
grant select on rowhouse.data_table to rowhouse_app;
create policy search on rowhouse.data_table for select to rowhouse_search
	using (org_id = (select gate.organization()));
grant select (org_id, number) on rowhouse.data_table to rowhouse_search;
-- It fires while the row of the table is locked, so no two sessions replace one function at the same time.
create trigger publish_version after insert or delete or update of version on rowhouse.data_table
	for each row execute function gate.publish_version();

-- The number of a table is part of the ids of its records. next_table_number returns them in an order that only this
-- database knows, so that ids do not reveal how many tables the service has: a Feistel network over a sequence, whose
-- results never repeat.
create table rowhouse.number_secret (secret bytea not null);
alter table rowhouse.number_secret enable row level security;
alter table rowhouse.number_secret force row level security;
create policy owner on rowhouse.number_secret to rowhouse_owner using (true);
insert into rowhouse.number_secret values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

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
	permission      jsonb,                         -- a FieldPermission
	primary key (org_id, id),
	constraint field_number unique (org_id, number),
	constraint field_table foreign key (org_id, table_id) references rowhouse.data_table on delete cascade,
	constraint field_linked_table foreign key (org_id, linked_table_id) references rowhouse.data_table
);
create unique index field_name on rowhouse.field (org_id, table_id, lower(name));
create unique index field_primary on rowhouse.field (org_id, table_id) where is_primary;
create index field_by_linked_table on rowhouse.field (org_id, linked_table_id) where linked_table_id is not null;
select gate.protect('rowhouse.field');
grant select on rowhouse.field to rowhouse_app;

create table rowhouse.view (
	org_id     uuid             not null references rowhouse.organization on delete cascade,
	id         uuid             not null,
	table_id   uuid             not null,
	name       text             not null,
	type       text             not null,
	config     jsonb            not null default '{}',
	position   double precision not null,
	created_at timestamptz      not null default now(),
	access     text             not null default 'collaborative'
		constraint view_access check (access in ('collaborative', 'personal', 'locked')),
	created_by uuid,
	primary key (org_id, id),
	constraint view_maker check (access <> 'personal' or created_by is not null),
	constraint view_table foreign key (org_id, table_id) references rowhouse.data_table on delete cascade
);
create unique index view_name on rowhouse.view (org_id, table_id, lower(name));
select gate.protect('rowhouse.view');
grant select on rowhouse.view to rowhouse_app;

-- As base_share, for one view. password_hash is argon2id's; null means none.
create table rowhouse.view_share (
	org_id        uuid        not null,
	view_id       uuid        not null,
	share_id      text        not null,
	password_hash text,
	expires_at    timestamptz,                  -- null means never
	created_at    timestamptz not null default now(),
	person_id     uuid,                         -- who shared it last, with whose rights a form takes answers
	framed        boolean     not null default false, -- other sites may show it
	visits        bigint      not null default 0, -- of the page, since it has its address
	editable      boolean     not null default false, -- readers change and add records, with the rights of who shared it, within the view
	primary key (org_id, view_id),
	constraint view_share_view foreign key (org_id, view_id) references rowhouse.view on delete cascade
);
create index view_share_lookup on rowhouse.view_share (share_id);
select gate.protect('rowhouse.view_share');
select gate.protect_system('rowhouse.view_share');
grant select, insert, update, delete on rowhouse.view_share to rowhouse_app;
grant select on rowhouse.view_share to rowhouse_system;

-- How many answers a form has had. There is no row before the first.
create table rowhouse.form_answer (
	org_id  uuid   not null,
	view_id uuid   not null,
	answers bigint not null,
	primary key (org_id, view_id),
	constraint form_answer_view foreign key (org_id, view_id) references rowhouse.view on delete cascade
);
select gate.protect('rowhouse.form_answer');
grant select, insert, update on rowhouse.form_answer to rowhouse_app;

-- Pages of a base that show several views.
create table rowhouse.dashboard (
	org_id     uuid        not null,
	id         uuid        not null,
	base_id    uuid        not null,
	name       text        not null,
	tiles      jsonb       not null default '[]', -- of package dashboard
	created_at timestamptz not null default now(),
	primary key (org_id, id),
	constraint dashboard_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
create unique index dashboard_name on rowhouse.dashboard (org_id, base_id, lower(name));
select gate.protect('rowhouse.dashboard');
grant select, insert, update, delete on rowhouse.dashboard to rowhouse_app;

-- A row is a computed field whose values are stored in columns of its record table, f_<field_number> and
-- e_<field_number>. expression names what the trigger of the table computes into them, and is '' while it computes
-- nothing, as after the field was deleted. The columns are read when they are filled for every record. There is no
-- foreign key to the field, because a restored field has its columns again.
create table rowhouse.computed_column (
	org_id       uuid    not null references rowhouse.organization on delete cascade,
	field_number integer not null,
	table_number integer not null,
	type         text    not null,  -- of the values, in SQL
	expression   text    not null,
	filled       boolean not null,
	filled_to    uuid,              -- the record up to which they are filled; null is none
	primary key (org_id, field_number)
);
create index computed_column_unfilled on rowhouse.computed_column (org_id, table_number) where not filled and expression <> '';
select gate.protect('rowhouse.computed_column');
select gate.protect_system('rowhouse.computed_column');
grant select on rowhouse.computed_column to rowhouse_app;
-- The job that fills columns only finds its tables.
grant select (org_id, table_number, expression, filled) on rowhouse.computed_column to rowhouse_system;

-- An index of a record table is in schema org_…, under this name; PostgreSQL itself drops it with a column that it is on.
create table rowhouse.record_index (
	org_id       uuid        not null,
	table_number integer     not null,
	name         text        not null,
	reason       text        not null,             -- the kind of query that asked for it, in terms of field numbers: f12
	created_at   timestamptz not null default now(),
	used_at      timestamptz not null default now(), -- when a query of that kind was last seen, to the hour
	refused      boolean     not null default false, -- a value was too long for it: it is not built again
	primary key (org_id, table_number, name),
	constraint record_index_table foreign key (org_id, table_number) references rowhouse.data_table (org_id, number) on delete cascade
);
select gate.protect('rowhouse.record_index');
select gate.protect_system('rowhouse.record_index');
grant select, insert, update, delete on rowhouse.record_index to rowhouse_app;
grant select on rowhouse.record_index to rowhouse_system;

-- A base in which SQL was used: the schema with its views, the login that may read them, and the digest of what the
-- views were made from. former are schemas that somebody was still reading when they were replaced.
create table rowhouse.sql_base (
	org_id      uuid        not null,
	base_id     uuid        not null,
	schema_name text        not null,
	login       text        not null,
	digest      bytea       not null,
	former      text[]      not null default '{}',
	created_at  timestamptz not null default now(),
	primary key (org_id, base_id),
	constraint sql_base_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
select gate.protect('rowhouse.sql_base');
grant select on rowhouse.sql_base to rowhouse_app;
create trigger drop_sql_base after delete on rowhouse.sql_base for each row execute function gate.drop_sql_base();

-- The same for people with the same rights, from whom something of a base is hidden (decision 68).
create table rowhouse.sql_class (
	org_id      uuid        not null,
	base_id     uuid        not null,
	class       text        not null, -- names the rights
	schema_name text        not null,
	login       text        not null,
	digest      bytea       not null,
	former      text[]      not null default '{}',
	secret      bytea       not null, -- proves to the views for whom the service reads
	built_at    timestamptz not null default now(),
	primary key (org_id, base_id, class),
	constraint sql_class_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
alter table rowhouse.sql_class alter column secret set statistics 0;
select gate.protect('rowhouse.sql_class');
grant select on rowhouse.sql_class to rowhouse_app;
create trigger drop_sql_base after delete on rowhouse.sql_class for each row execute function gate.drop_sql_base();

-- ---------------------------------------------------------------------------------------------------------------------
-- Changes

-- An event is written in the transaction of the change that it describes. Nobody may change or remove one, neither
-- the roles of requests nor the owner of the table, unless an administrator of the cluster grants the right again.
-- There is no foreign key to the organization or the person, because events outlive them.
create table rowhouse.audit_event (
	org_id          uuid        not null,
	id              uuid        not null,             -- v7: in order of time
	at              timestamptz not null default now(),
	person_id       uuid,                             -- null: the service itself
	credential_kind text        not null,
	credential      text        not null,             -- its public id
	request         text        not null,
	action          text        not null,             -- the operation's name
	subject         text        not null,             -- the public id of what was changed
	detail          jsonb       not null default '{}',
	change_set      uuid,                             -- the group of changes that the event belongs to
	primary key (org_id, id)
);
select gate.protect('rowhouse.audit_event');
select gate.protect_system('rowhouse.audit_event');
grant select, insert on rowhouse.audit_event to rowhouse_app;
grant insert on rowhouse.audit_event to rowhouse_system;
revoke update, delete, truncate on rowhouse.audit_event from rowhouse_owner;

-- A request with an Idempotency-Key. It belongs to the person, since it may choose its organization only while it runs. The
-- row is reserved before the request runs; the transaction that does the work sets done_at through gate.complete_request; the
-- answer is stored afterwards.
create table rowhouse.idempotency (
	person_id   uuid        not null references rowhouse.person on delete cascade,
	org_id      uuid        not null,                 -- of the request's target; all zero when its path names none
	operation   text        not null,
	key_hash    bytea       not null constraint idempotency_key_size check (length(key_hash) = 32),
	fingerprint bytea       not null constraint idempotency_fingerprint_size check (length(fingerprint) = 32),
	attempt     uuid        not null,                 -- of the run that holds the reservation
	lease_until timestamptz not null,                 -- when another run may take it over, unless the work was done
	done_at     timestamptz,
	answer      bytea,
	created_at  timestamptz not null default now(),
	rights      text[],                               -- of the credential that made it: one with fewer rights sees less of the answer
	primary key (org_id, person_id, operation, key_hash)
);
create index idempotency_by_age on rowhouse.idempotency (created_at);
select gate.protect_system('rowhouse.idempotency');
grant select, insert, update, delete on rowhouse.idempotency to rowhouse_system;
-- A transaction that does the work of a request knows the reservation by its attempt, which is random and a capability.
create policy attempt on rowhouse.idempotency to rowhouse_app, rowhouse_owner
	using (attempt = (select nullif(current_setting('app.attempt', true), '')::uuid));
grant select (attempt, done_at), update (done_at) on rowhouse.idempotency to rowhouse_app;

-- A change set that several requests of one credential have joined under a name. The sets of single requests have no row.
create table rowhouse.change_set (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	id         uuid        not null,             -- v7: in order of time
	person_id  uuid        not null,
	credential text        not null,             -- its public id
	name       text        not null,
	created_at timestamptz not null default now(),
	primary key (org_id, id)
);
create index change_set_by_name on rowhouse.change_set (org_id, credential, name, created_at);
select gate.protect('rowhouse.change_set');
grant select, insert on rowhouse.change_set to rowhouse_app;

-- Which change sets a change set has reverted. The log itself says what was changed, and not why.
create table rowhouse.change_set_revert (
	org_id     uuid not null references rowhouse.organization on delete cascade,
	change_set uuid not null,
	reverted   uuid not null,
	primary key (org_id, change_set, reverted)
);
create index change_set_revert_by_reverted on rowhouse.change_set_revert (org_id, reverted);
select gate.protect('rowhouse.change_set_revert');
grant select, insert on rowhouse.change_set_revert to rowhouse_app;

-- An entry has the metadata rows of deleted objects, so that restoring inserts them again. The columns and tables
-- that they describe stay where they are. kind column is the former column of a field whose type was changed;
-- object_id is the field then.
create table rowhouse.trash (
	org_id       uuid        not null references rowhouse.organization on delete cascade,
	id           uuid        not null,
	kind         text        not null constraint trash_kind_known check (kind in ('field', 'table', 'view', 'base', 'column')),
	object_id    uuid        not null,
	part_of      uuid,                                  -- the entry with which this one was deleted: a table's base
	base_id      uuid        not null,
	table_id     uuid,                                  -- null: a base
	table_number integer,
	field_number integer,
	link_number  integer,                               -- of a link field
	name         text        not null,
	content      jsonb       not null,                  -- rows by table, and what views of live tables lost
	change_set   uuid,
	person_id    uuid,                                  -- null: the service itself
	deleted_at   timestamptz not null default clock_timestamp(),
	primary key (org_id, id),
	constraint trash_part_of foreign key (org_id, part_of) references rowhouse.trash on delete cascade
);
create index trash_by_time on rowhouse.trash (org_id, deleted_at, id);
create index trash_by_part on rowhouse.trash (org_id, part_of) where part_of is not null;
create unique index trash_object on rowhouse.trash (org_id, object_id) where kind <> 'column';
select gate.protect('rowhouse.trash');
select gate.protect_system('rowhouse.trash');
-- Only the owner adds and removes rows.
grant select on rowhouse.trash to rowhouse_app;
-- The job that purges only finds its organizations.
grant select (org_id, deleted_at) on rowhouse.trash to rowhouse_system;

-- A row says that the token of a plan was used. token is a digest of it. The row may be deleted after the token has
-- expired.
create table rowhouse.used_plan (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	token      bytea       not null constraint used_plan_token_size check (length(token) = 16),
	expires_at timestamptz not null,
	primary key (org_id, token)
);
select gate.protect('rowhouse.used_plan');
grant select, insert, update, delete on rowhouse.used_plan to rowhouse_app; -- update, because it locks what it deletes

-- A row is the latest answer of a person about a call: the digest of a credential, a tool and its arguments. What it
-- allows is done once, which rowhouse.used_plan records by the id of the question. The row may be deleted after the
-- answer has expired.
create table rowhouse.approval (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	call       bytea       not null constraint approval_call_size check (length(call) = 16),
	question   uuid        not null,
	approved   boolean     not null,
	expires_at timestamptz not null,
	primary key (org_id, call)
);
select gate.protect('rowhouse.approval');
grant select, insert, update, delete on rowhouse.approval to rowhouse_app;

-- ---------------------------------------------------------------------------------------------------------------------
-- Files, comments, webhooks

-- A file is uploaded for one table and may be in any of its records. The cell repeats what a reader needs of it, so
-- that reading records does not query this table. There is no foreign key: the row outlives what it belonged to until
-- its content is removed too.
create table rowhouse.attachment (
	org_id       uuid        not null,
	id           uuid        not null,
	table_id     uuid        not null,
	name         text        not null,
	size         bigint      not null,              -- while arriving: the room that is reserved for it
	type         text        not null default '',
	sha256       bytea,
	width        integer,                           -- of an image that has a thumbnail, in pixels as it is shown
	height       integer,
	state        text        not null constraint attachment_state_known check (state in ('arriving', 'ready', 'leaving')),
	created_by   uuid,
	created_at   timestamptz not null default now(),
	kept_at      timestamptz,                       -- when it was last put into a record
	unused_since timestamptz,                       -- when the sweep first found it in no record
	primary key (org_id, id)
);
create index attachment_by_table on rowhouse.attachment (org_id, table_id);
select gate.protect('rowhouse.attachment');
select gate.protect_system('rowhouse.attachment');
grant select, insert, update, delete on rowhouse.attachment to rowhouse_app;
grant select on rowhouse.attachment to rowhouse_system;

-- A thread is a comment and the replies to it. record_id is a row of the table with table_number. There is no foreign key to it: a record that
-- comes back from the trash has its comments again, and purging deletes them. text is '' and deleted_at is set in the first comment of a
-- thread that was deleted and has replies; any other comment that is deleted is gone.
create table rowhouse.comment (
	org_id       uuid        not null references rowhouse.organization on delete cascade,
	id           uuid        not null,                  -- v7: in order of time
	table_number integer     not null,
	record_id    uuid        not null,
	thread_id    uuid        not null,                  -- the thread's first comment, which may be this one
	person_id    uuid        not null,                  -- the author, who may have left
	credential   text        not null,                  -- its public id: an agent may have written in the name of the author
	text         text        not null,
	mentions     uuid[]      not null default '{}',     -- people, in the order of the text
	created_at   timestamptz not null default clock_timestamp(),
	edited_at    timestamptz,
	deleted_at   timestamptz,
	resolved_at  timestamptz,                           -- of the thread, in its first comment
	resolved_by  uuid,
	primary key (org_id, id),
	constraint comment_thread foreign key (org_id, thread_id) references rowhouse.comment on delete cascade
);
create index comment_by_record on rowhouse.comment (org_id, table_number, record_id, thread_id, id);
create index comment_by_thread on rowhouse.comment (org_id, thread_id, id);
select gate.protect('rowhouse.comment');
select gate.protect_system('rowhouse.comment');
grant select, insert, update, delete on rowhouse.comment to rowhouse_app;
-- The job that removes comments of purged records only finds its organizations.
grant select (org_id) on rowhouse.comment to rowhouse_system;

-- A notice notifies one person of one comment: in the inbox, by mail, or both. A person who leaves the organization
-- loses theirs.
create table rowhouse.comment_notice (
	org_id     uuid        not null,
	id         uuid        not null,                    -- v7: in order of time
	person_id  uuid        not null,
	comment_id uuid        not null,
	reason     text        not null constraint comment_notice_reason_known check (reason in ('mention', 'reply')),
	in_inbox   boolean     not null,
	by_mail    boolean     not null,
	read_at    timestamptz,
	primary key (org_id, id),
	constraint comment_notice_once unique (org_id, comment_id, person_id),
	constraint comment_notice_member foreign key (org_id, person_id) references rowhouse.member on delete cascade,
	constraint comment_notice_comment foreign key (org_id, comment_id) references rowhouse.comment on delete cascade
);
create index comment_notice_inbox on rowhouse.comment_notice (org_id, person_id, id) where in_inbox;
create index comment_notice_unread on rowhouse.comment_notice (org_id, person_id, id) where in_inbox and read_at is null;
select gate.protect('rowhouse.comment_notice');
grant select, insert, update, delete on rowhouse.comment_notice to rowhouse_app;

-- What a member wants to be notified of. A member without a row wants both.
create table rowhouse.notification_setting (
	org_id    uuid    not null,
	person_id uuid    not null,
	inbox     boolean not null,
	mail      boolean not null,
	primary key (org_id, person_id),
	constraint notification_setting_member foreign key (org_id, person_id) references rowhouse.member on delete cascade
);
select gate.protect('rowhouse.notification_setting');
grant select, insert, update on rowhouse.notification_setting to rowhouse_app;

create table rowhouse.webhook (
	org_id           uuid        not null references rowhouse.organization on delete cascade,
	id               uuid        not null,
	base_id          uuid        not null,
	name             text        not null,
	url              text        not null,
	table_ids        uuid[],                          -- null: all, and the base itself
	kinds            smallint[],                      -- null: all
	field_ids        uuid[],                          -- null: all; else updates of other fields are not sent
	condition        text,                            -- a filter of records as the API reads it, of the only table in table_ids; null: none
	include_values   boolean     not null,
	secret           bytea       not null,            -- encrypted
	old_secret       bytea,                           -- encrypted; signs as well until old_secret_until
	old_secret_until timestamptz,
	sealed_with      bytea       not null,            -- which of the service's secrets encrypted both
	created_by       uuid        not null,
	owner_id         uuid        not null,            -- whose rights the webhook has: who enabled it last
	created_at       timestamptz not null default now(),
	position         text        not null,            -- in the feed: what is before is in a delivery, or was not to be sent
	enabled          boolean     not null default true,
	disabled_reason  text constraint webhook_disabled_reason_known check (disabled_reason in
		('paused', 'gone', 'failing', 'owner', 'history', 'filter')),
	notice_due       boolean     not null default false, -- its makers get a mail that it was disabled
	failing_since    timestamptz,                     -- the first failure since something was delivered
	-- The process that works on it. The owner of the lease checks again if queued_at was set meanwhile.
	queued_at        timestamptz,
	lease            uuid,
	leased_until     timestamptz,
	looked_at        timestamptz,
	next_attempt_at  timestamptz,                     -- the next delivery is not tried before
	slow             boolean     not null default false,
	primary key (org_id, id),
	constraint webhook_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
) with (fillfactor = 70);
create index webhook_by_base on rowhouse.webhook (org_id, base_id);
create index webhook_notice on rowhouse.webhook (org_id) where notice_due;
select gate.protect('rowhouse.webhook');
select gate.protect_system('rowhouse.webhook');
select gate.hide_deleted('rowhouse.webhook');
grant select, insert, update, delete on rowhouse.webhook to rowhouse_app;
-- The job queue finds which webhooks to check and whom to mail, and neither addresses nor secrets.
grant select (org_id, id, base_id, name, created_by, owner_id, enabled, disabled_reason, notice_due, queued_at, leased_until, looked_at, next_attempt_at,
	slow), update (queued_at, notice_due) on rowhouse.webhook to rowhouse_system;

-- A part of the feed that is, or was, one message. Its text is not kept: it is read from the log for each attempt.
create table rowhouse.webhook_delivery (
	org_id          uuid        not null references rowhouse.organization on delete cascade,
	webhook_id      uuid        not null,
	id              uuid        not null,             -- v7: in the order of the feed
	from_position   text        not null,
	to_position     text        not null,
	changes         integer     not null,
	state           text        not null constraint webhook_delivery_state_known check (state in ('pending', 'delivered', 'failed')),
	again           boolean     not null default false, -- a person wants it sent again
	attempts        integer     not null default 0,
	created_at      timestamptz not null default now(),
	attempted_at    timestamptz,
	next_attempt_at timestamptz,
	status          integer,                          -- of the last answer; null: there was none
	answer          text,                             -- the beginning of its body
	failure         text,                             -- why there was no answer
	milliseconds    integer,
	primary key (org_id, webhook_id, id),
	constraint webhook_delivery_webhook foreign key (org_id, webhook_id) references rowhouse.webhook on delete cascade
);
create index webhook_delivery_open on rowhouse.webhook_delivery (org_id, webhook_id, id) where state = 'pending' or again;
select gate.protect('rowhouse.webhook_delivery');
grant select, insert, update, delete on rowhouse.webhook_delivery to rowhouse_app;

-- ---------------------------------------------------------------------------------------------------------------------
-- Jobs

-- What takes longer than a request: imports and exports (package transfer). A job runs as its person, with the rights of that moment.
create table rowhouse.job (
	org_id       uuid        not null references rowhouse.organization on delete cascade,
	id           uuid        not null,
	kind         text        not null constraint job_kind_known check (kind in
		('export_table', 'export_base', 'import_table', 'import_base', 'import_airtable', 'import_archive', 'duplicate_base',
			'duplicate_table', 'backup_base', 'import_product')),
	state        text        not null default 'queued' constraint job_state_known check (state in
		('queued', 'running', 'done', 'failed', 'cancelled')),
	person_id    uuid        not null,
	base_id      uuid constraint job_base_known check (base_id is not null or kind = 'import_archive'), -- null: not made yet
	table_id     uuid,
	caller       jsonb       not null,             -- the credential with which it was asked for, as far as it limits the job
	request      jsonb       not null,
	step         integer     not null default 0,   -- how many steps are done, each in one transaction with what it writes
	progress     jsonb       not null default '{}', -- what the next step needs of those before
	done         bigint      not null default 0,   -- rows
	total        bigint,                           -- null: not known yet
	report       jsonb,
	file_id      uuid,                             -- the result
	change_set   uuid,
	cancelled    boolean     not null default false, -- somebody wants it to end
	-- The worker that has it. A lease that is not renewed ends, and another worker goes on.
	lease        uuid,
	leased_until timestamptz,
	attempts     integer     not null default 0,   -- that failed since the last step
	not_before   timestamptz,
	queued_at    timestamptz default now(),        -- null: to be queued
	created_at   timestamptz not null default now(),
	started_at   timestamptz,
	ended_at     timestamptz,
	secret       bytea constraint job_secret_ends_with_it check (secret is null or ended_at is null), -- sealed: a token of another service
	primary key (org_id, id),
	constraint job_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
) with (fillfactor = 70);
create index job_by_base on rowhouse.job (org_id, base_id);
create index job_by_person on rowhouse.job (org_id, person_id, id);
create index job_unfinished on rowhouse.job (org_id, id) where state in ('queued', 'running');
select gate.protect('rowhouse.job');
select gate.protect_system('rowhouse.job');
grant select, insert, update, delete on rowhouse.job to rowhouse_app;
-- The job queue finds which jobs to run, and not what they are about.
grant select (org_id, id, kind, state, leased_until, not_before, queued_at, ended_at), update (queued_at) on rowhouse.job to rowhouse_system;

-- Where the bases of an organization are backed up to each night (package transfer), which an admin has set up.
create table rowhouse.backup_setting (
	org_id      uuid        not null primary key references rowhouse.organization on delete cascade,
	endpoint    text        not null, -- a URL
	region      text        not null default '',
	bucket      text        not null,
	prefix      text        not null default '', -- of the names of objects
	access_key  text        not null,
	secret      bytea       not null, -- sealed: the key's
	keep_days   integer     not null constraint backup_setting_keeps check (keep_days between 1 and 3650),
	recipient   text        not null default '', -- of age; '': archives are not encrypted
	attachments boolean     not null,
	next_at     timestamptz not null,
	changed_by  uuid        not null,
	changed_at  timestamptz not null default now()
);
select gate.protect('rowhouse.backup_setting');
select gate.protect_system('rowhouse.backup_setting');
select gate.hide_deleted('rowhouse.backup_setting');
grant select, insert, update, delete on rowhouse.backup_setting to rowhouse_app;
grant select (org_id, next_at) on rowhouse.backup_setting to rowhouse_system;

-- The backups of bases. A row outlives its base, its job, and the settings, so that the last good backup is known.
create table rowhouse.backup (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	id         uuid        not null,           -- of the job
	base_id    uuid        not null,
	base_name  text        not null,
	state      text        not null default 'running' constraint backup_state_known check (state in
		('running', 'ok', 'failed')),
	store      text        not null,           -- the endpoint and the bucket
	object     text        not null,           -- its name there
	encrypted  boolean     not null,
	uploaded   boolean     not null default false,
	bytes      bigint      not null default 0, -- of the object
	sha256     text        not null default '',
	tables     integer     not null default 0, -- what was restored
	records    bigint      not null default 0,
	files      bigint      not null default 0,
	message    text        not null default '', -- why it failed, or what differs
	person_id  uuid,                           -- who asked for it; null: it was time
	started_at timestamptz not null default now(),
	ended_at   timestamptz,
	deleted_at timestamptz,                    -- of the object
	primary key (org_id, id)
);
create index backup_by_base on rowhouse.backup (org_id, base_id, id);
select gate.protect('rowhouse.backup');
grant select, insert, update, delete on rowhouse.backup to rowhouse_app;

-- Notices of admins in their inboxes: of backups that have failed.
create table rowhouse.backup_notice (
	org_id    uuid not null,
	id        uuid not null, -- v7: in order of time
	person_id uuid not null,
	backup_id uuid not null,
	read_at   timestamptz,
	primary key (org_id, id),
	constraint backup_notice_once unique (org_id, backup_id, person_id),
	constraint backup_notice_member foreign key (org_id, person_id) references rowhouse.member on delete cascade,
	constraint backup_notice_backup foreign key (org_id, backup_id) references rowhouse.backup on delete cascade
);
create index backup_notice_inbox on rowhouse.backup_notice (org_id, person_id, id);
select gate.protect('rowhouse.backup_notice');
grant select, insert, update, delete on rowhouse.backup_notice to rowhouse_app;

-- What has come from another product into a base, of which Airtable was the first: their ids, ours, and what was brought, so
-- that another import brings the changes.
create table rowhouse.airtable_item (
	org_id      uuid        not null,
	base_id     uuid        not null,
	airtable_id text        not null,
	kind        text        not null constraint airtable_item_kind_known check (kind in
		('base', 'table', 'field', 'view', 'record', 'file', 'comment')),
	parent      text        not null default '', -- the Airtable id of the table, or of a comment's record
	object_id   uuid        not null,            -- ours; of a base, the base itself
	brought     jsonb       not null default '{}', -- of a record, a hash of each cell by the field's Airtable id
	links       jsonb,                           -- cells of links that are still to be written
	files       jsonb,                           -- cells of attachments that are still to be written
	comments    integer     not null default 0,  -- how many were brought
	wanted      integer     not null default 0,  -- how many there are
	seen        uuid,                            -- the job that met it last
	primary key (org_id, base_id, airtable_id),
	constraint airtable_item_base foreign key (org_id, base_id) references rowhouse.base on delete cascade
);
create index airtable_item_by_parent on rowhouse.airtable_item (org_id, base_id, parent, kind);
create index airtable_item_by_object on rowhouse.airtable_item (org_id, base_id, object_id);
create index airtable_item_links on rowhouse.airtable_item (org_id, base_id, parent, airtable_id) where links is not null;
create index airtable_item_files on rowhouse.airtable_item (org_id, base_id, parent, airtable_id) where files is not null;
create index airtable_item_comments on rowhouse.airtable_item (org_id, base_id, parent, airtable_id) where wanted <> comments;
select gate.protect('rowhouse.airtable_item');
grant select, insert, update, delete on rowhouse.airtable_item to rowhouse_app;

-- The queue of background jobs (package job): the tables of github.com/riverqueue/river as its migrations 1 to 8 leave them, in a schema of
-- their own. A job belongs to no organization. Only the system role reaches the queue: the roles of tenants have no grant, and the policy keeps
-- them out even if somebody grants them one.
create schema river;
grant usage on schema river to rowhouse_system;
create type river.river_job_state as enum (
	'available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', 'running', 'scheduled'
);
create function river.river_job_state_in_bitmask(bitmask bit(8), state river.river_job_state) returns boolean
language sql immutable as $$
	select case state
		when 'available' then get_bit(bitmask, 7)
		when 'cancelled' then get_bit(bitmask, 6)
		when 'completed' then get_bit(bitmask, 5)
		when 'discarded' then get_bit(bitmask, 4)
		when 'pending'   then get_bit(bitmask, 3)
		when 'retryable' then get_bit(bitmask, 2)
		when 'running'   then get_bit(bitmask, 1)
		when 'scheduled' then get_bit(bitmask, 0)
		else 0
	end = 1
$$;

create table river.river_job (
	id            bigserial              primary key,
	state         river.river_job_state  not null default 'available',
	attempt       smallint               not null default 0,
	max_attempts  smallint               not null default 25,
	attempted_at  timestamptz,
	created_at    timestamptz            not null default now(),
	finalized_at  timestamptz,
	scheduled_at  timestamptz            not null default now(),
	priority      smallint               not null default 1,
	args          jsonb                  not null,
	attempted_by  text[],
	errors        jsonb[],
	kind          text                   not null,
	metadata      jsonb                  not null default '{}',
	queue         text                   not null default 'default',
	tags          varchar(255)[]         not null default '{}',
	unique_key    bytea,
	unique_states bit(8),
	constraint finalized_or_finalized_at_null check (
		(finalized_at is null and state not in ('cancelled', 'completed', 'discarded'))
		or (finalized_at is not null and state in ('cancelled', 'completed', 'discarded'))),
	constraint max_attempts_is_positive check (max_attempts > 0),
	constraint priority_in_range check (priority >= 1 and priority <= 4),
	constraint queue_length check (char_length(queue) > 0 and char_length(queue) < 128),
	constraint kind_length check (char_length(kind) > 0 and char_length(kind) < 128)
);
create index river_job_kind on river.river_job (kind);
create index river_job_state_and_finalized_at_index on river.river_job (state, finalized_at) where finalized_at is not null;
create index river_job_prioritized_fetching_index on river.river_job (state, queue, priority, scheduled_at, id);
create index river_job_args_index on river.river_job using gin (args);
create index river_job_metadata_index on river.river_job using gin (metadata);
create unique index river_job_unique_idx on river.river_job (unique_key)
	where unique_key is not null and unique_states is not null and river.river_job_state_in_bitmask(unique_states, state);
select gate.protect_system('river.river_job');

create unlogged table river.river_leader (
	elected_at timestamptz not null,
	expires_at timestamptz not null,
	leader_id  text        not null,
	name       text        primary key default 'default',
	constraint name_length check (name = 'default'),
	constraint leader_id_length check (char_length(leader_id) > 0 and char_length(leader_id) < 128)
);
select gate.protect_system('river.river_leader');

create table river.river_queue (
	name       text        primary key,
	created_at timestamptz not null default now(),
	metadata   jsonb       not null default '{}',
	paused_at  timestamptz,
	updated_at timestamptz not null default current_timestamp
);
select gate.protect_system('river.river_queue');

create table river.river_notification (
	id         bigserial   primary key,
	created_at timestamptz not null default now(),
	payload    text        not null,
	topic      text        not null,
	constraint topic_length check (length(topic) > 0 and length(topic) < 128)
);
create index river_notification_created_at_idx on river.river_notification (created_at);
create index river_notification_topic_id_idx on river.river_notification (topic, id);
select gate.protect_system('river.river_notification');

-- What the library knows its version by; a test compares it with the library's own migrations.
create table river.river_migration (
	line       text        not null,
	version    bigint      not null,
	created_at timestamptz not null default now(),
	constraint line_length check (char_length(line) > 0 and char_length(line) < 128),
	constraint version_gte_1 check (version >= 1),
	primary key (line, version)
);
insert into river.river_migration (line, version) select 'main', generate_series(1, 8);
select gate.protect_system('river.river_migration');

grant select, insert, update, delete on river.river_job, river.river_leader, river.river_queue, river.river_notification to rowhouse_system;
grant select on river.river_migration to rowhouse_system;
grant usage on all sequences in schema river to rowhouse_system;
revoke execute on all functions in schema river from public;
grant execute on all functions in schema river to rowhouse_system;

-- ---------------------------------------------------------------------------------------------------------------------
-- Statistics

-- The planner's estimates of a table that organizations share come from everybody's rows, because = and < of these
-- types are leakproof. EXPLAIN with one condition after another would reveal the values in the statistics. So there
-- are no statistics of what people wrote and of secrets. A migration that adds such a column does the same.
do $$
declare
	found record;
begin
	for found in
		select a.attrelid::regclass as rel, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
		where c.relnamespace = 'rowhouse'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
			and has_column_privilege('rowhouse_app', c.oid, a.attnum, 'select')
			and (a.attname in ('name', 'email', 'share_id', 'token_hash', 'sha256', 'url', 'text', 'record_id', 'answer', 'failure',
				'base_name', 'message', 'access_key')
				or a.atttypid = 'jsonb'::regtype)
	loop
		execute format('alter table %s alter column %I set statistics 0', found.rel, found.attname);
	end loop;
	for found in
		select a.attrelid::regclass as rel, a.attnum from pg_attribute a join pg_index i on i.indexrelid = a.attrelid
		join pg_class c on c.oid = i.indrelid
		where c.relnamespace = 'rowhouse'::regnamespace and i.indkey[a.attnum - 1] = 0
	loop
		execute format('alter index %s alter column %s set statistics 0', found.rel, found.attnum);
	end loop;
end
$$;
