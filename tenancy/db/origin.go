package db

import (
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
)

// An Origin is where a change came from.
type Origin struct {
	Set        uuid.UUID  // the change set
	Person     *uuid.UUID // nil: the service itself
	Credential string     // its public id, or ""
	// Request is the id of the request, "" if it is the change set's id. Older entries have null then,
	// which makes their row of the log 8 bytes longer.
	Request string
}

// OriginOf returns the origin of what an actor writes.
func OriginOf(actor Actor) Origin {
	o := Origin{Set: actor.ChangeSet, Credential: actor.Credential}
	if o.Set == uuid.Nil {
		o.Set = id.New()
	}
	if actor.Person != uuid.Nil {
		o.Person = &actor.Person
	}
	if request, err := id.Parse(id.Request, actor.Request); (err != nil || request != o.Set) && actor.Request != "" {
		o.Request = actor.Request
	}
	return o
}
