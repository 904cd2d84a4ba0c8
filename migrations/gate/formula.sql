-- Values and errors of formulas. A computed field is an expression of these functions; package formula writes it.

-- formula_error returns the code of an error, and null for anything else.
create or replace function gate.formula_error(a double precision) returns smallint language sql immutable parallel safe
return case when a >= 1e301 then case when a <= 3.2e302 then (a / 1e301)::smallint else 4 end end;

create or replace function gate.formula_error(a text) returns smallint language plpgsql immutable parallel safe as $$
begin
	if starts_with(a, U&'\FFFF') then
		return case when a ~ '^.[0-9]{1,2}$' then substr(a, 2)::smallint else 6 end;
	end if;
	return null;
end
$$;

create or replace function gate.formula_error(a date) returns smallint language sql immutable parallel safe
return case when a > date '20000-01-01' then (a - date '20000-01-01')::smallint end;

create or replace function gate.formula_error(a timestamptz) returns smallint language sql immutable parallel safe
return case when a > timestamptz '20000-01-01 00:00+00' then
	(extract(epoch from a - timestamptz '20000-01-01 00:00+00') / 86400)::smallint end;

create or replace function gate.formula_error(a double precision[]) returns smallint language plpgsql immutable parallel safe as $$
declare
	x double precision;
begin
	foreach x in array coalesce(a, '{}') loop
		if x >= 1e301 then
			return gate.formula_error(x);
		end if;
	end loop;
	return null;
end
$$;

create or replace function gate.formula_error(a text[]) returns smallint language plpgsql immutable parallel safe as $$
declare
	x text;
begin
	foreach x in array coalesce(a, '{}') loop
		if starts_with(x, U&'\FFFF') then
			return gate.formula_error(x);
		end if;
	end loop;
	return null;
end
$$;

create or replace function gate.formula_error(a date[]) returns smallint language plpgsql immutable parallel safe as $$
begin
	return (select gate.formula_error(max(x)) from unnest(a) x);
end
$$;

create or replace function gate.formula_error(a timestamptz[]) returns smallint language plpgsql immutable parallel safe as $$
begin
	return (select gate.formula_error(max(x)) from unnest(a) x);
end
$$;

-- An error as a value of each type.
create or replace function gate.formula_number_error(code smallint) returns double precision language sql immutable strict parallel safe
return code * 1e301::double precision;

create or replace function gate.formula_text_error(code smallint) returns text language sql immutable strict parallel safe
return U&'\FFFF' || code;

create or replace function gate.formula_date_error(code smallint) returns date language sql immutable strict parallel safe
return date '20000-01-01' + code;

create or replace function gate.formula_time_error(code smallint) returns timestamptz language sql immutable strict parallel safe
return timestamptz '20000-01-01 00:00+00' + code * interval '24 hours';

-- formula_bound makes an error of a number that is too large; one beyond 1e300 is none any more.
create or replace function gate.formula_bound(a double precision) returns double precision language sql immutable parallel safe
return case when a > 1e300 and a < 1e301 or a < -1e300 or a > 3.2e302 then 4e301 else a end;

create or replace function gate.formula_truth(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a <> 0 then 1 else 0 end;
end
$$;

create or replace function gate.formula_truth(a text) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when starts_with(a, U&'\FFFF') then gate.formula_error(a) * 1e301 when a <> '' then 1 else 0 end;
end
$$;

create or replace function gate.formula_truth(a date) returns double precision language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a) * 1e301, case when a is null then 0 else 1 end);
end
$$;

create or replace function gate.formula_truth(a timestamptz) returns double precision language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a) * 1e301, case when a is null then 0 else 1 end);
end
$$;

create or replace function gate.formula_not(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a <> 0 then 0 else 1 end;
end
$$;

-- formula_logic is all, any or an odd number of values. An error decides unless what stands before it has decided.
create or replace function gate.formula_logic(a double precision[], how text) returns double precision language plpgsql immutable parallel safe as $$
declare
	x   double precision;
	odd boolean := false;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		elsif coalesce(x, 0) <> 0 then
			if how = 'or' then
				return 1;
			end if;
			odd := not odd;
		elsif how = 'and' then
			return 0;
		end if;
	end loop;
	return case how when 'and' then 1 when 'or' then 0 else odd::integer end;
end
$$;

create or replace function gate.formula_compare(a double precision, b double precision, how text) returns double precision
language plpgsql immutable parallel safe as $$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	end if;
	a := coalesce(a, 0);
	b := coalesce(b, 0);
	return case how when '=' then a = b when '!=' then a <> b when '<' then a < b when '<=' then a <= b when '>' then a > b
		else a >= b end::integer;
end
$$;

create or replace function gate.formula_compare(a text, b text, how text) returns double precision language plpgsql immutable parallel safe as $$
begin
	if starts_with(a, U&'\FFFF') then
		return gate.formula_error(a) * 1e301;
	elsif starts_with(b, U&'\FFFF') then
		return gate.formula_error(b) * 1e301;
	end if;
	a := coalesce(a, '') collate "C";
	b := coalesce(b, '');
	return case how when '=' then a = b when '!=' then a <> b when '<' then a < b collate "C" when '<=' then a <= b collate "C"
		when '>' then a > b collate "C" else a >= b collate "C" end::integer;
end
$$;

-- A blank day is no day: equal to a blank one, and before or after none.
create or replace function gate.formula_compare(a timestamptz, b timestamptz, how text) returns double precision
language plpgsql immutable parallel safe as $$
begin
	if a > timestamptz '20000-01-01 00:00+00' then
		return gate.formula_error(a) * 1e301;
	elsif b > timestamptz '20000-01-01 00:00+00' then
		return gate.formula_error(b) * 1e301;
	end if;
	return case how when '=' then a is not distinct from b when '!=' then a is distinct from b when '<' then coalesce(a < b, false)
		when '<=' then coalesce(a <= b, false) when '>' then coalesce(a > b, false) else coalesce(a >= b, false) end::integer;
end
$$;

create or replace function gate.formula_compare(a date, b date, how text) returns double precision language plpgsql immutable parallel safe as $$
begin
	if a > date '20000-01-01' then
		return gate.formula_error(a) * 1e301;
	elsif b > date '20000-01-01' then
		return gate.formula_error(b) * 1e301;
	end if;
	return case how when '=' then a is not distinct from b when '!=' then a is distinct from b when '<' then coalesce(a < b, false)
		when '<=' then coalesce(a <= b, false) when '>' then coalesce(a > b, false) else coalesce(a >= b, false) end::integer;
end
$$;
