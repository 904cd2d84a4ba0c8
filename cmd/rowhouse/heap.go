package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// heapFloor is how large the heap may grow, in bytes, before garbage is collected. Of itself the collector runs whenever the heap has
// doubled, and a service that holds 5 MB and needs 20 KB for a request would collect many times a second.
const heapFloor = 64 << 20

// tendHeap keeps the collector at heapFloor, or at twice what is alive when that is more, until ctx ends. A GOMEMLIMIT
// holds beside it; whoever sets GOGC decides otherwise.
func tendHeap(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const most = 1000
	set := most
	debug.SetGCPercent(set)
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Second):
		}
		metrics.Read(sample)
		if sample[0].Value.Kind() != metrics.KindUint64 {
			return
		}
		live := max(1, sample[0].Value.Uint64())
		percent := int(min(most, max(100, heapFloor*100/live))) //nolint:gosec // at most 1000
		if percent < set*9/10 || percent > set*11/10 {          // setting it stops the program for a moment
			debug.SetGCPercent(percent)
			set = percent
		}
	}
}
