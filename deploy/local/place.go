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

// What a directory of local services holds, beside logs.
const (
	lockName  = "lock"
	stateName = "services.json"
	dataName  = "data" // A directory, or a link to it.
)

// unlock lets go of the directory. Closing alone would not do at once: a program that is being started holds a copy of every open
// file until it takes over, and with it the lock.
func unlock(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}

// lock takes the directory for this process. The kernel lets go of it when the process ends, however it ends.
func lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errors.New("another process runs its services here; stop it first")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), f.Close())
	}
	return f, nil
}

// settle returns the directory for data: dir/data, or, where the account cannot reach it, one outside the project
// that dir/data links to.
func dataDir(dir string, acc *account, progress io.Writer) (string, error) {
	link := filepath.Join(dir, dataName)
	target, err := os.Readlink(link)
	if err == nil {
		if _, err := os.Stat(target); err == nil && filepath.Base(target) == externalName(dir) {
			return target, nil
		}
		// A copy of another project's directory, or data that are gone: not ours to use.
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
		return "", fmt.Errorf("make room for a link: %w", err)
	}
	outside, err := externalDataDir(dir, acc)
	if err != nil {
		return "", err
	}
	if err := os.Symlink(outside, link); err != nil {
		return "", fmt.Errorf("link to the data: %w", err)
	}
	fmt.Fprintf(progress, "The account %s, which PostgreSQL runs as, cannot reach %s. The data are in %s.\n", acc.name, dir, outside)
	return outside, nil
}

// settleOutside makes a directory for dir's data in the first place that the account reaches.
func externalDataDir(dir string, acc *account) (string, error) {
	var errs error
	for _, parent := range []string{"/var/lib/rowhouse", filepath.Join(os.TempDir(), "rowhouse"), "/tmp/rowhouse"} {
		path := filepath.Join(parent, externalName(dir))
		err := os.Mkdir(parent, 0o755) //nolint:gosec // Passed through by the account; the data are 0700.
		if errors.Is(err, fs.ErrExist) {
			err = checkOwner(parent)
		}
		if err == nil {
			err = acc.makeDir(path)
		}
		if err == nil && !acc.canWrite(context.Background(), path) {
			err = errors.Join(fmt.Errorf("the account %s cannot reach %s", acc.name, path), os.Remove(path))
		}
		if err == nil {
			return path, nil
		}
		errs = errors.Join(errs, err)
	}
	return "", fmt.Errorf("no place for data that the account %s can reach: %w", acc.name, errs)
}

// ours refuses a directory that someone else has made, who could replace what we put into it.
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

// outsideName names dir's data outside the project: the path for people, its hash for uniqueness.
func externalName(dir string) string {
	name := strings.Trim(strings.ReplaceAll(dir, "/", "-"), "-")
	if len(name) > 80 {
		name = name[len(name)-80:]
	}
	return fmt.Sprintf("%s-%x", name, sha256.Sum256([]byte(dir)))[:len(name)+9]
}

// A keepsake is what one start tells the next.
type serviceState struct {
	PostgresPassword string `json:"postgresPassword"`
	PostgresPort     int    `json:"postgresPort"`
	RedisPassword    string `json:"redisPassword"`
	RedisPort        int    `json:"redisPort"`
}

func loadState(dir string) (serviceState, error) {
	k := serviceState{PostgresPassword: rand.Text(), RedisPassword: rand.Text()}
	path := filepath.Join(dir, stateName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		// Before anything is protected by them: a password that is lost cannot be found again.
		return k, k.save(dir)
	}
	if err != nil {
		return k, fmt.Errorf("read the passwords of local services: %w", err)
	}
	if err := json.Unmarshal(b, &k); err != nil {
		return k, fmt.Errorf("read the passwords of local services from %s: %w", path, err)
	}
	return k, nil
}

func (k serviceState) save(dir string) error {
	b, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the passwords of local services: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, stateName), append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("keep the passwords of local services: %w", err)
	}
	return nil
}
