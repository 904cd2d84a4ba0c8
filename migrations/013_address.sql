-- Links with which people change the e-mail address of their account.
alter table rowhouse.mailed_token
	drop constraint mailed_token_purpose,
	add constraint mailed_token_purpose check (purpose in ('verify', 'reset', 'change'));
