-- The planner took the wall of a record table, an equality with what it cannot know, for a condition that one row in two hundred
-- meets, and read whole tables where an index would have given it the first page. It takes an inequality for one that nearly
-- every row meets. The sub-select yields 1 in the table's own organization and null elsewhere; it is still evaluated once for a
-- query. The binary before this one reads and writes through either wall.
create or replace function gate.wall_record(rel regclass, org uuid) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format($policy$
		create policy organization on %s to rowhouse_app, rowhouse_owner
		using ((select case when current_setting('app.org_id', true) = %L then 1 end) <> 0)
	$policy$, rel, org);
	execute format('create policy search on %s for select to rowhouse_search using (true)', rel);
	execute format('grant select, insert, update, delete on %s to rowhouse_app', rel);
	execute format('grant select on %s to rowhouse_search', rel);
end
$$;

-- The walls that stand already.
do $$
declare
	wall record;
begin
	for wall in
		select c.oid::regclass as rel, substring(pg_get_expr(p.polqual, p.polrelid) from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}') as org
		from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
		where p.polname = 'organization' and n.nspname like 'org\_%'
	loop
		execute format('alter policy organization on %s using ((select case when current_setting(''app.org_id'', true) = %L then 1 end) <> 0)',
			wall.rel, wall.org);
	end loop;
end
$$;
