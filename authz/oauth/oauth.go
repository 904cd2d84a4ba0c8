// Package oauth is the authorization server: it lets an MCP client that knows only the address of the service get in, with
// the person's consent, and lets the person throw it out again at once.
//
// It owns clients (registered, or described by a document of their own), grants with their codes and refresh tokens, consents,
// signing keys, and the check of access tokens for the resource servers. Every import of fosite lives here: fosite parses
// requests, authenticates clients and names errors; what it lacks or does loosely (redirect matching, rotation, access tokens,
// revocation, its own writers) is this package's. docs/decisions/0009-authorization-server.md says why.
//
// It must never know what an operation does, what a password is, or how a session is kept: a Sessions tells it who is signed in.
package oauth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
	"github.com/ory/fosite"
	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// How long things live.
const (
	codeLife        = 60 * time.Second
	accessLife      = 10 * time.Minute
	refreshIdle     = 30 * 24 * time.Hour // a refresh token that is not used
	familyLife      = 90 * 24 * time.Hour // everything that came of one code
	retryWindow     = 30 * time.Second    // in which the same refresh token may be sent again
	consentFormLife = 10 * time.Minute    // a consent form that was shown
	clientUnused    = 24 * time.Hour      // a registration that nobody consented to
	clientUsed      = familyLife + 30*24*time.Hour
	clockTolerance  = 30 * time.Second // between processes, when a token is checked
)

// Person is who is signed in to a browser.
type Person struct {
	ID      uuid.UUID
	Name    string
	Email   string
	Session string // names this session among all; changes at sign-in
}

// Sessions tells who is signed in.
type Sessions interface {
	// SignedIn returns nil, with a nil error, for a request without a live session.
	SignedIn(r *http.Request) (*Person, error)
	// LockSession locks the person until the transaction of the system door ends, and returns an error of kind
	// unauthenticated when the session has ended since SignedIn (see credential.HoldSession).
	LockSession(ctx context.Context, tx pgx.Tx, person *Person) error
}

// Config is what the authorization server needs.
type Config struct {
	// BaseURL is the public address of the service, without a trailing slash. It is the issuer, and the start of every address
	// in metadata; a Host header is never asked.
	BaseURL string
	// Secrets encrypt signing keys and authenticate refresh tokens: at least 32 random bytes each. The first is used, the others
	// are still understood.
	Secrets [][]byte
	DB      *db.DB
	// Cache answers whether a grant is live, and Postgres while Redis is away.
	Cache    *credential.Cache
	Sessions Sessions
	// Limiter counts what Rates bound, and document fetches; nil bounds nothing.
	Limiter *limit.Limiter
	Rates   Rates
	Log     *slog.Logger
	// Notify mails a person that an application was connected or disconnected; nil tells nobody.
	Notify credential.Notifier
}

// A Service is the authorization server and the check of its tokens. Several processes may run one over the same database.
type Service struct {
	issuer      string
	resources   resources
	db          *db.DB
	sessions    Sessions
	limiter     *limit.Limiter
	rates       Rates
	log         *slog.Logger
	notify      credential.Notifier
	now         func() time.Time
	crossOrigin *http.CrossOriginProtection // of forms that a cookie authenticates

	vault    vault
	keys     *keyring
	clients  *clientStore
	grants   *grantStore
	consents *consentStore
	cache    *credential.Cache
	provider *fosite.Fosite
	verified *lru.Cache[[sha256.Size]byte, verifiedToken]

	verifySlots *semaphore.Weighted // client assertions, at once
}

// New checks the configuration, and makes or loads the signing keys.
func New(ctx context.Context, config Config) (*Service, error) {
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") || strings.HasSuffix(config.BaseURL, "/") ||
		base.RawQuery != "" || base.Fragment != "" || base.User != nil {
		return nil, fmt.Errorf("the base URL %q must be http or https, without a trailing slash, query or user", config.BaseURL)
	}
	vault, err := newVault(config.Secrets)
	if err != nil {
		return nil, err
	}
	if config.DB == nil || config.Cache == nil || config.Sessions == nil {
		return nil, errors.New("the authorization server needs a database, a cache and sessions")
	}
	s := &Service{
		issuer: config.BaseURL, resources: resourcesOf(config.BaseURL), db: config.DB, sessions: config.Sessions,
		limiter: config.Limiter, rates: config.Rates.named(), cache: config.Cache, log: config.Log, now: time.Now, vault: vault,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.notify = config.Notify; s.notify == nil {
		s.notify = func(uuid.UUID, credential.Change, string) {}
	}
	s.crossOrigin = http.NewCrossOriginProtection()
	if err := s.crossOrigin.AddTrustedOrigin(config.BaseURL); err != nil {
		return nil, fmt.Errorf("the base URL is no origin: %w", err)
	}
	clock := func() time.Time { return s.now() }
	s.keys = &keyring{db: s.db, vault: vault, now: clock}
	s.clients = &clientStore{db: s.db, now: clock, documents: newDocumentFetcher()}
	s.grants, s.consents = &grantStore{db: s.db, hold: s.sessions.LockSession}, &consentStore{db: s.db, vault: vault}
	s.provider, s.verifySlots = s.newProvider(), newVerifySlots()
	if s.verified, err = lru.New[[sha256.Size]byte, verifiedToken](maxVerifiedTokens); err != nil {
		return nil, fmt.Errorf("making room for verified tokens: %w", err)
	}
	if err := s.keys.ensure(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// newProvider configures fosite. Its defaults are not trusted: each setting that matters is written out.
func (s *Service) newProvider() *fosite.Fosite {
	config := &fosite.Config{
		ScopeStrategy:            fosite.ExactScopeStrategy,
		AudienceMatchingStrategy: fosite.ExactAudienceMatchingStrategy,
		ClientSecretsHasher:      secretHasher{},
		MinParameterEntropy:      1, // a missing state is replaced, see authorize
		EnforcePKCE:              true,
	}
	config.TokenEndpointHandlers = []fosite.TokenEndpointHandler{&codeGrant{s}, &refreshGrant{s}}
	config.ClientAuthenticationStrategy = s.authenticateClient
	return fosite.NewOAuth2Provider(s.clients, config)
}
