-- Functions of formulas on days and times in the time zone of a base.

-- formula_mod has the sign of the divisor.
create or replace function gate.formula_mod(a double precision, b double precision) returns double precision
language plpgsql immutable parallel safe as $$
declare
	remainder numeric;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	elsif b is null or b = 0 then
		return 1e301;
	elsif a is null or a = 0 then
		return 0;
	end if;
	remainder := mod(a::text::numeric, b::text::numeric);
	return case when remainder <> 0 and (remainder < 0) <> (b < 0) then remainder + b::text::numeric else remainder end;
end
$$;

create or replace function gate.formula_power(a double precision, b double precision) returns double precision
language plpgsql immutable parallel safe as $$
declare
	size double precision;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	end if;
	a := coalesce(a, 0);
	b := coalesce(b, 0);
	if b = 0 then
		return 1;
	elsif a = 0 then
		return case when b < 0 then 1e301 else 0 end;
	elsif a < 0 and b <> trunc(b) then
		return 2e301;
	end if;
	if abs(a) = 1 then
		return case when a < 0 and mod(abs(b)::text::numeric, 2) = 1 then -1 else 1 end;
	elsif abs(b) < 1e-150 then
		return 1;
	end if;
	size := case when abs(b) < 1e100 then ln(abs(a)) * b else sign(ln(abs(a))) * sign(b) * 1e6 end;
	return case when size > 690.7755 then 4e301 when size < -690 then 0 else power(a, b) end;
end
$$;

-- formula_multiple is the nearest multiple of a unit that is not less (up) or not more than a number.
create or replace function gate.formula_multiple(a double precision, unit double precision, up boolean) returns double precision
language plpgsql immutable parallel safe as $$
declare
	exact    numeric;
	quotient numeric;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif unit > 1e300 then
		return gate.formula_bound(unit);
	elsif unit is null or unit = 0 then
		return 1e301;
	elsif a is null or a = 0 then
		return 0;
	end if;
	exact := abs(unit)::text::numeric;
	quotient := a::text::numeric / exact;
	exact := case when up then ceil(quotient) else floor(quotient) end * exact;
	return case when abs(exact::double precision) > 1e300 then 4e301 else exact::double precision end;
end
$$;

create or replace function gate.formula_odd(a double precision) returns double precision language plpgsql immutable parallel safe as $$
declare
	size numeric;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	end if;
	size := greatest(ceil((abs(coalesce(a, 0)::text::numeric) - 1) / 2) * 2 + 1, 1);
	return case when a < 0 then -size else size end;
end
$$;

create or replace function gate.formula_sum(a double precision[]) returns double precision language plpgsql immutable parallel safe as $$
declare
	x     double precision;
	total double precision := 0;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		end if;
		total := total + coalesce(x, 0);
	end loop;
	return case when abs(total) > 1e300 then 4e301 else total end;
end
$$;

create or replace function gate.formula_average(a double precision[]) returns double precision language plpgsql immutable parallel safe as $$
declare
	x     double precision;
	total double precision := 0;
	n     integer := 0;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		elsif x is not null then
			total := total + x;
			n := n + 1;
		end if;
	end loop;
	return case when n > 0 then case when abs(total) < 1e-290 then 0 else total / n end end;
end
$$;

create or replace function gate.formula_workday(a date, n double precision, list text) returns date language plpgsql immutable parallel safe as $$
declare
	holidays date[];
	failed   smallint;
	step     integer;
	left_    integer;
	next_    date;
begin
	if a > date '20000-01-01' then
		return a;
	elsif n > 1e300 or starts_with(list, U&'\FFFF') then
		return gate.formula_date_error(gate.formula_code(null, n, null, list));
	elsif a is null then
		return null;
	end if;
	holidays := gate.formula_holidays(list);
	failed := gate.formula_error(holidays);
	if failed is not null then
		return gate.formula_date_error(failed);
	elsif abs(coalesce(n, 0)) > 2700000 then -- no two years have as many between them
		return gate.formula_date_error(5::smallint);
	end if;
	step := sign(n);
	left_ := abs(gate.formula_whole(n));
	while left_ > 0 loop
		if left_ > 10 and extract(isodow from a) < 6 then -- whole weeks at once, and the holidays in them again
			next_ := a + step * 7 * (left_ / 5);
			left_ := left_ % 5 + (select count(*) from unnest(holidays) d where d <> a and d between least(a, next_) and greatest(a, next_));
			a := next_;
		else
			a := a + step;
			if extract(isodow from a) < 6 and not a = any (holidays) then
				left_ := left_ - 1;
			end if;
		end if;
		if a not between date '0001-01-01' and date '9999-12-31' then
			return gate.formula_date_error(5::smallint);
		end if;
	end loop;
	return a;
