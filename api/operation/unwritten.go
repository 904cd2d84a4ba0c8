package operation

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// setReaches is an upper bound of the age of a change set that a request can join.
const setReaches = 2 * time.Hour

// noteUnchanged finds out whether a write that began at a time changed none of the records that it
// returned. Then the log does not know its change set, unless the request joined one, and the
// result does not name it.
func (c *Call) noteUnchanged(ctx context.Context, began time.Time, records ...[]byte) {
	for _, raw := range records {
		if version, ok := record.Record(raw).Version(); !ok || version >= began.UnixMicro() {
			return // it was changed now
		}
	}
	known := true
	err := c.DB.Read(ctx, c.Target.Org, func(b *pgx.Batch) {
		b.Queue("select exists (select from "+changelog.Relation(c.Target.Org)+
			" where change_set = $1 and number >= $2)", db.ActorOf(ctx).ChangeSet, began.Add(-setReaches).UnixMicro()).
			QueryRow(func(row pgx.Row) error { return row.Scan(&known) })
	})
	c.unwritten = err == nil && !known // the write has been committed, even if this question fails
}
