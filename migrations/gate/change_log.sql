-- The log of changes of an organization, org_….change: one row for each transaction and table.

-- draw_change makes the number of the transaction's changes larger than another one.
create or replace function gate.draw_change(above bigint) returns text language sql as $$
	select set_config('app.change', greatest(above + 1, current_setting('app.change')::bigint)::text, true)
$$;

-- change_month returns the bounds of the change numbers of a month. A number is a time in microseconds since 1970.
create or replace function gate.change_month(month date, out low bigint, out high bigint) language sql immutable as $$
	select (extract(epoch from date_trunc('month', month::timestamp)) * 1000000)::bigint,
		(extract(epoch from date_trunc('month', month::timestamp) + interval '1 month') * 1000000)::bigint
$$;

-- change_log returns the statement that creates the table of an organization's log.
create or replace function gate.change_log(schema_name text) returns text language sql immutable as $$
	-- number is that of the transaction. kind: 1 created, 2 updated, 3 deleted, 4 linked from another record, 5 restored, 10 a change of the
	-- schema, which has no records. request is null if its id is that of the change set. previous and before are in the order of records: the
	-- number of the change before, and what stood in the changed columns, f_ and the number of the field. Of a creation both are null.
	select format('create table %I.change (
		number       bigint   not null,
		change_set   uuid     not null,
		person       uuid,
		table_number integer  not null,
		kind         smallint not null,
		credential   text     not null,
		request      text,
		records      uuid[]   not null,
		previous     bigint[],
		before       jsonb
	) partition by range (number)', schema_name)
$$;

-- protect_change_log lets requests of the organization read its log and add to it. policy is the condition of the organization's policy.
create or replace function gate.protect_change_log(rel regclass, policy text) returns void language plpgsql as $$
begin
	execute format('alter table %s enable row level security', rel);
	execute format('alter table %s force row level security', rel);
	execute format('create policy organization on %s to rowhouse_app, rowhouse_owner using (%s)', rel, policy);
	execute format('grant select, insert on %s to rowhouse_app', rel);
end
$$;

-- add_change_months creates the parts of an organization's log in which the changes of today and tomorrow (in UTC) belong. A part grants
-- nothing to anybody: all access is through the whole table, whose policy holds.
create or replace function gate.add_change_months(schema_name text) returns void language plpgsql as $$
declare
	month  date;
	bounds record;
	part   text;
begin
	foreach month in array array[(now() at time zone 'utc')::date, (now() at time zone 'utc' + interval '1 day')::date] loop
		part := format('%I.%I', schema_name, 'change_' || to_char(month, 'YYYY_MM'));
		if to_regclass(part) is null then
			bounds := gate.change_month(month);
			execute format('create table %s partition of %I.change for values from (%s) to (%s)', part, schema_name, bounds.low, bounds.high);
			execute format('alter table %s enable row level security', part);
			execute format('alter table %s force row level security', part);
		end if;
	end loop;
end
$$;

-- add_change_log creates an organization's log of changes unless it exists. policy is the condition of the organization's policy.
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

-- prepare_change_log makes sure that an organization has a log, and the log a part for the present month.
create or replace function gate.prepare_change_log(org uuid, schema_name text) returns void language plpgsql as $$
begin
	if to_regclass(format('%I.change', schema_name)) is null then
		perform gate.add_change_log(schema_name, gate.record_policy(org));
	else
		perform gate.add_change_months(schema_name);
	end if;
end
$$;

-- change_horizon returns a number up to which the organization's log is complete: every transaction that drew such a
-- number has ended. A writer draws its number, which is at least the time, while it shares the lock of its slot. So
-- taking each slot's lock for a moment waits for all writers that drew a number before. The end of the inner
-- transaction releases the lock. Writers of the slot wait while this waits, so it does not wait long.
create or replace function gate.change_horizon() returns bigint language plpgsql set lock_timeout = '3s' as $$
declare
	horizon    bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint - 1;
	org_number integer := ('x' || right(replace(gate.organization()::text, '-', ''), 8))::bit(32)::integer;
begin
	if org_number is null then
		raise exception 'no organization is entered' using errcode = '42501';
	end if;
	for slot in 0 .. 31 loop
		begin
			perform pg_advisory_xact_lock(20768 + slot, org_number);
			raise exception 'release' using errcode = 'RH014';
		exception when sqlstate 'RH014' then
			null;
		end;
	end loop;
	return horizon;
end
$$;

-- jsonb_merge is the object with the members of all objects; of members with the same name it has the last.
create or replace aggregate gate.jsonb_merge(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}', parallel = safe);
