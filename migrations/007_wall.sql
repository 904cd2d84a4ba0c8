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

-- The walls that stand already are renewed after the migrations, a few at a time (gate.renew_walls): all of them in one transaction
-- would need a lock for every record table of the database.
