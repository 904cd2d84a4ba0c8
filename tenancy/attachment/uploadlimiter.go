package attachment

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
)

// Concurrent uploads in one process.
const (
	organizationUploads = 16
	processUploads      = 64
	// largeUpload is as how many uploads one counts that is larger than a file of a record may be.
	largeUpload = 8
)

// uploadLimiter bounds concurrent uploads, and allows one image to be decoded at a time, because
// decoding needs much memory.
type uploadLimiter struct {
	mu      sync.Mutex
	uploads map[uuid.UUID]int
	total   int
	image   chan struct{}
}

func newUploadLimiter() *uploadLimiter {
	return &uploadLimiter{uploads: map[uuid.UUID]int{}, image: make(chan struct{}, 1)}
}

// enter counts an upload of an organization, as so many. The caller calls leave once when the upload has ended.
// It returns an error of kind rate_limited when there are too many uploads.
func (g *uploadLimiter) enter(org uuid.UUID, as int) (leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.uploads[org]+as > organizationUploads || g.total+as > processUploads {
		return nil, &problem.Error{
			Kind: problem.KindRateLimited, Code: problem.CodeTooManyUploads, RetryAfter: 2 * time.Second,
			Message: "Too many files are being uploaded at this moment; send them a few at a time, and this one " +
				"again shortly.",
		}
	}
	g.uploads[org] += as
	g.total += as
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.total -= as
		if g.uploads[org] -= as; g.uploads[org] == 0 {
			delete(g.uploads, org)
		}
	}, nil
}

// decode runs fn while no other image is being decoded.
func (g *uploadLimiter) decode(ctx context.Context, fn func()) error {
	select {
	case g.image <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-g.image }()
	fn()
	return nil
}