end
$$;

-- formula_instant is the moment at which a clock shows a time: the earlier one of two, where clocks were set back, which AT TIME ZONE takes the
-- later one of; and for a time that is skipped, the one that the clock shows instead.
create or replace function gate.formula_instant(local timestamp, zone text) returns timestamptz language plpgsql immutable parallel safe as $$
declare
	later   constant timestamptz := local at time zone zone;
	before_ constant timestamptz := later - interval '24 hours';
	earlier timestamptz;
begin
	earlier := (local at time zone 'UTC') - ((before_ at time zone zone) - (before_ at time zone 'UTC'));
	return case when earlier < later and earlier at time zone zone = local then earlier else later end;
end
$$;

-- formula_today is the day of a moment. Each statement that reads, and each trigger that writes, asks it for the present day.
create or replace function gate.formula_today(moment timestamptz, zone text) returns date language sql immutable parallel safe
return (moment at time zone zone)::date;

-- formula_start is the moment at which a day begins.
create or replace function gate.formula_start(a date, zone text) returns timestamptz language sql immutable parallel safe
return case when a > date '20000-01-01' then gate.formula_time_error(gate.formula_error(a)) when zone = 'UTC' then a::timestamp at time zone 'UTC'
	else gate.formula_instant(a::timestamp, zone) end;

create or replace function gate.formula_starts(a date[], zone text) returns timestamptz[] language plpgsql immutable parallel safe as $$
begin
	return array(select gate.formula_start(x, zone) from unnest(a) with ordinality u(x, place) order by place);
end
$$;

-- formula_later adds units to a moment: hours and less are time that passes, days and more keep what the clock shows.
create or replace function gate.formula_later(a timestamptz, n double precision, unit text, zone text) returns timestamptz
language plpgsql immutable parallel safe as $$
begin
	if a > timestamptz '20000-01-01 00:00+00' or a is null or gate.formula_unit(unit) is null
		or gate.formula_unit(unit) in ('millisecond', 'second', 'minute', 'hour') then
		return gate.formula_add_time(a, n, unit, zone);
	end if;
	a := gate.formula_add_time((a at time zone zone) at time zone 'UTC', n, unit, 'UTC');
	return case when a > timestamptz '20000-01-01 00:00+00' then a else gate.formula_instant(a at time zone 'UTC', zone) end;
end
$$;

-- formula_days are the days from one date or moment to another, as clocks and calendars count: a day in which clocks are set is one day too.
create or replace function gate.formula_days(a date, b date) returns double precision language sql immutable parallel safe
return case when a > date '20000-01-01' or b > date '20000-01-01' then coalesce(gate.formula_error(a), gate.formula_error(b)) * 1e301
	else (a - b)::double precision end;

create or replace function gate.formula_days(a timestamptz, b timestamptz, zone text) returns double precision language plpgsql immutable parallel safe as $$
begin
	if a > timestamptz '20000-01-01 00:00+00' or b > timestamptz '20000-01-01 00:00+00' then
		return coalesce(gate.formula_error(a), gate.formula_error(b)) * 1e301;
	end if;
	return extract(epoch from (a at time zone zone) - (b at time zone zone))::double precision / 86400;
end
$$;

-- formula_word are the words of English, in the order of package formula's locale.txt; those of other languages come with the call.
create or replace function gate.formula_word() returns text[] language sql immutable parallel safe
return string_to_array('January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sun|Mon|Tue|Wed|Thu|Fri|Sat|0=AM;1200=PM|0=am;1200=pm|MM/DD/YYYY|MMMM D, YYYY|MMMM D, YYYY h:mm A|dddd, MMMM D, YYYY h:mm A|h:mm A|h:mm:ss A|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Su|Mo|Tu|We|Th|Fr|Sa|100:11,12,13=th;10:1=st;10:2=nd;10:3=rd;th|1000:1=st;1000:2=nd;1000:3=rd;th|10:2=nd;10:3=rd;10:4=th;st|100:11,12,13=th;10:1=st;10:2=nd;10:3=rd;th|10:1=st;10:2=nd;10:3=rd;th|100:11,12,13=th;10:1=st;10:2=nd;10:3=rd;th|0|6|||M/D/YYYY|MMM D, YYYY|MMM D, YYYY h:mm A|ddd, MMM D, YYYY h:mm A|', '|');

