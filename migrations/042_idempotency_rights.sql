-- The answer to a request with an Idempotency-Key is repeated to every credential of its person. It is stored with the rights of the
-- credential that made it, so that one with fewer rights gets no more than it may see. A former program stores none.
alter table rowhouse.idempotency add column rights text[];
