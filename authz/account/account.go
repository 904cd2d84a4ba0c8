// Package account owns people: how they sign up, prove their address, sign in and out, what sessions they have, and how they
// become members by invitation.
//
// It owns passwords, sessions with their cookie, and the mails that it sends. Secrets are stored as hashes only. It knows
// nothing of how a page looks, and nothing of what a person does once inside.
package account

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/authz/seal"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// Deps are what a Service works with. DB, Cache, Redis, Jobs and BaseURL are needed.
type Deps struct {
	DB      *db.DB
	Cache   *credential.Cache
	Redis   *redis.Client // made with credential.ClientOptions; counts attempts
	Jobs    *job.Client   // with the queues of Queues; start it after New, so that it knows how mails are sent
	Mailer  Mailer        // nil when the service sends no mail
	BaseURL string        // where people reach the service, without a slash at its end; https makes the cookie Secure and __Host-
	Log     *slog.Logger

	// Secrets seal mails that wait and sign device cookies: the first is used, the others are accepted. Without any,
	// both are worth nothing after this process.
	Secrets [][]byte
	// Address is the client's address, for limits and the list of sessions; default the peer of the connection. Behind a
	// reverse proxy it must come from a header that the proxy sets.
	Address func(r *http.Request) string
	// Seed puts something into a new organization, so that the first screen is not empty. Sign-up succeeds though it fails.
	Seed func(ctx context.Context, owner uuid.UUID, org organization.Organization) error
	// RevokeCredentials ends other credentials of a person within a transaction of the system door that holds the person
	// (credential.HoldPerson). committed is called after the commit.
	RevokeCredentials func(ctx context.Context, tx pgx.Tx, person uuid.UUID, what RevocationScope) (committed func(), err error)
	// MaxConcurrentHashes is how many passwords are hashed at once, 19 MB each; default half of the processors, at least one.
	MaxConcurrentHashes int
}

// Service owns people and sessions. Its methods may be called from many goroutines.
type Service struct {
	Deps

	secure        bool
	cookieName    string // name of the cookie
	hasher        *hasher
	attempts      *limit.WindowCounter
	usage         *credential.Usage
	outbox        *outbox
	secrets       seal.Keys
	guessThrottle *guessThrottle
}

var _ authz.SessionVerifier = (*Service)(nil)

// New starts a service. Close it before the database, the cache and Redis, and after the jobs.
func New(deps Deps) *Service {
	if deps.Log == nil {
		deps.Log = slog.Default()
	}
	if deps.Address == nil {
		deps.Address = Peer
	}
	s := &Service{Deps: deps, secure: strings.HasPrefix(deps.BaseURL, "https://"), cookieName: "rowhouse_session"}
	if s.secure {
		s.cookieName = "__Host-rowhouse"
	}
	s.hasher = newHasher(deps.MaxConcurrentHashes)
	s.attempts = limit.NewWindowCounter(deps.Redis)
	s.usage = credential.NewUsage(deps.Log, s.writeSeen)
	if len(deps.Secrets) == 0 {
		random := make([]byte, 32)
		_, _ = rand.Read(random) // never fails
		deps.Secrets = [][]byte{random}
	}
	var err error
	s.secrets, err = seal.New(deps.Secrets, "rowhouse account mail encryption", "rowhouse account device authentication")
	if err != nil {
		panic("account: " + err.Error()) // no secret makes the derivation fail
	}
	s.guessThrottle = newGuessThrottle()
	s.outbox = &outbox{db: deps.DB, jobs: deps.Jobs, mailer: deps.Mailer, secrets: s.secrets}
	s.registerWorkers(deps.Jobs)
	return s
}

// Close writes down when sessions were last seen, and stops.
func (s *Service) Close(ctx context.Context) {
	s.usage.Close(ctx)
}

// Peer is the address of the connection's other end. An IPv6 address is cut to its first 64 bits, which one customer has.
func Peer(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if address = address.Unmap().WithZone(""); address.Is6() {
		if prefix, err := address.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.String()
}
