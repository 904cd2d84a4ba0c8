-- Reading the past counts the records that have come and gone since (docs/decisions/0030-reading-the-past.md), so the index on
-- deletions becomes one on creations, deletions and restorations. The index of existing logs is replaced after this migration, one part
-- at a time and without holding up writers. The binary before this migration reads its deletions from the new index.
-- Some databases have both already, because a version of migration 22 made them; nothing changes there.

-- As before, but for the index presence.
create or replace function gate.add_change_log(schema_name text, policy text) returns void language plpgsql as $$
declare
	name text := format('%I.change', schema_name);
begin
	if exists (select from pg_policy where polrelid = to_regclass(name)) then
		return;
	end if;
	if to_regclass(name) is null then
		execute gate.change_log(schema_name);
	end if;
	execute format('create index change_by_number on %I.change (number)', schema_name);
	execute format('create index presence on %I.change (table_number, kind, number) where kind in (1, 3, 5)', schema_name);
	-- Ids of change sets begin with the time, so they lie on few pages.
	execute format('create index change_by_set on %I.change using brin (change_set) with (pages_per_range = 16, autosummarize = on)', schema_name);
	perform gate.protect_change_log(to_regclass(name), policy);
	perform gate.add_change_months(schema_name);
end
$$;

-- jsonb_merge is the object with the members of all objects; of several with the same name it has the last.
create or replace aggregate gate.jsonb_merge(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}', parallel = safe);
