package main

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/authz/oauth"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/telemetry"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/idempotency"
	"github.com/rowhouse/rowhouse/tenancy/index"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/share"
	"github.com/rowhouse/rowhouse/web"
)

// A service is everything that one process opens once and shares among its requests.
type service struct {
	log        *slog.Logger
	db         *db.DB
	redis      *redis.Client
	cache      *credential.Cache
	keys       *apikey.Service
	jobs       *job.Client
	accounts   *account.Service
	oauth      *oauth.Service
	limiter    *limit.Limiter
	guard      *limit.Guard
	operations *operation.Deps
	mcpSecret  []byte
	origins    []string                  // whose pages may call /mcp
	mailbox    func() []mailer.Delivered // what was sent, for a development page; nil in production
	metrics    *telemetry.Metrics
	tracer     *telemetry.Tracer
	health     *health
	handler    http.Handler

	end        context.CancelFunc // of what runs in the background
	background sync.WaitGroup
}

// open connects to what the configuration names, which must have been checked, and puts the parts together. mail takes what
// is sent to people; the mails in a mailer.Box are shown on a page.
func open(ctx context.Context, c *serviceConfig, log *slog.Logger, mail account.Mailer) (_ *service, err error) {
	s, err := connect(ctx, c, log, mail)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	s.limiter = limit.New(s.redis, limit.Options{Log: log})
	s.guard, s.origins = c.guard(s.limiter), c.MCPOrigins
	secrets := c.secrets()
	s.oauth, err = oauth.New(ctx, oauth.Config{
		BaseURL: c.BaseURL, Secrets: secrets, DB: s.db, Cache: s.cache, Sessions: signedIn{s.accounts},
		Limiter: s.limiter, Rates: c.rates(), Log: log, Tell: s.accounts.Tell,
	})
	if err != nil {
		return nil, fmt.Errorf("starting the authorization server: %w", err)
	}
	if s.mcpSecret, err = hkdf.Key(sha256.New, []byte(c.SecretKey), nil, "rowhouse mcp", 32); err != nil {
		return nil, fmt.Errorf("deriving a key: %w", err)
	}
	s.measure()
	links, err := attachment.NewLinks(c.BaseURL+web.FilePath+"/", secrets)
	if err != nil {
		return nil, fmt.Errorf("preparing the addresses of files: %w", err)
	}
	blobs, err := c.blobs(ctx, log)
	if err != nil {
		return nil, err
	}
	store := schema.NewStore(s.db)
	s.operations = &operation.Deps{
		DB: s.db, Schema: store, Records: record.New(s.db, store).Linking(links), Share: share.NewStore(s.db),
		Files: attachment.New(s.db, blobs, c.fileLimits()), Links: links,
		Rights: s.keys, Mail: s.accounts, Admission: s.guard, BaseURL: c.BaseURL, Log: log, Watch: s.metrics,
	}
	if box, ok := mail.(*mailer.Box); ok {
		s.mailbox = box.Mail
	}
	s.handler = telemetry.Requests(
		boundHeader(behindProxy(c.ClientAddressHeader, s.routes())), s.metrics, s.tracer, log, rooms, panicked)

	if err := s.jobs.Start(ctx); err != nil {
		return nil, fmt.Errorf("JOB_DATABASE_URL or DATABASE_URL: %w", err)
	}
	ctx, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.background.Go(func() { s.oauth.Run(ctx) })
	s.background.Go(func() { // Every process does it.
		job.Repeat(ctx, time.Hour, log, "removing old answers",
			func(ctx context.Context) error { return idempotency.Sweep(ctx, s.db) })
	})
	builder := &index.Builder{Manager: s.operations.Records.IndexManager(), Log: log}
	s.background.Go(func() { builder.Run(ctx) })
	cleaner := &index.PendingListCleaner{Manager: s.operations.Records.IndexManager(), Log: log}
	s.background.Go(func() { cleaner.Run(ctx) })
	if blobs != nil {
		sweeper := &attachment.Sweeper{DB: s.db, Blobs: blobs, Cells: s.operations.Records, Log: log}
		s.background.Go(func() { sweeper.Run(ctx) })
	}
	return s, nil
}

