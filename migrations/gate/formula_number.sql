-- Functions of formulas on numbers.

create or replace function gate.formula_add(a double precision, b double precision) returns double precision
language plpgsql immutable parallel safe as $$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	end if;
	a := coalesce(a, 0) + coalesce(b, 0);
	if a > 1e300 or a < -1e300 then
		return 4e301;
	end if;
	return a;
end
$$;

create or replace function gate.formula_subtract(a double precision, b double precision) returns double precision
language plpgsql immutable parallel safe as $$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	end if;
	a := coalesce(a, 0) - coalesce(b, 0);
	if a > 1e300 or a < -1e300 then
		return 4e301;
	end if;
	return a;
end
$$;

create or replace function gate.formula_multiply(a double precision, b double precision) returns double precision
language plpgsql immutable parallel safe as $$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	elsif a is null or b is null or a = 0 or b = 0 then
		return 0;
	elsif abs(a) between 1e-150 and 1e150 and abs(b) between 1e-150 and 1e150 then
		return a * b;
	elsif ln(abs(a)) + ln(abs(b)) > 690.7755 then
		return 4e301;
	elsif ln(abs(a)) + ln(abs(b)) < -690 then
		return 0;
	end if;
	return a * b;
end
$$;

create or replace function gate.formula_divide(a double precision, b double precision) returns double precision
language plpgsql immutable parallel safe as $$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	elsif b is null or b = 0 then
		return 1e301;
	elsif a is null or a = 0 then
		return 0;
	elsif abs(a) between 1e-150 and 1e150 and abs(b) between 1e-150 and 1e150 then
		return a / b;
	elsif ln(abs(a)) - ln(abs(b)) > 690.7755 then
		return 4e301;
	elsif ln(abs(a)) - ln(abs(b)) < -690 then
		return 0;
	end if;
	return a / b;
end
$$;

create or replace function gate.formula_negate(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a = 0 then 0 else -coalesce(a, 0) end;
end
$$;

create or replace function gate.formula_exp(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a > 690.7755 then 4e301 when a < -690 then 0 else exp(coalesce(a, 0)) end;
end
$$;

create or replace function gate.formula_sqrt(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a < 0 then 2e301 else sqrt(coalesce(a, 0)) end;
end
$$;

-- formula_log is exact for whole powers of 10 and of 2, which a quotient of logarithms is not.
create or replace function gate.formula_log(a double precision, base double precision) returns double precision
language plpgsql immutable parallel safe as $$
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif base > 1e300 then
		return gate.formula_bound(base);
	elsif a is null or a <= 0 or base is null or base <= 0 then
		return 2e301;
	elsif base = 1 then
		return 1e301;
	elsif base = 10 then
		return log(a);
	end if;
	a := ln(a) / ln(base);
	return case when abs(a - round(a)) < 1e-12 then round(a) else a end;
end
$$;

create or replace function gate.formula_abs(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) else abs(coalesce(a, 0)) end;
end
$$;

-- formula_round rounds to digits behind the point: half up (towards positive infinity), down (towards 0), up (away from 0). It works on the
-- shortest decimal number that means the same, which is what people see, so that 1.005 becomes 1.01.
create or replace function gate.formula_round(a double precision, digits double precision, how text) returns double precision
language plpgsql immutable parallel safe as $$
declare
	exact numeric;
	unit  numeric;
begin
	if how = 'half' and a > 0 and a < 1e15 and digits between 0 and 15 then -- nearly always, and in one step
		return round(a::text::numeric, digits::integer)::double precision;
	elsif a > 1e300 then
		return gate.formula_bound(a);
	elsif digits > 1e300 then
		return gate.formula_bound(digits);
	end if;
	a := coalesce(a, 0);
	digits := trunc(coalesce(digits, 0));
	if digits > 300 or a = 0 or digits = 0 and a = trunc(a) then
		return a;
	elsif digits < -300 then
		return 0;
	end if;
	exact := a::text::numeric;
	unit := ('1e' || (-digits)::integer)::numeric;
	exact := case how
		when 'half' then floor(exact / unit + 0.5)
		when 'down' then trunc(exact / unit)
		else sign(exact) * ceil(abs(exact) / unit) end * unit;
	return case when abs(exact) > 1e300 then 4e301 else exact::double precision end;
end
$$;

create or replace function gate.formula_int(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) else floor(coalesce(a, 0)) end;
end
$$;

-- formula_even is the smallest even number that is not less; formula_odd goes away from 0.
create or replace function gate.formula_even(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when abs(a) < 1e-200 then sign(a + abs(a)) * 2
		else ceil(coalesce(a, 0) / 2) * 2 end;
end
$$;

-- formula_end is the least or the greatest; nothing of nothing but blanks is 0, as everywhere in arithmetic.
create or replace function gate.formula_end(a double precision[], latest boolean) returns double precision
language plpgsql immutable parallel safe as $$
declare
	x   double precision;
	ans double precision;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		elsif ans is null or latest and x > ans or not latest and x < ans then
			ans := x;
		end if;
	end loop;
	return coalesce(ans, 0);
end
$$;

create or replace function gate.formula_end(a timestamptz[], latest boolean) returns timestamptz language plpgsql immutable parallel safe as $$
begin
	return (select case when max(x) > timestamptz '20000-01-01 00:00+00' then max(x) when latest then max(x) else min(x) end
		from unnest(a) x);
end
$$;

create or replace function gate.formula_end(a date[], latest boolean) returns date language plpgsql immutable parallel safe as $$
begin
	return (select case when max(x) > date '20000-01-01' then max(x) when latest then max(x) else min(x) end from unnest(a) x);
end
$$;

create or replace function gate.formula_count(a double precision[]) returns double precision language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a) * 1e301, (select count(x) from unnest(a) x));
end
$$;

-- formula_count_values counts the texts that are not empty.
create or replace function gate.formula_count_values(a text[]) returns double precision language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a) * 1e301, (select count(nullif(x, '')) from unnest(a) x));
end
$$;

