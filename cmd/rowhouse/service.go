package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/web"
)

// A service is everything that one process opens once and shares among its requests.
type service struct {
	log     *slog.Logger
	db      *tenancy.DB
	redis   *redis.Client
	health  *health
	handler http.Handler
}

// open connects to what the configuration names, which must have been checked, and puts the parts together. A database
// that does not answer, or lacks migrations, is an error; a Redis that does not answer is a warning.
func open(ctx context.Context, c *serviceConfig, log *slog.Logger) (*service, error) {
	pending, err := migrations.Pending(ctx, c.DatabaseURL)
	if err != nil {
		return nil, fmt.Errorf("the database of DATABASE_URL cannot be used (is it new? then run: rowhouse migrate): %w", err)
	}
	if pending > 0 {
		return nil, fmt.Errorf("the database of DATABASE_URL lacks %d of this version's migrations; run: rowhouse migrate", pending)
	}
	db, err := tenancy.Open(ctx, c.DatabaseURL, tenancy.Options{MaxConns: c.DatabaseMaxConnections})
	if err != nil {
		return nil, err
	}
	options, err := redis.ParseURL(c.RedisURL)
	if err != nil {
		db.Close()
		// The cause would repeat the URL, which holds a password.
		return nil, wrong("REDIS_URL", "a URL that names a host, a port and a database number", "redis://:password@cache.example.com:6379/0")
	}
	s := &service{log: log, db: db, redis: redis.NewClient(options)}
	s.health = &health{
		database: db.Ping,
		redis:    func(ctx context.Context) error { return s.redis.Ping(ctx).Err() },
	}
	if err := s.health.redis(ctx); err != nil {
		log.WarnContext(ctx, "Redis does not answer; serving without it", "error", err)
	}
	s.handler = s.routes()
	return s, nil
}

func (s *service) close() {
	if err := s.redis.Close(); err != nil {
		s.log.Warn("closing the connections to Redis", "error", err)
	}
	s.db.Close()
}

// routes is the map of the service: which part answers which path.
func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.health.live)
	mux.HandleFunc("GET /readyz", s.health.ready)
	app := web.App()
	for _, path := range web.AppRoutes {
		mux.Handle(strings.TrimSuffix(path, "/")+"/", app)
		if path != "/" {
			mux.Handle(path, app)
		}
	}
	for _, path := range web.AppFiles {
		mux.Handle(path, app)
	}
	return mux
}
