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

// WaitingWrites is how many writes wait to share a transaction.
func (e *Engine) WaitingWrites() int { return e.writes.Waiting() }

// Later returns the same engine with a clock that is ahead.
func (e *Engine) Later(ahead time.Duration) *Engine {
	bound := *e
	bound.now = func() time.Time { return time.Now().Add(ahead) }
	return &bound
}
