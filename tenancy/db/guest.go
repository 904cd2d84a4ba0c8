package db

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
)

// Guests. SQL that callers wrote themselves runs under a login of one base, which owns nothing and may
// read only the views of that base (docs/decisions/0037-sql.md). These connections are separate from
// all others: they are few, read-only, and serve one login each.

// What a guest's connections may take.
const (
	// GuestTime is how long a statement of a guest may run.
	GuestTime = 5 * time.Second
	// guestConns is how many connections a process has for guests, unless Options.GuestConns says so.
	guestConns = 2
	// guestWait is how long a guest waits for a connection: longer than a statement may take.
	guestWait = 10 * time.Second
	// guestIdle is how long an unused connection stays open.
	guestIdle = time.Minute
	// guestMessage bounds one message of PostgreSQL, and so one row, in bytes.
	guestMessage = 4 << 20
)

type guests struct {
	config   *pgx.ConnConfig // without user and password
	prefix   string          // of the names of logins
	password string          // the passwords of logins are derived from it; "" derives none

	places *places
	ending sync.WaitGroup // of transactions
	mu     sync.Mutex
	closed chan struct{}
	close  sync.Once // of closed
	open   int       // connections, in use and idle
	idle   []*guestConn
}

type guestConn struct {
	*pgx.Conn
	login string
	since time.Time
}

// newGuests configures the connections of guests to the database of DATABASE_URL. direct, unless "", is
// a URL of the same database that bypasses a proxy.
func newGuests(databaseURL, direct string, conns int) (*guests, error) {
	source, err := url.Parse(databaseURL)
	if err != nil || source.User.Username() == "" {
		return nil, errors.New("the database URL is not a URL with a user") // the cause would contain the password
	}
	if direct == "" {
		direct = databaseURL
	}
	config, err := pgx.ParseConfig(direct)
	if err != nil {
		return nil, fmt.Errorf("reading the database URL for SQL: %w", errors.New(redact(err.Error(), direct)))
	}
	config.RuntimeParams = map[string]string{
		"application_name":                    "rowhouse sql",
		"default_transaction_read_only":       "on",
		"statement_timeout":                   fmt.Sprint(GuestTime.Milliseconds()),
		"lock_timeout":                        "2000",
		"search_path":                         "pg_catalog, pg_temp",
		"standard_conforming_strings":         "on",
		"idle_in_transaction_session_timeout": "10000",
		"max_parallel_workers_per_gather":     "0",
		"jit":                                 "off",
		"work_mem":                            "8MB",
		"cursor_tuple_fraction":               "1",
		"client_min_messages":                 "error",
		"TimeZone":                            "UTC",
		"DateStyle":                           "ISO",
		"IntervalStyle":                       "iso_8601",
		"bytea_output":                        "hex",
		"extra_float_digits":                  "1",
	}
	config.ConnectTimeout = 5 * time.Second
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.StatementCacheCapacity, config.DescriptionCacheCapacity = 0, 0
	password, _ := source.User.Password()
	return &guests{
		config: config, prefix: source.User.Username() + "_sql_", password: password,
		places: newPlaces(conns), closed: make(chan struct{}),
	}, nil
}

// ServesGuests reports whether the process can connect as the logins of bases.
func (db *DB) ServesGuests() bool { return db.guests != nil && !db.distributed }

// NewGuestLogin returns the name of a new login for a base.
func (db *DB) NewGuestLogin() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return db.guests.prefix + hex.EncodeToString(random[:])
}

// passwordOf derives the password of a login, so that every process knows it and none stores it.
func (g *guests) passwordOf(login string) string {
	if g.password == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(g.password))
	_, _ = mac.Write([]byte("rowhouse guest " + login)) // never fails
	return hex.EncodeToString(mac.Sum(nil))
}

// scramIterations is PostgreSQL's own number. The password is random, so more would add nothing.
const scramIterations = 4096

