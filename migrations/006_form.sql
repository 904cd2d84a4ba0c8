-- Forms that people without an account answer: whose rights they have, and whether other sites may show them.
alter table rowhouse.view_share
	add column person_id uuid,
	add column framed boolean not null default false;

-- How many answers a form has had. There is no row before the first.
create table rowhouse.form_answer (
	org_id  uuid   not null,
	view_id uuid   not null,
	answers bigint not null,
	primary key (org_id, view_id),
	constraint form_answer_view foreign key (org_id, view_id) references rowhouse.view on delete cascade
);
select gate.protect('rowhouse.form_answer');
grant select, insert, update on rowhouse.form_answer to rowhouse_app;
