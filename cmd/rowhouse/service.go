package main

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/authz/oauth"
	"github.com/rowhouse/rowhouse/authz/signed"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/outbound/bucket"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/telemetry"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/dashboard"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
	"github.com/rowhouse/rowhouse/web"
)

// A service has everything that a process opens once and its requests share.
type service struct {
	log        *slog.Logger
	db         *db.DB
	redis      *redis.Client
	cache      *credential.Cache
	keys       *apikey.Service
	jobs       *job.Client
	fills      *catalog.FillQueue
	notifier   *live.Notifier
	presence   *live.PresenceStore
	live       *live.Hub
	webhooks   *webhook.Worker
	accounts   *account.Service
	oauth      *oauth.Service
	limiter    *limit.Limiter
	guard      *limit.Guard
	work       *web.Challenger
	operations *operation.Deps
	mcpSecret  []byte
	origins    []string                  // web origins that may call /mcp
	mailbox    func() []mailer.Delivered // sent mails, for the development page; nil in production
	metrics    *telemetry.Metrics
	tracer     *telemetry.Tracer
	health     *health
	handler    http.Handler

	stopBackground context.CancelFunc // stops the background work
	background     sync.WaitGroup
}

// open connects to the services that the configuration names and wires the parts. The configuration
// must have been checked. mail sends mail; a *mailer.Box also shows its mails on a page.
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
	networks, err := outbound.ParseNetworks(c.AllowedNetworks)
	if err != nil {
		return nil, fmt.Errorf("ALLOWED_NETWORKS: %w", err)
	}
	s.oauth, err = oauth.New(ctx, oauth.Config{
		BaseURL: c.BaseURL, Secrets: secrets, DB: s.db, Cache: s.cache, Sessions: sessionResolver{s.accounts},
		Limiter: s.limiter, Rates: c.rates(), Log: log, Notify: s.accounts.Notify,
		MCPAddress: mcp.Addresses(),
	})
	if err != nil {
		return nil, fmt.Errorf("starting the authorization server: %w", err)
	}
	if s.mcpSecret, err = hkdf.Key(sha256.New, []byte(c.SecretKey), nil, "rowhouse mcp", 32); err != nil {
		return nil, fmt.Errorf("deriving a key: %w", err)
	}
	s.registerMetrics()
	links, err := attachment.NewLinks(c.BaseURL+web.FilePath+"/", secrets)
	if err != nil {
		return nil, fmt.Errorf("preparing file URLs: %w", err)
	}
	blobs, err := c.blobs(ctx, log)
	if err != nil {
		return nil, err
	}
	plans, err := plan.NewTokens(secrets)
	if err != nil {
		return nil, fmt.Errorf("preparing plans: %w", err)
	}
	if s.work, err = web.NewChallenger(secrets); err != nil {
		return nil, fmt.Errorf("preparing public forms: %w", err)
	}
	signedCalls, err := signed.New(secrets, s.resolve)
	if err != nil {
		return nil, fmt.Errorf("preparing signed addresses: %w", err)
	}
	s.fills = &catalog.FillQueue{DB: s.db, Jobs: s.jobs, Log: s.log}
	store := catalog.NewStore(s.db, catalog.Options{Fills: s.fills, Rights: s.keys}).Planning(plans)
	records := record.New(s.db, store).Linking(links).Planning(plans)
	files := attachment.New(s.db, blobs, c.fileLimits())
	comments := comment.New(s.db, records)
	tokens, err := transfer.NewTokens(secrets)
	if err != nil {
		return nil, err
	}
	scratch := catalog.NewStore(s.db, catalog.Options{Fills: s.fills, Scratch: true})
	converter, err := converter()
	if err != nil {
		return nil, err
	}
	s.operations = &operation.Deps{
		DB:       s.db,
		Schema:   store,
		Records:  records,
		Share:    organization.NewShares(s.db),
		Trash:    c.trash(s.db, store, records),
		Comments: comments,
		SQL:      sqlquery.NewStore(s.db, store),
		Files:    files,
		Jobs: transfer.New(transfer.Options{
			DB: s.db, Schema: store, Records: records, Files: files, Jobs: s.jobs, Log: log,
			Converter: converter, Plans: plans, Announce: operation.AnnounceJobs(s.notifier.NotifyJob),
			Airtable: c.airtable(networks, c.fileLimits().File), Tokens: tokens, Comments: comments,
			Products: products(networks, c.fileLimits().File),
			Scratch:  record.New(s.db, scratch).KeepingFormer(), Buckets: bucket.NewOpener(networks),
		}),
		Links:       links,
		Signed:      signedCalls,
		Dashboards:  dashboard.New(s.db),
		Notifier:    s.notifier,
		Presence:    s.presence,
		Rights:      s.keys,
		Credentials: s.cache,
		Mailer:      s.accounts,
		Admission:   s.guard,
		BaseURL:     c.BaseURL,
		Log:         log,
		Observer:    s.metrics,
	}
	feeds := &feed.Reader{DB: s.db, Records: records}
	here := live.Presence{Store: s.presence, Tables: operation.TablesOf(store)}
	s.live = live.New(feeds, s.notifier, here, log)
	s.notifier.OnJob(s.live.PassJob)
	s.live.Reserve = reserveForWatchers
	s.live.Limits = live.Limits{Person: c.PersonStreams, Organization: c.OrgStreams}
	sender := outbound.NewSender(outbound.Options{Allowed: networks})
	err = s.startWebhooks(log, webhook.Deps{DB: s.db, Schema: store, Feed: feeds, Sender: sender, Secrets: secrets})
	if err != nil {
		return nil, fmt.Errorf("preparing webhooks: %w", err)
	}
	if box, ok := mail.(*mailer.Box); ok {
		s.mailbox = box.Mail
	}
	s.handler = s.withMiddleware(c.ClientAddressHeader, s.routes())

	s.schedule(blobs)
	if err := s.jobs.Start(ctx); err != nil {
		return nil, fmt.Errorf("JOB_DATABASE_URL or DATABASE_URL: %w", err)
	}
	// These tasks serve only this process, so they are not jobs.
	ctx, s.stopBackground = context.WithCancel(context.WithoutCancel(ctx))
	builder := &index.Builder{Manager: s.operations.Records.IndexManager(), Log: log}
	s.background.Go(func() { builder.Run(ctx) })
	cleaner := &index.PendingListCleaner{Manager: s.operations.Records.IndexManager(), Log: log}
	s.background.Go(func() { cleaner.Run(ctx) })
	recomputer := record.NewRecomputer(s.operations.Records, s.db, s.log)
	s.background.Go(func() { recomputer.Run(ctx) })
	s.background.Go(func() { s.webhooks.Dispatch(ctx) })
	s.background.Go(func() { s.operations.Jobs.KeepSweeping(ctx) })
	return s, nil
}

