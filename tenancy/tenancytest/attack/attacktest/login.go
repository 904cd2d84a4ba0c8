package attacktest

import (
	"context"
	"fmt"
	"net/url"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// This file is all that the corpus knows about logins: which there are, how the product enters an
// organization through each, and where the organization's key is.

// A Login is one of the logins with which the service connects.
type Login = migrations.Login

// The logins.
const (
	Request = migrations.Request
	Schema  = migrations.Schema
	System  = migrations.Lookup
	Job     = migrations.Job
)

// Logins lists every login.
var Logins = []Login{Request, Schema, System, Job}

// SecretKey is the SECRET_KEY of every world.
const SecretKey = "a secret key of the attacked service, over 32 characters"

func secrets() [][]byte { return [][]byte{[]byte(SecretKey)} }

// URL is the DATABASE_URL of the world's service.
func (w *World) URL() string {
	return at(w.admin, w.name, url.UserPassword(w.prefix, w.password))
}

// login is the name of a login's role.
func (w *World) login(l Login) string { return w.prefix + "_" + string(l) }

// url is the URL of a login, with settings that let the corpus run quickly and see every message.
func (w *World) url(l Login) (string, error) {
	derived, err := l.URL(w.URL())
	if err != nil {
		return "", fmt.Errorf("deriving a login: %w", err)
	}
	u, err := url.Parse(derived)
	if err != nil {
		return "", fmt.Errorf("reading the URL of a login: %w", err)
	}
	query := u.Query()
	query.Set("statement_timeout", "2000")
	query.Set("lock_timeout", "300")
	query.Set("client_min_messages", "debug1")
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// enter is what the product sends before a statement of an organization: it begins a transaction, takes
// the login's role and shows the organization's key.
func enter(l Login, o *Organization) string {
	sql := "begin; select set_config('role', '" + migrations.Logins[l] + "', true)"
	if l == Request || l == Schema {
		sql += ", set_config('app.org_id', '" + o.ID.String() + "', true), set_config('app.key', '" + o.Key + "', true)"
	}
	return sql
}

// provision prepares a database for the product: the roles and the right to connect, which a copy
// of a database lacks, and the migrations.
func (w *World) provision(ctx context.Context) error {
	if err := migrations.Provision(ctx, at(w.admin, w.name, nil), w.prefix, w.password); err != nil {
		return fmt.Errorf("provisioning: %w", err)
	}
	return nil
}

// open connects as the product does, with one connection for requests.
func (w *World) open(ctx context.Context, tracer pgx.QueryTracer) (*db.DB, error) {
	options := db.Options{MaxConns: 1, Secrets: secrets(), Tracer: tracer, Logins: map[Login]string{}}
	for _, l := range Logins {
		address, err := w.url(l)
		if err != nil {
			return nil, err
		}
		options.Logins[l] = address
	}
	opened, err := db.Open(ctx, w.URL(), options)
	if err != nil {
		return nil, fmt.Errorf("opening the doors: %w", err)
	}
	return opened, nil
}

// key reads an organization's key, as whoever has the database and SECRET_KEY can.
func (w *World) key(ctx context.Context, org uuid.UUID) (string, error) {
	conn, err := pgx.Connect(ctx, at(w.admin, w.name, nil))
	if err != nil {
		return "", fmt.Errorf("connecting as the administrator: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	var sealed []byte
	err = conn.QueryRow(ctx, "select sealed from rowhouse.organization_key where org_id = $1", org).Scan(&sealed)
	if err != nil {
		return "", fmt.Errorf("reading the key of an organization: %w", err)
	}
	seals, err := seal.New(secrets(), "rowhouse organization key", "rowhouse organization key authentication")
	if err != nil {
		return "", fmt.Errorf("deriving the keys of SECRET_KEY: %w", err)
	}
	key, err := seals.Open(sealed, "organization "+org.String())
	if err != nil {
		return "", fmt.Errorf("decrypting the key of an organization: %w", err)
	}
	return string(key), nil
}

// Admin runs SQL as the superuser in the world's database.
func (w *World) Admin(ctx context.Context, sql string) error {
	return execute(ctx, at(w.admin, w.name, nil), sql)
}

// AdminURL is the superuser's URL of the world's database.
func (w *World) AdminURL() string { return at(w.admin, w.name, nil) }
