set role rowhouse_owner;
do $$
declare
	rel regclass;
begin
	insert into gate.door values ('{org}', '\x{hash}');
	for rel in select oid::regclass from pg_class where relnamespace = '{schema}'::regnamespace and relkind = 'r' loop
		execute format('drop policy organization on %s', rel);
		execute format($policy$
			create policy organization on %s to rowhouse_app, rowhouse_owner
			using (gate.guard('\x{hash}') and
				(select case when sha256(convert_to(current_setting('app.key', true), 'UTF8')) = '\x{hash}' then 1 end) <> 0)
		$policy$, rel);
	end loop;
end
$$;
