package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	superuser = "postgres"
	minMajor  = 15
)

// A cluster is a PostgreSQL cluster with its data in dir.
type cluster struct {
	name        string
	dir         string
	log         string
	acc         *account
	opts        Options
	distributed *distributed // nil: a single PostgreSQL
}

// start starts the cluster, which it creates if it is missing, and returns when it accepts
// connections.
func (c cluster) start(ctx context.Context, password string, port *int) (*process, error) {
	if !c.opts.Durable {
		// It may still be running if its parent was just killed.
		if err := c.waitForPrevious(ctx); err != nil {
			return nil, err
		}
		if err := os.RemoveAll(c.dir); err != nil {
			return nil, fmt.Errorf("remove test data of PostgreSQL: %w", err)
		}
	}
	version, err := os.ReadFile(filepath.Join(c.dir, "PG_VERSION"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the version of the PostgreSQL data: %w", err)
	}
	bin, err := c.programs(ctx, strings.TrimSpace(string(version)))
	if err != nil {
		return nil, err
	}
	if len(version) == 0 {
		if err := c.init(ctx, bin, password); err != nil {
			return nil, err
		}
	}
	if err := c.waitForPrevious(ctx); err != nil {
		return nil, err
	}
	return startOnFreePort(ctx, port, func() (*process, error) { return c.runAfterPrevious(ctx, bin, *port) })
}

// previousTime is how long the sessions of a killed server may take to notice that it is gone.
const previousTime = 20 * time.Second

// runAfterPrevious runs the cluster once the sessions of a killed server have ended. Until then
// they keep its shared memory, and PostgreSQL refuses to start.
func (c cluster) runAfterPrevious(ctx context.Context, bin string, port int) (*process, error) {
	for deadline := time.Now().Add(previousTime); ; {
		p, err := c.run(ctx, bin, port)
		attached := err != nil && strings.Contains(err.Error(), "pre-existing shared memory block")
		if !attached || time.Now().After(deadline) {
			return p, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (c cluster) programs(ctx context.Context, version string) (string, error) {
	if c.distributed != nil {
		return c.distributed.bin, nil
	}
	return findPostgres(ctx, version)
}

// init creates the cluster in another directory and moves it into place, so that an incomplete
// cluster is never used.
func (c cluster) init(ctx context.Context, bin, password string) (err error) {
	if c.opts.Durable {
		fmt.Fprintf(c.opts.Progress, "Creating a PostgreSQL cluster in %s.\n", c.dir)
	}
	partial, passwordFile := c.dir+".partial", c.dir+".password"
	for _, path := range []string{partial, c.dir} {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("remove an incomplete cluster: %w", err)
		}
	}
	if err := os.WriteFile(passwordFile, []byte(password), 0o600); err != nil {
		return fmt.Errorf("write the superuser's password: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(passwordFile)) }()
	if err := c.acc.chown(passwordFile); err != nil {
		return err
	}
	// C.UTF-8 exists on every machine and sorts the same everywhere; queries use collations for
	// languages.
	args := []string{
		"-D", partial, "-U", superuser, "--pwfile=" + passwordFile, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions",
	}
	if !c.opts.Durable {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), args...)
	cmd.Dir = filepath.Dir(c.dir)
	cmd.Env = cleanEnv()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.acc.credential()}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("create a PostgreSQL cluster: %w\n%s", err, out)
	}
	if c.distributed != nil {
		if err := os.WriteFile(filepath.Join(partial, "pg_hba.conf"), []byte(nodeHBA), 0o600); err != nil {
			return fmt.Errorf("configure who may connect: %w", err)
		}
	}
	if err := os.Rename(partial, c.dir); err != nil {
		return fmt.Errorf("move the cluster into place: %w", err)
	}
	return nil
}

// ownMemory is what a process of PostgreSQL may take in addition to shared memory, in KB.
const ownMemory = 768 << 10

// addressSpace returns how much memory a process of PostgreSQL may address, in KB, with these shared_buffers.
func addressSpace(sharedBuffers string) int {
	shared, unit := 256, "MB"
	if sharedBuffers != "" {
		if n, err := fmt.Sscanf(sharedBuffers, "%d%s", &shared, &unit); err != nil || n != 2 {
			unit = "TB" // in a form that is not known here
		}
	}
	return shared*map[string]int{"kB": 1, "MB": 1 << 10, "GB": 1 << 20, "TB": 1 << 30}[unit] + ownMemory
}

func (c cluster) run(ctx context.Context, bin string, port int) (*process, error) {
	settings := []string{
		"port=" + strconv.Itoa(port),
		"listen_addresses=127.0.0.1",
		"unix_socket_directories=", // a socket path is limited to 107 bytes, which a project's path may exceed
		"max_connections=300",
		"max_locks_per_transaction=256", // dropping an organization's schema locks every table in it
		"shared_buffers=" + cmp.Or(c.opts.SharedBuffers, "256MB"),
	}
	if !c.opts.Durable && !c.opts.Synced {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	if c.distributed != nil {
		settings = append(settings, c.distributed.settings()...)
	}
	args := []string{"-D", c.dir}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	// Each process of PostgreSQL has a limit of memory: what SQL of a caller's own takes beyond it fails with an error.
	args = append([]string{
		"-c", `ulimit -v "$0" 2>/dev/null; exec "$@"`, strconv.Itoa(addressSpace(c.opts.SharedBuffers)),
		filepath.Join(bin, "postgres"),
	}, args...)
	cmd := exec.Command("/bin/sh", args...) //nolint:noctx // it runs until stop
	cmd.Dir = c.dir
	// SIGINT is a fast shutdown, which ends sessions and writes all data. SIGQUIT relies on
	// recovery.
	p, err := startProcess(c.name, cmd, c.log, c.acc, syscall.SIGINT, syscall.SIGQUIT)
	if err != nil {
		return nil, err
	}
	pid := strconv.Itoa(cmd.Process.Pid)
	err = p.waitUntilReady(ctx, func() bool {
		status := c.pidFile()
		return len(status) > 7 && status[0] == pid && strings.TrimSpace(status[7]) == "ready"
	})
	if err != nil {
		return nil, errors.Join(err, p.stop(context.WithoutCancel(ctx)))
	}
	return p, nil
}

// waitForPrevious waits until the server of an earlier start has ended. A server whose parent was
// killed still writes its last checkpoint; a killed server has left its pid file, whose number may
// now be another process.
func (c cluster) waitForPrevious(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		file := c.pidFile()
		if len(file) == 0 {
			return nil
		}
		pid, err := strconv.Atoi(strings.TrimSpace(file[0]))
		if err != nil || !isRunningIn(pid, c.dir) {
			if err := os.Remove(filepath.Join(c.dir, "postmaster.pid")); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove a stale pid file: %w", err)
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("a PostgreSQL of an earlier start is still running on %s (process %d); stop it first",
				c.dir, pid)
		case <-ticker.C:
		}
	}
}

// pidFile returns the lines of postmaster.pid: process, data, start, port, sockets, address,
// memory, status.
func (c cluster) pidFile() []string {
	b, err := os.ReadFile(filepath.Join(c.dir, "postmaster.pid"))
	if err != nil || len(b) == 0 {
		return nil
	}
	return strings.Split(string(b), "\n")
}

// isRunningIn reports whether the process is a PostgreSQL server with dir as its working directory.
func isRunningIn(pid int, dir string) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		// A zombie, or another account's process. Without /proc, a living process is assumed to be
		// one.
		_, err := os.Stat("/proc/self")
		return err != nil
	}
	want, err := filepath.EvalSymlinks(dir)
	return err == nil && cwd == want
}

