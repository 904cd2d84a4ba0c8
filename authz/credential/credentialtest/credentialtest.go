// Package credentialtest gives tests what they need to break Redis under the credential cache and to count what a look-up
// costs.
package credentialtest

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A Process stands for one process of the service: it shares nothing with the next but Postgres and Redis.
type Process struct {
	DB    *db.DB
	Redis *redis.Client
	Cache *credential.Cache
	Log   *slog.Logger

	statements, exchanges atomic.Int64
}

// Start makes a process that reaches Redis at redisURL and asks it each time. Its timeouts are wide, so that a busy machine does not
// turn a test of what is remembered into one of the fallback.
func Start(t testing.TB, redisURL string) *Process {
	t.Helper()
	return StartNear(t, redisURL, -1)
}

// StartNear makes a process that believes for the time near what Redis said, as credential.Options has it.
func StartNear(t testing.TB, redisURL string, near time.Duration) *Process {
	t.Helper()
	p := &Process{Log: slog.New(slog.DiscardHandler)}
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{MaxConns: 4, Tracer: (*tracer)(p)})
	if err != nil {
		t.Fatal(err)
	}
	options, err := credential.ClientOptions(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	p.DB, p.Redis = database, redis.NewClient(options)
	p.Redis.AddHook((*hook)(p))
	p.Cache = credential.New(p.Redis, credential.Options{Timeout: 2 * time.Second, Pause: 200 * time.Millisecond, Near: near, Log: p.Log})
	t.Cleanup(func() {
		p.Cache.Close()
		_ = p.Redis.Close()
		p.DB.Close()
	})
	return p
}

// Cost runs fn and returns how many batches or statements went to Postgres and how many commands or pipelines to Redis.
func (p *Process) Cost(fn func()) (postgres, redis int64) {
	statements, exchanges := p.statements.Load(), p.exchanges.Load()
	fn()
	return p.statements.Load() - statements, p.exchanges.Load() - exchanges
}

type tracer Process

func (t *tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	t.statements.Add(1)
	return ctx
}
func (t *tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (t *tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	t.statements.Add(1)
	return ctx
}
func (t *tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (t *tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

type hook Process

func (h *hook) DialHook(next redis.DialHook) redis.DialHook { return next }
func (h *hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		h.exchanges.Add(1)
		return next(ctx, cmd)
	}
}

func (h *hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		h.exchanges.Add(1)
		return next(ctx, cmds)
	}
}

// A Proxy stands between a process and Redis and can be cut.
type Proxy struct {
	target string
	real   *url.URL // of the Redis behind it: its password holds at the proxy, too

	mu       sync.Mutex
	listener net.Listener
	address  string
	conns    map[net.Conn]struct{}
	silent   bool
}

// NewProxy starts a proxy before the test Redis.
func NewProxy(t testing.TB) *Proxy {
	t.Helper()
	options, err := redis.ParseURL(tenancytest.RedisURL(t))
	if err != nil {
		t.Fatal(err)
	}
	behind, err := url.Parse(tenancytest.RedisURL(t))
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{target: options.Addr, real: behind, address: "127.0.0.1:0", conns: map[net.Conn]struct{}{}}
	p.Mend(t)
	t.Cleanup(p.Cut)
	return p
}

// URL is where a process reaches the proxy.
func (p *Proxy) URL() string {
	u := *p.real
	u.Host = p.address
	return u.String()
}

// Cut closes every connection and refuses new ones.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		_ = p.listener.Close()
		p.listener = nil
	}
	p.drop()
}

// Silence drops every connection, accepts new ones, and never answers on them.
func (p *Proxy) Silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = true
	p.drop()
}

func (p *Proxy) drop() {
	for conn := range p.conns {
		_ = conn.Close()
	}
	p.conns = map[net.Conn]struct{}{}
}

// Mend makes the proxy work again, at the same address.
func (p *Proxy) Mend(t testing.TB) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = false
	if p.listener != nil {
		return
	}
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	p.listener, p.address = listener, listener.Addr().String()
	go p.serve(listener)
}

func (p *Proxy) serve(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			go p.pass(client)
		}
	}
}

func (p *Proxy) pass(client net.Conn) {
	var dialer net.Dialer
	server, err := dialer.DialContext(context.Background(), "tcp", p.target)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.conns[client], p.conns[server] = struct{}{}, struct{}{}
	silent := p.silent
	p.mu.Unlock()
	if silent {
		_, _ = io.Copy(io.Discard, client)
		return
	}
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
	_ = client.Close()
}
