//go:build unix && !linux

package local

import "syscall"

// attributes run a child as the account. Only Linux can notify a child that its parent has died;
// elsewhere services outlive a killed parent, and the next start asks to stop them.
func (a *account) attributes(syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: a.credential()}
}
