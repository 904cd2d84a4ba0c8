-- Installs the functions of the schema gate, in one transaction and before the tables: each file after those whose
-- functions it needs. A function that replaces another one, with other parameters or another result, gets a new name,
-- because processes of the release before still call the former.
set local check_function_bodies = off;

-- USAGE lets a session prepare a statement before it takes a role. It reads nothing.
grant usage on schema gate to public;

{{ template "isolation.sql" . }}
{{ template "transaction.sql" . }}
{{ template "change_log.sql" . }}
{{ template "table.sql" . }}
{{ template "mark.sql" . }}
{{ template "sql_base.sql" . }}
{{ template "text.sql" . }}
{{ template "search.sql" . }}
{{ template "formula.sql" . }}
{{ template "formula_number.sql" . }}
{{ template "formula_text.sql" . }}
{{ template "formula_date.sql" . }}
{{ template "formula_format.sql" . }}
{{ template "formula_clock.sql" . }}
{{ template "grant.sql" . }}
