package db

import (
	"encoding/json"

	"github.com/google/uuid"
)

// An Actor is the person and the credential that a change is made with. The zero Actor is the
// service itself.
type Actor struct {
	Person     uuid.UUID
	Kind       string // of the credential: api_key, oauth, session
	Credential string // its public id
	Request    string // id of the request
	// ChangeSet groups what belongs together in the log of changes (package changelog). By default
	// it is the request.
	ChangeSet uuid.UUID
	// Input is the request's input as JSON. It becomes the detail of an event without one.
	Input json.RawMessage
	// Attempt is the reservation of a request with an Idempotency-Key (package idempotency), and
	// zero for any other request.
	Attempt uuid.UUID
}

// WithActor returns the same pool acting for an actor, which the audit log names for each change.
func (db *DB) WithActor(actor Actor) *DB {
	bound := *db
	bound.actor = actor
	return &bound
}

// Actor returns the actor that WithActor was given, or the zero Actor.
func (db *DB) Actor() Actor { return db.actor }
