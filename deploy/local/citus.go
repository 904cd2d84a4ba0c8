package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

const workers = 2

// A distributed PostgreSQL is a coordinator and its workers, each a cluster with the extension
// Citus. Programs connect by TCP with a password, as to a single PostgreSQL. The nodes connect to
// each other through sockets in a directory that only their account can enter, as whatever role a
// transaction has taken; so these roles need LOGIN and no password.
type distributed struct {
	bin     string // PostgreSQL's programs
	sockets string
}

// findCitus returns the directory of PostgreSQL's programs in the installation at prefix, which has
// the layout of a distribution or of PostgreSQL's own Makefile.
func findCitus(prefix string) (string, error) {
	found, err := filepath.Glob(filepath.Join(prefix, "lib/postgresql/*/lib/citus.so"))
	if err != nil {
		return "", fmt.Errorf("look for Citus: %w", err)
	}
	for _, library := range found {
		return filepath.Join(filepath.Dir(filepath.Dir(library)), "bin"), nil
	}
	if _, err := os.Stat(filepath.Join(prefix, "bin/postgres")); err == nil {
		return filepath.Join(prefix, "bin"), nil
	}
	return "", fmt.Errorf("%s is not an installation of PostgreSQL with Citus: "+
		"it has no lib/postgresql/*/lib/citus.so and no bin/postgres", prefix)
}

func newDistributed(prefix, data string, acc *account) (*distributed, error) {
	prefix, err := filepath.Abs(prefix)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", prefix, err)
	}
	bin, err := findCitus(prefix)
	if err != nil {
		return nil, err
	}
	d := &distributed{bin: bin, sockets: filepath.Join(data, "nodes")}
	return d, acc.makeDir(d.sockets)
}

// settings are the settings of each node.
func (d *distributed) settings() []string {
	return []string{
		"unix_socket_directories=" + d.sockets,
		"unix_socket_permissions=0700",
		"shared_preload_libraries=citus",
		"wal_level=logical", // moves an organization
		"max_prepared_transactions=300",
		"max_worker_processes=64",
		"max_wal_senders=20",
		"citus.local_hostname=" + d.sockets,
		"citus.node_conninfo=sslmode=prefer", // "require" makes Citus configure TLS, which sockets do not need
		"citus.max_adaptive_executor_pool_size=4",
		"synchronous_commit=on", // a worker that is killed keeps what was committed
	}
}

const nodeHBA = `# Programs connect by TCP with a password, nodes through the directory of sockets.
local all all                trust
host  all all 127.0.0.1/32   scram-sha-256
`

// join makes the coordinator's database "postgres" one of all nodes. Databases that are created
// later copy its list of nodes.
func (d *distributed) join(ctx context.Context, coordinator int, workers []*worker) error {
	ports := []int{coordinator}
	for _, w := range workers {
		ports = append(ports, w.port)
	}
	for _, port := range ports {
		if err := d.exec(ctx, port, "create extension if not exists citus"); err != nil {
			return err
		}
	}
	err := d.exec(ctx, coordinator, "select citus_set_coordinator_host($1, $2)", d.sockets, coordinator)
	if err != nil {
		return err
	}
	for _, port := range ports[1:] {
		if err := d.exec(ctx, coordinator, "select citus_add_node($1, $2)", d.sockets, port); err != nil {
			return err
		}
	}
	return nil
}

func (d *distributed) exec(ctx context.Context, port int, sql string, args ...any) (err error) {
	address := []string{"host=" + d.sockets, "port=" + strconv.Itoa(port), "user=" + superuser, "dbname=postgres"}
	conn, err := pgx.Connect(ctx, strings.Join(address, " "))
	if err != nil {
		return fmt.Errorf("connect to a node: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, sql, args...); err != nil {
		return fmt.Errorf("join the nodes: %w", err)
	}
	return nil
}

// A worker is one of the nodes that hold organizations.
type worker struct {
	cluster
	port    int
	process *process
}
