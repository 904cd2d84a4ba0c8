package main

import "syscall"

// endWithParent asks the kernel for a SIGTERM when the process that started this one ends.
func terminateWithParent() {
	// A refusal only means that a killed caller leaves us running until the command ends.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
}
