-- What the device cookies of a person are signed with beside the secret of the service. A browser whose cookie holds
-- is one in which the person signed in before: the limits of signing in spare it, and a sign-in from another one is
-- told by mail. Another value here makes the cookies of all browsers void. It is null as long as no browser is known:
-- the first one that signs in is no news. A column that may be null: the binary before does not know it.
alter table rowhouse.person add column device_epoch uuid;