// findPostgres returns the directory of PostgreSQL's programs: of the given major version, or of
// the newest for "". Distributions install each version in a directory that is not in PATH.
func findPostgres(ctx context.Context, major string) (string, error) {
	var dirs []string
	if onPath, err := exec.LookPath("postgres"); err == nil {
		dirs = append(dirs, filepath.Dir(onPath))
	}
	distribution, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", fmt.Errorf("look for PostgreSQL: %w", err)
	}
	dirs = append(dirs, distribution...)
	found := map[int]string{}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
			continue
		}
		out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output()
		if err != nil {
			continue
		}
		if v := parseMajor(string(out)); v >= minMajor {
			found[v] = dir
		}
	}
	versions := make([]int, 0, len(found))
	for v, dir := range found {
		if strconv.Itoa(v) == major {
			return dir, nil
		}
		versions = append(versions, v)
	}
	switch {
	case major != "":
		return "", fmt.Errorf(
			"the data require PostgreSQL %s, which is not installed: install it, or delete the data to start empty",
			major,
		)
	case len(versions) == 0:
		return "", fmt.Errorf("PostgreSQL %d or newer is not installed: run deploy/local/install.sh postgres", minMajor)
	}
	return found[slices.Max(versions)], nil
}

// parseMajor returns the major version in "postgres (PostgreSQL) 15.13 (Debian …)", or 0.
func parseMajor(version string) int {
	_, rest, _ := strings.Cut(version, ") ")
	digits := strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if len(digits) == 0 {
		return 0
	}
	major, err := strconv.Atoi(digits[0])
	if err != nil {
		return 0
	}
	return major
}
