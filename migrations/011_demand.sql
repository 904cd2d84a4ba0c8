-- A condition of a write in SQL, which the planner writes into the statement; a call into PL/pgSQL is made only where it does not hold. With
-- version.t_<number>() it takes the place of gate.enter_table, which stays for upserts and for the binary before this one, as gate.enter does.

-- refuse ends the transaction with the given SQLSTATE. It is volatile, so that it is never run while a statement is planned.
create function gate.refuse(state text) returns boolean language plpgsql as $$
begin
	raise exception 'a condition of the transaction does not hold' using errcode = state;
end
$$;

create or replace function gate.demand(fact boolean, state text) returns boolean language sql
return case when fact then true else gate.refuse(state) end;
