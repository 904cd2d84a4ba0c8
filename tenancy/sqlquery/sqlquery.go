// Package sqlquery runs SELECT statements that callers wrote themselves, over one base. It owns how a
// base looks to SQL: the names of its views and columns, the views, and the login that may read only
// them. Package allowlist decides what a statement may say, and package db connects as the login.
// docs/reference/sql.md documents what people may write, and docs/decisions/0037-sql.md why it is safe.
//
// The package never runs a statement as one of the service's own roles. People from whom something of the base is
// hidden read copies of what they may read, of which class.go is. Whoever calls Run has decided that the caller, whom
// the context has (catalog.WithCaller), may read the base.
package sqlquery

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// The limits of a statement and of its result.
const (
	MaxStatement = allowlist.MaxBytes // bytes
	MaxRows      = 10_000
	MaxBytes     = 1 << 20 // of the rows as JSON
	MaxCost      = 1_000_000
	MaxMemory    = 256 << 20 // bytes that PostgreSQL expects in any step

	// MaxTime bounds a statement together with its plan and the fetching of its rows. db.GuestTime
	// bounds each of these.
	MaxTime = 8 * time.Second
)

// A Store runs statements.
type Store struct {
	db     *db.DB
	schema *catalog.Store

	known    *expirable.LRU[readers, known]
	admitted *expirable.LRU[question, *verdict]
	check    func(statement string, catalog *allowlist.Catalog) (*allowlist.Statement, error)
	checking *semaphore.Weighted // bounds how many are checked at once: whoever sends many leaves processors to others
	limits   limits
}

func maxChecking() int64 { return int64(max(1, runtime.GOMAXPROCS(0)/2)) }

// limits bound a statement and its result.
type limits struct {
	rows, bytes  int
	cost, memory float64
	time         time.Duration
}

// A process remembers the views of so many bases, for so long. If they are dropped meanwhile, the
// statement fails and they are read again.
const (
	cachedBases = 1000
	cacheTime   = time.Hour
)

// known is the access to a base at a version of the organization's schema.
type known struct {
	version int64
	access  *access
}

// Warm compiles the parser, which takes some seconds, so that the first statement does not wait for it.
func Warm() { allowlist.Warm() }

// NewStore returns a store.
func NewStore(tenantDB *db.DB, store *catalog.Store) *Store {
	return &Store{
		tenantDB,
		store,
		expirable.NewLRU[readers, known](cachedBases, nil, cacheTime),
		newVerdicts(),
		allowlist.Check,
		semaphore.NewWeighted(maxChecking()),
		limits{MaxRows, MaxBytes, MaxCost, MaxMemory, MaxTime},
	}
}

// A Result is what a statement returned.
type Result struct {
	Columns   []Column
	Rows      [][]byte // each a JSON array
	Truncated bool     // there are more rows
	Cost      float64  // PostgreSQL's estimate
	Took      time.Duration
}

// A Column is a column of a result.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// errViews says that the views were replaced before the statement read them.
var errViews = errors.New("the views of the base were replaced")

// Run runs a statement over a base and returns up to limit rows. For a refused statement, the error
// says what is wrong, where, and what would be valid.
func (s *Store) Run(ctx context.Context, org, base uuid.UUID, statement string, limit int) (*Result, error) {
	var result *Result
	var err error
	for range 3 {
		result, err = s.run(ctx, org, base, statement, limit)
		if err != nil && !refused(err) {
			s.forgetKnown(base)
		}
		if !errors.Is(err, errViews) && !errors.Is(err, db.ErrGuestLogin) {
			return result, err
		}
	}
	return nil, problem.Unavailable(err)
}

// forgetKnown has the views of a base read again.
func (s *Store) forgetKnown(base uuid.UUID) {
	for _, of := range s.known.Keys() {
		if of.base == base {
			s.known.Remove(of)
		}
	}
}

// refused reports whether a statement was refused for what it says, so that the views are still those of the base.
func refused(err error) bool {
	var pg *pgconn.PgError
	return problem.KindOf(err) == problem.KindInvalid && !errors.As(err, &pg)
}

