// Package pgerror recognizes errors of PostgreSQL by their SQLSTATE codes.
package pgerror

import (
	"errors"
	"regexp"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5/pgconn"
)

// Violates reports whether an error is about the constraint or the index with a name. Citus passes on
// only the message, in which the name ends with the number of a shard.
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

// IsRowTaken reports whether a statement that does not wait for locks (NOWAIT) failed because another
// transaction has locked a row. A lock timeout has the same code.
func IsRowTaken(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == pgerrcode.LockNotAvailable && pg.Routine != "ProcessInterrupts"
}

// IsLockTimeout reports whether a statement failed because it waited for a lock for as long as
// lock_timeout allows.
func IsLockTimeout(err error) bool { return Is(err, pgerrcode.LockNotAvailable) && !IsRowTaken(err) }
