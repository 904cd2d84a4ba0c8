create extension if not exists pg_trgm;

drop table if exists item;

create table item (
	id bigint generated always as identity primary key,
	created_at timestamptz not null default now(),
	name text not null,
	email text not null,
	amount double precision not null,
	status text not null,
	notes text not null,
	due date not null,
	score double precision not null,
	done boolean not null default false
);

-- The text of a row that the search looks at. A date's text depends on a setting, which this
-- program never changes.
create or replace function item_text(name text, email text, amount double precision, status text, notes text, due date, score double precision)
returns text language sql immutable parallel safe as $$
	select lower(name || ' ' || email || ' ' || amount || ' ' || status || ' ' || notes || ' ' || due || ' ' || score)
$$;

create index item_amount on item (amount);
create index item_status_due on item (status, due);
create index item_text on item using gin (item_text(name, email, amount, status, notes, due, score) gin_trgm_ops);
