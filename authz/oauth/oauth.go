// Package oauth is an OAuth 2.1 authorization server for MCP and REST clients. A client that knows
// only the address of the service can discover it, register and obtain a person's consent; the
// person can revoke the client at any time.
//
// The package owns clients (dynamically registered, or described by a client ID metadata document),
// grants with their authorization codes and refresh tokens, consents, signing keys, and the
// verification of access tokens for the resource servers. All imports of fosite are here. fosite
// parses requests, authenticates clients and defines errors. This package implements what fosite
// lacks or does too leniently: redirect URI matching, refresh token rotation, access tokens,
// revocation and responses. See docs/decisions/0009-authorization-server.md.
//
// It must not depend on operations, passwords or the storage of sessions. Sessions reports who is
// signed in.
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

// Lifetimes.
const (
	codeLife        = 60 * time.Second
	accessLife      = 10 * time.Minute
	refreshIdle     = 30 * 24 * time.Hour // of an unused refresh token
	familyLife      = 90 * 24 * time.Hour // of a grant and all of its tokens
	stepUpWindow    = 30 * time.Second    // in which a refresh may follow a challenge for more scopes
	retryWindow     = 30 * time.Second    // in which a replaced refresh token may be sent again
	consentFormLife = 10 * time.Minute    // of a consent form
	clientUnused    = 24 * time.Hour      // of a client that nobody has authorized
	clientUsed      = familyLife + 30*24*time.Hour
	clockTolerance  = 30 * time.Second // clock skew between processes, when a token is verified
)

// Person is the person who is signed in.
type Person struct {
	ID      uuid.UUID
	Name    string
	Email   string
	Session string // unique id of the session; changes at sign-in
}

// Sessions identifies the signed-in person.
type Sessions interface {
	// SignedIn returns nil, with a nil error, for a request without a live session.
	SignedIn(r *http.Request) (*Person, error)
	// Hold locks the person's session in a batch (a system transaction) that creates a credential for
	// it. The batch fails when the session has ended since SignedIn (see
	// credential.QueueSessionLock).
	Hold(b *pgx.Batch, person *Person)
}

// Config configures the authorization server. BaseURL, Secrets, DB, Cache and Sessions are
// required.
type Config struct {
	// BaseURL is the public URL of the service, without a trailing slash. It is the issuer and the
	// prefix of every URL in metadata; the Host header is never used.
	BaseURL string
	// Secrets encrypt signing keys and authenticate refresh tokens. Each has at least 32 random
	// bytes. The first one encrypts and signs; all decrypt and verify.
	Secrets [][]byte
	DB      *db.DB
	// Cache caches grants; PostgreSQL is used when Redis is unavailable.
	Cache    *credential.Cache
	Sessions Sessions
	// Limiter enforces Rates and limits document fetches; nil disables all limits.
	Limiter *limit.Limiter
	Rates   Rates
	Log     *slog.Logger
	// MCPAddress knows the addresses of the MCP server; nil means that {BASE_URL}/mcp is the only one.
	MCPAddress MCPAddress
	// Notify mails a person that an application was connected or disconnected; nil sends no mail.
	Notify credential.Notifier
}

// A Service is the authorization server and the verifier of its tokens. Several processes may run
// one on the same database. Its methods are safe for concurrent use.
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
	crossOrigin *http.CrossOriginProtection // protects requests that a cookie authenticates

	vault    vault
	keys     *keyring
	clients  *clientStore
	grants   *grantStore
	consents *consentStore
	devices  *deviceStore
	cache    *credential.Cache
	provider *fosite.Fosite
	verified *lru.Cache[[sha256.Size]byte, verifiedToken]

	verifySlots *semaphore.Weighted // bounds concurrent verifications of client assertions
}

// New validates the configuration and creates or loads the signing keys.
func New(ctx context.Context, config Config) (*Service, error) {
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") ||
		strings.HasSuffix(config.BaseURL, "/") ||
		base.RawQuery != "" || base.Fragment != "" || base.User != nil {
		return nil, fmt.Errorf("the base URL %q must be http or https, without a trailing slash, query or user",
			config.BaseURL)
	}
	vault, err := newVault(config.Secrets)
	if err != nil {
		return nil, err
	}
	if config.DB == nil || config.Cache == nil || config.Sessions == nil {
		return nil, errors.New("the authorization server needs a database, a cache and sessions")
	}
	s := &Service{
		issuer:    config.BaseURL,
		resources: resourcesOf(config.BaseURL, config.MCPAddress),
		db:        config.DB,
		sessions:  config.Sessions,
		limiter:   config.Limiter,
		rates:     config.Rates.named(),
		cache:     config.Cache,
		log:       config.Log,
		now:       time.Now,
		vault:     vault,
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
	s.grants, s.consents = &grantStore{db: s.db, hold: s.sessions.Hold}, &consentStore{db: s.db, vault: vault}
	s.devices = &deviceStore{db: s.db, vault: vault, hold: s.sessions.Hold}
	s.provider, s.verifySlots = s.newProvider(), newVerifySlots()
	if s.verified, err = lru.New[[sha256.Size]byte, verifiedToken](maxVerifiedTokens); err != nil {
		return nil, fmt.Errorf("making room for verified tokens: %w", err)
	}
	if err := s.keys.ensure(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// newProvider configures fosite. It sets every relevant option explicitly instead of relying on
// defaults.
func (s *Service) newProvider() *fosite.Fosite {
	config := &fosite.Config{
		ScopeStrategy:            fosite.ExactScopeStrategy,
		AudienceMatchingStrategy: fosite.ExactAudienceMatchingStrategy,
		ClientSecretsHasher:      secretHasher{},
		MinParameterEntropy:      1, // a missing state is replaced, see validate
		EnforcePKCE:              true,
	}
	config.TokenEndpointHandlers = []fosite.TokenEndpointHandler{
		&codeGrant{s}, &deviceGrant{codeGrant{s}}, &refreshGrant{s},
	}
	config.ClientAuthenticationStrategy = s.authenticateClient
	return fosite.NewOAuth2Provider(s.clients, config)
}