// resolve looks up the principal of a credential by its public id (authz.Resolver).
func (s *service) resolve(ctx context.Context, holder authz.Holder) (*authz.Principal, error) {
	switch holder.Kind {
	case authz.APIKey:
		return s.keys.Resolve(ctx, holder)
	case authz.OAuth:
		return s.oauth.Resolve(ctx, holder)
	case authz.Session:
		return s.accounts.Resolve(ctx, holder)
	}
	return nil, problem.Unauthenticated("The credential is of an unknown kind.")
}

// answerSweep is the recurring job that deletes old answers. Its kind is stored, so it must not
// change.
type answerSweep struct{}

func (answerSweep) Kind() string { return "answer_sweep" }

// keyReseal is the recurring job that encrypts the keys of organizations with the present
// SECRET_KEY.
type keyReseal struct{}

func (keyReseal) Kind() string { return "organization_key_reseal" }

// schedule registers the recurring jobs, each of which one process runs at a time. blobs is nil if
// no file storage is configured.
func (s *service) schedule(blobs attachment.Blobs) {
	s.oauth.Schedule(s.jobs)
	s.accounts.Schedule()
	job.Every[keyReseal](s.jobs, time.Hour, 5*time.Minute, func(ctx context.Context) error {
		_, err := s.db.ResealKeys(ctx)
		return err
	})
	job.Every[answerSweep](s.jobs, 10*time.Minute, 5*time.Minute,
		func(ctx context.Context) error { return organization.SweepRequests(ctx, s.db) })
	s.operations.Trash.Schedule(s.jobs)
	s.operations.Comments.Schedule(s.jobs)
	s.operations.Jobs.Work()
	(&catalog.FillWorker{FillQueue: s.fills, Schema: s.operations.Schema}).Start()
	if blobs != nil {
		sweeper := &attachment.Sweeper{
			DB: s.db, Blobs: blobs, References: s.operations.Records, Log: s.log,
			Keep: s.operations.Trash.History + longestMonth,
		}
		sweeper.Schedule(s.jobs)
	}
}

