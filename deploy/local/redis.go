package local

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// redis is a Redis server with its data in dir.
type redis struct {
	dir  string
	log  string
	acc  *account
	opts Options
}

// start starts the server and returns when it is ready.
func (r redis) start(ctx context.Context, state *serviceState) (*process, error) {
	bin, err := findRedis()
	if err != nil {
		return nil, err
	}
	if !r.opts.Durable {
		if err := os.RemoveAll(r.dir); err != nil {
			return nil, fmt.Errorf("remove test data of Redis: %w", err)
		}
	}
	if err := r.acc.makeDir(r.dir); err != nil {
		return nil, err
	}
	return startOnFreePort(ctx, &state.RedisPort, func() (*process, error) { return r.run(ctx, bin, state) })
}

func (r redis) run(ctx context.Context, bin string, state *serviceState) (*process, error) {
	save := `""`
	if r.opts.Durable {
		save = "60 1"
	}
	// The configuration goes to the standard input, because everyone on the machine can read a
	// command line. Without force, a Redis that cannot save because its directory is gone would not
	// shut down.
	cmd := exec.Command(bin, "-") //nolint:noctx // it runs until stop
	cmd.Dir = r.dir
	cmd.Stdin = strings.NewReader(fmt.Sprintf("bind 127.0.0.1\nport %d\nrequirepass %s\ndaemonize no\nappendonly "+
		"no\nsave %s\nshutdown-on-sigterm force\n",
		state.RedisPort, state.RedisPassword, save))
	p, err := startProcess("Redis", cmd, r.log, r.acc, syscall.SIGTERM)
	if err != nil {
		return nil, err
	}
	if err := p.waitUntilReady(ctx, func() bool { return respondsToPing(ctx, state) }); err != nil {
		return nil, errors.Join(err, p.stop(context.WithoutCancel(ctx)))
	}
	return p, nil
}

// respondsToPing reports whether the server accepts the password and commands, which it does not
// while it loads its data.
func respondsToPing(ctx context.Context, state *serviceState) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", loopback(state.RedisPort))
	if err != nil {
		return false
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	if conn.SetDeadline(deadline) != nil {
		return false
	}
	if _, err := fmt.Fprintf(conn, "AUTH %s\r\nPING\r\n", state.RedisPassword); err != nil {
		return false
	}
	lines := bufio.NewScanner(conn)
	return lines.Scan() && lines.Text() == "+OK" && lines.Scan() && lines.Text() == "+PONG"
}

func findRedis() (string, error) {
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("redis-server is not installed: run deploy/local/install.sh redis")
}
