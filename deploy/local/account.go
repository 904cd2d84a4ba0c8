package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// An account is the operating system account as which the services run. Nil is the account of this
// process.
type account struct {
	name     string
	uid, gid uint32
}

// unprivilegedAccount returns the account for services with their data at path. PostgreSQL refuses
// to run as root, so root needs another account: the owner of existing data, else the
// distribution's account for PostgreSQL.
func unprivilegedAccount(path string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // nil is this process's account
	}
	if info, err := os.Stat(path); err == nil {
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 {
			return &account{name: strconv.Itoa(int(st.Uid)), uid: st.Uid, gid: st.Gid}, nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if errors.As(err, new(user.UnknownUserError)) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look up the account %s: %w", name, err)
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("read the number of the account %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("read the group of the account %s: %w", name, err)
		}
		return &account{name: name, uid: uint32(uid), gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no account postgres or nobody to run it " +
		"as; start as another user")
}

func (a *account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

// chown makes the account the owner of path.
func (a *account) chown(path string) error {
	if a == nil {
		return nil
	}
	if err := os.Lchown(path, int(a.uid), int(a.gid)); err != nil {
		return fmt.Errorf("give %s to the account %s: %w", path, a.name, err)
	}
	return nil
}

// canWrite reports whether the account can write to the directory path. It tries that as the
// account, because the answer depends on every parent directory.
func (a *account) canWrite(ctx context.Context, path string) bool {
	if a == nil {
		return true
	}
	cmd := exec.CommandContext(ctx, "test", "-w", path+"/.")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential()}
	return cmd.Run() == nil
}

// makeDir creates the directory path with mode 0700 for the account. An existing directory must
// belong to the account.
func (a *account) makeDir(path string) error {
	err := os.Mkdir(path, 0o700)
	if err == nil {
		return a.chown(path)
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make a directory for data: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	owner := uint32(os.Geteuid()) //nolint:gosec // a uid has 32 bits
	if a != nil {
		owner = a.uid
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || st.Uid != owner {
		return fmt.Errorf(
			"%s exists and belongs to another account; start as that account, or delete it to start empty", path,
		)
	}
	return nil
}
