package db

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"github.com/rowhouse/rowhouse/problem"
)

// classify turns failures of the database into problems that callers can act on, and returns every
// other error unchanged.
func classify(err error) error {
	var already *problem.Error
	if errors.As(err, &already) {
		return err
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		return problem.Unavailable(err)
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch {
		case pg.Code == StateSuperseded:
			return InProgress().Because(err)
		case pg.Code == pgerrcode.QueryCanceled: // query_canceled: statement_timeout, or the caller went away
			return statementTimeout().Because(err)
		case pg.Code == pgerrcode.SerializationFailure,
			pg.Code == pgerrcode.DeadlockDetected: // serialization failure, deadlock
			return writeConflict().Because(err)
		case pg.Code == pgerrcode.LockNotAvailable: // lock timeout
			return busy().Because(err)
		case strings.HasPrefix(pg.Code, "57P"), strings.HasPrefix(pg.Code, "53"), strings.HasPrefix(pg.Code, "08"):
			return problem.Unavailable(err) // shutting down, out of resources, connection lost
		}
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || pgconn.SafeToRetry(err) ||
		isConnectionLoss(err) {
		return problem.Unavailable(err)
	}
	return err
}

// InProgress is the problem of a request whose Idempotency-Key another run is using.
func InProgress() *problem.Error {
	return &problem.Error{
		Kind: problem.KindConflict, Code: problem.CodeIdempotencyInProgress, RetryAfter: time.Second,
		Message: "The first request with this Idempotency-Key is still under way; ask again shortly for its answer.",
	}
}

// writeConflict says that PostgreSQL rolled a transaction back because of a deadlock or a
// serialization failure. Code that can run the transaction again does so before the caller sees
// this.
func writeConflict() *problem.Error {
	return &problem.Error{
		Kind: problem.KindConflict, Code: problem.CodeWriteConflict, RetryAfter: time.Second,
		Message: "Other requests changed the same things at the same moment. Nothing was changed; " +
			"send the request again.",
	}
}

// busy says that another transaction kept a lock on the target for too long.
func busy() *problem.Error {
	return &problem.Error{
		Kind: problem.KindUnavailable, Code: problem.CodeBusy, RetryAfter: time.Second,
		Message: "Other requests are changing the same data; try again shortly.",
	}
}

// statementTimeout says that a statement exceeded the database's time limit.
func statementTimeout() *problem.Error {
	return &problem.Error{
		Kind: problem.KindUnavailable, Code: problem.CodeTimeout, RetryAfter: time.Second,
		Message: "The request took longer than the database allows; ask for less at once, or filter further.",
	}
}

func isConnectionLoss(err error) bool {
	var network net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, puddle.ErrClosedPool) || errors.As(err, &network)
}
