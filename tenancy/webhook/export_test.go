package webhook

import (
	"context"
	"time"
)

// Tune replaces the times that tests cannot wait for.
func (w *Worker) Tune(schedule []time.Duration, maxFailing, linger, lease time.Duration) {
	w.schedule, w.maxFailing, w.linger, w.leaseTime = schedule, maxFailing, linger, lease
}

// Sign is sign.
var Sign = sign

// QueueChanged does at once what Dispatch does when it is rung, and learns first who has webhooks.
func (w *Worker) QueueChanged(ctx context.Context) error {
	if err := w.refresh(ctx); err != nil {
		return err
	}
	return w.queueChanged(ctx)
}
