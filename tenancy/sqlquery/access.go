package sqlquery

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery/allowlist"
)

// access is how people with the same rights read a base: the login, and the names that statements may use.
type access struct {
	schema, login string
	catalog       allowlist.Catalog
	secret        []byte // proves the person to the views (Reading.proof); nil if they show everything
}

// A stored row of rowhouse.sql_base, or of rowhouse.sql_class.
type stored struct {
	schema, login string
	digest        []byte
	former        []string
	secret        []byte
}

func (s *stored) scan(row pgx.Row) error {
	err := row.Scan(&s.schema, &s.login, &s.digest, &s.former, &s.secret)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err //nolint:wrapcheck // the caller does
}

// errStale says that the schema of the organization has changed since it was read.
var errStale = errors.New("the schema of the organization has changed meanwhile")

// access returns the present views of a base for the context's caller. It creates them if there are none, or if
// a table, a field or a link has changed since. The statements of first, unless nil, take the same round trip.
func (s *Store) access(ctx context.Context, org, base uuid.UUID, first func(b *pgx.Batch)) (*access, error) {
	if !s.db.ServesGuests() {
		return nil, notSetUp(
			errors.New("the service has no DATABASE_URL, or Citus, where every node would need the logins"),
		)
	}
	for range 5 {
		snapshot, err := s.schema.FreshAfter(ctx, org, first)
		if err != nil {
			return nil, err
		}
		if snapshot.Base(base) == nil {
			return nil, problem.NotFound("base", id.Format(id.Base, base))
		}
		of := readersOf(snapshot, base)
		if known, ok := s.known.Get(of); ok && known.version == snapshot.Version {
			return known.access, nil
		}
		views := viewsOf(snapshot, base)
		var have stored
		err = s.db.Batch(ctx, org, func(b *pgx.Batch) { of.read(b, org, &have) })
		if err != nil {
			return nil, fmt.Errorf("looking for the views of the base: %w", err)
		}
		if !bytes.Equal(have.digest, of.digest(views)) {
			err = s.build(ctx, snapshot, of, views, &have)
			if errors.Is(err, errStale) {
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		found := &access{have.schema, have.login, of.allowed(views, have.schema), have.secret}
		s.known.Add(of, known{snapshot.Version, found})
		return found, nil
	}
	return nil, problem.Unavailable(errStale)
}

// build creates views of a base in a new schema, and the login if there is none. Statements that
// are reading the former views are not disturbed.
func (s *Store) build(
	ctx context.Context, snapshot *schema.Snapshot, of readers, views []view, have *stored,
) error {
	org := snapshot.Org
	wanted := of.digest(views)
	return s.db.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		var version int64
		var possible bool
		batch := &pgx.Batch{}
		number := int32(binary.BigEndian.Uint32(of.base[12:])) //nolint:gosec // any 32 bits will do
		batch.Queue("select pg_advisory_xact_lock($1, $2)", db.LockViews, number)
		batch.Queue("select schema_version from rowhouse.organization where org_id = $1 for share", org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&version) })
		of.read(batch, org, have)
		batch.Queue("select to_regprocedure('sql_login.create(text, text)') is not null").
			QueryRow(func(row pgx.Row) error { return row.Scan(&possible) })
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("preparing the views of the base: %w", err)
		}
		switch {
		case version != snapshot.Version:
			return errStale
		case bytes.Equal(have.digest, wanted):
			return nil // another process created them
		case !possible:
			return notSetUp(nil)
		}
		return s.replace(ctx, tx, org, of, views, have)
	})
}

// replace creates the views and drops former ones that nobody reads.
func (s *Store) replace(
	ctx context.Context, tx pgx.Tx, org uuid.UUID, of readers, views []view, have *stored,
) error {
	next := stored{
		login: have.login, digest: of.digest(views), former: append([]string{}, have.former...), secret: have.secret,
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	next.schema = "sql_" + hex.EncodeToString(random[:])
	if have.schema != "" {
		next.former = append(next.former, have.schema)
	}
	batch := &pgx.Batch{}
	if next.login == "" {
		next.login = s.db.NewGuestLogin()
		verifier, err := s.db.GuestVerifier(next.login)
		if err != nil {
			return err
		}
		batch.Queue("select sql_login.create($1, $2)", next.login, verifier)
	}
	for _, statement := range of.statements(views, next.schema, next.login) {
		batch.Queue(statement)
	}
	of.write(batch, org, &next)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("making the views of the base: %w", err)
	}
	*have = next
	return nil
}

// forget drops views and their login, which the next statement creates again. It is needed
// when the password of DATABASE_URL has changed, or the database was restored into a cluster without
// the login.
func (s *Store) forget(ctx context.Context, org uuid.UUID, login string) error {
	return s.db.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue("delete from rowhouse.sql_base where org_id = $1 and login = $2", org, login)
		batch.Queue("delete from rowhouse.sql_class where org_id = $1 and login = $2", org, login)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("forgetting the login of a base: %w", err)
		}
		return nil
	})
}

func notSetUp(cause error) error {
	return (&problem.Error{
		Kind: problem.KindUnavailable, Code: problem.CodeSQLNotSetUp,
		Message: "SQL is not set up in this installation. Its operator has to run `rowhouse migrate` with " +
			"ADMIN_DATABASE_URL of a user who may create roles; the operations guide has the details, under SQL. " +
			"query_records and aggregate_records work without it.",
	}).Because(cause)
}
