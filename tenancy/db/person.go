package db

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

type personKey struct{}

// WithPerson returns a context whose transactions as rowhouse_app have a person, for conditions about who reads: the
// setting app.person. uuid.Nil takes the person away.
func WithPerson(ctx context.Context, person uuid.UUID) context.Context {
	return context.WithValue(ctx, personKey{}, person)
}

// PersonOf returns the person of a context; uuid.Nil for none.
func PersonOf(ctx context.Context) uuid.UUID {
	person, _ := ctx.Value(personKey{}).(uuid.UUID)
	return person
}

// AsPerson reads one value in a transaction that has the person for this statement alone.
func (t Topology) AsPerson(
	ctx context.Context, tx pgx.Tx, person uuid.UUID, to any, statement string, args ...any,
) error {
	batch := &pgx.Batch{}
	batch.Queue("select set_config('app.person', $1::uuid::text, true)", person)
	t.propagate(batch)
	batch.Queue(statement, args...).QueryRow(func(row pgx.Row) error { return row.Scan(to) })
	batch.Queue("select set_config('app.person', $1, true)", personText(ctx))
	t.propagate(batch)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("reading as a person: %w", err)
	}
	return nil
}

func personText(ctx context.Context) string {
	if person := PersonOf(ctx); person != uuid.Nil {
		return person.String()
	}
	return ""
}
