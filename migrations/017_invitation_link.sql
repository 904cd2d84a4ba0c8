-- Inviting an address again mails a new link. The links mailed before stay good until the invitation is accepted, revoked or has
-- expired: people open whichever mail they find first, and a mail may be lost or held back. Every link gives the role that the
-- invitation has now. A process of the version before knows only the newest link.
alter table rowhouse.invitation add column former_hashes bytea[] not null default '{}';
create index invitation_former on rowhouse.invitation using gin (former_hashes);