-- formula_ordinal_by orders a number by rules: "100:11,12=th" for the remainders 11 and 12 by 100, and a last one for the rest.
create or replace function gate.formula_ordinal_by(n integer, rules text) returns text language plpgsql immutable parallel safe as $$
declare
	rule text;
begin
	foreach rule in array string_to_array(rules, ';') loop
		if rule !~ '^\d+:[\d,]+=' then
			return n || rule;
		elsif (n % split_part(rule, ':', 1)::integer)::text
			= any (string_to_array(split_part(split_part(rule, '=', 1), ':', 2), ',')) then
			return n || substr(rule, position('=' in rule) + 1);
		end if;
	end loop;
	return n::text;
end
$$;

-- formula_half is what a language calls a time of day, by rules "0=AM;1200=PM".
create or replace function gate.formula_half(hour_minute integer, rules text) returns text language sql immutable parallel safe
return (select substr(r, position('=' in r) + 1) from unnest(string_to_array(rules, ';')) r
	where split_part(r, '=', 1)::integer <= hour_minute order by split_part(r, '=', 1)::integer desc limit 1);

-- formula_token parts a format as Moment.js does, with L, LT and their like written out.
create or replace function gate.formula_token(format text, words text[]) returns text[] language plpgsql immutable parallel safe as $$
begin
	if format ~ '[Ll]' then
		format := (select string_agg(case m[1] when 'L' then words[41] when 'LL' then words[42] when 'LLL' then words[43] when 'LLLL' then words[44]
				when 'LT' then words[45] when 'LTS' then words[46] when 'l' then words[100] when 'll' then words[101] when 'lll' then words[102]
				when 'llll' then words[103] else m[1] end, '' order by place)
			from regexp_matches(format, '\[[^[]*\]|\\?(?:LTS|LT|LL?L?L?|l{1,4})|.', 'g') with ordinality u(m, place));
	end if;
	return array(select m[1] from regexp_matches(format, '\[[^[]*\]|\\?(?:[Hh]mm(?:ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[ow]?|W[oW]?|Qo?|'
		'YYYYYY|YYYYY|YYYY|YY|gg(?:ggg?)?|GG(?:GGG?)?|hh?|HH?|kk?|mm?|ss?|S{1,9}|zz?|ZZ?|.)', 'g') with ordinality u(m, place) order by place);
end
$$;

-- formula_write writes what the clock of a time zone shows.
create or replace function gate.formula_write(a timestamptz, format text, zone text, words text[]) returns text
language plpgsql immutable parallel safe as $$
declare
	local   timestamp;
	joined  text := '';
	token   text;
	tokens  text[];
	mo      integer;
	dow     integer;
	hours   integer;
	offset_ integer;
	week    date; -- a day whose year is that of the language's week
	inside  boolean; -- the month stands behind a day, which some languages inflect it for
	hyphens boolean;
