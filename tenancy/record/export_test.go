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

// ComputePresent has reads that marks concern take present values, of up to so many records by their links. Below 0
// they do as usual.
func (e *Engine) ComputePresent(records int) {
	if e.present = usualPresentBounds; records >= 0 {
		e.present = presentBounds{records, math.MaxInt32, -1}
	}
}

// WaitingWrites is how many writes wait to share a transaction.
func (e *Engine) WaitingWrites() int { return e.writes.Waiting() }

// Later returns the same engine with a clock that is ahead.
func (e *Engine) Later(ahead time.Duration) *Engine {
	bound := *e
	bound.now = func() time.Time { return time.Now().Add(ahead) }
	return &bound
}
