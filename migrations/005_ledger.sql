-- What was done, by whom, and which requests have been answered already. New tables only: the binary before is not affected.

-- ---------------------------------------------------------------------------------------------------------------------
-- The audit log

-- An event is written in the transaction of the change that it tells of. Nobody may change or remove one: not the
-- requests, and not the owner of the table either, unless an administrator of the cluster gives the right back. There is no
-- foreign key to the organization or the person: what happened outlives them.
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
	primary key (org_id, id)
);
select gate.wall('rowhouse.audit_event');
select gate.wall_system('rowhouse.audit_event');
grant select, insert on rowhouse.audit_event to rowhouse_app;
grant insert on rowhouse.audit_event to rowhouse_system;
revoke update, delete, truncate on rowhouse.audit_event from rowhouse_owner;

-- ---------------------------------------------------------------------------------------------------------------------
-- Requests that may be sent again

-- A request with an Idempotency-Key. It belongs to the person, since it may choose its organization only while it runs. The
-- row is reserved before the request runs; the transaction that does the work sets done_at through gate.finish; the answer is
-- kept afterwards.
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
	primary key (org_id, person_id, operation, key_hash)
);
create index idempotency_by_age on rowhouse.idempotency (created_at);
select gate.wall_system('rowhouse.idempotency');
grant select, insert, update, delete on rowhouse.idempotency to rowhouse_system;

-- A transaction that does the work of a request knows the reservation by its attempt, which is random and a capability.
create policy attempt on rowhouse.idempotency to rowhouse_app, rowhouse_owner
	using (attempt = (select nullif(current_setting('app.attempt', true), '')::uuid));
grant select (attempt, done_at), update (done_at) on rowhouse.idempotency to rowhouse_app;

-- finish marks the work of an attempt as done, in the transaction that does it, or fails it when another run has taken the
-- reservation over.
create function gate.finish(run uuid) returns void language plpgsql as $$
begin
	perform set_config('app.attempt', run::text, true);
	update rowhouse.idempotency set done_at = coalesce(done_at, clock_timestamp()) where attempt = run;
	if not found then
		raise exception 'the request is being run by another' using errcode = 'RH010';
	end if;
end
$$;