// connect opens what every command needs: the database, Redis, accounts and API keys. An
// unreachable database, or one with pending migrations, is an error; an unreachable Redis is a
// warning.
func connect(ctx context.Context, c *serviceConfig, log *slog.Logger, mail account.Mailer) (*service, error) {
	logins, err := c.logins()
	if err != nil {
		return nil, err
	}
	pending, err := migrations.Pending(ctx, logins[migrations.Schema])
	if err != nil {
		return nil, fmt.Errorf("the database of DATABASE_URL cannot be used (if it is new, or was set up by a "+
			"version without separate logins, "+
			"run `rowhouse migrate` with ADMIN_DATABASE_URL): %w", err)
	}
	if pending > 0 {
		return nil, fmt.Errorf(
			"the database of DATABASE_URL lacks %d of this version's migrations; run: rowhouse migrate", pending,
		)
	}
	options, err := credential.ClientOptions(c.RedisURL)
	if err != nil {
		// The cause would contain the URL, and with it a password.
		return nil, invalidError("REDIS_URL", "a URL that names a host, a port and a database number", exampleRedisURL)
	}
	tracer, err := telemetry.NewTracer(ctx, telemetry.Tracing{
		Endpoint: c.TracesURL,
		Ratio:    c.TraceRatio,
		Version:  version(),
	})
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	tenantDB, err := db.Open(ctx, c.DatabaseURL, db.Options{
		MaxConns: c.DatabaseMaxConnections, Tracer: tracer.Queries(), Secrets: c.secrets(), Logins: logins,
		GuestURL: c.SQLDatabaseURL, GuestConns: c.SQLConnections,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("DATABASE_URL: %w", err), tracer.Close(ctx))
	}
	if c.SecretKey != "" { // a command without it enters no organization
		if err := tenantDB.CheckIsolation(ctx); err != nil {
			tenantDB.Close()
			return nil, errors.Join(fmt.Errorf("checking the isolation of organizations: %w", err), tracer.Close(ctx))
		}
	}
	jobs, err := job.Open(ctx, logins[migrations.Job], job.Options{Queues: jobQueues(), Log: log})
	if err != nil {
		tenantDB.Close()
		return nil, errors.Join(fmt.Errorf("JOB_DATABASE_URL: %w", err), tracer.Close(ctx))
	}
	s := &service{log: log, tracer: tracer, db: tenantDB, jobs: jobs, redis: redis.NewClient(options)}
	s.health = &health{
		database: tenantDB.Ping,
		redis:    func(ctx context.Context) error { return s.redis.Ping(ctx).Err() },
	}
	if tenantDB.Distributed() {
		s.health.workers = &pacedCheck{check: tenantDB.CheckWorkers}
	}
	if err := s.health.redis(ctx); err != nil {
		log.WarnContext(ctx, "Redis is unreachable; continuing without it", "error", err)
	}
	s.notifier = live.NewNotifier(s.redis, log)
	s.presence = live.NewPresenceStore(s.redis, log)
	tenantDB.OnChange(func(org uuid.UUID, _ int32) { s.notifier.Notify(org) })
	s.cache = credential.New(s.redis, credential.Options{Log: log})
	s.keys = apikey.New(apikey.Deps{DB: tenantDB, Cache: s.cache, Log: log, Notify: s.notifyTx})
	s.accounts = account.New(account.Deps{
		DB:                tenantDB,
		Cache:             s.cache,
		Redis:             s.redis,
		Jobs:              jobs,
		Mailer:            mail,
		BaseURL:           c.BaseURL,
		Secrets:           c.secrets(),
		Log:               log,
		RevokeCredentials: s.revokeCredentials,
		Seed: func(ctx context.Context, owner uuid.UUID, org organization.Organization) error {
			return seedSample(ctx, s.operations, org.ID, owner)
		},
		CommentLetter: func(ctx context.Context, org, notice uuid.UUID) (*comment.Letter, error) {
			return s.operations.Comments.Letter(ctx, org, notice)
		},
		Grant: func(ctx context.Context, org, base, person uuid.UUID, role string) error {
			return s.operations.Schema.SetBaseAccess(ctx, org, base, catalog.AccessPatch{
				Grants: []schema.Grant{{Person: person, Role: schema.BaseRole(role)}},
			})
		},
	})
	return s, nil
}

