package organization

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// IdempotencyLife is how long the response to a request with a key is stored and repeated.
const IdempotencyLife = 24 * time.Hour

// lease is how long a reservation belongs to its run. After it another run may take the reservation
// over, because the process may have died. If the first run is still alive, gate.complete_request
// fails its transaction, so the work is done once in any case.
const lease = 90 * time.Second

// A IdempotentRequest must take effect at most once, though a client may send it several times.
type IdempotentRequest struct {
	Person    uuid.UUID
	Org       uuid.UUID // of the target; uuid.Nil when the request names none
	Operation string
	Key       string   // the client's own
	Input     []byte   // another input under the same key is another request
	Rights    []string // of the caller, which are stored with the response
}

// A StoredAnswer is the response to an earlier request.
type StoredAnswer struct {
	Body   []byte
	Rights []string // of its caller
}

func (k *IdempotentRequest) hashes() (key, fingerprint []byte) {
	keySum, inputSum := sha256.Sum256([]byte(k.Key)), sha256.Sum256(k.Input)
	return keySum[:], inputSum[:]
}

// Problems that ReserveRequest returns.
func keyReused() error {
	return &problem.Error{
		Kind: problem.KindMismatch, Code: problem.CodeIdempotencyKeyReused,
		Message: "This Idempotency-Key came with another request before; take a new key for each request, " +
			"and the same one only to repeat it unchanged.",
	}
}

func answerLost() error {
	return &problem.Error{
		Kind: problem.KindConflict, Code: problem.CodeIdempotencyAnswerLost,
		Message: "The first request with this Idempotency-Key was carried out, but its answer could not be kept. " +
			"It will not be done again; read the result instead.",
	}
}

// ReserveRequest reserves the right to run a request, or returns its earlier response. If it returns
// neither a response nor an error, the caller runs the request with Actor.Attempt set to attempt and then
// calls StoreAnswer or ReleaseRequest. The error is of kind mismatch if the key came with another input
// before. It is of kind conflict if the request is still running, or if it was done and its response
// was lost with the process.
func ReserveRequest(
	ctx context.Context,
	database *db.DB,
	k *IdempotentRequest,
) (attempt uuid.UUID, answer *StoredAnswer, err error) {
	attempt = uuid.New()
	key, fingerprint := k.hashes()
	var stored struct {
		attempt     uuid.UUID
		fingerprint []byte
		lapsed      bool // done, and no run is about to store the response
		answer      []byte
		rights      []string
	}
	err = database.SystemBatch(ctx, func(b *pgx.Batch) {
		// What has lapsed is forgotten. A reservation whose lease ended before its work was done is
		// taken over, if it is for the same request. None of this waits for the transaction that
		// does the work.
		b.Queue(`delete from rowhouse.idempotency where org_id = $1 and person_id = $2 and operation = $3
			and key_hash = $4 and created_at < $5`,
			k.Org, k.Person, k.Operation, key, time.Now().Add(-IdempotencyLife))
		b.Queue(`insert into rowhouse.idempotency (org_id, person_id, operation, key_hash, fingerprint,
			attempt, lease_until)
			values ($1, $2, $3, $4, $5, $6, now() + $7::interval)
			on conflict (org_id, person_id, operation, key_hash) do nothing`,
			k.Org, k.Person, k.Operation, key, fingerprint, attempt, lease)
		b.Queue(`update rowhouse.idempotency set attempt = $6, lease_until = now() + $7::interval
			where org_id = $1 and person_id = $2 and operation = $3 and key_hash = $4
				and fingerprint = $5 and done_at is null and answer is null and lease_until < now()`,
			k.Org, k.Person, k.Operation, key, fingerprint, attempt, lease)
		b.Queue(`select attempt, fingerprint, done_at is not null and lease_until < now(), answer, rights
			from rowhouse.idempotency
			where org_id = $1 and person_id = $2 and operation = $3 and key_hash = $4`, k.Org, k.Person, k.Operation,
			key).
			QueryRow(func(row pgx.Row) error {
				return row.Scan(&stored.attempt, &stored.fingerprint, &stored.lapsed, &stored.answer, &stored.rights)
			})
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows): // released by its run between the two statements
		return uuid.Nil, nil, db.InProgress()
	case err != nil: // it may have been reserved nevertheless
		return uuid.Nil, nil, errors.Join(fmt.Errorf("reserving an idempotent request: %w", err),
			ReleaseRequest(ctx, database, k, attempt))
	case stored.attempt == attempt:
		return attempt, nil, nil
	case string(stored.fingerprint) != string(fingerprint):
		return uuid.Nil, nil, keyReused()
	case stored.answer != nil:
		return uuid.Nil, &StoredAnswer{stored.answer, stored.rights}, nil
	case stored.lapsed:
		return uuid.Nil, nil, answerLost()
	}
	return uuid.Nil, nil, db.InProgress()
}

// StoreAnswer stores the response of a successful request. It works even if ctx has been cancelled.
func StoreAnswer(ctx context.Context, tenantDB *db.DB, k *IdempotentRequest, attempt uuid.UUID, answer []byte) error {
	return settle(ctx, tenantDB, func(b *pgx.Batch) {
		key, _ := k.hashes()
		b.Queue("update rowhouse.idempotency set answer = $6, rights = $7"+ofAttempt, k.Org, k.Person, k.Operation,
			key, attempt, answer, k.Rights)
	})
}

// ReleaseRequest gives up a reservation after a failed request so that the client can retry it. If the
// work was done and the failure came after it, the reservation stays, marked as done with its
// answer lost.
func ReleaseRequest(ctx context.Context, tenantDB *db.DB, k *IdempotentRequest, attempt uuid.UUID) error {
	return settle(ctx, tenantDB, func(b *pgx.Batch) {
		key, _ := k.hashes()
		b.Queue("delete from rowhouse.idempotency"+ofAttempt+" and done_at is null", k.Org, k.Person,
			k.Operation, key, attempt)
		b.Queue("update rowhouse.idempotency set lease_until = now() - interval '1 second'"+ofAttempt, k.Org, k.Person,
			k.Operation, key, attempt)
	})
}

const ofAttempt = " where org_id = $1 and person_id = $2 and operation = $3 and key_hash = $4 and attempt = $5"

func settle(ctx context.Context, tenantDB *db.DB, fn func(b *pgx.Batch)) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := tenantDB.SystemBatch(ctx, fn); err != nil {
		return fmt.Errorf("settling an idempotent request: %w", err)
	}
	return nil
}

// sweepPortion bounds the responses that one statement deletes, so that no lock is kept for long.
const sweepPortion = 1000

// SweepRequests deletes responses older than IdempotencyLife. Any process may call it at any time.
func SweepRequests(ctx context.Context, tenantDB *db.DB) error {
	for removed := int64(sweepPortion); removed == sweepPortion; {
		err := tenantDB.SystemBatch(ctx, func(b *pgx.Batch) {
			b.Queue(`delete from rowhouse.idempotency where (org_id, person_id, operation, key_hash) in (
				select org_id, person_id, operation, key_hash from rowhouse.idempotency where created_at < $1
				order by created_at limit $2 for update skip locked)`, time.Now().Add(-IdempotencyLife), sweepPortion).
				Exec(func(tag pgconn.CommandTag) error {
					removed = tag.RowsAffected()
					return nil
				})
		})
		if err != nil {
			return fmt.Errorf("sweeping old answers: %w", err)
		}
	}
	return nil
}
