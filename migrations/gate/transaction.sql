-- What a transaction asserts: conditions, the version of a schema, the one use of a plan or of a request.

create or replace function gate.raise(state text) returns boolean language plpgsql as $$
begin
	raise exception 'a condition of the transaction does not hold' using errcode = state;
end
$$;

-- assert ends the transaction with the given SQLSTATE unless the condition holds. The planner inlines it; raise is called only on failure.
create or replace function gate.assert(fact boolean, state text) returns boolean language sql
return case when fact then true else gate.raise(state) end;

-- hold_table keeps the schema of a table from changing until the transaction ends, and fails if its version is not the known one.
create or replace function gate.hold_table(table_number integer, known_version bigint) returns void language plpgsql as $$
begin
	perform pg_advisory_xact_lock_shared(20737, table_number);
	if not exists (
		select from rowhouse.data_table t
		where t.org_id = (select gate.organization()) and t.number = table_number and t.version = known_version)
	then
		raise exception 'the schema of table % has changed', table_number using errcode = 'RH001';
	end if;
end
$$;

-- complete_request marks the work of an idempotent request as done, in the transaction that does it. It fails with RH010 if another run
-- has taken the reservation over.
create or replace function gate.complete_request(run uuid) returns void language plpgsql as $$
begin
	perform set_config('app.attempt', run::text, true);
	update rowhouse.idempotency set done_at = coalesce(done_at, clock_timestamp()) where attempt = run;
	if not found then
		raise exception 'the request is being run by another' using errcode = 'RH010';
	end if;
end
$$;

-- use_plan records that the transaction applies a plan. It waits for another transaction that is about to apply the same one, and fails
-- with RH015 if that, or one before, has. It forgets what expired an hour ago, an hour being more than clocks differ.
create or replace function gate.use_plan(org uuid, used bytea, expires timestamptz) returns void language plpgsql as $$
begin
	insert into rowhouse.used_plan (org_id, token, expires_at) values (org, used, expires) on conflict do nothing;
	if not found then
		raise exception 'the plan was applied before' using errcode = 'RH015';
	end if;
	delete from rowhouse.used_plan where org_id = org and token in (
		select u.token from rowhouse.used_plan u where u.org_id = org and u.expires_at < now() - interval '1 hour'
		limit 100 for update skip locked);
end
$$;
