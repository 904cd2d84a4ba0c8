package attacktest

import (
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// This file is all that the corpus knows about the doors: which logins there are, how the product
// enters an organization through each, and what provisioning and sealing consist of.

// A Door is one of the logins with which the service connects.
type Door string

// The doors.
const (
	Request Door = "request"
	Schema  Door = "schema"
	System  Door = "system"
	Job     Door = "job"
)

// Doors lists every door.
var Doors = []Door{Request, Schema, System, Job}

// role is the only role that a door's login may take.
func (d Door) role() string {
	switch d {
	case Request:
		return "rowhouse_app"
	case Schema:
		return "rowhouse_owner"
	case System, Job:
		return "rowhouse_system"
	}
	panic("attacktest: no such door: " + string(d))
}

// login is the name of a door's login role. Before sealing, one login serves all doors.
func (w *World) login(d Door) string {
	if !w.sealed {
		return w.prefix
	}
	return w.prefix + "_" + string(d)
}

func (w *World) url(d Door) string {
	return at(w.admin, w.name, url.UserPassword(w.login(d), w.password))
}

// enter is what the product sends before a statement of an organization: it begins a transaction,
// takes the door's role and shows the organization's key.
func (d Door) enter(o *Organization) string {
	sql := "begin; select set_config('role', '" + d.role() + "', true)"
	if d == Request || d == Schema {
		sql += ", set_config('app.org_id', '" + o.ID.String() + "', true), set_config('app.key', '" + o.Key + "', true)"
	}
	return sql
}

// provision prepares an empty database for the product.
func (w *World) provision(ctx context.Context) error {
	if err := migrations.Provision(ctx, at(w.admin, w.name, nil), w.prefix, w.password); err != nil {
		return err
	}
	return migrations.Up(ctx, at(w.admin, w.name, url.UserPassword(w.prefix, w.password)))
}

// grantDatabase repeats what a copy of a database does not copy: the privileges on it.
func (w *World) grantDatabase(ctx context.Context) error {
	if !w.sealed {
		return migrations.Provision(ctx, at(w.admin, w.name, nil), w.prefix, w.password)
	}
	return w.Admin(ctx, w.expand(database))
}

// open connects as the product does.
func (w *World) open(ctx context.Context) (*db.DB, error) {
	return db.Open(ctx, at(w.admin, w.name, url.UserPassword(w.prefix, w.password)), db.Options{MaxConns: 4})
}

// seal turns the present doors into those that stand against hostile SQL. It goes when the
// migrations do the same.
func (w *World) seal(ctx context.Context) error {
	w.sealed, w.cached = true, "s"+hexDigest(w.password)[:16]
	if err := w.Admin(ctx, w.expand(database)); err != nil {
		return err
	}
	if err := w.Admin(ctx, w.expand(seal)); err != nil {
		return err
	}
	for _, o := range []*Organization{w.Attacker, w.Victim} {
		sum := hexDigest(o.ID.String() + w.password)[:32]
		o.Key = sum
		values := strings.NewReplacer("{org}", o.ID.String(), "{schema}", o.Schema(), "{hash}", hexDigest(o.Key))
		if err := w.Admin(ctx, values.Replace(sealOrganization)); err != nil {
			return err
		}
	}
	return nil
}

//go:embed seal/seal.sql
var seal string

//go:embed seal/database.sql
var database string

//go:embed seal/organization.sql
var sealOrganization string

// connect opens a session of a door. Notices and notifications reach the runner, not the driver.
func (w *World) connect(ctx context.Context, d Door) (*session, error) {
	config, err := pgconn.ParseConfig(w.url(d))
	if err != nil {
		return nil, fmt.Errorf("reading a door's URL: %w", err)
	}
	config.RuntimeParams["application_name"] = "rowhouse"
	config.RuntimeParams["statement_timeout"] = "2000"
	config.RuntimeParams["lock_timeout"] = "300"
	config.RuntimeParams["client_min_messages"] = "debug1"
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting through the door %s: %w", d, err)
	}
	hijacked, err := conn.Hijack()
	if err != nil {
		return nil, fmt.Errorf("taking the connection over: %w", err)
	}
	return &session{door: d, wire: hijacked}, nil
}

// Admin runs SQL as the superuser in the world's database.
func (w *World) Admin(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, at(w.admin, w.name, nil))
	if err != nil {
		return fmt.Errorf("connecting as the administrator: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
		return fmt.Errorf("running SQL as the administrator: %w", err)
	}
	return nil
}
