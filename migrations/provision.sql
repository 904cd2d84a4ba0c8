-- Run by an administrator of the cluster, once for each database and again whenever it is asked for: it changes nothing that
-- is already so. {{login}} and {{password}} are replaced by quoted values. See docs/decisions/0001-doors.md.
do $$
declare
	name text;
begin
	foreach name in array array['rowhouse_app', 'rowhouse_owner', 'rowhouse_system', 'rowhouse_search'] loop
		if not exists (select from pg_roles where rolname = name) then
			begin
				execute format('create role %I nologin noinherit nobypassrls', name);
			exception when duplicate_object or unique_violation then
				null; -- another database of this cluster is being set up at the same moment
			end;
		end if;
	end loop;
	if not exists (select from pg_roles where rolname = {{login}}) then
		begin
			execute format('create role %I login noinherit nobypassrls password %L', {{login}}, {{password}});
		exception when duplicate_object or unique_violation then
			null;
		end;
	end if;
	for name in
		select granted.rolname from pg_roles granted
		where granted.rolname in ('rowhouse_app', 'rowhouse_owner', 'rowhouse_system')
			and not exists (
				select from pg_auth_members m join pg_roles member on member.oid = m.member
				where m.roleid = granted.oid and member.rolname = {{login}})
	loop
		execute format('grant %I to %I', name, {{login}});
	end loop;
	-- The owner hands the search functions over to the role that may only search.
	if not exists (
		select from pg_auth_members m
		where m.roleid = 'rowhouse_search'::regrole and m.member = 'rowhouse_owner'::regrole)
	then
		grant rowhouse_search to rowhouse_owner;
	end if;
	execute format('grant create on database %I to rowhouse_owner', current_database());
end
$$;
create extension if not exists pg_trgm with schema public;
revoke create on schema public from public;
create schema if not exists rowhouse authorization rowhouse_owner;
create schema if not exists gate authorization rowhouse_owner;
