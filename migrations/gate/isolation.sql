-- Isolation of organizations: which organization a transaction belongs to, and the policies that compare it.

-- organization returns the organization of the transaction: app.org_id, if app.key is its key. Without a key it returns null. With a wrong
-- key it fails, because empty answers would look like lost data.
create or replace function gate.organization() returns uuid language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
	org    uuid := nullif(current_setting('app.org_id', true), '')::uuid;
	secret text := nullif(current_setting('app.key', true), '');
begin
	if secret is null then
		return null;
	end if;
	if not exists (select from rowhouse.organization_key k where k.org_id = org and k.hash = sha256(convert_to(secret, 'UTF8'))) then
		raise exception 'the key is not that of the organization' using errcode = 'RH020';
	end if;
	return org;
end
$$;

-- admit fails unless the key of the transaction has the given hash. It is declared immutable so that the planner evaluates it: a stranger's
-- statement about a record table then fails before it is planned, so that not even EXPLAIN shows an estimate. The policy does not rely on it,
-- because a plan may be reused.
create or replace function gate.admit(hash bytea) returns boolean language plpgsql immutable parallel safe as $$
begin
	if sha256(convert_to(coalesce(current_setting('app.key', true), ''), 'UTF8')) is distinct from hash then
		raise exception 'the key is not that of the table''s organization' using errcode = 'RH020';
	end if;
	return true;
end
$$;

-- protect enables row-level security on a metadata table: a row is visible in transactions of its organization. This and protect_records are the
-- only places that write a policy for tenant data. The sub-select is evaluated once per query.
create or replace function gate.protect(rel regclass) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (org_id = (select gate.organization()))', rel);
end
$$;

-- protect_system lets the system role, which works before an organization is known, see all rows of a metadata table. A table without an
-- organization has this policy only.
create or replace function gate.protect_system(rel regclass) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy system on %s to rowhouse_system using (true)', rel);
end
$$;

-- hide_deleted hides the rows of organizations that have been deleted and can still be restored (rowhouse.deleted_organization). It is for the
-- tables by which an organization is found or wakes by itself: without their rows, nobody and no job reaches the rest.
create or replace function gate.hide_deleted(rel regclass) returns void language plpgsql as $$
begin
	execute format('create policy deleted on %s as restrictive to rowhouse_app, rowhouse_system '
		'using (not exists (select from rowhouse.deleted_organization d where d.org_id = %1$s.org_id))', rel);
end
$$;

-- record_policy returns the condition of the policy of an organization's record tables. The second half is a sub-select so that it is
-- evaluated once per query, and an inequality because the planner assumes that nearly every row satisfies one.
create or replace function gate.record_policy(org uuid) returns text language plpgsql stable as $$
declare
	key_hash bytea := (select k.hash from rowhouse.organization_key k where k.org_id = org);
begin
	if key_hash is null then
		raise exception 'organization % has no key', org;
	end if;
	return format('gate.admit(%1$L::bytea) and (select case when sha256(convert_to(current_setting(''app.key'', true), ''UTF8'')) = %1$L::bytea '
		'then 1 end) <> 0', key_hash);
end
$$;

-- protect_records enables row-level security on a record table. The table belongs to one organization as a whole and has no organization
-- column, so the policy is a constant that the planner evaluates once per query.
create or replace function gate.protect_records(rel regclass, org uuid) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, gate.record_policy(org));
	execute format('grant select, insert, update, delete on %s to rowhouse_app', rel);
	if left(split_part(rel::text, '.', 2), 2) in ('t_', 'l_') then
		execute format('create policy search on %s for select to rowhouse_search using (true)', rel);
		execute format('grant select on %s to rowhouse_search', rel);
	end if;
end
$$;

-- rewrite_policies gives the policies of an organization's tables the hash of its present key.
create or replace function gate.rewrite_policies(org uuid, schema_name text) returns void language plpgsql as $$
declare
	rel regclass;
begin
	for rel in
		select c.oid from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = schema_name and p.polname = 'organization' order by c.oid
	loop
		execute format('alter policy organization on %s using (%s)', rel, gate.record_policy(org));
	end loop;
end
$$;