begin
	if a > timestamptz '20000-01-01 00:00+00' or starts_with(format, U&'\FFFF') then
		return gate.formula_text_error(coalesce(gate.formula_error(a), gate.formula_error(format)));
	elsif a is null then
		return null;
	elsif length(format) > 1000 then
		return U&'\FFFF' || 8;
	end if;
	words := coalesce(words, gate.formula_word());
	local := a at time zone zone;
	mo := extract(month from local);
	dow := extract(dow from local);
	hours := extract(hour from local);
	offset_ := round(extract(epoch from local - (a at time zone 'UTC')) / 60);
	week := local::date - (dow - words[96]::integer + 7) % 7 + words[97]::integer - words[96]::integer;
	tokens := gate.formula_token(coalesce(nullif(format, ''), 'YYYY-MM-DDTHH:mm:ssZ'), words);
	inside := array_to_string(tokens, '') ~ case words[104] when 'pl' then 'D MMMM'
		when 'cs' then 'DD?[o.]?(\[[^][]*\]|\s)+MMMM' when 'el' then 'D.*MMMM' else 'D[oD]?(\[[^][]*\]|\s)+MMMM?' end;
	hyphens := array_to_string(tokens, '') ~ '-MMM-';
	foreach token in array tokens loop
		joined := joined || case
			when token like '[_%' then substr(token, 2, length(token) - 1 - (right(token, 1) = ']')::integer)
			when token like '\\_%' then substr(token, 2)
			when token !~ '^[A-Za-z]' then token
			else case token
			when 'YYYY' then to_char(local, 'YYYY') when 'YY' then to_char(local, 'YY') when 'Y' then to_char(local, 'YYYY')
			when 'YYYYY' then '0' || to_char(local, 'YYYY') when 'YYYYYY' then '+00' || to_char(local, 'YYYY')
			when 'MM' then to_char(local, 'MM') when 'M' then mo::text
			when 'MMMM' then words[mo + case when inside then 46 else 0 end]
			when 'MMM' then words[mo + case when hyphens then 70 when inside then 58 else 12 end]
			when 'Mo' then gate.formula_ordinal_by(mo, words[91])
			when 'DD' then to_char(local, 'DD') when 'D' then to_char(local, 'FMDD')
			when 'Do' then gate.formula_ordinal_by(extract(day from local)::integer, words[90])
			when 'DDDD' then to_char(local, 'DDD') when 'DDD' then to_char(local, 'FMDDD')
			when 'DDDo' then gate.formula_ordinal_by(extract(doy from local)::integer, words[93])
			when 'dddd' then words[25 + dow] when 'ddd' then words[32 + dow] when 'dd' then words[83 + dow] when 'd' then dow::text
			when 'do' then gate.formula_ordinal_by(dow, words[94])
			when 'e' then ((dow - words[96]::integer + 7) % 7)::text when 'E' then extract(isodow from local)::text
			when 'Q' then to_char(local, 'Q') when 'Qo' then gate.formula_ordinal_by(extract(quarter from local)::integer, words[92])
			when 'W' then to_char(local, 'FMIW') when 'WW' then to_char(local, 'IW')
			when 'Wo' then gate.formula_ordinal_by(extract(week from local)::integer, words[95])
			when 'GGGGG' then '0' || to_char(local, 'IYYY') when 'GGGG' then to_char(local, 'IYYY') when 'GG' then to_char(local, 'IY')
			when 'w' then ((extract(doy from week)::integer + 6) / 7)::text
			when 'ww' then lpad(((extract(doy from week)::integer + 6) / 7)::text, 2, '0')
			when 'wo' then gate.formula_ordinal_by((extract(doy from week)::integer + 6) / 7, words[95])
			when 'ggggg' then '0' || to_char(week, 'YYYY') when 'gggg' then to_char(week, 'YYYY') when 'gg' then to_char(week, 'YY')
			when 'HH' then to_char(local, 'HH24') when 'H' then hours::text
			when 'hh' then to_char(local, 'HH12') when 'h' then to_char(local, 'FMHH12')
			when 'kk' then lpad(case when hours = 0 then 24 else hours end::text, 2, '0') when 'k' then case when hours = 0 then 24 else hours end::text
			when 'Hmm' then hours || to_char(local, 'MI') when 'Hmmss' then hours || to_char(local, 'MISS')
			when 'hmm' then to_char(local, 'FMHH12') || to_char(local, 'MI') when 'hmmss' then to_char(local, 'FMHH12') || to_char(local, 'MISS')
			when 'mm' then to_char(local, 'MI') when 'm' then to_char(local, 'FMMI') when 'ss' then to_char(local, 'SS') when 's' then to_char(local, 'FMSS')
			when 'A' then gate.formula_half(to_char(local, 'HH24MI')::integer, words[39])
			when 'a' then gate.formula_half(to_char(local, 'HH24MI')::integer, words[40])
			when 'Z' then case when offset_ < 0 then '-' else '+' end || to_char(abs(offset_) / 60, 'FM00') || ':' || to_char(abs(offset_) % 60, 'FM00')
			when 'ZZ' then case when offset_ < 0 then '-' else '+' end || to_char(abs(offset_) / 60, 'FM00') || to_char(abs(offset_) % 60, 'FM00')
			when 'X' then floor(extract(epoch from a))::text when 'x' then floor(extract(epoch from a) * 1000)::text
			else case when token ~ '^zz?$' then case when offset_ = 0 then 'UTC' else gate.formula_write(a, 'Z', zone, null) end
				when token ~ '^S+$' then rpad(left(to_char(local, 'US'), length(token)), length(token), '0') else token end
			end end;
	end loop;
	return translate(replace(joined, ',', coalesce(nullif(words[99], ''), ',')), case when words[98] = '' then '' else '0123456789' end, words[98]);
