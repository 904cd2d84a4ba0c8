-- REGEX_REPLACE and REGEX_EXTRACT with a pattern that is lazy in one part and greedy in another took tens of seconds over a text of thousands of
-- characters, so that a record with it could not be written: regexp_instr finds all matches of the text to return the first, and each match copied
-- the rest. regexp_replace stops at the first, and the work of a replacement is bounded, as that of other functions is. A former program may run
-- beside this.

-- formula_first returns where the first match from a place on begins and where it ends; null is none. The character that marks the place
-- is none (U+FFFE), and a text that has it anyway is read as if it had U+FFFD.
create function gate.formula_first(a text, pattern text, place integer) returns integer[] language plpgsql immutable parallel safe as $$
declare
	marked text := regexp_replace(translate(a, U&'\FFFE', U&'\FFFD'), pattern, U&'\FFFE', place, 1);
	first  integer := strpos(marked, U&'\FFFE');
begin
	return case when first > 0 then array[first, first + 1 + length(a) - length(marked)] end;
end
$$;

revoke execute on function gate.formula_first(text, text, integer) from public;
grant execute on function gate.formula_first(text, text, integer) to rowhouse_app, rowhouse_owner, rowhouse_system, rowhouse_search;

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
