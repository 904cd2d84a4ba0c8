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

// Use is when a credential was last used.
type Use struct {
	ID uuid.UUID
	At time.Time
}

const (
	usageEvery = 5 * time.Second
	usageMax   = 50_000 // distinct credentials between two writes; more are not noted
)

// Usage collects when credentials were last used, and writes that down in batches, off the path of requests.
type Usage struct {
	write func(ctx context.Context, uses []Use) error
	log   *slog.Logger

	mu    sync.Mutex
	noted map[uuid.UUID]time.Time

	flushing sync.Mutex
	closed   chan struct{}
	done     sync.WaitGroup
}

// NewUsage starts a collector. write stores a batch, ordered by id; when it fails the batch is kept for the next time.
func NewUsage(log *slog.Logger, write func(ctx context.Context, uses []Use) error) *Usage {
	u := &Usage{write: write, log: log, noted: map[uuid.UUID]time.Time{}, closed: make(chan struct{})}
	u.done.Go(func() {
		tick := time.NewTicker(usageEvery)
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

// Note records a use. It never waits for the database.
func (u *Usage) Note(id uuid.UUID, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if last, there := u.noted[id]; (there || len(u.noted) < usageMax) && at.After(last) {
		u.noted[id] = at
	}
}

// Flush writes what was noted so far.
func (u *Usage) Flush(ctx context.Context) {
	u.flushing.Lock()
	defer u.flushing.Unlock()
	u.mu.Lock()
	noted := u.noted
	u.noted = map[uuid.UUID]time.Time{}
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
		u.log.WarnContext(ctx, "writing when credentials were last used; will try again", slog.Any("error", err))
		u.mu.Lock()
		defer u.mu.Unlock()
		maps.Copy(noted, u.noted)
		if len(noted) <= usageMax {
			u.noted = noted
		}
	}
}

// Close writes what is left and stops. Uses noted later are lost.
func (u *Usage) Close(ctx context.Context) {
	close(u.closed)
	u.done.Wait()
	u.Flush(ctx)
}
