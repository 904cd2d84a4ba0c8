package db

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// An Actor is the person and the credential that a change is made with. The zero Actor is the service
// itself.
type Actor struct {
	Person     uuid.UUID
	Kind       string // of the credential: api_key, oauth, session
	Credential string // its public id
	// Blind says that the caller may not read records: no plan, no conflict and no error quotes values of them.
	Blind bool
	// Nameless says that the caller may not read the schema: no error names tables that it has not named itself.
	Nameless bool
	Request  string // id of the request
	// ChangeSet groups what belongs together in the log of changes (package changelog). By default
	// it is the request.
	ChangeSet uuid.UUID
	// Input is the request's input as JSON. It becomes the detail of an event without one.
	Input json.RawMessage
	// Attempt is the reservation of a request with an Idempotency-Key (package idempotency), and
	// zero for any other request.
	Attempt uuid.UUID
	// Plan is the plan that the request applies (package plan), and nil for any other request.
	Plan *PlanUse
	// Step, if set, queues statements that the transaction of the change runs too. A job writes down with it how far
	// it has come, so that it does nothing twice.
	Step func(b *pgx.Batch)
	// Quiet says that no event is recorded: what is done is a part of something else that has one.
	Quiet bool
	// Confirmation is the answer of a person that the request required, and nil for any other request.
	Confirmation *PlanUse
}

// A PlanUse is the one use of a plan's token, or of a person's answer. The transaction that does what was planned or
// agreed to records it.
type PlanUse struct {
	Token   []byte // a digest of the token
	Expires time.Time
}

type actorKey struct{}

// WithActor returns a context for an actor, to whom the audit log and the log of changes attribute what
// is done with it.
func WithActor(ctx context.Context, actor Actor) context.Context { //nolint:gocritic // the context keeps its own copy
	return context.WithValue(ctx, actorKey{}, &actor)
}

// ActorOf returns the actor of a context, or the zero Actor.
func ActorOf(ctx context.Context) Actor {
	if actor, ok := ctx.Value(actorKey{}).(*Actor); ok {
		return *actor
	}
	return Actor{}
}
