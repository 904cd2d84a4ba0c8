-- The marks of an organization, org_….stale_mark: what changed after what is computed from it was.

-- add_stale_marks creates the table of an organization's marks unless it exists, and the functions of the triggers that write them. source is the
-- number of the field of a record that changed, or a negative number for links. Marks are only added and deleted, and need no unique key but
-- their numbers, so that writers never wait for one another.
create or replace function gate.add_stale_marks(org uuid, schema_name text) returns void language plpgsql as $$
begin
	if to_regclass(format('%I.stale_mark', schema_name)) is not null then
		return;
	end if;
	execute format('create table %I.stale_mark (
		id     bigint  not null generated always as identity,
		source integer not null,
		record uuid    not null,
		primary key (source, id)
	) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.0, autovacuum_analyze_threshold = 1000000000)', schema_name);
	perform gate.protect_records(to_regclass(format('%I.stale_mark', schema_name)), org);
	-- mark_record marks a record. Its argument is the source.
	execute format('create or replace function %1$I.mark_record() returns trigger language plpgsql as $mark$
		begin
			insert into %1$I.stale_mark (source, record) values (tg_argv[0]::integer, new.id);
			return new;
		end
		$mark$', schema_name);
	-- mark_pairs marks the records on one side of links. Its arguments are the source, and the side.
	execute format('create or replace function %1$I.mark_pairs() returns trigger language plpgsql as $mark$
		begin
			if tg_argv[1] = ''a'' then
				insert into %1$I.stale_mark (source, record) select tg_argv[0]::integer, p.a from changed p group by p.a;
			else
				insert into %1$I.stale_mark (source, record) select tg_argv[0]::integer, p.b from changed p group by p.b;
			end if;
			return null;
		end
		$mark$', schema_name);
end
$$;
