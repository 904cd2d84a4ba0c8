package webhook

import "time"

// Tune replaces the times that tests cannot wait for.
func (w *Worker) Tune(schedule []time.Duration, maxFailing, linger, lease time.Duration) {
	w.schedule, w.maxFailing, w.linger, w.leaseTime = schedule, maxFailing, linger, lease
}

// Sign is sign.
var Sign = sign
