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

// access is how a base is read: the login, and the names that statements may use.
type access struct {
	schema, login string
	catalog       allowlist.Catalog
}

// A stored row of rowhouse.sql_base.
type stored struct {
	schema, login string
	digest        []byte
	former        []string
}

const readStored = "select schema_name, login, digest, former from rowhouse.sql_base where org_id = $1 and base_id = $2"

func (s *stored) scan(row pgx.Row) error {
	err := row.Scan(&s.schema, &s.login, &s.digest, &s.former)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err //nolint:wrapcheck // the caller does
}

// errStale says that the schema of the organization has changed since it was read.
var errStale = errors.New("the schema of the organization has changed meanwhile")

// access returns the present views of a base. It creates them if the base has none, or if a table, a
// field or a link has changed since. The statements of first, unless nil, take the same round trip.
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
		if known, ok := s.known.Get(base); ok && known.version == snapshot.Version {
			return known.access, nil
		}
		views := viewsOf(snapshot, base)
		var have stored
		err = s.db.Batch(ctx, org, func(b *pgx.Batch) { b.Queue(readStored, org, base).QueryRow(have.scan) })
		if err != nil {
			return nil, fmt.Errorf("looking for the views of the base: %w", err)
		}
		if !bytes.Equal(have.digest, digest(views)) {
			err = s.build(ctx, snapshot, base, views, &have)
			if errors.Is(err, errStale) {
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		found := &access{have.schema, have.login, allowedObjects(views, have.schema)}
		s.known.Add(base, known{snapshot.Version, found})
		return found, nil
	}
	return nil, problem.Unavailable(errStale)
}

// build creates the views of a base in a new schema, and the login if there is none. Statements that
// are reading the former views are not disturbed.
func (s *Store) build(
	ctx context.Context, snapshot *schema.Snapshot, base uuid.UUID, views []view, have *stored,
) error {
	org := snapshot.Org
	wanted := digest(views)
	return s.db.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		var version int64
		var possible bool
		batch := &pgx.Batch{}
		number := int32(binary.BigEndian.Uint32(base[12:])) //nolint:gosec // any 32 bits will do
		batch.Queue("select pg_advisory_xact_lock($1, $2)", db.LockViews, number)
		batch.Queue("select schema_version from rowhouse.organization where org_id = $1 for share", org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&version) })
		batch.Queue(readStored, org, base).QueryRow(have.scan)
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
		return s.replace(ctx, tx, org, base, views, have)
	})
}

// replace creates the views and drops former ones that nobody reads.
func (s *Store) replace(ctx context.Context, tx pgx.Tx, org, base uuid.UUID, views []view, have *stored) error {
	next := stored{login: have.login, digest: digest(views), former: append([]string{}, have.former...)}
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
	for _, statement := range statements(views, next.schema, next.login) {
		batch.Queue(statement)
	}
	batch.Queue(`insert into rowhouse.sql_base (org_id, base_id, schema_name, login, digest, former)
		values ($1, $2, $3, $4, $5, gate.drop_sql_schemas($6)) on conflict (org_id, base_id) do update
		set schema_name = excluded.schema_name, digest = excluded.digest, former = excluded.former
		returning former`,
		org, base, next.schema, next.login, next.digest, next.former).
		QueryRow(func(row pgx.Row) error { return row.Scan(&next.former) })
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("making the views of the base: %w", err)
	}
	*have = next
	return nil
}

// forget drops the views and the login of a base, which the next statement creates again. It is needed
// when the password of DATABASE_URL has changed, or the database was restored into a cluster without
// the login.
func (s *Store) forget(ctx context.Context, org, base uuid.UUID, login string) error {
	return s.db.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "delete from rowhouse.sql_base where org_id = $1 and base_id = $2 and login = $3",
			org, base, login)
		if err != nil {
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
