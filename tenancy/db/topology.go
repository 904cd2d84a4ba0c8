package db

import (
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A Topology says which statements and objects the records of organizations allow, with their log, depending on the
// nodes on which they are. Packages that write statements ask it, and need not know why it answers so. The zero value
// is that of a single PostgreSQL, which allows everything. With Citus (docs/decisions/0028-citus.md) the records of an
// organization are on a worker, and what organizations share is on the coordinator.
type Topology struct{ distributed bool }

// Topology is the topology of the database.
func (db *DB) Topology() Topology { return Topology{db.distributed} }

// HasTriggers reports whether record tables have triggers. These keep the columns of computed fields, so that
// without them all computed fields are computed when they are read.
func (t Topology) HasTriggers() bool { return !t.distributed }

// HasIdentity reports whether a column of a record table can become an identity column. Otherwise its default counts
// by a sequence of its own.
func (t Topology) HasIdentity() bool { return !t.distributed }

// HasLogParts reports whether the log of changes has a part for each month, and none otherwise.
func (t Topology) HasLogParts() bool { return !t.distributed }

// HasPositions reports whether a function can find records by their positions (ctid), and by their ids otherwise.
func (t Topology) HasPositions() bool { return !t.distributed }

// JoinsShared reports whether a statement may join records, or the log, with tables that organizations share.
// Otherwise it reads one side first, in a WITH … AS MATERIALIZED or in a sub-select that does not depend on the other,
// and cannot be planned without its parameters.
func (t Topology) JoinsShared() bool { return !t.distributed }

// PassesRows reports whether several values can pass from one part of a statement to another as one row.
func (t Topology) PassesRows() bool { return !t.distributed }

// CopiesRows reports whether an INSERT may take rows from a SELECT of record tables in any form. Otherwise it takes
// them from a WITH, and returns something.
func (t Topology) CopiesRows() bool { return !t.distributed }

// ReturnsRecords reports whether statements that write records may return what they have written, and only ids
// otherwise.
func (t Topology) ReturnsRecords() bool { return !t.distributed }

// BeginChange queues what a transaction of SchemaTx does before it writes to the log of changes. The other entries
// that write records do it themselves.
func (t Topology) BeginChange(b *pgx.Batch, org uuid.UUID) {
	b.Queue("select "+strings.TrimPrefix(beginChange("$1"), ", "), orgNumber(org))
	t.propagate(b)
}

// propagate queues what sends settings of the transaction to other nodes.
func (t Topology) propagate(b *pgx.Batch) {
	if t.distributed {
		b.Queue(propagate)
	}
}

// Hasty queues statements that must not wait for a lock. PostgreSQL waits even with NOWAIT if another transaction has
// written a newer version of a record than the statement sees, so each wait is bounded, to 20 ms.
func (t Topology) Hasty(b *pgx.Batch, queue func()) {
	// SET costs PostgreSQL ten times as much as set_config, but Citus does not send its workers the latter.
	short := "select set_config('app.lock_timeout', current_setting('lock_timeout'), true), " +
		"set_config('lock_timeout', '20ms', true)"
	restore := "select set_config('lock_timeout', current_setting('app.lock_timeout'), true)"
	if t.distributed {
		short, restore = "set local lock_timeout = '20ms'", "set local lock_timeout to default"
	}
	b.Queue(short)
	queue()
	b.Queue(restore)
}
