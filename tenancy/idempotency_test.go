package tenancy_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// reserve takes a reservation that must be granted.
func reserve(t *testing.T, db *tenancy.DB, k *tenancy.Keyed) uuid.UUID {
	t.Helper()
	attempt, answer, err := db.Reserve(t.Context(), k)
	if err != nil || answer != nil {
		t.Fatalf("not granted: %s, %v", answer, err)
	}
	return attempt
}

func work(ctx context.Context, db *tenancy.DB, org, attempt uuid.UUID) error {
	db = db.As(tenancy.Actor{Attempt: attempt})
	return db.Batch(ctx, org, func(b *pgx.Batch) { db.Sign(b, org, &tenancy.Event{Action: "work"}) })
}

func TestARequestIsDoneOnceHoweverItsProcessEnds(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, person := tenancytest.Org(t, db)
	keyed := func() *tenancy.Keyed {
		return &tenancy.Keyed{Person: person, Org: org, Operation: "create_base", Key: uuid.NewString(), Input: []byte("{}")}
	}
	code := func(k *tenancy.Keyed) string {
		_, _, err := db.Reserve(t.Context(), k)
		var e *tenancy.Error
		if !errors.As(err, &e) {
			return ""
		}
		return e.Code
	}
	lapse := func(k *tenancy.Keyed) {
		err := db.System(t.Context(), func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), "update rowhouse.idempotency set lease_until = now() - interval '1 second' where person_id = $1", k.Person)
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
		if err := work(t.Context(), db, org, first); !tenancy.IsSQLState(err, "RH010") {
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
		if err := db.Release(t.Context(), k, attempt); err != nil {
			t.Fatal(err)
		}
		if got := code(k); got != "idempotency_answer_lost" {
			t.Errorf("after a failure that followed the work: %q", got)
		}
	})
	t.Run("after the answer", func(t *testing.T) {
		k := keyed()
		attempt := reserve(t, db, k)
		if err := errors.Join(work(t.Context(), db, org, attempt), db.Keep(t.Context(), k, attempt, []byte(`{"id":1}`))); err != nil {
			t.Fatal(err)
		}
		if _, answer, err := db.Reserve(t.Context(), k); err != nil || string(answer) != `{"id":1}` {
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
		if err := db.Release(t.Context(), k, attempt); err != nil {
			t.Fatal(err)
		}
		reserve(t, db, k)
	})
	t.Run("a day later", func(t *testing.T) {
		k := keyed()
		attempt := reserve(t, db, k)
		if err := db.Keep(t.Context(), k, attempt, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		err := db.System(t.Context(), func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), "update rowhouse.idempotency set created_at = now() - interval '25 hours' where person_id = $1", k.Person)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		reserve(t, db, k)
		if err := db.SweepAnswers(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
