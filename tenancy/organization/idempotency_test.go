package organization_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// reserve takes a reservation that must be granted.
func reserve(t *testing.T, database *db.DB, k *organization.IdempotentRequest) uuid.UUID {
	t.Helper()
	attempt, answer, err := organization.ReserveRequest(t.Context(), database, k)
	if err != nil || answer != nil {
		t.Fatalf("not granted: %s, %v", answer, err)
	}
	return attempt
}

func work(ctx context.Context, database *db.DB, org, attempt uuid.UUID) error {
	ctx = db.WithActor(ctx, db.Actor{Attempt: attempt})
	return database.Batch(ctx, org, func(b *pgx.Batch) { audit.Record(ctx, b, org, &audit.Event{Action: "work"}) })
}

func TestRequestRunsOnceAcrossCrashes(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, person := tenancytest.Org(t, db)
	keyed := func() *organization.IdempotentRequest {
		return &organization.IdempotentRequest{
			Person:    person,
			Org:       org,
			Operation: "create_base",
			Key:       uuid.NewString(),
			Input:     []byte("{}"),
		}
	}
	code := func(k *organization.IdempotentRequest) string {
		_, _, err := organization.ReserveRequest(t.Context(), db, k)
		var e *problem.Error
		if !errors.As(err, &e) {
			return ""
		}
		return e.Code
	}
	lapse := func(k *organization.IdempotentRequest) {
		err := db.SystemTx(t.Context(), func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), `update rowhouse.idempotency set lease_until = now() - interval '1 second'
				where person_id = $1`, k.Person)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}

	t.Run("before the work", func(t *testing.T) {
		k := keyed()
		first := reserve(t, db, k)
		if got := code(k); got != "idempotency_in_progress" {
			t.Errorf("while it may be under way: %q", got)
		}
		lapse(k)
		second := reserve(t, db, k)
		// The first run was not dead but slow: its work must not come on top of the second one's.
		if err := work(t.Context(), db, org, second); err != nil {
			t.Fatal(err)
		}
		if err := work(t.Context(), db, org, first); !pgerror.Is(err, "RH010") {
			t.Errorf("a run that was taken over did its work: %v", err)
		}
	})
	t.Run("between the work and the answer", func(t *testing.T) {
		k := keyed()
		attempt := reserve(t, db, k)
		if err := work(t.Context(), db, org, attempt); err != nil {
			t.Fatal(err)
		}
		lapse(k)
		if got := code(k); got != "idempotency_answer_lost" {
			t.Errorf("sent again: %q", got)
		}
		if err := organization.ReleaseRequest(t.Context(), db, k, attempt); err != nil {
			t.Fatal(err)
		}
		if got := code(k); got != "idempotency_answer_lost" {
			t.Errorf("after a failure that followed the work: %q", got)
		}
	})
	t.Run("after the answer", func(t *testing.T) {
		k := keyed()
		attempt := reserve(t, db, k)
		if err := errors.Join(
			work(t.Context(), db, org, attempt),
			organization.StoreAnswer(t.Context(), db, k, attempt, []byte(`{"id":1}`)),
		); err != nil {
			t.Fatal(err)
		}
		if _, answer, err := organization.ReserveRequest(t.Context(), db, k); err != nil ||
			string(answer.Body) != `{"id":1}` {
			t.Errorf("sent again: %s, %v", answer, err)
		}
		other := *k
		other.Input = []byte(`{"name":"x"}`)
		if got := code(&other); got != "idempotency_key_reused" {
			t.Errorf("another request under the key: %q", got)
		}
	})
	t.Run("after a failure", func(t *testing.T) {
		k := keyed()
		attempt := reserve(t, db, k)
		if err := organization.ReleaseRequest(t.Context(), db, k, attempt); err != nil {
			t.Fatal(err)
		}
		reserve(t, db, k)
	})
	t.Run("a day later", func(t *testing.T) {
		k := keyed()
		attempt := reserve(t, db, k)
		if err := organization.StoreAnswer(t.Context(), db, k, attempt, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		err := db.SystemTx(t.Context(), func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), `update rowhouse.idempotency set created_at = now() - interval '25 hours'
				where person_id = $1`, k.Person)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		reserve(t, db, k)
		var left int
		err = db.SystemTx(t.Context(), func(tx pgx.Tx) error { // more than one statement removes
			_, err := tx.Exec(t.Context(), `insert into rowhouse.idempotency
				(person_id, org_id, operation, key_hash, fingerprint, attempt, lease_until, created_at)
				select $1, $2, 'old', sha256(i::text::bytea), sha256(''), gen_random_uuid(), now(),
				now() - interval '25 hours'
				from generate_series(1, 2500) i`, k.Person, k.Org)
			return err
		})
		if err = errors.Join(err, organization.SweepRequests(t.Context(), db)); err != nil {
			t.Fatal(err)
		}
		err = db.SystemTx(t.Context(), func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `select count(*) from rowhouse.idempotency
				where person_id = $1 and operation = 'old'`, k.Person).Scan(&left)
		})
		if err != nil || left > 0 {
			t.Errorf("%d old answers are left: %v", left, err)
		}
	})
}
