// Package pgerror recognizes errors of PostgreSQL by their SQLSTATE codes.
package pgerror

import (
	"errors"
	"regexp"

	"github.com/jackc/pgx/v5/pgconn"
)

// Violates reports whether an error is about the constraint or the index with a name. Citus passes
// on the message alone, in which the name ends with the number of a shard.
func Violates(err *pgconn.PgError, name string) bool {
	if err.ConstraintName != "" {
		return err.ConstraintName == name
	}
	found, _ := regexp.MatchString(`\b`+regexp.QuoteMeta(name)+`_\d+\b`, err.Message)
	return found
}

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
