package credential

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Use is the time of the last use of a credential.
type Use struct {
	ID uuid.UUID
	At time.Time
}

const (
	usageFlushInterval = 5 * time.Second
	maxPendingUsage    = 50_000 // distinct credentials between two writes; further ones are not recorded
)

// Usage records when credentials were last used and writes that in batches in the background.
type Usage struct {
	write func(ctx context.Context, uses []Use) error
	log   *slog.Logger

	mu      sync.Mutex
	pending map[uuid.UUID]time.Time

	flushing sync.Mutex
	closed   chan struct{}
	done     sync.WaitGroup
}

// NewUsage starts a recorder. write stores a batch, ordered by id; when it fails, the batch is
// retried with the next one.
func NewUsage(log *slog.Logger, write func(ctx context.Context, uses []Use) error) *Usage {
	u := &Usage{write: write, log: log, pending: map[uuid.UUID]time.Time{}, closed: make(chan struct{})}
	u.done.Go(func() {
		tick := time.NewTicker(usageFlushInterval)
		defer tick.Stop()
		for {
			select {
			case <-u.closed:
				return
			case <-tick.C:
				u.Flush(context.Background())
			}
		}
	})
	return u
}

// Record records a use in memory.
func (u *Usage) Record(id uuid.UUID, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if last, there := u.pending[id]; (there || len(u.pending) < maxPendingUsage) && at.After(last) {
		u.pending[id] = at
	}
}

// Flush writes the recorded uses.
func (u *Usage) Flush(ctx context.Context) {
	u.flushing.Lock()
	defer u.flushing.Unlock()
	u.mu.Lock()
	noted := u.pending
	u.pending = map[uuid.UUID]time.Time{}
	u.mu.Unlock()
	if len(noted) == 0 {
		return
	}
	uses := make([]Use, 0, len(noted))
	for id, at := range noted {
		uses = append(uses, Use{id, at})
	}
	slices.SortFunc(uses, func(a, b Use) int { return slices.Compare(a.ID[:], b.ID[:]) })
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := u.write(ctx, uses); err != nil {
		u.log.WarnContext(ctx, "last uses of credentials could not be written; will try again", slog.Any("error", err))
		u.mu.Lock()
		defer u.mu.Unlock()
		maps.Copy(noted, u.pending)
		if len(noted) <= maxPendingUsage {
			u.pending = noted
		}
	}
}

// Close writes the remaining uses and stops. Later uses are lost.
func (u *Usage) Close(ctx context.Context) {
	close(u.closed)
	u.done.Wait()
	u.Flush(ctx)
}
