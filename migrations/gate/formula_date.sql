-- Functions of formulas on days.

-- formula_zoned is the clock of a time zone, and formula_moment the moment at which it shows a time. A time that is skipped is the one that the
-- clock shows instead.
create or replace function gate.formula_moment(a date, zone text) returns timestamptz language sql immutable parallel safe
return case when a > date '20000-01-01' then gate.formula_time_error(gate.formula_error(a)) else a::timestamp at time zone zone end;

create or replace function gate.formula_day(a timestamptz, zone text) returns date language sql immutable parallel safe
return case when a > timestamptz '20000-01-01 00:00+00' then gate.formula_date_error(gate.formula_error(a)) else (a at time zone zone)::date end;

-- formula_unit is the singular name of a unit of time, and null for what is none.
create or replace function gate.formula_unit(unit text) returns text language sql immutable parallel safe
return case when unit in ('ms', 'millisecond', 'milliseconds') then 'millisecond'
	when unit in ('s', 'second', 'seconds') then 'second' when unit in ('m', 'minute', 'minutes') then 'minute'
	when unit in ('h', 'hour', 'hours') then 'hour' when unit in ('d', 'day', 'days') then 'day'
	when unit in ('w', 'week', 'weeks') then 'week' when unit in ('M', 'month', 'months') then 'month'
	when unit in ('Q', 'quarter', 'quarters') then 'quarter' when unit in ('y', 'year', 'years') then 'year' end;

-- formula_add_time adds units to a moment: hours and less are time that passes, days and more keep what the clock shows.
create or replace function gate.formula_add_time(a timestamptz, n double precision, unit text, zone text) returns timestamptz
language plpgsql immutable parallel safe as $$
declare
	size  double precision;
	local timestamp;
	count numeric;
begin
	if a > timestamptz '20000-01-01 00:00+00' then
		return a;
	elsif n > 1e300 or starts_with(unit, U&'\FFFF') then
		return gate.formula_time_error(gate.formula_code(null, n, null, unit));
	elsif a is null then
		return null;
	end if;
	n := coalesce(n, 0);
	unit := gate.formula_unit(unit);
	if unit is null then
		return gate.formula_time_error(6::smallint);
	end if;
	size := case unit when 'millisecond' then 0.001 when 'second' then 1 when 'minute' then 60 when 'hour' then 3600 end;
	if abs(n) > 1e15 then
		return gate.formula_time_error(5::smallint);
	elsif size is not null then
		if abs(n) < 1e-9 then
			return a;
		elsif extract(epoch from a)::double precision + n * size not between -62135596800 and 253402300799.9995 then
			return gate.formula_time_error(5::smallint);
		end if;
		return a + make_interval(secs => round((n * size)::numeric, 3)::double precision);
	end if;
	count := round(n::numeric * case unit when 'week' then 7 when 'quarter' then 3 when 'year' then 12 else 1 end);
	local := a at time zone zone;
	if unit in ('day', 'week') then
		if (local::date - date '0001-01-01') + count not between 0 and 3652058 then
			return gate.formula_time_error(5::smallint);
		end if;
		local := local + make_interval(days => count::integer);
	else
		if extract(year from local) * 12 + extract(month from local) - 1 + count not between 12 and 119999 then
			return gate.formula_time_error(5::smallint);
		end if;
		local := local + make_interval(months => count::integer);
	end if;
	return local at time zone zone;
end
$$;

create or replace function gate.formula_add_days(a date, n double precision, unit text) returns date language sql immutable parallel safe
return gate.formula_day(gate.formula_add_time(gate.formula_moment(a, 'UTC'), n, unit, 'UTC'), 'UTC');

-- formula_between counts whole units from one clock's time to another one's, towards 0. Months count as full when the day and the time of day
-- are reached, or the month ends.
create or replace function gate.formula_between(later timestamptz, earlier timestamptz, unit text, zone text) returns double precision
language plpgsql immutable parallel safe as $$
declare
	a      timestamp;
	b      timestamp;
	months integer;
