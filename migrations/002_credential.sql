-- What people sign in and call with: API keys, sessions, and the tokens that are mailed to them. They belong to a person and
-- not to an organization, so only the system door reaches them. New tables only: the binary before is not affected.

create table rowhouse.api_key (
	id           uuid        primary key,
	person_id    uuid        not null references rowhouse.person on delete cascade,
	name         text        not null,
	secret_hash  bytea       not null constraint api_key_hash_size check (length(secret_hash) = 32),
	prefix       text        not null,          -- of the value, shown so that a person can tell keys apart
	last_four    text        not null,
	scopes       text[]      not null constraint api_key_scopes_some check (cardinality(scopes) > 0),
	-- What the key is narrowed to. No foreign keys: a key must not grow when what it was narrowed to is deleted.
	only_org     uuid,
	only_bases   uuid[]      constraint api_key_bases_some check (cardinality(only_bases) > 0),
	created_at   timestamptz not null default now(),
	expires_at   timestamptz,
	revoked_at   timestamptz,
	last_used_at timestamptz,
	replaced_by  uuid,                          -- set by a rotation
	constraint api_key_secret unique (secret_hash),
	constraint api_key_bases_of_org check (only_bases is null or only_org is not null)
);
create index api_key_by_person on rowhouse.api_key (person_id);
select gate.wall_system('rowhouse.api_key');
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
select gate.wall_system('rowhouse.session');
grant select, insert, update, delete on rowhouse.session to rowhouse_system;

-- A token that proves that a mail was received. It works once, and only while the person still has that address.
create table rowhouse.mailed_token (
	token_hash bytea       primary key constraint mailed_token_hash_size check (length(token_hash) = 32),
	person_id  uuid        not null references rowhouse.person on delete cascade,
	purpose    text        not null constraint mailed_token_purpose check (purpose in ('verify', 'reset')),
	email      text        not null,
	created_at timestamptz not null default now(),
	expires_at timestamptz not null
);
create index mailed_token_by_person on rowhouse.mailed_token (person_id);
select gate.wall_system('rowhouse.mailed_token');
grant select, insert, update, delete on rowhouse.mailed_token to rowhouse_system;
