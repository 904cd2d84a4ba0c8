package job

import (
	"context"
	"log/slog"
	"time"
)

// Repeat calls do at every interval until ctx ends, the first time after one interval, and never
// concurrently. It logs an error under the name of the task, unless log is nil, and continues.
func Repeat(
	ctx context.Context,
	every time.Duration,
	log *slog.Logger,
	what string,
	do func(ctx context.Context) error,
) {
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
