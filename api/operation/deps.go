package operation

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/share"
)

// Deps are the services that operations work with. They are wired once, in cmd.
type Deps struct {
	DB        *db.DB
	Schema    *schema.Store
	Records   *record.Engine
	Share     *share.Store
	Files     *attachment.Store
	Links     *attachment.Links // the addresses of files
	Rights    Rights
	Mail      Mail
	Admission Admission // nil admits every call at once
	// BaseURL is where the service is reached from outside, without a slash at its end.
	BaseURL string
	Log     *slog.Logger // nil logs nothing
	Watch   Observer     // nil tells nobody
}

// as returns the same services, as they work for an actor: what they write is signed with it.
func (d *Deps) as(actor db.Actor) *Deps {
	bound, db := *d, d.DB.WithActor(actor)
	bound.DB, bound.Schema, bound.Records, bound.Share = db, d.Schema.WithDB(db), d.Records.Through(db), d.Share.Through(db)
	bound.Files = d.Files.Through(db)
	return &bound
}

// Rights tells every process that what a person may do has changed.
type Rights interface {
	// Invalidate forgets what is cached of the person's credentials. It is called before and after the change is committed.
	Invalidate(ctx context.Context, person uuid.UUID) error
}

// Mail sends what operations have to tell people who are not here.
type Mail interface {
	// Invite returns what queues the mail of an invitation, or why this person may not invite that address now.
	Invite(ctx context.Context, inviter, org uuid.UUID, email string) (organization.Announce, error)
}

// An Observer is told of each operation that has ended.
type Observer interface {
	// Operation is called with the operation's name, and "ok" or the kind of its error.
	Operation(name, outcome string, took time.Duration)
}

// Admission bounds what an organization may ask for and have under way at once.
type Admission interface {
	// Enter waits until a call of the person in the organization may begin; leave must be called once when it has ended. A call
	// that names no organization (uuid.Nil) waits in a queue of its person. It returns an error of kind rate_limited when too many
	// wait already.
	Enter(ctx context.Context, org, person uuid.UUID) (leave func(), err error)
}
