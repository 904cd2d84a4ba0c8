package operation

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/signed"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/dashboard"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// Deps are the services that operations use. Package main wires them once.
type Deps struct {
	DB         *db.DB
	Schema     *catalog.Store
	Records    *record.Engine
	Share      *organization.Shares
	Files      *attachment.Store
	Trash      *history.Trash
	Webhooks   *webhook.Store
	Dashboards *dashboard.Store
	Comments   *comment.Store
	SQL        *sqlquery.Store
	Jobs       *transfer.Store
	Links      *attachment.Links // makes file URLs
	Signed     *signed.Keys      // makes addresses of uploads and downloads
	Rights     Rights
	// Credentials leases the credentials of long requests. Nil looks them up individually.
	Credentials *credential.Cache
	Mailer      Mailer
	Notifier    *live.Notifier      // of changes; nil: waiters poll
	Presence    *live.PresenceStore // who is in which base; nil disables presence
	Admission   Admission           // nil admits every call immediately
	// BaseURL is the public URL of the service, without a trailing slash.
	BaseURL  string
	Log      *slog.Logger // nil logs nothing
	Observer Observer     // nil observes nothing
}

// Rights invalidates cached rights in every process.
type Rights interface {
	// Invalidate drops what is cached of the credentials of people. It is called before and after
	// the change is committed.
	Invalidate(ctx context.Context, people ...uuid.UUID) error
}

// Mailer sends mail on behalf of operations.
type Mailer interface {
	// Invite returns a function that queues the invitation's mail, or an error if this person may
	// not invite that address now.
	Invite(ctx context.Context, inviter, org uuid.UUID, email string) (organization.Announce, error)
	// Comment queues the mail of a notice of a comment. It does nothing if the service sends no mail.
	Comment(ctx context.Context, org, notice uuid.UUID) error
}

// An Observer is notified when an operation has ended.
type Observer interface {
	// Operation receives the operation's name, and "ok" or the kind of its error.
	Operation(name, outcome string, took time.Duration)
}

// Admission bounds the rate and the number of concurrent calls of an organization.
type Admission interface {
	// Enter waits until a call by the person in the organization may begin; the caller must call
	// leave exactly once when the call has ended. A call that names no organization (uuid.Nil)
	// waits in a queue for its person. Enter returns an error of kind rate_limited when too many
	// calls are waiting already.
	Enter(ctx context.Context, org, person uuid.UUID) (leave func(), err error)
	// EnterHeavy does the same, after Enter, for a call that takes processor time for long. The tenant is an
	// organization, or the person who names none.
	EnterHeavy(ctx context.Context, tenant uuid.UUID) (leave func(), err error)
	// EnterStatement is called before a statement of SQL is checked. It returns a function to call if the statement
	// is refused, or an error of kind rate_limited while too many statements of the organization were refused.
	EnterStatement(org uuid.UUID) (refused func(), err error)
}
