package local

import "syscall"

// attributes run a child as the account, with the signal that the kernel sends it when this process
// dies.
func (a *account) attributes(death syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: death, Credential: a.credential()}
}