end
$$;

-- formula_shown is the moment at which a clock shows something, if there is such a day and time.
create or replace function gate.formula_shown(y integer, mo integer, d integer, h integer, mi integer, s double precision, offset_ text, zone text)
returns timestamptz language plpgsql immutable parallel safe as $$
declare
	made timestamptz := gate.formula_make(y, mo, d, h, mi, s, coalesce(offset_, 'Z'), zone);
begin
	return case when offset_ is not null or made > timestamptz '20000-01-01 00:00+00' then made
		else gate.formula_instant(made at time zone 'UTC', zone) end;
end
$$;

-- formula_names is a pattern of some words of a language.
create or replace function gate.formula_names(words text[]) returns text language sql immutable parallel safe
return (select string_agg(distinct regexp_replace(w, '([^[:alnum:]\s])', '\\\1', 'g'), '|') from unnest(words) w where w <> '');

-- formula_read reads a moment: in a format with all tokens that formula_write has, or without one in those ways in which it cannot be taken for
-- another one than that of the United States. Without an offset it is what the clock of the time zone shows.
create or replace function gate.formula_read(a text, format text, words text[], zone text) returns timestamptz language plpgsql immutable parallel safe as $$
declare
	m       text[];
	signs   text[] := '{}';
	token   text;
	pattern text := '';
	part    text;
	y integer; mo integer; d integer; h integer := 0; mi integer := 0; s double precision := 0;
	iso integer; own integer; week integer; weekday integer; named integer; doy integer; quarter integer;
	half    text;
	offset_ text;
	first   date;
	made    timestamptz;
	found_  integer;
	suffix  constant text := '-?[^[:digit:][:space:],/-]*?';
	clock   constant text := '(?:(?:T|,?\s+at\s+|,?\s+)(\d{1,2})(?::(\d{2}))?(?::(\d{2}(?:\.\d{1,9})?))?\s*([ap])?\.?m?\.?\s*(Z|[-+]\d{2}:?\d{2})?)?\s*$';
