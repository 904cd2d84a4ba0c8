package main

import "syscall"

// terminateWithParent asks the kernel to send SIGTERM when the parent process ends.
func terminateWithParent() {
	// On failure, this process merely runs until the command ends.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
}
