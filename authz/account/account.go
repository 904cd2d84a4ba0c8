// Package account manages people: sign-up, confirmation of e-mail addresses, sign-in and sign-out,
// sessions, and the acceptance of invitations.
//
// It owns passwords, sessions with their cookies, trusted devices, and the mails that it sends.
// Secrets are stored only as hashes. The package knows nothing of pages or operations.
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
	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// Deps are the dependencies of a Service. DB, Cache, Redis, Jobs and BaseURL are required.
type Deps struct {
	DB     *db.DB
	Cache  *credential.Cache
	Redis  *redis.Client // created with credential.ClientOptions; counts attempts
	Jobs   *job.Client   // with the queues of Queues; start it after New, which registers the workers
	Mailer Mailer        // nil when the service sends no mail
	// The public URL of the service, without a trailing slash. With https, cookies are Secure and
	// have the prefix __Host-.
	BaseURL string
	Log     *slog.Logger

	// Secrets encrypt queued notices and sign device cookies. The first one encrypts and signs; all
	// decrypt and verify. Without any, a random secret is used for the life of this process.
	Secrets [][]byte
	// Address returns the client address, for limits and the list of sessions; default Peer. Behind
	// a reverse proxy it must read a header that the proxy sets.
	Address func(r *http.Request) string
	// Seed fills a new organization with sample data. Its failure is logged and does not fail
	// sign-up.
	Seed func(ctx context.Context, owner uuid.UUID, org organization.Organization) error
	// CommentLetter returns what the mail of a notice of a comment says, or nil if there is nothing to
	// mail (package comment).
	CommentLetter func(ctx context.Context, org, notice uuid.UUID) (*comment.Letter, error)
	// Grant gives a person a role in a base, for an invitation that names it. Nil grants nothing.
	Grant func(ctx context.Context, org, base, person uuid.UUID, role string) error
	// RevokeCredentials revokes credentials of a person other than sessions, within a system
	// transaction that has locked the person (credential.LockPerson). committed is called after the
	// commit.
	RevokeCredentials func(
		ctx context.Context,
		tx pgx.Tx,
		person uuid.UUID,
		what RevocationScope,
	) (committed func(), err error)
	// MaxConcurrentHashes bounds concurrent password hashes, which take 19 MB each; default half of
	// the processors, at least one.
	MaxConcurrentHashes int
}

// Service manages people and sessions. Its methods are safe for concurrent use.
type Service struct {
	Deps

	secure        bool
	cookieName    string // of the session cookie
	hasher        *hasher
	attempts      *limit.WindowCounter
	usage         *credential.Usage
	outbox        *outbox
	secrets       seal.Keys
	guessThrottle *guessThrottle
}

var _ authz.SessionVerifier = (*Service)(nil)

// New returns a service and registers its workers with the jobs. Close it before the database, the
// cache and Redis, and after the jobs.
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
	s.secrets, err = seal.New(deps.Secrets, "rowhouse account mail encryption",
		"rowhouse account device authentication")
	if err != nil {
		panic("account: " + err.Error()) // cannot fail for any secret
	}
	s.guessThrottle = newGuessThrottle()
	s.outbox = &outbox{db: deps.DB, jobs: deps.Jobs, mailer: deps.Mailer, secrets: s.secrets}
	s.registerWorkers(deps.Jobs)
	return s
}

// Close writes when sessions were last used and stops the background work.
func (s *Service) Close(ctx context.Context) {
	s.usage.Close(ctx)
}

// Peer returns the address of the peer of the connection. For IPv6 it is the /64 network, because
// one customer may use all of its addresses.
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
