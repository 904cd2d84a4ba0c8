// Package credentialtest lets tests break Redis under the credential cache and count the round
// trips of a look-up.
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

// A Process simulates one process of the service: it shares only PostgreSQL and Redis with others.
type Process struct {
	DB    *db.DB
	Redis *redis.Client
	Cache *credential.Cache
	Log   *slog.Logger

	statements, commands atomic.Int64
}

// Start returns a process without a local cache. Its timeouts are long, so that a slow machine does
// not turn a cache test into a test of the fallback.
func Start(t testing.TB, redisURL string) *Process {
	t.Helper()
	return StartWithLocalCache(t, redisURL, -1)
}

// StartWithLocalCache returns a process with the given credential.Options.LocalLife.
func StartWithLocalCache(t testing.TB, redisURL string, localLife time.Duration) *Process {
	t.Helper()
	p := &Process{Log: slog.New(slog.DiscardHandler)}
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t),
		db.Options{Secrets: tenancytest.Secrets(), MaxConns: 16, Tracer: (*tracer)(p)})
	if err != nil {
		t.Fatal(err)
	}
	options, err := credential.ClientOptions(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	p.DB, p.Redis = database, redis.NewClient(options)
	p.Redis.AddHook((*hook)(p))
	p.Cache = credential.New(p.Redis, credential.Options{
		Timeout:   2 * time.Second,
		OpenFor:   200 * time.Millisecond,
		LocalLife: localLife,
		Log:       p.Log,
	})
	t.Cleanup(func() {
		p.Cache.Close()
		_ = p.Redis.Close()
		p.DB.Close()
	})
	return p
}

// Cost runs fn and returns the number of statements or batches sent to PostgreSQL, and of commands
// or pipelines sent to Redis.
func (p *Process) Cost(fn func()) (postgres, redis int64) {
	statements, commands := p.statements.Load(), p.commands.Load()
	fn()
	return p.statements.Load() - statements, p.commands.Load() - commands
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
		h.commands.Add(1)
		return next(ctx, cmd)
	}
}

func (h *hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		h.commands.Add(1)
		return next(ctx, cmds)
	}
}

// A Proxy is a TCP proxy before Redis whose connections tests can break.
type Proxy struct {
	target string
	real   *url.URL // of the proxied Redis; its password is valid for the proxy too

	mu       sync.Mutex
	listener net.Listener
	address  string
	conns    map[net.Conn]struct{}
	stalled  bool
}

// NewProxy starts a proxy for the test Redis.
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
	p.Restore(t)
	t.Cleanup(p.Cut)
	return p
}

// URL returns the Redis URL of the proxy.
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

// Stall closes every connection, and accepts new ones without ever answering on them.
func (p *Proxy) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = true
	p.drop()
}

func (p *Proxy) drop() {
	for conn := range p.conns {
		_ = conn.Close()
	}
	p.conns = map[net.Conn]struct{}{}
}

// Restore makes the proxy work again at the same address.
func (p *Proxy) Restore(t testing.TB) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = false
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
			go p.forward(client)
		}
	}
}

func (p *Proxy) forward(client net.Conn) {
	var dialer net.Dialer
	server, err := dialer.DialContext(context.Background(), "tcp", p.target)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.conns[client], p.conns[server] = struct{}{}, struct{}{}
	stalled := p.stalled
	p.mu.Unlock()
	if stalled {
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