// GuestVerifier returns what PostgreSQL stores of the login's password (RFC 5802), so that no statement
// and no log contains the password.
func (db *DB) GuestVerifier(login string) (string, error) {
	var salt [16]byte
	_, _ = rand.Read(salt[:]) // never fails
	salted, err := pbkdf2.Key(sha256.New, db.guests.passwordOf(login), salt[:], scramIterations, sha256.Size)
	if err != nil {
		return "", fmt.Errorf("deriving the password of a login: %w", err)
	}
	sign := func(text string) []byte {
		mac := hmac.New(sha256.New, salted)
		_, _ = mac.Write([]byte(text)) // never fails
		return mac.Sum(nil)
	}
	stored := sha256.Sum256(sign("Client Key"))
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", scramIterations, encode(salt[:]), encode(stored[:]),
		encode(sign("Server Key"))), nil
}

// ErrGuestLogin says that the login of a guest does not exist, or has another password.
var ErrGuestLogin = errors.New("the login of the base does not exist or has another password")

// A Guest is who connects for a statement. A person is proven to the views that ask for one: the statement may set
// another person, and not the proof of one.
type Guest struct {
	Login  string
	Person uuid.UUID // uuid.Nil for views that show everybody the same
	Proof  string
}

// A GuestTx is a read-only transaction of a guest, which is always rolled back.
type GuestTx struct {
	conn     *pgconn.PgConn
	settings [][]byte // names and values
	entered  bool
}

// newGuestTx returns a transaction that shows the key of an organization.
func newGuestTx(conn *pgconn.PgConn, org uuid.UUID, key string, guest Guest) *GuestTx {
	t := &GuestTx{conn: conn}
	set := func(name, value string) { t.settings = append(t.settings, []byte(name), []byte(value)) }
	set("app.org_id", org.String())
	set("app.key", key)
	if guest.Person != uuid.Nil {
		set("app.person", guest.Person.String())
		set("app.person_proof", guest.Proof)
	}
	return t
}

// Send sends statements in one round trip. Each is a single statement without parameters, and their
// results come in order, as text. The first call enters the transaction.
func (t *GuestTx) Send(ctx context.Context, statements ...string) *pgconn.MultiResultReader {
	batch := &pgconn.Batch{}
	if !t.entered {
		batch.ExecParams("begin read only", nil, nil, nil, nil)
		set := make([]string, len(t.settings)/2)
		for i := range set {
			set[i] = fmt.Sprintf("set_config($%d, $%d, true)", 2*i+1, 2*i+2)
		}
		batch.ExecParams("select "+strings.Join(set, ", "), t.settings, nil, nil, nil)
	}
	for _, statement := range statements {
		batch.ExecParams(statement, nil, nil, nil, nil)
	}
	results := t.conn.ExecBatch(ctx, batch)
	if !t.entered {
		t.entered = true
		for range 2 {
			if results.NextResult() {
				_, _ = results.ResultReader().Close() // an error comes again at the end
			}
		}
	}
	return results
}

// Guest runs fn on a connection of a guest, in a read-only transaction that shows the key of the
// organization. The views that the login may read ask for the key. Errors of PostgreSQL about the
// statement are returned as they are. It returns ErrGuestLogin if the login must be made again.
func (db *DB) Guest(ctx context.Context, org uuid.UUID, guest Guest, fn func(tx *GuestTx) error) error {
	key, err := db.key(ctx, org)
	if err != nil {
		return classify(err)
	}
	place, err := db.guests.enter(ctx, org, guest.Login)
	if err != nil {
		return err
	}
	conn, err := db.guests.connect(ctx, guest.Login)
	if err != nil {
		db.guests.places.leave(place)
		if pgerror.Is(err, pgerrcode.InvalidPassword, pgerrcode.InvalidAuthorizationSpecification) {
			return fmt.Errorf("%w: %w", ErrGuestLogin, err)
		}
		return classify(fmt.Errorf("connecting as the login of a base: %w", err))
	}
	err = fn(newGuestTx(conn.PgConn(), org, key, guest))
	failure := err
	db.guests.ending.Go(func() { // nobody waits for it
		defer db.guests.places.leave(place)
		if !db.guests.release(ctx, conn) {
			db.guests.linger(place, failure)
		}
	})
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return db.forgetWrongKey(org, err)
	}
	return classify(err)
}

