-- Functions of formulas that write and read dates and times by a pattern.

create or replace function gate.formula_locale() returns text[] language sql immutable parallel safe
return string_to_array('January,February,March,April,May,June,July,August,September,October,November,December,Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,'
	|| 'Sep,Oct,Nov,Dec,Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sun,Mon,Tue,Wed,Thu,Fri,Sat,AM,PM,MM/DD/YYYY,MMMM D! YYYY,h:mm A,',
	',');

create or replace function gate.formula_ordinal(n integer, suffix text) returns text language sql immutable parallel safe
return n || case when suffix <> '' then suffix when n % 100 between 11 and 13 then 'th' when n % 10 = 1 then 'st' when n % 10 = 2 then 'nd'
	when n % 10 = 3 then 'rd' else 'th' end;

-- formula_format writes what the clock of a time zone shows, in the signs of Moment.js.
create or replace function gate.formula_format(a timestamptz, format text, zone text, words text[]) returns text
language plpgsql immutable parallel safe as $$
declare
	local  timestamp;
	sign_  text;
	joined text := '';
	hours  integer;
	offset_ integer;
	monday integer;
begin
	if a > timestamptz '20000-01-01 00:00+00' or starts_with(format, U&'\FFFF') then
		return gate.formula_text_error(coalesce(gate.formula_error(a), gate.formula_error(format)));
	elsif a is null then
		return null;
	elsif length(format) > 1000 then
		return U&'\FFFF' || 8;
	end if;
	words := coalesce(words, gate.formula_locale());
	local := a at time zone zone;
	hours := extract(hour from local);
	offset_ := round(extract(epoch from local - (a at time zone 'UTC')) / 60);
	for sign_ in select m[1] from regexp_matches(coalesce(nullif(format, ''), 'YYYY-MM-DDTHH:mm:ssZ'), '\[[^]]*\]|\\.|MMMM|MMM|MM|Mo|M|DDDD|DDDo|DDD|'
		'DD|Do|D|dddd|ddd|dd|do|d|YYYY|YY|Y|Qo|Q|GGGG|GG|gggg|gg|Wo|WW|W|wo|ww|w|HH|H|hh|h|kk|k|mm|m|ss|s|S{1,9}|ZZ|Z|zz|z|A|a|E|e|X|x|'
		'LTS|LT|LLLL|LLL|LL|L|llll|lll|ll|l|.', 'g') m
	loop
		joined := joined || case
			when sign_ like '[_%' then substr(sign_, 2, length(sign_) - 2)
			when sign_ like '\\_' then substr(sign_, 2)
			when sign_ !~ '^[A-Za-z]' then sign_
			else case sign_
			when 'YYYY' then to_char(local, 'YYYY') when 'YY' then to_char(local, 'YY') when 'Y' then to_char(local, 'FMYYYY')
			when 'MM' then to_char(local, 'MM') when 'M' then to_char(local, 'FMMM')
			when 'MMMM' then words[extract(month from local)::integer] when 'MMM' then words[12 + extract(month from local)::integer]
			when 'Mo' then gate.formula_ordinal(extract(month from local)::integer, words[44])
			when 'DD' then to_char(local, 'DD') when 'D' then to_char(local, 'FMDD')
			when 'Do' then gate.formula_ordinal(extract(day from local)::integer, words[44])
			when 'DDDD' then to_char(local, 'DDD') when 'DDD' then to_char(local, 'FMDDD')
			when 'DDDo' then gate.formula_ordinal(extract(doy from local)::integer, words[44])
			when 'dddd' then words[25 + extract(dow from local)::integer] when 'ddd' then words[32 + extract(dow from local)::integer]
			when 'dd' then left(words[32 + extract(dow from local)::integer], 2) when 'd' then extract(dow from local)::text
			when 'e' then extract(dow from local)::text when 'E' then extract(isodow from local)::text
			when 'do' then gate.formula_ordinal(extract(dow from local)::integer, words[44])
			when 'Q' then to_char(local, 'Q') when 'Qo' then gate.formula_ordinal(extract(quarter from local)::integer, words[44])
			when 'W' then to_char(local, 'FMIW') when 'WW' then to_char(local, 'IW')
			when 'Wo' then gate.formula_ordinal(extract(week from local)::integer, words[44])
			when 'GGGG' then to_char(local, 'IYYY') when 'GG' then to_char(local, 'IY')
			when 'w' then gate.formula_field(a, 'week', zone, 0)::text
			when 'ww' then lpad(gate.formula_field(a, 'week', zone, 0)::text, 2, '0')
			when 'wo' then gate.formula_ordinal(gate.formula_field(a, 'week', zone, 0)::integer, words[44])
			when 'gggg' then to_char(local, 'YYYY') when 'gg' then to_char(local, 'YY')
			when 'HH' then to_char(local, 'HH24') when 'H' then hours::text
			when 'hh' then to_char(local, 'HH12') when 'h' then to_char(local, 'FMHH12')
			when 'kk' then lpad(case when hours = 0 then 24 else hours end::text, 2, '0') when 'k' then case when hours = 0 then 24 else hours end::text
			when 'mm' then to_char(local, 'MI') when 'm' then to_char(local, 'FMMI') when 'ss' then to_char(local, 'SS') when 's' then to_char(local, 'FMSS')
			when 'A' then words[case when hours < 12 then 39 else 40 end] when 'a' then lower(words[case when hours < 12 then 39 else 40 end])
			when 'Z' then case when offset_ < 0 then '-' else '+' end || to_char(abs(offset_) / 60, 'FM00') || ':' || to_char(abs(offset_) % 60, 'FM00')
			when 'ZZ' then case when offset_ < 0 then '-' else '+' end || to_char(abs(offset_) / 60, 'FM00') || to_char(abs(offset_) % 60, 'FM00')
			when 'X' then floor(extract(epoch from a))::text when 'x' then floor(extract(epoch from a) * 1000)::text
			when 'L' then gate.formula_format(a, replace(words[41], '!', ','), zone, words)
			when 'l' then gate.formula_format(a, replace(replace(replace(words[41], '!', ','), 'MM', 'M'), 'DD', 'D'), zone, words)
			when 'LL' then gate.formula_format(a, replace(words[42], '!', ','), zone, words)
			when 'll' then gate.formula_format(a, replace(replace(words[42], '!', ','), 'MMMM', 'MMM'), zone, words)
			when 'LT' then gate.formula_format(a, words[43], zone, words)
			when 'LTS' then gate.formula_format(a, replace(words[43], 'mm', 'mm:ss'), zone, words)
			when 'LLL' then gate.formula_format(a, replace(words[42], '!', ',') || ' ' || words[43], zone, words)
			when 'lll' then gate.formula_format(a, replace(replace(words[42], '!', ','), 'MMMM', 'MMM') || ' ' || words[43], zone, words)
			when 'LLLL' then gate.formula_format(a, 'dddd, ' || replace(words[42], '!', ',') || ' ' || words[43], zone, words)
			when 'llll' then gate.formula_format(a, 'ddd, ' || replace(replace(words[42], '!', ','), 'MMMM', 'MMM') || ' ' || words[43], zone, words)
			when 'z' then case when offset_ = 0 then 'UTC' else gate.formula_format(a, 'Z', zone, words) end
			when 'zz' then case when offset_ = 0 then 'UTC' else gate.formula_format(a, 'Z', zone, words) end
			else case when sign_ like 'S%' then rpad(left(to_char(local, 'US'), length(sign_)), length(sign_), '0') else sign_ end
			end end;
	end loop;
	return joined;
