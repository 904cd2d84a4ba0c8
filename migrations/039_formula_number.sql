-- VALUE of a text that can be read in two ways was a number, silently: "1.234,56" was 1.234, "1,5" was 15, and "12 pieces, 50% off" was 0.12. MIN and
-- MAX of no number were 0, where an aggregate is empty. One value of a list with empty ones was an error. The functions have new names, so that columns
-- which hold what the former ones yielded are filled again. A former program may run beside this, and calls the former ones.

-- formula_read_number reads the one number that a text writes, by the rules of fields: a point alone is the decimal sign; a comma alone is an error,
-- because it may group; of both, the last one is the decimal sign; digits are grouped by three. Letters and signs of currencies around it are left out.
-- Several numbers are an error, and so is a minus that may be a hyphen.
create function gate.formula_read_number(a text) returns double precision language plpgsql immutable parallel safe as $$
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
create function gate.formula_extreme(a double precision[], latest boolean) returns double precision language plpgsql immutable parallel safe as $$
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

create function gate.formula_extreme(a timestamptz[], latest boolean) returns timestamptz language sql immutable parallel safe
return gate.formula_end(a, latest);

create function gate.formula_extreme(a date[], latest boolean) returns date language sql immutable parallel safe
return gate.formula_end(a, latest);
