package record

import (
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A writer of links may find that it needs records that it has not locked: those that another writer
// linked meanwhile, or those that an upsert links. It does not wait for such a lock, because the other
// may be waiting for it: it gives up what it has and begins again. Where many write the links of the same
// records, one could begin again forever. So all of them hold a turn, which they share, and one that
// has begun again several times waits for a turn alone.

// queueTurn queues the wait for a turn among the writers of links in the base of a table. It must come
// before every other lock of the transaction.
func queueTurn(b *pgx.Batch, t *schema.Table, alone bool) {
	lock := "pg_advisory_xact_lock_shared"
	if alone {
		lock = "pg_advisory_xact_lock"
	}
	b.Queue("select "+lock+"($1, hashtext($2))", db.LockLinks, t.Base.ID.String())
}

// queueHasty queues statements that must not wait for a lock (changelog.NoWait). PostgreSQL waits all the
// same where somebody holds a newer version of a record than the statement sees, so the wait is bounded.
func queueHasty(b *pgx.Batch, distributed bool, queue func()) {
	short, restore := shortLockTimeout, restoreLockTimeout
	if distributed {
		short, restore = shortLockTimeoutCitus, restoreLockTimeoutCitus
	}
	b.Queue(short)
	queue()
	b.Queue(restore)
}
