-- Functions of formulas on texts.

-- formula_text writes a number as JSON does, a day as YYYY-MM-DD, a moment in UTC and a list with commas.
create or replace function gate.formula_text(a double precision) returns text language plpgsql immutable parallel safe as $$
begin
	if a > 1e300 then
		return gate.formula_text_error(gate.formula_error(gate.formula_bound(a)));
	elsif a = trunc(a) and abs(a) < 1e15 then
		return a::bigint::text;
	elsif abs(a) >= 1e21 or abs(a) < 1e-6 then
		return regexp_replace(a::text, 'e([+-])0(\d)$', 'e\1\2');
	end if;
	return a::text::numeric::text;
end
$$;

create or replace function gate.formula_text(a date) returns text language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_text_error(gate.formula_error(a)), to_char(a::timestamp, 'YYYY-MM-DD'));
end
$$;

create or replace function gate.formula_text(a timestamptz) returns text language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_text_error(gate.formula_error(a)), to_char(a at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end
$$;

-- formula_join puts a separator between texts. A text has at most 100,000 characters.
create or replace function gate.formula_join(a text[], separator text) returns text language plpgsql immutable parallel safe as $$
declare
	joined text;
begin
	if starts_with(separator, U&'\FFFF') then
		return separator;
	end if;
	joined := array_to_string(a, coalesce(separator, ''), '');
	if strpos(joined, U&'\FFFF') > 0 and gate.formula_error(a) is not null then
		return gate.formula_text_error(gate.formula_error(a));
	elsif octet_length(joined) > 100000 and length(joined) > 100000 then
		return U&'\FFFF' || 8;
	end if;
	return joined;
end
$$;

-- formula_texts writes each value of a list.
create or replace function gate.formula_texts(a double precision[]) returns text[] language plpgsql immutable parallel safe as $$
begin
	return array(select gate.formula_text(x) from unnest(a) with ordinality u(x, place) order by place);
end
$$;

create or replace function gate.formula_texts(a date[]) returns text[] language plpgsql immutable parallel safe as $$
begin
	return array(select gate.formula_text(x) from unnest(a) with ordinality u(x, place) order by place);
end
$$;

create or replace function gate.formula_texts(a timestamptz[]) returns text[] language plpgsql immutable parallel safe as $$
begin
	return array(select gate.formula_text(x) from unnest(a) with ordinality u(x, place) order by place);
end
$$;

-- formula_truths are 1 for texts that are not empty.
create or replace function gate.formula_truths(a text[]) returns double precision[] language plpgsql immutable parallel safe as $$
begin
	return array(select gate.formula_truth(x) from unnest(a) with ordinality u(x, place) order by place);
end
$$;

-- formula_only is the value of a list that holds one, and an error if it holds several.
create or replace function gate.formula_only(a double precision[]) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when cardinality(a) > 1 then coalesce(gate.formula_error(a) * 1e301, 10e301) else a[array_lower(a, 1)] end;
end
$$;

create or replace function gate.formula_only(a date[]) returns date language plpgsql immutable parallel safe as $$
begin
	return case when cardinality(a) > 1 then gate.formula_date_error(coalesce(gate.formula_error(a), 10::smallint))
		else a[array_lower(a, 1)] end;
end
$$;

create or replace function gate.formula_only(a timestamptz[]) returns timestamptz language plpgsql immutable parallel safe as $$
begin
	return case when cardinality(a) > 1 then gate.formula_time_error(coalesce(gate.formula_error(a), 10::smallint))
		else a[array_lower(a, 1)] end;
end
$$;

-- formula_code is the error of several arguments, the first one's.
create or replace function gate.formula_code(a text, b double precision, c double precision, d text) returns smallint
language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a), gate.formula_error(b), gate.formula_error(c), gate.formula_error(d));
end
$$;

-- formula_whole is a number of characters or days.
create or replace function gate.formula_whole(a double precision) returns integer language sql immutable parallel safe
return trunc(least(greatest(coalesce(a, 0), -1000000000), 1000000000))::integer;

