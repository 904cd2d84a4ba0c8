-- The authorization server: clients, grants, consents, signing keys. A new table set: the binary before it does not know it.
-- All of it comes before an organization is known, so it stands behind the system door alone.

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
select gate.wall_system('rowhouse.oauth_client');
grant select, insert, update, delete on rowhouse.oauth_client to rowhouse_system;

-- A grant is what a person allowed a client: it begins as a code, and is then the family of every token that came of it. One
-- row holds the one code and the one live refresh token, so neither can fork.
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
	revoked_why    text
) with (fillfactor = 80);
create index oauth_grant_person on rowhouse.oauth_grant (person_id, client_id);
create index oauth_grant_client on rowhouse.oauth_grant (client_id);
select gate.wall_system('rowhouse.oauth_grant');
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
select gate.wall_system('rowhouse.oauth_question');
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
select gate.wall_system('rowhouse.oauth_consent');
grant select, insert, update, delete on rowhouse.oauth_consent to rowhouse_system;

-- Client assertions that were used (RFC 7523 section 3, jti), until they expire by themselves.
create table rowhouse.oauth_assertion (
	jti_hash   bytea       primary key,
	expires_at timestamptz not null
);
create index oauth_assertion_expiry on rowhouse.oauth_assertion (expires_at);
select gate.wall_system('rowhouse.oauth_assertion');
grant select, insert, update, delete on rowhouse.oauth_assertion to rowhouse_system;

create table rowhouse.oauth_signing_key (
	kid         text        primary key,
	state       text        not null constraint oauth_signing_key_state check (state in ('next', 'active', 'retiring')),
	sealed      bytea       not null,         -- the private key, encrypted with a key from the configuration
	created_at  timestamptz not null,
	active_at   timestamptz,
	retiring_at timestamptz
);
create unique index oauth_signing_key_single on rowhouse.oauth_signing_key (state) where state in ('next', 'active');
select gate.wall_system('rowhouse.oauth_signing_key');
grant select, insert, update, delete on rowhouse.oauth_signing_key to rowhouse_system;
