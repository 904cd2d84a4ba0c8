package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/share"
	"github.com/rowhouse/rowhouse/web"
)

// A service is everything that one process opens once and shares among its requests.
type service struct {
	log        *slog.Logger
	db         *tenancy.DB
	redis      *redis.Client
	cache      *credential.Cache
	keys       *apikey.Service
	accounts   *account.Service
	operations *operation.Deps
	health     *health
	handler    http.Handler
}

// open connects to what the configuration names, which must have been checked, and puts the parts together. A database
// that does not answer, or lacks migrations, is an error; a Redis that does not answer is a warning. mail takes what is sent
// to people; nil is what the configuration says.
func open(ctx context.Context, c *serviceConfig, log *slog.Logger, mail account.Mailer) (*service, error) {
	pending, err := migrations.Pending(ctx, c.DatabaseURL)
	if err != nil {
		return nil, fmt.Errorf("the database of DATABASE_URL cannot be used (is it new? then run: rowhouse migrate): %w", err)
	}
	if pending > 0 {
		return nil, fmt.Errorf("the database of DATABASE_URL lacks %d of this version's migrations; run: rowhouse migrate", pending)
	}
	options, err := credential.ClientOptions(c.RedisURL)
	if err != nil {
		// The cause would repeat the URL, which holds a password.
		return nil, wrong("REDIS_URL", "a URL that names a host, a port and a database number", exampleRedisURL)
	}
	if mail == nil {
		if mail, err = mailFrom(c, log); err != nil {
			return nil, err
		}
	}
	db, err := tenancy.Open(ctx, c.DatabaseURL, tenancy.Options{MaxConns: c.DatabaseMaxConnections})
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	s := &service{log: log, db: db, redis: redis.NewClient(options)}
	s.health = &health{
		database: db.Ping,
		redis:    func(ctx context.Context) error { return s.redis.Ping(ctx).Err() },
	}
	if err := s.health.redis(ctx); err != nil {
		log.WarnContext(ctx, "Redis does not answer; serving without it", "error", err)
	}
	s.cache = credential.New(s.redis, credential.Options{Log: log})
	s.keys = apikey.New(apikey.Deps{DB: db, Cache: s.cache, Log: log})
	s.accounts = account.New(account.Deps{
		DB: db, Cache: s.cache, Redis: s.redis, Mailer: mail, BaseURL: c.BaseURL, Log: log,
		Reclaim: s.keys.RevokeAll,
	})
	store := schema.NewStore(db)
	s.operations = &operation.Deps{
		DB: db, Schema: store, Records: record.New(db, store), Share: share.NewStore(db),
		Rights: s.keys, Mail: s.accounts, BaseURL: c.BaseURL, Log: log,
	}
	s.handler = s.routes(c.ClientAddressHeader)
	return s, nil
}

// close ends everything in the order that each part asks for.
func (s *service) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	s.accounts.Close(ctx)
	s.keys.Close(ctx)
	s.cache.Close()
	if err := s.redis.Close(); err != nil {
		s.log.WarnContext(ctx, "closing the connections to Redis", "error", err)
	}
	s.db.Close()
}

// routes is the map of the service: which part answers which path.
func (s *service) routes(clientAddressHeader string) http.Handler {
	gate := &authz.Gate{Verifiers: []authz.Verifier{s.keys}, Sessions: s.accounts}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.health.live)
	mux.HandleFunc("GET /readyz", s.health.ready)
	mux.Handle(api.Prefix+"/", api.New(api.Options{
		Deps: s.operations, Authenticate: gate.Authenticate,
		Challenge: func(h http.Header, _ *http.Request, err error) {
			if tenancy.KindOf(err) == tenancy.KindUnauthenticated {
				h.Set("WWW-Authenticate", "Bearer")
			}
		},
	}))
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
	return behindProxy(clientAddressHeader, mux)
}

// behindProxy makes the address that a reverse proxy gives in a header the request's own; "" takes the connection's. In a list
// the last one counts, which is what the nearest proxy has seen.
func behindProxy(header string, next http.Handler) http.Handler {
	if header == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		values := r.Header.Values(header)
		if len(values) > 0 {
			list := values[len(values)-1]
			address := strings.TrimSpace(list[strings.LastIndexByte(list, ',')+1:])
			if net.ParseIP(address) != nil {
				r.RemoteAddr = net.JoinHostPort(address, "0")
			}
		}
		next.ServeHTTP(w, r)
	})
}

func mailFrom(c *serviceConfig, log *slog.Logger) (account.Mailer, error) {
	if c.SMTPURL == "" {
		log.Warn("SMTP_URL is not set: nobody gets mail, so nobody can prove an address, reset a password or be invited by mail")
		return noMail{}, nil
	}
	smtp, err := mailer.NewSMTP(c.SMTPURL, c.MailFrom)
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL or MAIL_FROM is not right: %w", err)
	}
	return smtp, nil
}

type noMail struct{}

func (noMail) Send(context.Context, account.Message) error {
	return errors.New("SMTP_URL is not set")
}
