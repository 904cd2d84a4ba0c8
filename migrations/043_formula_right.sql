-- The functions of formulas that migrations 39 and 40 made could be called by everybody, and so by the logins of bases,
-- which run SQL that callers write. Only the roles of the service may call them.
do $$
declare
	f regprocedure;
begin
	for f in
		select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
		where n.nspname = 'gate' and p.proname like 'formula\_%'
	loop
		execute format('revoke execute on function %s from public', f);
		execute format('grant execute on function %s to rowhouse_app, rowhouse_owner, rowhouse_system, rowhouse_search', f);
	end loop;
end
$$;