func (s *Store) run(ctx context.Context, org, base uuid.UUID, statement string, limit int) (*Result, error) {
	asked := question{base, statement}
	before, _ := s.admitted.Get(asked)
	guess := s.guess(ctx, base, statement, before)
	var writes int64
	seen, err := s.access(ctx, org, base, before.readWrites(org, &writes))
	if err != nil {
		return nil, err
	}
	now := before
	if !before.holds(seen, writes) {
		checked, err := guess(seen)
		if err != nil {
			return nil, err
		}
		now = &verdict{access: seen, checked: checked, writes: writes}
	}
	var result *Result
	guest := db.Guest{Login: seen.login}
	if seen.secret != nil {
		guest.Person = db.PersonOf(ctx)
		guest.Proof = seen.proof(guest.Person)
	}
	err = s.db.Guest(ctx, org, guest, func(tx *db.GuestTx) error {
		var err error
		result, err = s.selectRows(ctx, tx, now, now == before, limit)
		return err
	})
	if err == nil && seen.secret == nil { // the costs of copies are other ones for each person
		s.admitted.Add(asked, now)
	}
	if errors.Is(err, db.ErrGuestLogin) {
		if forgetErr := s.forget(ctx, org, seen.login); forgetErr != nil {
			return nil, forgetErr
		}
		return nil, err
	}
	// The views were dropped between the check and the statement, because it names nothing else.
	if pgerror.Is(err, pgerrcode.InvalidSchemaName, pgerrcode.UndefinedTable, pgerrcode.UndefinedFunction,
		pgerrcode.InsufficientPrivilege) &&
		names(err, seen.schema) {
		return nil, fmt.Errorf("%w: %w", errViews, err)
	}
	return result, explain(err, statement, now.checked, seen)
}

// guess begins to apply the allow-list as if the base were still read as before, which takes as long as asking
// whether it is. The function that it returns applies it if the base is read otherwise. A statement that was admitted
// for the same views is not checked again.
func (s *Store) guess(
	ctx context.Context, base uuid.UUID, statement string, admitted *verdict,
) func(seen *access) (*allowlist.Statement, error) {
	if admitted != nil {
		return func(seen *access) (*allowlist.Statement, error) {
			if seen == admitted.access {
				return admitted.checked, nil
			}
			return s.admit(ctx, statement, seen)
		}
	}
	before, ok := s.known.Get(readers{base: base})
	if !ok {
		return func(seen *access) (*allowlist.Statement, error) { return s.admit(ctx, statement, seen) }
	}
	var checked *allowlist.Statement
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil { // nothing above recovers
				failed = fmt.Errorf("checking a statement: %v\n%s", p, debug.Stack())
			}
		}()
		checked, failed = s.admit(ctx, statement, before.access)
	}()
	return func(seen *access) (*allowlist.Statement, error) {
		<-done
		if seen == before.access {
			return checked, failed
		}
		return s.admit(ctx, statement, seen)
	}
}

// admit applies the allow-list.
func (s *Store) admit(ctx context.Context, statement string, seen *access) (*allowlist.Statement, error) {
	if err := s.checking.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("waiting to check a statement: %w", err)
	}
	checked, err := func() (*allowlist.Statement, error) {
		defer s.checking.Release(1)
		return s.check(statement, &seen.catalog)
	}()
	var refused *allowlist.Refusal
	switch {
	case errors.As(err, &refused):
		if db.ActorOf(ctx).Nameless {
			return nil, invalid(statement, refused.At, refused.Message)
		}
		return nil, invalid(statement, refused.At, refused.Message+refused.Names)
	case errors.Is(err, allowlist.ErrParser):
		return nil, (&problem.Error{
			Kind: problem.KindUnavailable, Code: problem.CodeSQLUnavailable,
			Message: "SQL is unavailable until the service is restarted; every other operation works.",
		}).Because(err)
	case err != nil:
		return nil, fmt.Errorf("checking a statement: %w", err)
	}
	return checked, nil
}
