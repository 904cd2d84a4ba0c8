// Package db is the only access to the database. Each of its entries takes a role of PostgreSQL,
// and for tenant data one organization, for the length of one transaction, so that row-level
// security decides what a statement sees. It owns the connection pool, the actor that transactions
// act for, and what an error of the database means to a caller. It knows no table of the product.
package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/problem"
)

// A DB holds the connections of a process: a pool for each of three logins, which can read no table
// by themselves and become one role each. Each method that runs statements takes its role for one
// transaction, and for tenant data enters one organization with that organization's key. Code that
// bypasses these methods gets "permission denied", never rows of another organization.
type DB struct {
	request, schema, system *pgxpool.Pool

	schemaConfig *pgx.ConnConfig // of connections outside of the pool
	texts        *textCache
	keys         *keyring
	guests       *guests

	distributed bool // by Citus, over several nodes

	changed *listeners // see OnChange
}

// Options configure a DB. The zero value can run every transaction that enters no organization.
type Options struct {
	MaxConns         int32         // of all pools; default 20
	StatementTimeout time.Duration // of every statement but schema changes; default 15 s
	Tracer           pgx.QueryTracer
	// Secrets are SECRET_KEY and its previous values. The first encrypts the keys of organizations;
	// all of them decrypt.
	Secrets [][]byte
	// Logins overrides the URL of a login, which is otherwise derived from the database URL.
	Logins map[migrations.Login]string
	// GuestURL is the same database past a proxy, for the logins of bases; see Guest. Its user and
	// password are not used. Default: the database URL.
	GuestURL   string
	GuestConns int // how many of these logins are connected at once; default 2
}

// Open connects as the logins that migrations.Provision created for databaseURL.
func Open(ctx context.Context, databaseURL string, options Options) (_ *DB, err error) {
	if options.MaxConns <= 0 {
		options.MaxConns = 20
	}
	if options.GuestConns <= 0 {
		options.GuestConns = guestConns
	}
	if options.StatementTimeout == 0 {
		options.StatementTimeout = 15 * time.Second
	}
	db := &DB{texts: newTextCache(), changed: &listeners{}}
	if db.keys, err = newKeyring(options.Secrets); err != nil {
		return nil, err
	}
	if databaseURL != "" { // without it the names of the logins of bases are unknown
		if db.guests, err = newGuests(databaseURL, options.GuestURL, options.GuestConns); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	if err := db.lookForCitus(ctx, databaseURL, options); err != nil {
		return nil, err
	}
	// Requests get most of the connections.
	schemaConns, systemConns := max(2, options.MaxConns/5), max(2, options.MaxConns/4)
	for _, pool := range []struct {
		login migrations.Login
		pool  **pgxpool.Pool
		conns int32
	}{
		{migrations.Request, &db.request, max(1, options.MaxConns-schemaConns-systemConns)},
		{migrations.Schema, &db.schema, schemaConns},
		{migrations.Lookup, &db.system, systemConns},
	} {
		config, err := poolConfig(databaseURL, pool.login, options)
		if err != nil {
			return nil, err
		}
		config.MaxConns = pool.conns
		if db.distributed {
			config.ConnConfig.RuntimeParams["citus.propagate_set_commands"] = "local" // see propagate
			// One to a worker as the role of requests, and one as the role of the search.
			config.ConnConfig.RuntimeParams["citus.max_cached_conns_per_worker"] = "2"
		}
		if pool.login == migrations.Schema {
			db.schemaConfig = config.ConnConfig.Copy()
		}
		if *pool.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
			return nil, fmt.Errorf("connecting to the database: %w", err)
		}
		if err := (*pool.pool).Ping(ctx); err != nil {
			return nil, fmt.Errorf("connecting to the database as %s: %w", config.ConnConfig.User, err)
		}
	}
	return db, nil
}

// lookForCitus finds out whether the database is distributed, before a connection of a pool is
// configured.
func (db *DB) lookForCitus(ctx context.Context, databaseURL string, options Options) error {
	config, err := poolConfig(databaseURL, migrations.Request, options)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return fmt.Errorf("connecting to the database as %s: %w", config.ConnConfig.User, err)
	}
	defer func() { _ = conn.Close(ctx) }()
	db.distributed, err = migrations.Distributed(ctx, conn)
	return err
}

// OnChange adds fn to the functions that are called after each commit of a transaction that may have
// changed an organization, which are those of TableWrite, TableTx and SchemaTx. table is the number of
// the table given to the first two, whose base contains all their changes; 0 stands for any table. fn
// must return at once.
func (db *DB) OnChange(fn func(org uuid.UUID, table int32)) { db.changed.add(fn) }

