package api

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/problem"
)

const (
	// smallBodyBytes is the size up to which a body needs no budget, in bytes. Nearly all bodies
	// are smaller.
	smallBodyBytes = 64 << 10
	// maxTotalBodyBytes is what all large bodies of this process may occupy together, in bytes.
	maxTotalBodyBytes = 32 << 20
	// budgetWait is how long a request waits for budget.
	budgetWait = 10 * time.Second
)

// A bodyBudget is the memory that one request has acquired for its body. It must be released.
type bodyBudget struct {
	total *semaphore.Weighted
	size  int64
}

// acquire waits until size bytes are available. If they do not become available in time, it returns
// an error of kind unavailable.
func (b *bodyBudget) acquire(ctx context.Context, size int64) error {
	if size <= smallBodyBytes {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, budgetWait)
	defer cancel()
	if err := b.total.Acquire(ctx, size); err != nil {
		return (&problem.Error{
			Kind: problem.KindUnavailable, Code: "too_many_large_bodies", RetryAfter: time.Second,
			Message: "Too many large request bodies are being read; try again shortly, or send fewer records at once.",
		}).Because(err)
	}
	b.size += size
	return nil
}

func (b *bodyBudget) release() { b.total.Release(b.size) }
