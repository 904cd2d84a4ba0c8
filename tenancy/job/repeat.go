package job

import (
	"context"
	"log/slog"
	"time"
)

// Repeat does upkeep until ctx ends, for the first time when one interval has passed, and never twice at once. An error is logged under what was
// being done, unless log is nil, and the next turn comes all the same.
func Repeat(ctx context.Context, every time.Duration, log *slog.Logger, what string, do func(ctx context.Context) error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := do(ctx); err != nil && ctx.Err() == nil && log != nil {
				log.WarnContext(ctx, "upkeep failed", "upkeep", what, "error", err)
			}
		}
	}
}
