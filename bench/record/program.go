package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// A program is one of the programs measured, with its database.
type program struct {
	dialect  *dialect
	name     string
	admin    string // URL of the superuser's database "postgres" next to it
	database string // "" where the program has none in PostgreSQL
	// The database belongs to a coordinator of Citus.
	distributed bool
	conn        *pgx.Conn // the superuser's, to the database; nil where there is none
	data        string    // directory to remove in the end, or ""

	host    string
	header  string   // of every request to it
	headers []string // the headers of several people's requests, for the connections in turn
	dialled atomic.Uint64
	command *exec.Cmd
	log     *os.File
	ended   chan struct{}

	// Only of a service.
	login   string // URL of its database, as it has it
	secret  string // its SECRET_KEY
	metrics string // address of its metrics and profiles
	org     string // public id of the organization that is measured
}

// start starts the program and returns when it accepts connections. It chooses an address if none
// is given.
func (p *program) start(ctx context.Context, path, dir string, environment []string, args ...string) error {
	var err error
	if p.host == "" {
		if p.host, err = freeAddress(ctx); err != nil {
			return err
		}
	}
	if p.log, err = os.Create(filepath.Join(dir, p.name+".log")); err != nil {
		return fmt.Errorf("making a log: %w", err)
	}
	p.ended = make(chan struct{})
	p.command = exec.Command(path, args...) //nolint:noctx // Our own binaries; they live until close.
	p.command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LISTEN_ADDR=" + p.host, "BASE_URL=http://" + p.host},
		environment...)
	p.command.Stdout, p.command.Stderr = p.log, p.log
	if err := p.command.Start(); err != nil {
		return errors.Join(fmt.Errorf("starting %s: %w", p.name, err), p.log.Close())
	}
	go func() {
		_ = p.command.Wait() // How it ended is in the log.
		close(p.ended)
	}()
	deadline := time.Now().Add(time.Minute)
	for {
		if w, err := p.dial(ctx); err == nil {
			w.close()
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("%s ended at its start: see %s", p.name, p.log.Name())
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not answer: see %s", p.name, p.log.Name())
		}
	}
}

func (p *program) dial(ctx context.Context) (*connection, error) {
	header := p.header
	if len(p.headers) > 0 {
		header = p.headers[p.dialled.Add(1)%uint64(len(p.headers))]
	}
	return dial(ctx, p.host, header)
}

func (p *program) close() error {
	if p.command == nil || p.command.Process == nil {
		return nil
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping %s: %w", p.name, err)
	}
	select {
	case <-p.ended:
	case <-time.After(35 * time.Second):
		_ = p.command.Process.Kill()
		<-p.ended
	}
	return p.log.Close()
}

// memory returns the program's resident memory and its maximum so far, in bytes. Both are 0 where
// there is no /proc.
func (p *program) memory() (now, peak int64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, 0
	}
	return kilobytes(string(status), "VmRSS") << 10, kilobytes(string(status), "VmHWM") << 10
}

// kilobytes reads one line of /proc/PID/status.
func kilobytes(status, key string) int64 {
	for line := range strings.Lines(status) {
		if name, rest, _ := strings.Cut(line, ":"); name == key {
			n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n
		}
	}
	return 0
}

// processorTime is the processor time of the program and its PostgreSQL backends so far, to 10 ms
// each. It excludes workers of parallel queries, which end with their query.
func (p *program) processorTime(ctx context.Context) (time.Duration, error) {
	pids, err := p.backends(ctx)
	if err != nil {
		return 0, err
	}
	var ticks int64
	for _, pid := range append(pids, p.command.Process.Pid) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // It ended a moment ago, or there is no /proc.
		}
		_, rest, _ := strings.Cut(string(status), ") ")
		if fields := strings.Fields(rest); len(fields) > 12 {
			user, _ := strconv.ParseInt(fields[11], 10, 64)
			system, _ := strconv.ParseInt(fields[12], 10, 64)
			ticks += user + system
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// backends are the PostgreSQL processes that serve the program.
func (p *program) backends(ctx context.Context) ([]int, error) {
	if p.conn == nil {
		return nil, nil
	}
	rows, err := p.conn.Query(ctx, `select pid from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
	if err != nil {
		return nil, fmt.Errorf("looking at the backends: %w", err)
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return nil, fmt.Errorf("looking at the backends: %w", err)
	}
	if !p.distributed {
		return pids, nil
	}
	rows, err = p.conn.Query(ctx, `select unnest(result::integer[]) from run_command_on_workers($$
		select array_agg(pid) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'$$)`)
	if err != nil {
		return nil, fmt.Errorf("looking at the workers' backends: %w", err)
	}
	ofWorkers, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return nil, fmt.Errorf("looking at the workers' backends: %w", err)
	}
	return append(pids, ofWorkers...), nil
}

func (p *program) dropDatabase(ctx context.Context) (err error) {
	conn, err := pgx.Connect(ctx, p.admin)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	_, err = conn.Exec(ctx, "drop database if exists "+pgx.Identifier{p.database}.Sanitize()+" with (force)")
	return err
}

func freeAddress(ctx context.Context) (string, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}