// enter waits for a connection's slot.
func (g *guests) enter(ctx context.Context, org uuid.UUID, login string) (*place, error) {
	wait, cancel := context.WithTimeout(ctx, guestWait)
	defer cancel()
	one, err := g.places.enter(wait, org, login)
	if err != nil {
		return nil, guestBusy(err)
	}
	return one, nil
}

// PostgreSQL notices late that a computation with very long numbers was cancelled, and the service may
// not see PostgreSQL's processes. So a statement that exceeded its time keeps its slot for
// guestOverrun, and one whose caller went away for guestGone.
const (
	guestOverrun = 30 * time.Second
	guestGone    = 3 * time.Second
)

// linger keeps the slot of a statement whose connection had to be closed.
func (g *guests) linger(of *place, failure error) {
	var pause time.Duration
	switch {
	case errors.Is(failure, context.DeadlineExceeded):
		pause = guestOverrun
	case errors.Is(failure, context.Canceled):
		pause = guestGone
	default:
		return
	}
	g.places.keep(of)
	select {
	case <-g.closed:
	case <-time.After(pause):
	}
}

func guestBusy(cause error) error {
	return (&problem.Error{
		Kind: problem.KindUnavailable, Code: problem.CodeSQLBusy, RetryAfter: 2 * time.Second,
		Message: "Too many SQL statements are running; try again shortly.",
	}).Because(cause)
}

// connect returns an idle connection of the login or a new one. The caller has a slot, and connect
// closes an idle connection of another login if all slots have connections, so connections never
// outnumber slots.
func (g *guests) connect(ctx context.Context, login string) (*guestConn, error) {
	g.mu.Lock()
	if at := slices.IndexFunc(g.idle, func(c *guestConn) bool { return c.login == login && !c.IsClosed() }); at >= 0 {
		found := g.idle[at]
		g.idle = slices.Delete(g.idle, at, at+1)
		g.mu.Unlock()
		return found, nil
	}
	var old []*guestConn
	for g.open >= g.places.count && len(g.idle) > 0 {
		old, g.idle = append(old, g.idle[0]), g.idle[1:]
		g.open--
	}
	g.open++
	g.mu.Unlock()
	for _, conn := range old {
		conn.close(ctx)
	}
	config := g.config.Copy()
	config.User, config.Password = login, g.passwordOf(login)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		g.forget(1)
		return nil, fmt.Errorf("connecting: %w", err)
	}
	conn.PgConn().Frontend().SetMaxBodyLen(guestMessage)
	return &guestConn{conn, login, time.Time{}}, nil
}

// forget subtracts closed connections from the count.
func (g *guests) forget(count int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open -= count
}

// closeIdle closes the connections that nobody has used for guestIdle.
func (g *guests) closeIdle() {
	var old []*guestConn
	g.mu.Lock()
	g.idle = slices.DeleteFunc(g.idle, func(c *guestConn) bool {
		if time.Since(c.since) < guestIdle {
			return false
		}
		old = append(old, c)
		return true
	})
	g.open -= len(old)
	g.mu.Unlock()
	for _, conn := range old {
		conn.close(context.Background())
	}
}

// release ends the transaction and whatever of the session could outlive it, and keeps the connection. It
// returns false if it has closed the connection instead.
func (g *guests) release(ctx context.Context, conn *guestConn) bool {
	undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if !conn.reset(undo) {
		conn.close(undo)
		g.forget(1)
		return false
	}
	conn.since = time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.idle = append(g.idle, conn)
	time.AfterFunc(guestIdle, g.closeIdle)
	return true
}

// reset ends the transaction, and reports whether the connection can be used again.
func (c *guestConn) reset(ctx context.Context) bool {
	if c.IsClosed() || c.PgConn().IsBusy() {
		return false
	}
	for _, statement := range []string{"rollback", "discard all"} {
		if _, err := c.Exec(ctx, statement); err != nil {
			return false
		}
	}
	return true
}

func (c *guestConn) close(ctx context.Context) {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = c.Close(end)
}

// closeAll closes the connections, which nobody uses any more.
func (g *guests) closeAll() {
	g.close.Do(func() { close(g.closed) })
	g.ending.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, conn := range g.idle {
		conn.close(context.Background())
	}
	g.idle = nil
}