create or replace function gate.formula_length(a text) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when starts_with(a, U&'\FFFF') then gate.formula_error(a) * 1e301 else length(coalesce(a, '')) end;
end
$$;

-- formula_part is the part of a text from a place on; formula_end_part is its end. Lengths and places are counted in characters, from 1.
create or replace function gate.formula_part(a text, start double precision, n double precision) returns text
language plpgsql immutable parallel safe as $$
begin
	if starts_with(a, U&'\FFFF') or start > 1e300 or n > 1e300 then
		return gate.formula_text_error(gate.formula_code(a, start, n, null));
	elsif gate.formula_whole(n) < 0 or gate.formula_whole(start) < 0 then
		return U&'\FFFF' || 6;
	end if;
	return substr(a, greatest(gate.formula_whole(start), 1), gate.formula_whole(n));
end
$$;

create or replace function gate.formula_end_part(a text, n double precision) returns text language plpgsql immutable parallel safe as $$
begin
	if starts_with(a, U&'\FFFF') or n > 1e300 then
		return gate.formula_text_error(gate.formula_code(a, n, null, null));
	elsif gate.formula_whole(n) < 0 then
		return U&'\FFFF' || 6;
	end if;
	return right(a, gate.formula_whole(n));
end
$$;

-- formula_find is the place of a text in another one, or 0.
create or replace function gate.formula_find(what text, a text, start double precision) returns double precision
language plpgsql immutable parallel safe as $$
declare
	before integer := greatest(gate.formula_whole(start) - 1, 0);
	place  integer;
begin
	if starts_with(what, U&'\FFFF') or starts_with(a, U&'\FFFF') or start > 1e300 then
		return gate.formula_code(what, null, null, a) * 1e301;
	end if;
	place := strpos(substr(coalesce(a, ''), before + 1), coalesce(what, ''));
	return case when place = 0 or before > length(coalesce(a, '')) then 0 else place + before end;
end
$$;

create or replace function gate.formula_replace(a text, start double precision, n double precision, new text) returns text
language plpgsql immutable parallel safe as $$
begin
	if starts_with(a, U&'\FFFF') or start > 1e300 or n > 1e300 or starts_with(new, U&'\FFFF') then
		return gate.formula_text_error(gate.formula_code(a, start, n, new));
	elsif gate.formula_whole(n) < 0 or gate.formula_whole(start) < 1 then
		return U&'\FFFF' || 6;
	end if;
	a := coalesce(a, '');
	return gate.formula_join(array[left(a, gate.formula_whole(start) - 1), new,
		substr(a, gate.formula_whole(start) + gate.formula_whole(n))], '');
end
$$;

create or replace function gate.formula_repeat(a text, n double precision) returns text language plpgsql immutable parallel safe as $$
begin
	if starts_with(a, U&'\FFFF') or n > 1e300 then
		return gate.formula_text_error(gate.formula_code(a, n, null, null));
	elsif gate.formula_whole(n) < 0 then
		return U&'\FFFF' || 6;
	elsif length(a)::bigint * gate.formula_whole(n) > 100000 then
		return U&'\FFFF' || 8;
	end if;
	return repeat(a, case when a = '' then 0 else gate.formula_whole(n) end);
end
$$;

-- formula_substitute replaces every occurrence of a text, or that with a number, from 1.
create or replace function gate.formula_substitute(a text, old text, new text, which double precision) returns text
language plpgsql immutable parallel safe as $$
declare
	n     integer := gate.formula_whole(which);
	from_place integer := 1;
	place integer;