begin
	if later > timestamptz '20000-01-01 00:00+00' or earlier > timestamptz '20000-01-01 00:00+00' or starts_with(unit, U&'\FFFF') then
		return coalesce(gate.formula_error(later), gate.formula_error(earlier), gate.formula_error(unit)) * 1e301;
	elsif later is null or earlier is null then
		return null;
	end if;
	unit := gate.formula_unit(unit);
	if unit is null then
		return 6e301;
	elsif unit in ('millisecond', 'second', 'minute', 'hour') then
		return trunc(extract(epoch from later - earlier) * 1000 / case unit when 'millisecond' then 1 when 'second' then 1000
			when 'minute' then 60000 else 3600000 end)::double precision;
	end if;
	a := later at time zone zone;
	b := earlier at time zone zone;
	if unit in ('day', 'week') then
		return trunc(extract(epoch from a - b) / 86400 / case unit when 'day' then 1 else 7 end)::double precision;
	end if;
	months := (extract(year from a) - extract(year from b)) * 12 + extract(month from a) - extract(month from b);
	if months > 0 and b + make_interval(months => months) > a then
		months := months - 1;
	elsif months < 0 and b + make_interval(months => months) < a then
		months := months + 1;
	end if;
	return trunc(months::numeric / case unit when 'month' then 1 when 'quarter' then 3 else 12 end)::double precision;
end
$$;

-- formula_field is a part of what the clock of a time zone shows. first is 0 for weeks that begin on Sundays and 1 for Mondays.
create or replace function gate.formula_field(a timestamptz, what text, zone text, first integer) returns double precision
language plpgsql immutable parallel safe as $$
declare
	local timestamp;
	day   integer;
begin
	if a is null or a > timestamptz '20000-01-01 00:00+00' then
		return gate.formula_error(a) * 1e301;
	end if;
	local := a at time zone zone;
	if what = 'weekday' then
		return (extract(dow from local)::integer - first + 7) % 7;
	elsif what = 'week' then -- the first one is that of the first of January
		day := (extract(dow from date_trunc('year', local))::integer - first + 7) % 7;
		return (extract(doy from local)::integer - 1 + day) / 7 + 1;
	end if;
	return floor(date_part(what, local)); -- extract writes numeric, which takes four times as long
end
$$;

-- formula_same reports whether two moments are in the same unit of the clock of a time zone.
create or replace function gate.formula_same(a timestamptz, b timestamptz, unit text, zone text) returns double precision
language plpgsql immutable parallel safe as $$
begin
	if a > timestamptz '20000-01-01 00:00+00' or b > timestamptz '20000-01-01 00:00+00' or starts_with(unit, U&'\FFFF') then
		return coalesce(gate.formula_error(a), gate.formula_error(b), gate.formula_error(unit)) * 1e301;
	elsif coalesce(unit, '') = '' then
		return (a is not distinct from b)::integer;
	elsif gate.formula_unit(unit) is null then
		return 6e301;
	elsif gate.formula_unit(unit) = 'week' then -- begins on Sunday
		a := a + interval '1 day';
		b := b + interval '1 day';
	end if;
	return (date_trunc(gate.formula_unit(unit), a at time zone zone) is not distinct from
		date_trunc(gate.formula_unit(unit), b at time zone zone))::integer;
end
$$;

-- formula_workday is the day so many workdays after one, or before it. Holidays are days YYYY-MM-DD, separated by commas.
create or replace function gate.formula_holidays(list text) returns date[] language plpgsql immutable parallel safe as $$
declare
	day  text;
	days date[] := '{}';
begin
	foreach day in array string_to_array(coalesce(list, ''), ',') loop
		day := btrim(day, E' \t\r\n"''');
		if day <> '' then
			days := days || gate.formula_day(gate.formula_read(day, null, null, 'UTC'), 'UTC');
		end if;
	end loop;
	return array(select distinct d from unnest(days) d where d > date '20000-01-01' or extract(isodow from d) < 6);
end
$$;

-- formula_workdays counts the workdays from one day to another one, both included; it is negative if the second one is before the first.
create or replace function gate.formula_workdays(a date, b date, list text) returns double precision language plpgsql immutable parallel safe as $$
declare
	holidays date[];
	first    date := least(a, b);
	last     date := greatest(a, b);
	n        integer;
begin
	if a > date '20000-01-01' or b > date '20000-01-01' or starts_with(list, U&'\FFFF') then
		return coalesce(gate.formula_error(a), gate.formula_error(b), gate.formula_error(list)) * 1e301;
	elsif a is null or b is null then
		return null;
	end if;
	holidays := gate.formula_holidays(list);
	if gate.formula_error(holidays) is not null then
		return gate.formula_error(holidays) * 1e301;
	end if;
	n := (last - first + 1) / 7 * 5;
	n := n + (select count(*) from generate_series((first + (last - first + 1) / 7 * 7)::timestamp, last, interval '1 day') d where extract(isodow from d) < 6)
		- (select count(*) from unnest(holidays) d where d between first and last);
	return case when a > b then -n else n end;
end
$$;
