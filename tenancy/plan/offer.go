package plan

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// A Request says whether a change is planned, applies a plan, or neither.
type Request struct {
	Only       bool   // say what would happen, and change nothing
	Apply      string // the token of a plan; "" does what the change finds now
	Credential string // the public id of the caller's credential, to which a plan is bound
	Asked      Digest // of the operation and its arguments
}

// Check refuses a request for a plan that also applies one.
func (r *Request) Check() error {
	if r.Only && r.Apply != "" {
		return problem.Invalid("apply", "cannot be given together with plan")
	}
	return nil
}

// An Offer is the token with which a plan is applied. Other results have an empty one.
type Offer struct {
	PlanToken string     `json:"planToken,omitzero"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero"`
}

// A Sample is one of the records that a plan would change: its affected fields, or the whole record if
// it would be deleted.
type Sample struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitzero" jsonschema:"the primary value"`
	Before Values `json:"before"`
	After  Values `json:"after,omitzero"`
}

// Values are the values of a record, by the names of their fields.
type Values map[string]json.RawMessage

// MarshalJSON writes them in the order of the names, so that equal plans are equal texts.
func (v Values) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]json.RawMessage(v)) //nolint:wrapcheck // the caller says what it was writing
}

// MaxSample bounds the records that a plan shows.
const MaxSample = 5

var errNoKeys = errors.New("there are no keys for the tokens of plans")

// Offer returns a plan's token and its end. A nil Tokens cannot plan.
func (t *Tokens) Offer(p *Plan) (Offer, error) {
	if t == nil {
		return Offer{}, errNoKeys
	}
	expires := p.Expires()
	return Offer{t.Make(p), &expires}, nil
}

// Accept returns the plan that a request applies, and a context for the change, whose transaction
// records the plan's use (audit.Record). It refuses a used plan before the state of the data is
// compared, because the first use has changed that.
func (t *Tokens) Accept(
	ctx context.Context, tenantDB *db.DB, org uuid.UUID, r *Request, now time.Time,
) (*Plan, context.Context, error) {
	if t == nil {
		return nil, nil, errNoKeys
	}
	p, use, err := t.Open(r.Apply, r.Credential, r.Asked, now)
	if err != nil {
		return nil, nil, err
	}
	if err := CheckUnused(ctx, tenantDB, org, use); err != nil {
		return nil, nil, err
	}
	actor := db.ActorOf(ctx)
	actor.Plan = use
	return &p, db.WithActor(ctx, actor), nil
}
