package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// heapFloor is how large the heap may grow, in bytes, before garbage is collected. Of itself the collector runs whenever the heap has
// doubled, and a service that holds 5 MB and needs 20 KB for a request would collect many times a second.
const heapFloor = 64 << 20

// mostPercent bounds what a nearly empty heap may grow by.
const mostPercent = 1000

// tendHeap keeps the collector at heapFloor, or at twice what is alive when that is more. A GOMEMLIMIT holds beside it; whoever sets
// GOGC decides otherwise.
func tendHeap() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(mostPercent)
	(&heap{percent: mostPercent}).watch()
}

type heap struct{ percent int }

// A bell is garbage as soon as it is made, and is found by the next collection.
type bell struct{ heap *heap }

// watch looks at the heap after each collection, before it has grown again: a percentage that suits a small heap would let one that
// has just become large grow beyond measure.
func (h *heap) watch() {
	runtime.AddCleanup(&bell{h}, func(h *heap) {
		h.suit()
		h.watch()
	}, h)
}

func (h *heap) suit() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return
	}
	percent := percentFor(sample[0].Value.Uint64())
	if percent < h.percent*9/10 || percent > h.percent*11/10 { // setting it stops the program for a moment
		debug.SetGCPercent(percent)
		h.percent = percent
	}
}

// percentFor is the GOGC with which a heap of which so many bytes are alive is collected at heapFloor, or at twice of them.
func percentFor(live uint64) int {
	return int(min(mostPercent, max(100, heapFloor*100/max(1, live)))) // at most mostPercent
}
