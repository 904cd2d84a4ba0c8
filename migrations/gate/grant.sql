-- Who may call the functions of the schema gate. PostgreSQL lets everybody call a new one.

-- Only the owner writes policies, numbers tables, and creates and drops what belongs to an organization.
revoke execute on function gate.protect(regclass), gate.protect_system(regclass), gate.protect_records(regclass, uuid), gate.record_policy(uuid),
	gate.rewrite_policies(uuid, text), gate.next_table_number(), gate.add_record_count(uuid, text), gate.add_stale_marks(uuid, text),
	gate.attach_trigger(regclass, name, text),
	gate.restore_rows(regclass, jsonb), gate.change_log(text), gate.protect_change_log(regclass, text), gate.add_change_months(text),
	gate.add_change_log(text, text), gate.prepare_change_log(uuid, text), gate.drop_stale_indexes(oid, integer),
	gate.drop_sql_schemas(text[]), gate.release_sql(regclass), gate.drop_sql_base()
	from public, rowhouse_app, rowhouse_system, rowhouse_search;

revoke execute on function gate.use_plan(uuid, bytea, timestamptz) from public;
grant execute on function gate.use_plan(uuid, bytea, timestamptz) to rowhouse_app;

-- What the login of a base, which runs SQL that callers write, may call is what its views need. The roles of the service may call the others.
-- hold_table is called in the statement that takes the role, so the logins need the right themselves; it reads with the rights of its caller. On
-- Citus there are no such logins.
do $$
declare
	found regprocedure;
begin
	if exists (select from pg_extension where extname = 'citus') then
		return;
	end if;
	for found in
		select p.oid from pg_proc p cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
		where p.pronamespace = 'gate'::regnamespace and p.proowner = 'rowhouse_owner'::regrole and a.grantee = 0
			and p.proname not in ('admit', 'organization', 'record_id', 'user_id', 'hold_table')
	loop
		execute format('revoke execute on function %s from public', found);
		execute format('grant execute on function %s to rowhouse_app, rowhouse_owner, rowhouse_system, rowhouse_search', found);
	end loop;
end
$$;
