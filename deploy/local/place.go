package local

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Files in a directory of local services, except logs.
const (
	lockName  = "lock"
	stateName = "services.json"
	dataName  = "data" // a directory, or a link to it
)

// unlock releases the directory. Closing the file is not enough: a child process that is being
// started has a copy of every open file until it executes its program, and with it the lock.
func unlock(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}

// lock locks the directory for this process. The kernel releases the lock when the process ends for
// whatever reason.
func lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errors.New("another process is running its services here; stop it first")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), f.Close())
	}
	return f, nil
}

// dataDir returns the directory for data: dir/data or, if the account cannot access that, a
// directory outside the project that dir/data links to.
func dataDir(dir string, acc *account, progress io.Writer) (string, error) {
	link := filepath.Join(dir, dataName)
	target, err := os.Readlink(link)
	if err == nil {
		if _, err := os.Stat(target); err == nil && filepath.Base(target) == externalName(dir) {
			return target, nil
		}
		// The link was copied from another project, or its data are gone.
		if err := os.Remove(link); err != nil {
			return "", fmt.Errorf("remove a stale link: %w", err)
		}
	}
	if err := acc.makeDir(link); err != nil {
		return "", err
	}
	if acc.canWrite(context.Background(), link) {
		return link, nil
	}
	if err := os.Remove(link); err != nil {
		return "", fmt.Errorf("remove the data directory: %w", err)
	}
	outside, err := externalDataDir(dir, acc)
	if err != nil {
		return "", err
	}
	if err := os.Symlink(outside, link); err != nil {
		return "", fmt.Errorf("link to the data: %w", err)
	}
	fmt.Fprintf(progress, "The account %s, as which PostgreSQL runs, cannot access %s. The data are in %s.\n",
		acc.name, dir, outside)
	return outside, nil
}

// externalDataDir creates a directory for dir's data in the first location that the account can
// access.
func externalDataDir(dir string, acc *account) (string, error) {
	var errs error
	for _, parent := range []string{"/var/lib/rowhouse", filepath.Join(os.TempDir(), "rowhouse"), "/tmp/rowhouse"} {
		path := filepath.Join(parent, externalName(dir))
		err := os.Mkdir(parent, 0o755) //nolint:gosec // the account has to traverse it; the data are 0700
		if errors.Is(err, fs.ErrExist) {
			err = checkOwner(parent)
		}
		if err == nil {
			err = acc.makeDir(path)
		}
		if err == nil && !acc.canWrite(context.Background(), path) {
			err = errors.Join(fmt.Errorf("the account %s cannot access %s", acc.name, path), os.Remove(path))
		}
		if err == nil {
			return path, nil
		}
		errs = errors.Join(errs, err)
	}
	return "", fmt.Errorf("no directory for data that the account %s can access: %w", acc.name, errs)
}

// checkOwner rejects a directory that belongs to another account, which could replace its contents.
func checkOwner(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another account", path)
	}
	return nil
}

// externalName returns the name of dir's data outside the project: the path, for readability, and
// its hash, for uniqueness.
func externalName(dir string) string {
	name := strings.Trim(strings.ReplaceAll(dir, "/", "-"), "-")
	if len(name) > 80 {
		name = name[len(name)-80:]
	}
	return fmt.Sprintf("%s-%x", name, sha256.Sum256([]byte(dir)))[:len(name)+9]
}

// serviceState is what one start stores for the next.
type serviceState struct {
	PostgresPassword string `json:"postgresPassword"`
	PostgresPort     int    `json:"postgresPort"`
	RedisPassword    string `json:"redisPassword"`
	RedisPort        int    `json:"redisPort"`
}

func loadState(dir string) (serviceState, error) {
	state := serviceState{PostgresPassword: rand.Text(), RedisPassword: rand.Text()}
	path := filepath.Join(dir, stateName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		// Save the passwords before they are used, because a lost one cannot be recovered.
		return state, state.save(dir)
	}
	if err != nil {
		return state, fmt.Errorf("read the passwords of local services: %w", err)
	}
	if err := json.Unmarshal(b, &state); err != nil {
		return state, fmt.Errorf("read the passwords of local services from %s: %w", path, err)
	}
	return state, nil
}

func (state serviceState) save(dir string) error {
	b, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the passwords of local services: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, stateName), append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("store the passwords of local services: %w", err)
	}
	return nil
}