create or replace function gate.formula_count_all(a text[]) returns double precision language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a) * 1e301, coalesce(cardinality(a), 0));
end
$$;

-- formula_read_number reads the one number that a text writes, by the rules of fields: a point alone is the decimal sign; a comma alone is an error,
-- because it may group; of both, the last one is the decimal sign; digits are grouped by three. Letters and signs of currencies around it are left out.
-- Several numbers are an error, and so is a minus that may be a hyphen.
create or replace function gate.formula_read_number(a text) returns double precision language plpgsql immutable parallel safe as $$
declare
	sign     constant text := '[$¢£¥฿\u20a0-\u20cf]';
	parts    text[];
	digits   text;
	negative boolean;
	number   numeric;
begin
	if starts_with(a, U&'\FFFF') then
		return gate.formula_error(a) * 1e301;
	elsif a is null or a !~ '\S' then
		return null;
	elsif length(a) > 10000 then
		return 2e301;
	end if;
	a := translate(a, U&'\00A0\202F\2009\2019\2212', '   ''-');
	parts := regexp_match(a, '^([^0-9]*)([0-9](?:[0-9.,'' ]*[0-9])?(?:[eE][-+]?[0-9]+)?)([^0-9]*)$');
	digits := parts[2];
	if digits is null then
		return 2e301;
	elsif parts[1] ~ ('(^|[-+(\s]|' || sign || ')[.,]$') then -- ".5" is a number, and the point of "No.5" none
		digits := right(parts[1], 1) || digits;
		parts[1] := left(parts[1], -1);
	end if;
	negative := parts[1] ~ ('^[\s(]*' || sign || '?\s*-\s*' || sign || '?\s*([A-Z]{3}\s*)?$')
		or parts[1] ~ ('\s-' || sign || '?$');
	if not negative and parts[1] ~ ('^\s*-|-\s*' || sign || '?\s*$') or parts[3] ~ '^-\s*$' then
		return 2e301;
	elsif parts[1] ~ ('^\s*\(\s*([A-Z]{3}|-?\s*' || sign || ')?\s*-?\s*$') and parts[3] ~ ('^\s*(%|[A-Z]{3}|' || sign || ')?\s*\)\s*$') then
		if negative then
			return 2e301;
		end if;
		negative := true;
	end if;
	digits := case
		when digits ~ '^[0-9]*\.?[0-9]*([eE][-+]?[0-9]{1,3})?$' then digits
		when digits ~ '^[0-9]{1,3}(,[0-9]{3})+\.[0-9]+$|^[0-9]{1,3}(,[0-9]{3}){2,}$' then replace(digits, ',', '')
		when digits ~ '^[0-9]{1,3}(\.[0-9]{3})+,[0-9]+$|^[0-9]{1,3}(\.[0-9]{3}){2,}$' then translate(digits, ',.', '.')
		when digits ~ '^[0-9]{1,3}( [0-9]{3})+([.,][0-9]+)?$|^[0-9]{1,3}(''[0-9]{3})+([.,][0-9]+)?$' then translate(digits, ', ''', '.') end;
	if digits is null or length(digits) > 400 then
		return 2e301;
	end if;
	number := digits::numeric;
	if number > 1e300 then
		return 4e301;
	elsif number < 1e-300 then
		return 0;
	end if;
	return case when negative then -1 else 1 end * number::double precision / case when parts[3] ~ '^\s*%' then 100 else 1 end;
end
$$;

-- formula_extreme is the least or the greatest; of nothing but blanks it is blank.
create or replace function gate.formula_extreme(a double precision[], latest boolean) returns double precision language plpgsql immutable parallel safe as $$
declare
	x   double precision;
	ans double precision;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		elsif ans is null or latest and x > ans or not latest and x < ans then
			ans := x;
		end if;
	end loop;
	return ans;
end
$$;

create or replace function gate.formula_extreme(a timestamptz[], latest boolean) returns timestamptz language sql immutable parallel safe
return gate.formula_end(a, latest);

create or replace function gate.formula_extreme(a date[], latest boolean) returns date language sql immutable parallel safe
return gate.formula_end(a, latest);
