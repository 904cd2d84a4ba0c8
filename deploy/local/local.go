// Package local runs the services that Rowhouse needs on one machine: a private PostgreSQL cluster
// and a private Redis, on free ports of 127.0.0.1, with their data in a directory of the project.
//
// It owns these two processes, their files and their passwords. It never touches a server that
// already runs on the machine, and it knows nothing of Rowhouse itself: no schema, no role, no key.
package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Options configure Start.
type Options struct {
	// Durable keeps the data between starts, and committed data even after a power failure. If it
	// is false, as in tests, the services are faster and start empty.
	Durable bool
	// Synced commits as safely as Durable does, in services that start empty: to measure them.
	Synced bool
	// SharedBuffers is PostgreSQL's shared_buffers, such as "1GB". "" means 256MB.
	SharedBuffers string
	// Citus is the prefix of an installation of PostgreSQL with the extension Citus, such as "/usr".
	// If it is set, PostgreSQL is a coordinator with two workers. Only services without Durable can
	// be distributed.
	Citus string
	// Progress receives one line for each noteworthy step. Nil discards them.
	Progress io.Writer
}

// Services are a running PostgreSQL and Redis. They end when the process that started them ends for
// whatever reason.
type Services struct {
	// AdminURL is the superuser's URL of the database "postgres".
	AdminURL string
	// RedisURL is the URL of Redis database 0.
	RedisURL string

	failed   chan error
	stopOnce sync.Once
	stopping chan struct{}
	postgres *process
	workers  []*worker
	redis    *process
	lock     *os.File
}

// startTimeout is how long a service may take to become ready, including recovery after a crash.
const startTimeout = 2 * time.Minute

// Start starts PostgreSQL and Redis with their data in dir, which it creates if it is missing, and
// returns when both are ready. A later start with the same dir uses the same passwords, the same
// ports if they are free, and, with Durable, the same data.
//
// Only one process at a time may use a dir. If Start runs as root, the services run as an
// unprivileged account. If that account cannot access dir, such as a clone below /root, the data
// are stored elsewhere and dir contains a link to them. Cancelling ctx aborts the start; it does
// not stop running services, which Stop does.
func Start(ctx context.Context, dir string, opts Options) (_ *Services, err error) {
	if opts.Progress == nil {
		opts.Progress = io.Discard
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", dir, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // others traverse it; the data below are 0700
		return nil, fmt.Errorf("make a directory for local services: %w", err)
	}
	s := &Services{failed: make(chan error, 1), stopping: make(chan struct{})}
	if s.lock, err = lock(dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
		}
	}()

	acc, err := unprivilegedAccount(filepath.Join(dir, dataName))
	if err != nil {
		return nil, err
	}
	data, err := dataDir(dir, acc, opts.Progress)
	if err != nil {
		return nil, err
	}
	state, err := loadState(dir)
	if err != nil {
		return nil, err
	}
	if err := s.startPostgres(ctx, dir, data, acc, opts, &state); err != nil {
		return nil, err
	}
	cache := redis{dir: filepath.Join(data, "redis"), log: filepath.Join(dir, "redis.log"), acc: acc, opts: opts}
	if s.redis, err = cache.start(ctx, &state); err != nil {
		return nil, err
	}
	if err := state.save(dir); err != nil {
		return nil, err
	}
	s.AdminURL = (&url.URL{
		Scheme: "postgres", User: url.UserPassword(superuser, state.PostgresPassword),
		Host: loopback(state.PostgresPort), Path: "/postgres", RawQuery: "sslmode=disable",
	}).String()
	s.RedisURL = (&url.URL{
		Scheme: "redis", User: url.UserPassword("default", state.RedisPassword),
		Host: loopback(state.RedisPort), Path: "/0",
	}).String()
	go s.watch()
	return s, nil
}

func (s *Services) startPostgres(
	ctx context.Context, dir, data string, acc *account, opts Options, state *serviceState,
) (err error) {
	var nodes *distributed
	if opts.Citus != "" {
		if nodes, err = newDistributed(opts.Citus, data, acc); err != nil {
			return err
		}
	}
	node := func(name, file string) cluster {
		return cluster{
			name: name, dir: filepath.Join(data, file), log: filepath.Join(dir, file+".log"), acc: acc, opts: opts,
			distributed: nodes,
		}
	}
	s.postgres, err = node("PostgreSQL", "postgres").start(ctx, state.PostgresPassword, &state.PostgresPort)
	if err != nil || nodes == nil {
		return err
	}
	for i := range workers {
		number := strconv.Itoa(i + 1)
		w := &worker{cluster: node("PostgreSQL worker "+number, "worker"+number)}
		if w.process, err = w.start(ctx, state.PostgresPassword, &w.port); err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	return nodes.join(ctx, state.PostgresPort, s.workers)
}

// Failed delivers an error when a service ends without having been stopped.
func (s *Services) Failed() <-chan error { return s.failed }

// Stop stops Redis, then PostgreSQL, and returns when both have ended. They may shut down cleanly
// until ctx is done or half a minute has passed; then they are killed, and recover at the next
// start. A second call does nothing.
func (s *Services) Stop(ctx context.Context) (err error) {
	s.stopOnce.Do(func() {
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
		close(s.stopping)
		err = errors.Join(s.redis.stop(ctx), s.postgres.stop(ctx))
		for _, worker := range s.workers {
			err = errors.Join(err, worker.process.stop(ctx))
		}
		err = errors.Join(err, unlock(s.lock))
	})
	return err
}

func (s *Services) watch() {
	var p *process
	select {
	case <-s.stopping:
		return
	case <-s.postgres.done:
		p = s.postgres
	case <-s.redis.done:
		p = s.redis
	}
	select {
	case <-s.stopping:
	default:
		s.failed <- fmt.Errorf("%s ended unexpectedly: %w", p.name, p.exitError())
	}
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
