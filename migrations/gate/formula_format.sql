-- Functions of formulas that write and read dates and times by a pattern.

-- formula_clock is formula_write for formats that to_char knows too, which is much faster.
create or replace function gate.formula_clock(a timestamptz, template text, zone text) returns text language plpgsql immutable parallel safe as $$
begin
	return case when a > timestamptz '20000-01-01 00:00+00' then gate.formula_text_error(gate.formula_error(a))
		else to_char(a at time zone zone, template) end;
end
$$;

-- formula_make is the moment at which a clock shows something, if there is such a day and time.
create or replace function gate.formula_make(y integer, mo integer, d integer, h integer, mi integer, s double precision, offset_ text, zone text)
returns timestamptz language plpgsql immutable parallel safe as $$
declare
	local timestamp;
begin
	if y not between 1 and 9999 or mo not between 1 and 12 or d not between 1 and 31 or h not between 0 and 24 or mi not between 0 and 59
		or s < 0 or s >= 60 or h = 24 and (mi > 0 or s > 0)
		or d > extract(day from make_date(y, mo, 1) + interval '1 month - 1 day') then
		return gate.formula_time_error(3::smallint);
	end if;
	local := make_timestamp(y, mo, d, 0, 0, 0) + make_interval(hours => h, mins => mi, secs => s);
	if offset_ is null then
		return local at time zone zone;
	elsif upper(offset_) = 'Z' then
		return local at time zone 'UTC';
	elsif substr(offset_, 2, 2)::integer > 15 or right(offset_, 2)::integer > 59 then
		return gate.formula_time_error(3::smallint);
	end if;
	return (local at time zone 'UTC') - (offset_::char || '1')::integer
		* make_interval(hours => substr(offset_, 2, 2)::integer, mins => right(offset_, 2)::integer);
end
$$;

-- formula_name is the number of a month by its name or the first three letters of it.
create or replace function gate.formula_month(name text, words text[]) returns integer language plpgsql immutable parallel safe as $$
declare
	key text := lower(btrim(name, '. '));
begin
	for i in 1 .. 24 loop
		if key = lower(btrim(words[i], '.')) then
			return (i - 1) % 12 + 1;
		end if;
	end loop;
	for i in 1 .. 12 loop
		if length(key) >= 3 and starts_with(lower(words[i]), key) then
			return i;
		end if;
	end loop;
	return 0;
end
$$;

-- formula_ago is the time between two moments in words.
create or replace function gate.formula_ago(a timestamptz, b timestamptz) returns text language plpgsql immutable parallel safe as $$
declare
	seconds double precision;
	n       integer;
begin
	if a is null or a > timestamptz '20000-01-01 00:00+00' then
		return gate.formula_text_error(gate.formula_error(a));
	end if;
	seconds := abs(extract(epoch from a - b));
	return case
		when seconds < 44.5 then 'a few seconds' when seconds < 89.5 then 'a minute' when seconds < 2670 then round(seconds / 60) || ' minutes'
		when seconds < 5370 then 'an hour' when seconds < 77400 then round(seconds / 3600) || ' hours' when seconds < 127800 then 'a day'
		when seconds < 2203200 then round(seconds / 86400) || ' days' when seconds < 3888000 then 'a month'
		when seconds < 27561600 then round(seconds / 2629800) || ' months' when seconds < 47304000 then 'a year'
		else round(seconds / 31557600) || ' years' end;
end
$$;

-- formula_id is the public id of a record (package id): rec_ and the number of its table and its own in base 32.
create or replace function gate.formula_id(table_number integer, id uuid) returns text language plpgsql immutable strict parallel safe as $$
declare
	bits constant text := table_number::bit(32)::text || ('x' || replace(id::text, '-', ''))::bit(128)::text;
begin
	return 'rec_' || (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', substr(bits, i * 5 + 1, 5)::bit(5)::integer + 1, 1), '' order by i)
		from generate_series(0, 31) i);
end
$$;
