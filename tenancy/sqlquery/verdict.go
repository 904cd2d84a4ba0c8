package sqlquery

import (
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// A verdict records that a statement was admitted, and in which state of the base. Programs repeat
// their statements, and until the schema changes or one of the statement's tables is written to, the
// allow-list and PostgreSQL's planner would admit them again.
type verdict struct {
	access  *access
	checked *allowlist.Statement
	cost    float64
	// writes is the number of writes of the statement's tables before it was planned; -1 the first
	// time, when these tables are not known yet.
	writes int64
}

// A question is a caller's statement over a base.
type question struct {
	base      uuid.UUID
	statement string
}

// How many verdicts a process remembers, and for how long: statistics may change although nothing is written.
const (
	cachedVerdicts = 1000 // of statements of up to MaxStatement
	verdictTime    = 5 * time.Minute
)

func newVerdicts() *expirable.LRU[question, *verdict] {
	return expirable.NewLRU[question, *verdict](cachedVerdicts, nil, verdictTime)
}

// holds reports whether the verdict is about the base as it is read now.
func (v *verdict) holds(seen *access, writes int64) bool {
	return v != nil && v.access == seen && v.writes >= 0 && v.writes == writes
}

// readWrites queues the number of writes of the statement's tables; nil without a verdict, which says which they are.
func (v *verdict) readWrites(org uuid.UUID, writes *int64) func(b *pgx.Batch) {
	*writes = -1
	if v == nil {
		return nil
	}
	var numbers []int32
	for _, relation := range v.checked.Relations {
		if !slices.Contains(numbers, relation.Table) {
			numbers = append(numbers, relation.Table)
		}
	}
	return func(b *pgx.Batch) {
		b.Queue("select coalesce(sum(writes), 0)::bigint from "+schema.CountRelation(org)+
			" where table_number = any ($1)", numbers).
			QueryRow(func(row pgx.Row) error { return row.Scan(writes) })
	}
}
