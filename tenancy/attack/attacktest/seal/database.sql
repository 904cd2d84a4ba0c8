-- The logins and their right to connect, which is all that a copy of a database lacks.
do $$
declare
	door record;
begin
	for door in select * from (values ('request', 'rowhouse_app'), ('schema', 'rowhouse_owner'),
		('system', 'rowhouse_system'), ('job', 'rowhouse_system')) d(login, role)
	loop
		if not exists (select from pg_roles where rolname = '{login}_' || door.login) then
			execute format('create role %I login noinherit nobypassrls password %L', '{login}_' || door.login, '{password}');
			execute format('grant %I to %I', door.role, '{login}_' || door.login);
		end if;
		execute format('grant connect on database %I to %I', current_database(), '{login}_' || door.login);
	end loop;
	execute format('grant create, temporary on database %I to rowhouse_owner', current_database());
	execute format('revoke connect, temporary on database %I from public', current_database());
end
$$;
