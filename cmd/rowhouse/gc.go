package main

import (
	"os"
	"runtime/debug"
)

// The garbage collector's defaults suit large heaps. A service that holds 10 MB and allocates 20 KB
// per request would run a collection many times a second with GOGC=100.
const (
	gcPercent   = 200
	memoryLimit = 320 << 20 // bytes; a soft limit above which the collector runs more often
)

// configureGC sets GOGC and GOMEMLIMIT unless the environment does.
func configureGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