// connect opens what every command needs: the database, Redis, people and their keys. A database that does not answer, or
// lacks migrations, is an error; a Redis that does not answer is a warning.
func connect(ctx context.Context, c *serviceConfig, log *slog.Logger, mail account.Mailer) (*service, error) {
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
	tracer, err := telemetry.NewTracer(ctx, telemetry.Tracing{Endpoint: c.TracesURL, Ratio: c.TraceRatio, Version: version()})
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	tenantDB, err := db.Open(ctx, c.DatabaseURL, db.Options{MaxConns: c.DatabaseMaxConnections, Tracer: tracer.Queries()})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("DATABASE_URL: %w", err), tracer.Close(ctx))
	}
	if err := tenantDB.CheckIsolation(ctx); err != nil {
		tenantDB.Close()
		return nil, errors.Join(fmt.Errorf("DATABASE_URL: %w", err), tracer.Close(ctx))
	}
	jobs, err := job.Open(ctx, c.jobDatabaseURL(), job.Options{Queues: account.Queues(), Log: log})
	if err != nil {
		tenantDB.Close()
		return nil, errors.Join(fmt.Errorf("JOB_DATABASE_URL: %w", err), tracer.Close(ctx))
	}
	s := &service{log: log, tracer: tracer, db: tenantDB, jobs: jobs, redis: redis.NewClient(options)}
	s.health = &health{
		database: tenantDB.Ping,
		redis:    func(ctx context.Context) error { return s.redis.Ping(ctx).Err() },
	}
	if err := s.health.redis(ctx); err != nil {
		log.WarnContext(ctx, "Redis does not answer; going on without it", "error", err)
	}
	s.cache = credential.New(s.redis, credential.Options{Log: log})
	s.keys = apikey.New(apikey.Deps{DB: tenantDB, Cache: s.cache, Log: log, Tell: s.tellTx})
	s.accounts = account.New(account.Deps{
		DB: tenantDB, Cache: s.cache, Redis: s.redis, Jobs: jobs, Mailer: mail, BaseURL: c.BaseURL, Secrets: c.secrets(), Log: log, Reclaim: s.reclaim,
		Seed: func(ctx context.Context, owner uuid.UUID, org organization.Organization) error {
			return furnish(ctx, s.operations, org.ID, owner)
		},
	})
	return s, nil
}

// reclaim ends credentials of a person beside sessions, within a transaction that holds the person.
func (s *service) reclaim(ctx context.Context, tx pgx.Tx, person uuid.UUID, what account.Reclaimed) (committed func(), err error) {
	if what == account.Unredeemed {
		return func() {}, s.oauth.RevokeCodes(ctx, tx, person)
	}
	keys, err := s.keys.RevokeAll(ctx, tx, person)
	if err != nil {
		return nil, err
	}
	apps, err := s.oauth.RevokeAll(ctx, tx, person)
	return func() { keys(); apps() }, err
}

// tellTx queues a security notice in the transaction of what it tells.
func (s *service) tellTx(ctx context.Context, tx pgx.Tx, person uuid.UUID, change credential.Change, about string) error {
	return s.accounts.TellTx(ctx, tx, person, change, about) // the keys are there before the accounts
}

// close ends everything in the order that the parts ask for.
func (s *service) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if s.end != nil {
		s.end()
		s.background.Wait()
	}
	s.jobs.Close(ctx)
	s.accounts.Close(ctx)
	s.keys.Close(ctx)
	if s.limiter != nil {
		s.limiter.Close()
	}
	s.cache.Close()
	if err := s.redis.Close(); err != nil {
		s.log.WarnContext(ctx, "closing the connections to Redis", "error", err)
	}
	s.db.Close()
	if err := s.tracer.Close(ctx); err != nil {
		s.log.WarnContext(ctx, "closing", "error", err)
	}
}

// mailer is what the configuration says of mail; nil when none is to be sent.
func (c *serviceConfig) mailer(log *slog.Logger) (account.Mailer, error) {
	if c.SMTPURL == "" {
		log.Warn("SMTP_URL is not set: nobody gets mail, so nobody can prove an address, reset a password or be invited by mail")
		return nil, nil //nolint:nilnil // by the contract above
	}
	smtp, err := mailer.NewSMTP(c.SMTPURL, c.MailFrom)
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL or MAIL_FROM is not right: %w", err)
	}
	return smtp, nil
}
