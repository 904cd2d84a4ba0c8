// Package local runs what Rowhouse needs on one machine: a private PostgreSQL cluster and a private Redis, on free
// ports of 127.0.0.1, with their data under a directory of the project.
//
// It owns these two processes, their files and their passwords. It never touches a server that the machine runs
// already, and it must never know anything of Rowhouse itself: no schema, no role, no key.
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

// Options of Start.
type Options struct {
	// Durable keeps the data between starts, and what was committed even when the machine loses its power. False, for tests,
	// trades that for speed, and begins with empty data each time.
	Durable bool
	// SharedBuffers is PostgreSQL's cache of its own, as "1GB"; 256MB when it is empty.
	SharedBuffers string
	// Progress receives one line for each step worth knowing of. Nil: silence.
	Progress io.Writer
}

// Services are a running PostgreSQL and Redis. They end when the process that started them ends, however it ends.
type Services struct {
	// AdminURL is the superuser's connection to the database "postgres".
	AdminURL string
	// RedisURL is a connection to Redis, database 0.
	RedisURL string

	failed   chan error
	stopOnce sync.Once
	stopping chan struct{}
	postgres *process
	redis    *process
	lock     *os.File
}

// How long a service may take to answer after its start. Recovery after a crash is in it.
const startTimeout = 2 * time.Minute

// Start starts PostgreSQL and Redis with their data under dir, which is made when missing, and returns when both
// answer. A later start on the same dir finds the same passwords, the same ports where they are free, and, with Durable, the
// same data.
//
// Only one process at a time may hold a dir. Started as root, the services run as an unprivileged account; where that
// account cannot reach dir (a clone below /root), the data are kept elsewhere and dir holds a link to them.
// Ending ctx abandons the start; it does not stop services that are running: that is Stop's.
func Start(ctx context.Context, dir string, opts Options) (_ *Services, err error) {
	if opts.Progress == nil {
		opts.Progress = io.Discard
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", dir, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // The unprivileged account passes through it; the data below are 0700.
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
	pg := cluster{dir: filepath.Join(data, "postgres"), log: filepath.Join(dir, "postgres.log"), acc: acc, opts: opts}
	if s.postgres, err = pg.start(ctx, &state); err != nil {
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

// Failed delivers an error when a service ends that nobody stopped.
func (s *Services) Failed() <-chan error { return s.failed }

// Stop stops Redis, then PostgreSQL, and returns when both have ended. It lets them finish properly until ctx is
// done or half a minute has passed, and then ends them by force, which their next start recovers from. A second Stop
// does nothing.
func (s *Services) Stop(ctx context.Context) (err error) {
	s.stopOnce.Do(func() {
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
		close(s.stopping)
		err = errors.Join(s.redis.stop(ctx), s.postgres.stop(ctx), unlock(s.lock))
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