// revokeCredentials revokes a person's credentials other than sessions, in a transaction that has
// locked the person. The returned function must be called after the commit.
func (s *service) revokeCredentials(
	ctx context.Context,
	tx pgx.Tx,
	person uuid.UUID,
	what account.RevocationScope,
) (committed func(), err error) {
	if what == account.UnredeemedCodes {
		return func() {}, s.oauth.RevokeCodes(ctx, tx, person)
	}
	keys, err := s.keys.RevokeAll(ctx, tx, person)
	if err != nil {
		return nil, err
	}
	apps, err := s.oauth.RevokeAll(ctx, tx, person)
	return func() { keys(); apps() }, err
}

// startWebhooks prepares the work on webhooks, which begins with the jobs.
func (s *service) startWebhooks(log *slog.Logger, deps webhook.Deps) (err error) {
	deps.Announce = func(ctx context.Context, person uuid.UUID, name string, of webhook.Announced) error {
		return s.db.SystemTx(ctx, func(tx pgx.Tx) error {
			return s.notifyTx(ctx, tx, person, credential.Change("webhook_"+string(of)), name)
		})
	}
	if s.operations.Webhooks, err = webhook.NewStore(deps); err != nil {
		return err
	}
	s.webhooks = webhook.NewWorker(s.operations.Webhooks, s.jobs, webhook.WorkerOptions{
		Notifier: s.notifier, Log: log,
		Notify: func(ctx context.Context, tx pgx.Tx, person uuid.UUID, name string, reason webhook.Reason) error {
			return s.notifyTx(ctx, tx, person, credential.Change("webhook_"+string(reason)), name)
		},
	})
	s.db.OnChange(s.operations.Webhooks.Changed)
	return nil
}

// jobQueues returns all queues of jobs with the numbers of their workers.
func jobQueues() map[string]int {
	queues := account.Queues()
	maps.Copy(queues, webhook.Queues())
	maps.Copy(queues, catalog.Queues())
	maps.Copy(queues, transfer.Queues())
	return queues
}

// notifyTx queues a security notice in the transaction of the change that it reports.
func (s *service) notifyTx(
	ctx context.Context,
	tx pgx.Tx,
	person uuid.UUID,
	change credential.Change,
	about string,
) error {
	// Keys are created before accounts, so this is a method.
	return s.accounts.NotifyTx(ctx, tx, person, change, about)
}

// close closes everything in the required order.
func (s *service) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if s.stopBackground != nil {
		s.stopBackground()
		s.background.Wait()
	}
	s.live.Close()
	s.jobs.Close(ctx)
	s.accounts.Close(ctx)
	s.keys.Close(ctx)
	if s.limiter != nil {
		s.limiter.Close()
	}
	s.cache.Close()
	s.notifier.Close()
	s.presence.Close()
	if err := s.redis.Close(); err != nil {
		s.log.WarnContext(ctx, "closing the connections to Redis", "error", err)
	}
	s.db.Close()
	if err := s.tracer.Close(ctx); err != nil {
		s.log.WarnContext(ctx, "closing", "error", err)
	}
}

// mailer returns the configured mailer, or nil if no mail is to be sent.
func (c *serviceConfig) mailer(log *slog.Logger) (account.Mailer, error) {
	if c.SMTPURL == "" {
		log.Warn("SMTP_URL is not set: no mail is sent, so people cannot verify addresses, reset passwords or be " +
			"invited by mail")
		return nil, nil //nolint:nilnil // by the contract above
	}
	smtp, err := mailer.NewSMTP(c.SMTPURL, c.MailFrom)
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL or MAIL_FROM is invalid: %w", err)
	}
	return smtp, nil
}
