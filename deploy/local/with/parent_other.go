//go:build !linux

package main

// terminateWithParent does nothing, because only Linux supports it.
func terminateWithParent() {}