begin
	if starts_with(a, U&'\FFFF') or starts_with(old, U&'\FFFF') or starts_with(new, U&'\FFFF') or which > 1e300 then
		return gate.formula_text_error(coalesce(gate.formula_code(a, null, null, old), gate.formula_code(new, which, null, null)));
	elsif coalesce(a, '') = '' or coalesce(old, '') = '' then
		return a;
	elsif which is null then
		if (length(a)::bigint / length(old) + 1) * length(new) > 100000 then -- it may be
			return gate.formula_join(string_to_array(a, old), new);
		end if;
		return replace(a, old, coalesce(new, ''));
	elsif n < 1 then
		return U&'\FFFF' || 6;
	end if;
	loop
		place := strpos(substr(a, from_place), old);
		if place = 0 then
			return a;
		end if;
		from_place := from_place + place - 1;
		n := n - 1;
		if n = 0 then
			return gate.formula_join(array[left(a, from_place - 1), new, substr(a, from_place + length(old))], '');
		end if;
		from_place := from_place + length(old);
	end loop;
end
$$;

create or replace function gate.formula_case(a text, up boolean) returns text language plpgsql immutable parallel safe as $$
begin
	return case when starts_with(a, U&'\FFFF') then a when up then upper(a collate "und-x-icu") else lower(a collate "und-x-icu") end;
end
$$;

create or replace function gate.formula_trim(a text) returns text language plpgsql immutable parallel safe as $$
begin
	return regexp_replace(a, '^\s+|\s+$', '', 'g');
end
$$;

create or replace function gate.formula_encode_url(a text) returns text language plpgsql immutable parallel safe as $$
declare
	encoded text;