end
$$;

-- formula_clock is formula_format for formats that to_char knows too, which is much faster.
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

-- formula_parse reads a moment: in a format in the signs of Moment.js, or without one in those ways in which it cannot be taken for another one
-- than that of the United States. Without an offset it is what the clock of the time zone shows.
create or replace function gate.formula_parse(a text, format text, words text[], zone text) returns timestamptz language plpgsql immutable parallel safe as $$
declare
	m       text[];
	signs   text[] := '{}';
	sign_   text;
	pattern text := '';
	part    text;
	y integer; mo integer := 1; d integer := 1; h integer := 0; mi integer := 0; s double precision := 0;
	half    text;
	offset_ text;
	clock   constant text := '(?:(?:T|,?\s+at\s+|,?\s+)(\d{1,2})(?::(\d{2}))?(?::(\d{2}(?:\.\d{1,9})?))?\s*([ap])?\.?m?\.?\s*(Z|[-+]\d{2}:?\d{2})?)?\s*$';
begin
	if starts_with(a, U&'\FFFF') or starts_with(format, U&'\FFFF') then
		return gate.formula_time_error(coalesce(gate.formula_error(a), gate.formula_error(format)));
	elsif a is null or a !~ '\S' then
		return null;
	elsif length(a) > 200 or length(format) > 200 then
		return gate.formula_time_error(3::smallint);
	end if;
	words := coalesce(words, gate.formula_locale());
	if coalesce(format, '') = '' then
		a := regexp_replace(a, '^\s*(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*\.?,?\s+', '', 'i');
		m := regexp_match(a, '^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})' || clock, 'i');
		if m is null then
			m := regexp_match(a, '^\s*(\d{4})(\d{2})(\d{2})' || clock, 'i');
		end if;
		if m is null then
			m := regexp_match(a, '^\s*(\d{1,2})[-/](\d{1,2})[-/](\d{4}|\d{2})' || clock, 'i');
			if m is not null then
				m[1:3] := array[m[3], m[1], m[2]];
			end if;
		end if;
		if m is null then
			m := regexp_match(a, '^\s*(\d{1,2})(?:st|nd|rd|th)?[-\s]+([[:alpha:]]{3,})\.?[-,\s]+(\d{4})' || clock, 'i');
			if m is not null then
				m[1:3] := array[m[3], gate.formula_month(m[2], words)::text, m[1]];
			end if;
		end if;
		if m is null then
			m := regexp_match(a, '^\s*([[:alpha:]]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})' || clock, 'i');
			if m is not null then
				m[1:3] := array[m[3], gate.formula_month(m[1], words)::text, m[2]];
			end if;
		end if;
		if m is null then
			return gate.formula_time_error(3::smallint);
		end if;
		y := m[1]; mo := m[2]; d := m[3]; h := coalesce(m[4]::integer, 0); mi := coalesce(m[5]::integer, 0);
		s := coalesce(m[6]::double precision, 0); half := lower(m[7]); offset_ := m[8];
		if length(m[1]) < 4 then
			y := y + case when y > 68 then 1900 else 2000 end;
		end if;
	else
		for sign_ in select r[1] from regexp_matches(format, '\[[^]]*\]|MMMM|MMM|MM|M|DDDD|DDD|DD|Do|D|dddd|ddd|dd|d|YYYY|YY|Y|HH|H|hh|h|kk|k|mm|m|ss|s|'
			'S{1,9}|ZZ|Z|A|a|X|x|[^[:alnum:]]+|.', 'g') r
		loop
			part := case
				when sign_ in ('YYYY', 'Y') then '(\d{1,4})' when sign_ in ('YY', 'MM', 'M', 'DD', 'D', 'HH', 'H', 'hh', 'h', 'kk', 'k', 'mm', 'm', 'ss', 's')
					then '(\d{1,2})' when sign_ = 'Do' then '(\d{1,2})(?:st|nd|rd|th|\.|er|º|ª)?'
				when sign_ in ('MMMM', 'MMM') then '([[:alpha:]]+\.?)' when sign_ in ('A', 'a') then '([ap])\.?m?\.?'
				when sign_ in ('Z', 'ZZ') then '(Z|[-+]\d{2}:?\d{2})' when sign_ in ('X', 'x') then '(-?\d{1,14})'
				when sign_ like 'S%' then '(\d{1,9})' when sign_ in ('dddd', 'ddd', 'dd') then '[[:alpha:]]+\.?' when sign_ = 'd' then '\d'
				when sign_ like '[_%' then regexp_replace(substr(sign_, 2, length(sign_) - 2), '(\W)', '\\\1', 'g')
				when sign_ ~ '^[^[:alnum:]]' then '[^[:alnum:]]*?' else sign_ end;
			pattern := pattern || part;
			if part like '(%' then
				signs := signs || sign_;
			end if;
		end loop;
		m := regexp_match(a, '^\s*' || pattern, 'i');
		if m is null or signs = '{}' then
			return gate.formula_time_error(3::smallint);
		end if;
		for i in 1 .. cardinality(signs) loop
			case
			when signs[i] in ('YYYY', 'Y') then y := m[i];
			when signs[i] = 'YY' then y := m[i]::integer + case when m[i]::integer > 68 then 1900 else 2000 end;
			when signs[i] in ('MM', 'M') then mo := m[i];
			when signs[i] in ('MMMM', 'MMM') then mo := gate.formula_month(m[i], words);
			when signs[i] in ('DD', 'D', 'Do') then d := m[i];
			when signs[i] in ('HH', 'H', 'hh', 'h', 'kk', 'k') then h := m[i];
			when signs[i] in ('mm', 'm') then mi := m[i];
			when signs[i] in ('ss', 's') then s := s + m[i]::integer;
			when signs[i] in ('A', 'a') then half := lower(m[i]);
			when signs[i] in ('Z', 'ZZ') then offset_ := m[i];
			when signs[i] like 'S%' then s := s + ('0.' || m[i])::double precision;
			when signs[i] in ('X', 'x') then
				if abs(m[i]::numeric) > (case when signs[i] = 'X' then 60000000000 else 60000000000000 end) then
					return gate.formula_time_error(5::smallint);
				end if;
				return to_timestamp(m[i]::double precision / case when signs[i] = 'X' then 1 else 1000 end);
			else null;
			end case;
		end loop;
		if y is null then
			return gate.formula_time_error(6::smallint);
		end if;
	end if;
	if half is not null then
		if h not between 1 and 12 then
			return gate.formula_time_error(3::smallint);
		end if;
		h := h % 12 + case when half = 'p' then 12 else 0 end;
	end if;
	return gate.formula_make(y, mo, d, h, mi, s, offset_, zone);
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

create or replace function gate.formula_moments(a date[], zone text) returns timestamptz[] language plpgsql immutable parallel safe as $$
begin
	return array(select gate.formula_moment(x, zone) from unnest(a) with ordinality u(x, place) order by place);
end
$$;
