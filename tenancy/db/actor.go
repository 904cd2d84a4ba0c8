package db

import (
	"encoding/json"

	"github.com/google/uuid"
)

// An Actor is who changes something, and through what. The zero Actor is the service itself.
type Actor struct {
	Person     uuid.UUID
	Kind       string // of the credential: api_key, oauth, session
	Credential string // its public id
	Request    string // id of the request
	// Input is what was asked for, as JSON. It is the detail of an event whose writer says nothing finer.
	Input json.RawMessage
	// Attempt is the reservation of a request that must not be done twice; zero for any other (see Idempotency).
	Attempt uuid.UUID
}

// As returns the same doors, as they open for an actor: what is written through them is signed with it.
func (db *DB) WithActor(actor Actor) *DB {
	bound := *db
	bound.actor = actor
	return &bound
}

// Actor returns the actor that As was given, or the zero Actor.
func (db *DB) Actor() Actor { return db.actor }