begin
	if starts_with(a, U&'\FFFF') or a !~ '[^A-Za-z0-9_.!~*''()-]' then
		return a;
	end if;
	select string_agg(case when c ~ '[A-Za-z0-9_.!~*''()-]' then c else
		regexp_replace(upper(encode(convert_to(c, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by place)
		into encoded from regexp_split_to_table(a, '') with ordinality u(c, place);
	return case when length(encoded) > 100000 then U&'\FFFF' || 8 else encoded end;
end
$$;

create or replace function gate.formula_match(a text, pattern text) returns double precision language plpgsql immutable parallel safe as $$
begin
	if starts_with(a, U&'\FFFF') or starts_with(pattern, U&'\FFFF') then
		return coalesce(gate.formula_error(a), gate.formula_error(pattern)) * 1e301;
	end if;
	return (coalesce(a, '') ~ pattern)::integer;
end
$$;

-- formula_pattern returns a pattern that a record holds if it is one: an error if it is wrong, too large, or refers back.
create or replace function gate.formula_pattern(pattern text) returns text language plpgsql immutable as $$
begin
	if starts_with(pattern, U&'\FFFF') then
		return pattern;
	elsif length(pattern) > 500 or pattern ~ '\\[1-9]|\(\?<|^\*\*\*' then
		return U&'\FFFF' || 7;
	end if;
	perform '' ~ pattern;
	return coalesce(pattern, '');
exception when invalid_regular_expression then
	return U&'\FFFF' || 7;
end
$$;

create or replace function gate.formula_compact(a anyarray) returns anyarray language plpgsql immutable parallel safe as $$
begin
	return array(select x from unnest(a) with ordinality u(x, place) where x is not null and x::text <> '' order by place);
end
$$;

create or replace function gate.formula_unique(a anyarray) returns anyarray language plpgsql immutable parallel safe as $$
begin
	return array(select x from (select distinct on (x) x, place from unnest(a) with ordinality u(x, place) order by x, place) d
		order by place);
end
$$;

-- formula_extract is the first match. Each part of the pattern is greedy or lazy as a whole and looks ahead for those behind it. The parts
-- match one after the other, so that the match is the one that Perl and RE2 find, where PostgreSQL alone makes all of a pattern greedy or lazy.
create or replace function gate.formula_extract(a text, parts text[]) returns text language plpgsql immutable parallel safe as $$
declare
	part  text;
	match integer[];
	first integer;
	place integer := 1;
begin
	if starts_with(a, U&'\FFFF') or starts_with(parts[1], U&'\FFFF') then
		return gate.formula_text_error(coalesce(gate.formula_error(a), gate.formula_error(parts[1])));
	end if;
	a := coalesce(a, '');
	foreach part in array parts loop
		exit when place > length(a) and first is not null;
		match := gate.formula_first(a, part, place);
		if first is null then
			first := match[1];
			if first is null then
				return null;
			end if;
		end if;
		place := coalesce(match[2], length(a) + 1);
	end loop;
	return substr(a, first, place - first);
end
$$;

-- formula_regex_replace replaces every match, or once if a match begins where the text does. In what replaces it, $1 to $9 are what groups matched.
create or replace function gate.formula_regex_replace(a text, parts text[], new text, once boolean) returns text language plpgsql immutable parallel safe as $$
declare
	done  text := '';
	found text;
	place integer;
	work  bigint := 0; -- characters that were read
begin
	if starts_with(a, U&'\FFFF') or starts_with(new, U&'\FFFF') or starts_with(parts[1], U&'\FFFF') then
		return gate.formula_text_error(coalesce(gate.formula_error(a), gate.formula_error(parts[1]), gate.formula_error(new)));
	end if;
	a := coalesce(a, '');
	if cardinality(parts) = 1 then
		new := regexp_replace(replace(coalesce(new, ''), '\', '\\'), '\$([1-9])', '\\\1', 'g');
		if (length(a) + 1)::bigint * (length(new) + 1) > 1000000 and regexp_count(a, parts[1])::bigint * (length(new) + length(a)) > 10000000 then
			return U&'\FFFF' || 8;
		end if;
		a := regexp_replace(a, parts[1], new, 'g');
		return case when length(a) > 100000 then U&'\FFFF' || 8 else a end;
	end if;
	loop
		place := (gate.formula_first(a, parts[1], 1))[1];
		exit when place is null or place > length(a);
		work := work + length(a) + length(done);
		if length(done) > 100000 or work > 10000000 then
			return U&'\FFFF' || 8;
		end if;
		found := gate.formula_extract(a, parts);
		done := done || left(a, place - 1) || coalesce(new, '') || case when found = '' then substr(a, place, 1) else '' end;
		a := substr(a, place + greatest(length(found), 1));
		exit when once;
	end loop;
	done := done || a;
	return case when length(done) > 100000 then U&'\FFFF' || 8 else done end;
end
$$;

-- formula_slice is the values from a place to another one, both included; places below 0 count from the end. failed is for a place that is an
-- error.
create or replace function gate.formula_slice(a anyarray, first double precision, last double precision, failed anyarray) returns anyarray
language plpgsql immutable parallel safe as $$
declare
	n      integer := coalesce(cardinality(a), 0);
	before integer := array_lower(a, 1) - 1;
	from_place integer := gate.formula_whole(first);
	to_place   integer := gate.formula_whole(coalesce(last, -1));
begin
	if first > 1e300 or last > 1e300 then
		return failed;
	elsif n = 1 and gate.formula_error(a) is not null then
		return a;
	end if;
	from_place := greatest(case when from_place < 0 then n + 1 + from_place else from_place end, 1);
	to_place := case when to_place < 0 then n + 1 + to_place else to_place end;
	return coalesce(a[before + from_place : before + to_place], '{}');
end
$$;

-- formula_first returns where the first match from a place on begins and where it ends; null is none. The character that marks the place
-- is none (U+FFFE), and a text that has it anyway is read as if it had U+FFFD.
create or replace function gate.formula_first(a text, pattern text, place integer) returns integer[] language plpgsql immutable parallel safe as $$
declare
	marked text := regexp_replace(translate(a, U&'\FFFE', U&'\FFFD'), pattern, U&'\FFFE', place, 1);
	first  integer := strpos(marked, U&'\FFFE');
begin
	return case when first > 0 then array[first, first + 1 + length(a) - length(marked)] end;
end
$$;
