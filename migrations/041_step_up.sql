-- A client that is challenged for more scopes and refreshes its token is told once that it has to authorize again.
-- A former program reads and writes the other columns.
alter table rowhouse.oauth_grant add column step_up_until timestamptz;
