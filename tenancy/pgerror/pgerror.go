// Package pgerror recognizes errors of PostgreSQL by their SQLSTATE codes.
package pgerror

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// Is reports whether err carries one of the given SQLSTATE codes.
func Is(err error, states ...string) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	for _, state := range states {
		if pg.Code == state {
			return true
		}
	}
	return false
}
