-- What formulas do with numbers; errors are those of the migration formula.

-- Arithmetic. What is smaller than 1e-300 is 0, because a product of it would be an error.

create function gate.formula_add(a double precision, b double precision) returns double precision
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

create function gate.formula_subtract(a double precision, b double precision) returns double precision
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

create function gate.formula_multiply(a double precision, b double precision) returns double precision
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

create function gate.formula_divide(a double precision, b double precision) returns double precision
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

create function gate.formula_negate(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a = 0 then 0 else -coalesce(a, 0) end;
end
$$;

-- formula_mod has the sign of the divisor.
create function gate.formula_mod(a double precision, b double precision) returns double precision
language plpgsql immutable parallel safe as $$
declare
	remainder double precision;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	elsif b > 1e300 then
		return gate.formula_bound(b);
	elsif b is null or b = 0 then
		return 1e301;
	elsif a is null or a = 0 then
		return 0;
	elsif abs(a) not between 1e-15 and 1e15 or abs(b) not between 1e-15 and 1e15 then
		if abs(a) < abs(b) then
			return case when (a < 0) = (b < 0) then a else a + b end;
		end if;
		return 4e301;
	end if;
	remainder := mod(a::text::numeric, b::text::numeric);
	return case when remainder <> 0 and (remainder < 0) <> (b < 0) then remainder + b else remainder end;
end
$$;

create function gate.formula_power(a double precision, b double precision) returns double precision
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
		return case when a < 0 and mod(abs(b)::numeric, 2) = 1 then -1 else 1 end;
	elsif abs(b) < 1e-150 then
		return 1;
	end if;
	size := case when abs(b) < 1e100 then ln(abs(a)) * b else sign(ln(abs(a))) * sign(b) * 1e6 end;
	return case when size > 690.7755 then 4e301 when size < -690 then 0 else power(a, b) end;
end
$$;

create function gate.formula_exp(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a > 690.7755 then 4e301 when a < -690 then 0 else exp(coalesce(a, 0)) end;
end
$$;

create function gate.formula_sqrt(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when a < 0 then 2e301 else sqrt(coalesce(a, 0)) end;
end
$$;

-- formula_log is exact for whole powers of 10 and of 2, which a quotient of logarithms is not.
create function gate.formula_log(a double precision, base double precision) returns double precision
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

create function gate.formula_abs(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) else abs(coalesce(a, 0)) end;
end
$$;

-- formula_round rounds to digits behind the point: half up (towards positive infinity), down (towards 0), up (away from 0). It works on the
-- shortest decimal number that means the same, which is what people see, so that 1.005 becomes 1.01.
create function gate.formula_round(a double precision, digits double precision, how text) returns double precision
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

-- formula_multiple is the nearest multiple of a unit that is not less (up) or not more than a number.
create function gate.formula_multiple(a double precision, unit double precision, up boolean) returns double precision
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
	return case when abs(exact) > 1e300 then 4e301 else exact::double precision end;
end
$$;

create function gate.formula_int(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) else floor(coalesce(a, 0)) end;
end
$$;

-- formula_even is the smallest even number that is not less; formula_odd goes away from 0.
create function gate.formula_even(a double precision) returns double precision language plpgsql immutable parallel safe as $$
begin
	return case when a > 1e300 then gate.formula_bound(a) when abs(a) < 1e-200 then sign(a + abs(a)) * 2
		else ceil(coalesce(a, 0) / 2) * 2 end;
end
$$;

create function gate.formula_odd(a double precision) returns double precision language plpgsql immutable parallel safe as $$
declare
	size double precision;
begin
	if a > 1e300 then
		return gate.formula_bound(a);
	end if;
	size := ceil((abs(coalesce(a, 0)) - 1) / 2) * 2 + 1;
	size := greatest(size, 1);
	return case when a < 0 then -size else size end;
end
$$;

-- Numbers of several: what is blank is not counted.

create function gate.formula_sum(a double precision[]) returns double precision language plpgsql immutable parallel safe as $$
declare
	x     double precision;
	total double precision := 0;
begin
	foreach x in array coalesce(a, '{}') loop
		if x > 1e300 then
			return gate.formula_bound(x);
		end if;
		total := total + coalesce(x, 0);
		if abs(total) > 1e300 then
			return 4e301;
		end if;
	end loop;
	return total;
end
$$;

create function gate.formula_average(a double precision[]) returns double precision language plpgsql immutable parallel safe as $$
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
		if abs(total) > 1e300 then
			return 4e301;
		end if;
	end loop;
	return case when n > 0 then case when abs(total) < 1e-290 then 0 else total / n end end;
end
$$;

-- formula_end is the least or the greatest; nothing of nothing but blanks is 0, as everywhere in arithmetic.
create function gate.formula_end(a double precision[], latest boolean) returns double precision
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

create function gate.formula_end(a timestamptz[], latest boolean) returns timestamptz language plpgsql immutable parallel safe as $$
begin
	return (select case when max(x) > timestamptz '20000-01-01 00:00+00' then max(x) when latest then max(x) else min(x) end
		from unnest(a) x);
end
$$;

create function gate.formula_end(a date[], latest boolean) returns date language plpgsql immutable parallel safe as $$
begin
	return (select case when max(x) > date '20000-01-01' then max(x) when latest then max(x) else min(x) end from unnest(a) x);
end
$$;

create function gate.formula_count(a double precision[]) returns double precision language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a) * 1e301, (select count(x) from unnest(a) x));
end
$$;

-- formula_count_values counts the texts that are not empty.
create function gate.formula_count_values(a text[]) returns double precision language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a) * 1e301, (select count(nullif(x, '')) from unnest(a) x));
end
$$;

create function gate.formula_count_all(a text[]) returns double precision language plpgsql immutable parallel safe as $$
begin
	return coalesce(gate.formula_error(a) * 1e301, coalesce(cardinality(a), 0));
end
$$;
