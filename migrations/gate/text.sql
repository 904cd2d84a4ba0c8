-- Text as a reader sees it, and in one case of letters. These functions are immutable, so that an index can hold what they return: they depend
-- neither on the locale of the database nor on settings of the session.

-- fold is text in lower case, in which searches and filters compare it. It reads as fast as lower where the text is ASCII.
create or replace function gate.fold(t text) returns text language plpgsql immutable strict parallel safe cost 4 as $$
begin
	if octet_length(t) = length(t) then
		return lower(t collate "C");
	end if;
	t := lower(t collate "und-x-icu");
	if t like '%ς%' or t like U&'%i\0307%' then
		return replace(replace(t, 'ς', 'σ'), U&'i\0307', 'i');
	end if;
	return t;
end
$$;

-- fold_value is fold for arguments that are cheap to read several times, such as a column, because the planner
-- inlines it.
create or replace function gate.fold_value(t text) returns text language sql immutable parallel safe
return case when octet_length(t) = length(t) then lower(t collate "C")
	else replace(replace(lower(t collate "und-x-icu"), 'ς', 'σ'), U&'i\0307', 'i') collate "C" end;

-- search_fold is fold without accents: text in the form in which searches compare it. Search indexes contain its
-- results, and drop_stale_indexes compares them.
create or replace function gate.search_fold(t text) returns text language plpgsql immutable strict parallel safe cost 4 as $$
begin
	if octet_length(t) = length(t) then
		return lower(t collate "C");
	end if;
	return lower(dictionary.unaccent('dictionary.unaccent', gate.fold(t)) collate "C"); -- some signs become capitals, as №
end
$$;

create or replace function gate.number_text(x double precision) returns text language sql immutable parallel safe
return case when (abs(x) >= 1e15 and abs(x) < 1e21) or (abs(x) < 1e-4 and abs(x) >= 1e-6)
	then x::text::numeric::text else x::text end;

-- A timestamp without a time zone: the session's time zone need not be asked.
create or replace function gate.date_text(d date) returns text language plpgsql immutable strict parallel safe as $$
begin
	return to_char(d::timestamp, 'YYYY-MM-DD');
end
$$;

-- timestamp_text is the time as the API writes it, in UTC.
create or replace function gate.timestamp_text(m timestamptz) returns text language plpgsql immutable strict parallel safe as $$
declare
	t text := to_char(m at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US');
begin
	return case when right(t, 3) = '000' then left(t, -3) else t end || 'Z';
end
$$;

-- list_text is the entries of a list, separated by a character that people do not write.
create or replace function gate.list_text(entries text[]) returns text language plpgsql immutable strict parallel safe as $$
begin
	return array_to_string(entries, chr(31));
end
$$;
