-- The job queue looks at the webhooks of the bases that have changed, and not at all of an organization. The binary before this one asks
-- for no base.

grant select (base_id) on rowhouse.webhook to rowhouse_system;
