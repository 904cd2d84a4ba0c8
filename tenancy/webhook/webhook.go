// Package webhook sends the changes of bases to addresses, as Standard Webhooks 1.0 defines messages
// and signatures. Each webhook has a position in the feed (package feed). One process at a time reads
// on from it, makes a delivery of what it finds, and sends it until it has arrived or was tried too
// often. So a change is sent at least once, and the changes of a record in their order.
//
// The package knows nothing of HTTP: a Sender sends. It knows nothing of operations either, which have
// checked that the caller may set up webhooks.
package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	// MaxPerBase bounds the webhooks of a base, and MaxPerOrganization those of an organization: each
	// is checked after every change in the organization.
	MaxPerBase         = 20
	MaxPerOrganization = 200

	maxURL  = 2000
	maxName = 100
)

// A Reason says why a webhook is disabled.
type Reason string

// The reasons.
const (
	Paused     Reason = "paused"  // a person did it
	AnsweredNo Reason = "gone"    // the receiver answered 410
	Failing    Reason = "failing" // the receiver has failed for maxFailing
	OwnerLeft  Reason = "owner"   // the owner may no longer set up webhooks
	TooOld     Reason = "history" // the kept history begins after the position
	BadFilter  Reason = "filter"  // the filter no longer fits the table
)

// Announced is a change of a webhook that the owners of an organization are notified of, because
// whoever gets into an administrator's account could otherwise redirect everything unseen.
type Announced string

// What is announced.
const (
	Made     Announced = "created"
	Redirect Announced = "redirected" // to another URL
)

// A Subscription selects the changes that are sent.
type Subscription struct {
	Tables []uuid.UUID      // nil: all, and the base itself
	Kinds  []changelog.Kind // nil: all
	// Fields are the fields whose updates and values are sent. Nil: all.
	Fields []uuid.UUID
	// Filter is one of records of the only table, as a list of records takes it; "" lets all through. A
	// change is sent if the record fits before or after it.
	Filter []byte
	// Values says whether the values before and after are sent.
	Values bool
}

// A Webhook is an address that receives changes.
type Webhook struct {
	ID, Base uuid.UUID
	Name     string
	URL      string
	Subscription

	Owner          uuid.UUID // whose rights it has
	OwnerName      string
	CreatedAt      time.Time
	Position       feed.Position
	Enabled        bool
	Reason         Reason // why it is not enabled
	FailingSince   *time.Time
	NextAttempt    *time.Time
	OldSecretUntil *time.Time
}

// PublicID returns the id that callers know.
func (w *Webhook) PublicID() string { return id.Format(id.Webhook, w.ID) }

// shown is what people call the webhook.
func (w *Webhook) shown() string { return cmp.Or(w.Name, w.PublicID()) }

// A State is the state of a delivery.
type State string

// The states.
const (
	Pending   State = "pending"
	Delivered State = "delivered"
	Failed    State = "failed"
)

// A Delivery is a message, and what became of it.
type Delivery struct {
	ID          uuid.UUID
	Changes     int
	State       State
	Again       bool // it is to be sent again
	Attempts    int
	CreatedAt   time.Time
	AttemptedAt *time.Time
	NextAttempt *time.Time
	Status      *int
	Answer      *string
	Failure     *string
	Took        *time.Duration
}

// A Store stores webhooks.
type Store struct {
	Deps

	dispatch *dispatcher
	seals    seal.Keys
}

// Deps are what a Store needs.
type Deps struct {
	DB     *db.DB
	Schema *catalog.Store
	Feed   *feed.Reader
	// Sender checks addresses and sends.
	Sender Sender
	// Secrets are the service's secrets. Keys derived from the first encrypt the secrets of webhooks.
	Secrets [][]byte
	// Announce queues the mail that says where changes go from now on; nil sends none. The transaction of the
	// change has not committed yet, and may still fail.
	Announce func(ctx context.Context, person uuid.UUID, webhook string, of Announced) error
}

// NewStore returns a store.
func NewStore(deps Deps) (*Store, error) {
	seals, err := seal.New(deps.Secrets, "rowhouse webhook secret", "rowhouse webhook secret authentication")
	if err != nil {
		return nil, fmt.Errorf("preparing the secrets of webhooks: %w", err)
	}
	return &Store{Deps: deps, dispatch: newDispatcher(), seals: seals}, nil
}

func checkName(name string) error {
	if len([]rune(name)) > maxName {
		return problem.Invalid("name", "must have at most %d characters", maxName)
	}
	return nil
}

func (s *Store) checkURL(url string) error {
	if len(url) > maxURL {
		return problem.Invalid("url", "must have at most %d characters", maxURL)
	}
	if err := s.Sender.Check(url); err != nil {
		return problem.Invalid("url", "%v", err)
	}
	return nil
}

// check returns an error unless everything that the subscription names is in the base. It writes the
// filter with fields named by id, so that it outlives their renaming.
func (o *Subscription) check(s *schema.Snapshot, base uuid.UUID) error {
	for i, u := range o.Tables {
		if t := s.Table(u); t == nil || t.Base.ID != base {
			return problem.Invalid(fmt.Sprintf("tables[%d]", i), "no table of this base has the id %q",
				id.Format(id.Table, u))
		}
	}
	for i, u := range o.Fields {
		f := s.Field(u)
		if f == nil || f.Table.Base.ID != base || o.Tables != nil && !slices.Contains(o.Tables, f.Table.ID) {
			return problem.Invalid(fmt.Sprintf("fields[%d]", i), "no field of these tables has the id %q",
				id.Format(id.Field, u))
		}
	}
	return o.checkFilter(s)
}

func (o *Subscription) checkFilter(s *schema.Snapshot) error {
	if len(o.Filter) == 0 {
		return nil
	}
	if len(o.Tables) != 1 {
		var none []json.RawMessage
		if err := json.Unmarshal(o.Filter, &none); err == nil && len(none) == 0 {
			o.Filter = nil
			return nil
		}
		return problem.Invalid("filters", "needs exactly one table in tables, whose fields it compares")
	}
	filter, err := query.ParseImageFilter(s.Table(o.Tables[0]), "filters", o.Filter)
	if err != nil {
		return err //nolint:wrapcheck // says what is wrong, and where
	}
	if o.Filter = nil; !filter.Empty() {
		o.Filter = filter.JSON()
	}
	return nil
}
