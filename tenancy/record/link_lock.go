package record

import (
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A writer of links may find that it needs records that it has not locked: records that another writer
// linked meanwhile, or that an upsert links. It does not wait for such a lock, because the other writer
// may be waiting for it: it rolls back and begins again. With many writers of the same links, one could
// begin again forever. So all of them share the lock db.LockLinks, and a writer that has begun again
// several times takes it exclusively.

// queueLinkLock queues the lock of the writers of links in the base of a table. It must come before
// every other lock of the transaction.
func queueLinkLock(b *pgx.Batch, t *schema.Table, exclusive bool) {
	lock := "pg_advisory_xact_lock_shared"
	if exclusive {
		lock = "pg_advisory_xact_lock"
	}
	b.Queue("select "+lock+"($1, hashtext($2))", db.LockLinks, t.Base.ID.String())
}