// listeners are functions that are called after commits. It is safe for concurrent use.
type listeners struct {
	mu    sync.Mutex
	calls atomic.Pointer[[]func(org uuid.UUID, table int32)]
}

func (l *listeners) add(fn func(org uuid.UUID, table int32)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []func(org uuid.UUID, table int32)
	if known := l.calls.Load(); known != nil {
		all = slices.Clone(*known)
	}
	all = append(all, fn)
	l.calls.Store(&all)
}

// committed calls the listeners for a transaction.
func (db *DB) committed(in entry) {
	calls := db.changed.calls.Load()
	if !in.changes || calls == nil {
		return
	}
	for _, fn := range *calls {
		fn(in.org, in.table)
	}
}

// Distributed reports whether the database is distributed by Citus. Some statements take another
// form there (docs/decisions/0028-citus.md).
func (db *DB) Distributed() bool { return db.distributed }

func poolConfig(databaseURL string, login migrations.Login, options Options) (*pgxpool.Config, error) {
	address := options.Logins[login]
	if address == "" {
		var err error
		if address, err = login.URL(databaseURL); err != nil {
			return nil, fmt.Errorf("deriving the login for %ss: %w", login, err)
		}
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("reading the database URL: %w", errors.New(redact(err.Error(), address)))
	}
	config.ConnConfig.RuntimeParams["application_name"] = "rowhouse"
	config.ConnConfig.RuntimeParams["statement_timeout"] = fmt.Sprint(options.StatementTimeout.Milliseconds())
	config.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "30000"
	// The size in kB at which a writer merges the pending list of a search index
	// (docs/decisions/0012-indexes-by-use.md).
	config.ConnConfig.RuntimeParams["gin_pending_list_limit"] = "16384"
	// A list by a computed field has many small expressions and an estimate that makes PostgreSQL compile them,
	// which takes a second and saves milliseconds.
	config.ConnConfig.RuntimeParams["jit"] = "off"
	// Statements are prepared. The planner replans the first five executions of each statement on
	// each connection before it chooses between a generic and a custom plan; that cost pays off.
	config.ConnConfig.StatementCacheCapacity = 512
	config.ConnConfig.DescriptionCacheCapacity = 0
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	config.ConnConfig.Tracer = options.Tracer
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		pgxuuid.Register(conn.TypeMap()) // in binary; pgx would send a uuid.UUID as text
		sendsBinaryArrays(conn.TypeMap())
		return nil
	}
	var opened atomic.Uint32
	opened.Store(rand.Uint32N(slots)) //nolint:gosec // spreads processes
	config.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
		c.RuntimeParams["app.slot"] = fmt.Sprint(opened.Add(1) % slots)
		return nil
	}
	// A backend's catalogue cache grows by about 20 KB for each user table that it has touched.
	config.MaxConnLifetime = 30 * time.Minute
	config.MaxConnLifetimeJitter = 5 * time.Minute
	config.MaxConnIdleTime = 10 * time.Minute
	return config, nil
}

// Slot is the SQL expression for a number from 0 to 31 that spreads connections. A counter that
// keeps one row per slot lets concurrent writers update different rows. Behind a proxy that drops
// the setting, the number comes from the backend's process id.
const Slot = "coalesce(nullif(current_setting('app.slot', true), '')::integer, pg_backend_pid() % 32)"

const slots = 32 // as in Slot

// redact removes the URL from a message because it contains a password.
func redact(message, secret string) string {
	return strings.ReplaceAll(message, secret, "(database URL)")
}

func (db *DB) pools() []*pgxpool.Pool { return []*pgxpool.Pool{db.request, db.schema, db.system} }

// Connections returns how many connections are open and in use, how often callers have waited for
// one, and for how long in total.
func (db *DB) Connections() (open, inUse int, waits int64, waited time.Duration) {
	for _, pool := range db.pools() {
		stat := pool.Stat()
		open, inUse = open+int(stat.TotalConns()), inUse+int(stat.AcquiredConns())
		waits, waited = waits+stat.EmptyAcquireCount(), waited+stat.EmptyAcquireWaitTime()
	}
	return open, inUse, waits, waited
}

// Close waits for running transactions and closes every connection.
func (db *DB) Close() {
	for _, pool := range db.pools() {
		if pool != nil {
			pool.Close()
		}
	}
	if db.guests != nil {
		db.guests.closeAll()
	}
}

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.request.Ping(ctx); err != nil {
		return problem.Unavailable(fmt.Errorf("pinging the database: %w", err))
	}
	return nil
}
