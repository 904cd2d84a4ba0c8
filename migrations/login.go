package migrations

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A Login is one of the roles that a service logs in as. Each is a member of exactly one of the
// roles that own privileges, so that a connection can become nothing else.
type Login string

// The logins, by what they are for.
const (
	Request Login = "request" // requests; member of rowhouse_app
	Schema  Login = "schema"  // changes of tables, and migrations; member of rowhouse_owner
	Lookup  Login = "lookup"  // people and credentials, before the organization is known; member of rowhouse_system
	Job     Login = "job"     // the job queue; member of rowhouse_system
)

// Logins maps each login to the role that it is a member of.
var Logins = map[Login]string{
	Request: "rowhouse_app", Schema: "rowhouse_owner", Lookup: "rowhouse_system", Job: "rowhouse_system",
}

// name returns the name of the login role of an installation whose DATABASE_URL has the given user.
func (l Login) name(user string) string { return user + "_" + string(l) }

// password derives the login's password. Whoever learns it learns neither the given password nor
// those of the other logins.
func (l Login) password(password string) string {
	mac := hmac.New(sha256.New, []byte(password))
	_, _ = mac.Write([]byte("rowhouse login " + l)) // never fails
	return hex.EncodeToString(mac.Sum(nil))
}

// URL derives the login's URL from DATABASE_URL: its user is <user>_<login>, and its password is
// computed from the password. Provision creates these roles.
func (l Login) URL(databaseURL string) (string, error) {
	u, err := url.Parse(databaseURL)
	if err != nil || u.User.Username() == "" {
		return "", errors.New("the database URL is not a URL with a user") // the cause would contain the password
	}
	if password, ok := u.User.Password(); ok {
		u.User = url.UserPassword(l.name(u.User.Username()), l.password(password))
	} else {
		u.User = url.User(l.name(u.User.Username()))
	}
	return u.String(), nil
}

// renewPassword sets the login's derived password if PostgreSQL rejects it, as it does after the
// password of DATABASE_URL was changed. admin is the administrator's connection.
func (l Login) renewPassword(ctx context.Context, admin *pgx.Conn, user, password string) error {
	config := admin.Config().Copy()
	config.User, config.Password = l.name(user), l.password(password)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err == nil {
		return conn.Close(ctx)
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != pgerrcode.InvalidPassword {
		return fmt.Errorf("trying the login %s: %w", config.User, err)
	}
	_, err = admin.Exec(ctx, "alter role "+pgx.Identifier{config.User}.Sanitize()+" password "+quote(config.Password),
		pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return fmt.Errorf("setting the password of the login %s: %w", config.User, err)
	}
	return nil
}
