package api

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/problem"
)

const (
	// smallBodyBytes is the size up to which a body needs no room, in bytes: nearly all are smaller.
	smallBodyBytes = 64 << 10
	// maxTotalBodyBytes is how much all large bodies of this process may take together.
	maxTotalBodyBytes = 32 << 20
	// budgetWait is how long a request waits for room.
	budgetWait = 10 * time.Second
)

// A bodyBudget is the memory that one request takes for its body, out of what all may take. It must be left.
type bodyBudget struct {
	total *semaphore.Weighted
	size  int64
}

// acquire waits for room for a body of size bytes. It returns an error of kind unavailable when there is none in time.
func (r *bodyBudget) acquire(ctx context.Context, size int64) error {
	if size <= smallBodyBytes {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, budgetWait)
	defer cancel()
	if err := r.total.Acquire(ctx, size); err != nil {
		return (&problem.Error{
			Kind: problem.KindUnavailable, Code: "too_many_large_bodies", RetryAfter: time.Second,
			Message: "Too many large bodies are being read at this moment; try again shortly, or send fewer records at once.",
		}).Because(err)
	}
	r.size += size
	return nil
}

func (r *bodyBudget) release() { r.total.Release(r.size) }
