-- What people decide about calls of agents, in the application. A new table, so the binary before this one is not affected: it knows no
-- answers and goes on to ask for confirm.

-- A row is the last answer of a person about a call: the digest of a credential, a tool and its arguments. What it allows is done once,
-- which rowhouse.used_plan records by the id of the question. The row can go once the answer has expired.
create table rowhouse.approval (
	org_id     uuid        not null references rowhouse.organization on delete cascade,
	call       bytea       not null constraint approval_call_size check (length(call) = 16),
	question   uuid        not null,
	approved   boolean     not null,
	expires_at timestamptz not null,
	primary key (org_id, call)
);
select gate.protect('rowhouse.approval');
grant select, insert, update, delete on rowhouse.approval to rowhouse_app;