begin
	if starts_with(a, U&'\FFFF') or starts_with(format, U&'\FFFF') then
		return gate.formula_time_error(coalesce(gate.formula_error(a), gate.formula_error(format)));
	elsif a is null or a !~ '\S' then
		return null;
	elsif length(a) > 200 or length(format) > 200 then
		return gate.formula_time_error(3::smallint);
	end if;
	words := coalesce(words, gate.formula_word());
	if words[98] <> '' then
		a := translate(a, words[98] || words[99], '0123456789,');
	end if;
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
		s := coalesce(m[6]::double precision, 0); half := m[7]; offset_ := m[8];
		if length(m[1]) < 4 then
			y := y + case when y > 68 then 1900 else 2000 end;
		end if;
	else
		foreach token in array gate.formula_token(format, words) loop
			part := case
				when token in ('YYYY', 'Y', 'gggg', 'GGGG') then '(\d{1,4})' when token in ('YYYYY', 'YYYYYY', 'ggggg', 'GGGGG') then '(\+?\d{1,6})'
				when token in ('YY', 'gg', 'GG', 'MM', 'M', 'DD', 'D', 'HH', 'H', 'hh', 'h', 'kk', 'k', 'mm', 'm', 'ss', 's', 'W', 'WW', 'w', 'ww')
					then '(\d{1,2})'
				when token in ('Do', 'Mo', 'Wo', 'wo') then '(\d{1,2})' || suffix when token = 'DDDo' then '(\d{1,3})' || suffix
				when token in ('Hmm', 'hmm') then '(\d{1,2}\d{2})' when token in ('Hmmss', 'hmmss') then '(\d{1,2}\d{4})'
				when token in ('MMMM', 'MMM') then '(' || gate.formula_names(words[1:24] || words[47:82]) || '|[[:alpha:]]+)\.?'
				when token in ('DDDD', 'DDD') then '(\d{1,3})' when token = 'Q' then '([1-4])' when token = 'Qo' then '([1-4])' || suffix
				when token in ('dddd', 'ddd', 'dd') then '(' || gate.formula_names(words[25:38] || words[83:89]) || '|[[:alpha:]]+)\.?'
				when token in ('d', 'e', 'E') then '(\d)' when token = 'do' then '(\d)' || suffix
				when token in ('A', 'a') then '(' || gate.formula_names(regexp_split_to_array(words[39] || ';' || words[40], '(^|;)\d+=')) || '|[ap]\.?m?\.?)'
				when token in ('Z', 'ZZ') then '(Z|[-+]\d{2}:?\d{2})' when token = 'X' then '(-?\d{1,14}(?:\.\d{1,3})?)' when token = 'x' then '(-?\d{1,14})'
				when token ~ '^S+$' then '(\d{1,9})'
				when token ~ '^zz?$' then null
				else regexp_replace(token, '^\[(.*)\]$|^\\(.+)$', '\1\2') end;
			if part is null then
				return gate.formula_time_error(6::smallint);
			elsif token ~ '^[A-Za-z]' and part ~ '^\(' then
				signs := signs || token;
			elsif part ~ '^[[:punct:][:space:]\u200f]*$' then -- what stands between may differ
				part := '[^[:alnum:]]*?';
			else
				part := regexp_replace(regexp_replace(part, '([^[:alnum:]\s])', '\\\1', 'g'), '\s+', '\\s*', 'g');
			end if;
			pattern := pattern || part;
		end loop;
		m := regexp_match(a, '^\s*' || pattern, 'i');
		if m is null or signs = '{}' then
			return gate.formula_time_error(3::smallint);
		end if;
		for i in 1 .. cardinality(signs) loop
			token := signs[i];
			part := lower(m[i] collate "und-x-icu");
			case
			when token in ('YYYY', 'Y', 'YY', 'YYYYY', 'YYYYYY', 'gggg', 'ggggg', 'gg', 'GGGG', 'GGGGG', 'GG') then
				found_ := m[i]::integer + case when length(m[i]) > 2 or length(m[i]) = 1 and token <> 'YY' then 0 when m[i]::integer > 68 then 1900 else 2000 end;
				if token like 'Y%' then
					y := found_;
				elsif token like 'G%' then
					iso := found_;
				else
					own := found_;
				end if;
			when token in ('MM', 'M', 'Mo') then mo := m[i];
			when token in ('MMMM', 'MMM') then
				mo := gate.formula_month(m[i], words);
				for k in 47 .. 82 loop
					if btrim(part, '.') = btrim(lower(words[k] collate "und-x-icu"), '.') then
						mo := (k - 47) % 12 + 1;
					end if;
				end loop;
				for k in 1 .. 24 loop
					if btrim(part, '.') = btrim(lower(words[k] collate "und-x-icu"), '.') then
						mo := (k - 1) % 12 + 1;
					end if;
				end loop;
			when token in ('DD', 'D', 'Do') then d := m[i];
			when token in ('DDDD', 'DDD', 'DDDo') then doy := m[i];
			when token in ('Q', 'Qo') then quarter := m[i];
			when token in ('W', 'WW', 'Wo', 'w', 'ww', 'wo') then week := m[i];
			when token in ('d', 'do') then weekday := m[i]::integer;
			when token = 'e' then weekday := (m[i]::integer + words[96]::integer) % 7;
			when token = 'E' then weekday := m[i]::integer % 7;
			when token in ('dddd', 'ddd', 'dd') then
				for k in 0 .. 6 loop
					if btrim(part, '.') in (btrim(lower(words[25 + k] collate "und-x-icu"), '.'), btrim(lower(words[32 + k] collate "und-x-icu"), '.'),
						btrim(lower(words[83 + k] collate "und-x-icu"), '.')) then
						named := coalesce(named, k);
					end if;
				end loop;
			when token in ('HH', 'H', 'hh', 'h') then h := m[i];
			when token in ('kk', 'k') then h := case m[i] when '24' then 0 else m[i]::integer end;
			when token in ('mm', 'm') then mi := m[i];
			when token in ('ss', 's') then s := s + m[i]::integer;
			when token in ('Hmm', 'hmm') then h := left(m[i], -2); mi := right(m[i], 2);
			when token in ('Hmmss', 'hmmss') then h := left(m[i], -4); mi := left(right(m[i], 4), 2); s := s + right(m[i], 2)::integer;
			when token in ('A', 'a') then half := m[i];
			when token in ('Z', 'ZZ') then offset_ := m[i];
			when token like 'S%' then s := s + ('0.' || m[i])::double precision;
			when token in ('X', 'x') then
				if abs(m[i]::numeric) > (case when token = 'X' then 60000000000 else 60000000000000 end) then
					return gate.formula_time_error(5::smallint);
				end if;
				return timestamptz 'epoch' + make_interval(secs => m[i]::double precision / case when token = 'X' then 1 else 1000 end);
			else null;
			end case;
		end loop;
	end if;
	if y is null and coalesce(iso, own) is not null and week is not null then -- a day of a week
		if week not between 1 and 53 or weekday > 6 or coalesce(iso, own) not between 1 and 9998 then
			return gate.formula_time_error(3::smallint);
		end if;
		weekday := coalesce(weekday, named, case when iso is null then words[96]::integer else 1 end);
		if iso is not null then
			first := make_date(iso, 1, 4);
			first := first - (extract(isodow from first)::integer - 1) + (week - 1) * 7 + (weekday + 6) % 7;
		else
			first := make_date(own, 1, 7 + words[96]::integer - words[97]::integer + case when words[97]::integer > 6 + words[96]::integer then 7 else 0 end);
			first := first - (extract(dow from first)::integer - words[96]::integer + 7) % 7
				- case when words[97]::integer > 6 + words[96]::integer then 7 else 0 end
				+ (week - 1) * 7 + (weekday - words[96]::integer + 7) % 7;
		end if;
		y := extract(year from first); mo := extract(month from first); d := extract(day from first);
	elsif y is null then
		y := coalesce(iso, own);
	end if;
	if y is null then
		return gate.formula_time_error(6::smallint);
	elsif doy is not null and mo is null then
		if doy < 1 or y not between 1 and 9999 or doy > make_date(y, 12, 31) - make_date(y, 1, 1) + 1 then
			return gate.formula_time_error(3::smallint);
		end if;
		first := make_date(y, 1, 1) + doy - 1;
		mo := extract(month from first); d := extract(day from first);
	end if;
	mo := coalesce(mo, quarter * 3 - 2, 1);
	d := coalesce(d, 1);
	if half is not null then
		part := lower(half collate "und-x-icu");
		found_ := null;
		if h between 0 and 12 and mi between 0 and 59 then
			foreach found_ in array array[h % 12, h % 12 + 12, null] loop
				exit when part in (lower(gate.formula_half(found_ * 100 + mi, words[39]) collate "und-x-icu"),
					lower(gate.formula_half(found_ * 100 + mi, words[40]) collate "und-x-icu"));
			end loop;
			found_ := coalesce(found_, h % 12 + case when part ~ '^p\.?m?\.?$' or part = any (select lower(substr(r, position('=' in r) + 1) collate "und-x-icu")
				from unnest(string_to_array(words[39] || ';' || words[40], ';')) r where split_part(r, '=', 1)::integer >= 1130) then 12 else 0 end);
		elsif part in (lower(gate.formula_half(h * 100 + mi, words[39]) collate "und-x-icu"),
			lower(gate.formula_half(h * 100 + mi, words[40]) collate "und-x-icu")) then
			found_ := h;
		end if;
		if found_ is null then
			return gate.formula_time_error(3::smallint);
		end if;
		h := found_;
	end if;
	made := gate.formula_shown(y, mo, d, h, mi, s, offset_, zone);
	if named is not null and made < timestamptz '20000-01-01 00:00+00' and named <> extract(dow from make_date(y, mo, d)) then
		return gate.formula_time_error(3::smallint);
	end if;
	return made;
end
$$;
