-- The device authorization grant (RFC 8628; authz/oauth).
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
