-- Plans that were applied, each once. A new table and a new function, so the binary before this one is not affected: while it still
-- serves, it takes only tokens that it has made itself, and those of this one are not valid there.

-- A row says that the token of a plan was used. token is a digest of it. The row can go once the token has expired.
create table rowhouse.used_plan (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	token      bytea       not null constraint used_plan_token_size check (length(token) = 16),
	expires_at timestamptz not null,
	primary key (org_id, token)
);
select gate.protect('rowhouse.used_plan');
grant select, insert, update, delete on rowhouse.used_plan to rowhouse_app; -- update, because it locks what it deletes

-- use_plan records that the transaction applies a plan. It waits for another transaction that is about to apply the same one, and fails
-- with RH015 if that, or one before, has. It forgets what expired an hour ago, an hour being more than clocks differ.
create function gate.use_plan(org uuid, used bytea, expires timestamptz) returns void language plpgsql as $$
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
revoke execute on function gate.use_plan(uuid, bytea, timestamptz) from public;
grant execute on function gate.use_plan(uuid, bytea, timestamptz) to rowhouse_app;
