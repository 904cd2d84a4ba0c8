package record

import (
	"math"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/db"
)

// NeverOverlapWrites makes e start no second shared write while one is slow.
func (e *Engine) NeverOverlapWrites() {
	e.writes = db.NewBatcher[writeKey](db.BatcherOptions[*writeCall]{
		MaxSize: MaxBatch, MaxConcurrent: math.MaxInt, Slow: time.Hour, Conflict: sameRow,
	})
}

// ComputeAlone has reads compute so many records one after another, and more at once.
func (e *Engine) ComputeAlone(records int) { e.alone = alone{records, math.MaxInt32} }

// WaitingWrites is how many writes wait to share a transaction.
func (e *Engine) WaitingWrites() int { return e.writes.Waiting() }

// Later returns the same engine with a clock that is ahead.
func (e *Engine) Later(ahead time.Duration) *Engine {
	bound := *e
	bound.now = func() time.Time { return time.Now().Add(ahead) }
	return &bound
}
