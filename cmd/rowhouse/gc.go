package main

import (
	"os"
	"runtime/debug"
)

// The garbage collector's defaults suit large heaps. A service that holds 10 MB and needs 20 KB for a request would collect many
// times a second with GOGC=100.
const (
	gcPercent   = 200
	memoryLimit = 320 << 20 // bytes; a soft limit, from which on the collector works harder
)

// setGC sets GOGC and GOMEMLIMIT unless the environment does.
func configureGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
