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
	// watcherMemory is what a watcher of a base adds to the limit.
	watcherMemory = 5 << 10
)

// reserveForWatchers raises the limit for those who watch bases, unless the environment sets it. Near
// the limit, the collector would keep a process busy whose watchers merely wait.
func reserveForWatchers(watchers int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit + int64(watchers)*watcherMemory)
	}
}

// configureGC sets GOGC and GOMEMLIMIT unless the environment does.
func configureGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
