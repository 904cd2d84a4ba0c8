package operation

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/live"
)

// Presence says how long the caller stays present.
type Presence struct {
	ExpiresIn int `json:"expiresIn" jsonschema:"seconds after which it is forgotten; 0 if presence is not told now"`
}

// SetPresence announces that the caller has a base open. It is kept for seconds, outside of the
// database, so it leaves no audit event.
var SetPresence = New(Def{
	Name: "set_presence", Method: "PUT", Path: "/bases/{baseId}/presence", Title: "Set presence",
	Summary: "Say that you have a base open, and which cell is yours.",
	Description: "Those who watch the base are told. It is forgotten after expiresIn seconds; say it again before. " +
		"left takes it back.",
	Scope: authz.DataRead, Idempotent: true,
	Agent: Agent{NotATool: "it is for people who look at a base together; an agent has no cell"},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Page   string `json:"page" minLength:"1" maxLength:"64" jsonschema:"your name for the page, such as a UUID"`
	Table  string `json:"table,omitzero" jsonschema:"id"`
	Record string `json:"record,omitzero" jsonschema:"id; needs table"`
	Field  string `json:"field,omitzero" jsonschema:"id; needs table"`
	Left   bool   `json:"left,omitzero"`
},
) (Presence, error) {
	cell := live.PresenceCell{Table: in.Table, Record: in.Record, Field: in.Field}
	if err := c.checkCell(ctx, cell); err != nil {
		return Presence{}, err
	}
	if err := CheckKey("page", in.Page); err != nil {
		return Presence{}, err
	}
	if c.Presence == nil {
		return Presence{}, nil
	}
	person, org, base := id.Format(id.User, c.Principal.Person), c.Target.Org, c.Target.Base
	var err error
	if in.Left {
		err = c.Presence.Leave(ctx, org, base, person, in.Page)
	} else {
		err = c.Presence.Put(ctx, org, base, live.PresenceEntry{Person: person, Page: in.Page, PresenceCell: cell})
	}
	switch {
	case err != nil: // nothing depends on it
		if c.Log != nil {
			c.Log.WarnContext(ctx, "presence is not told", slog.Any("error", err))
		}
		return Presence{}, nil
	case in.Left:
		return Presence{}, nil
	}
	return Presence{ExpiresIn: int(live.PresenceTTL / time.Second)}, nil
})

// checkCell checks that a cell belongs to the base.
func (c *Call) checkCell(ctx context.Context, cell live.PresenceCell) error {
	if cell.Table == "" {
		if cell.Record != "" || cell.Field != "" {
			return problem.Invalid("table", "is required with record or field")
		}
		return nil
	}
	s, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return err
	}
	t := tableIn(s, c.Target.Base, cell.Table)
	if t == nil {
		return problem.Invalid("table", "no table of this base has the id %q", cell.Table)
	}
	if cell.Field != "" && t.FieldByID(cell.Field) == nil {
		return problem.Invalid("field", "no field of the table has the id %q", cell.Field)
	}
	if cell.Record == "" {
		return nil
	}
	foreign := problem.Invalid("record", "no record of the table has the id %q", cell.Record)
	if number, _, err := id.ParseRecord(cell.Record); err != nil || s.TableByNumber(number) != t {
		return foreign
	}
	if _, err := c.Records.Get(ctx, c.actor(), cell.Record); problem.KindOf(err) == problem.KindNotFound && err != nil {
		return foreign
	} else if err != nil {
		return err
	}
	return nil
}

// TablesOf returns a function that reports whether a base has a table, by its public id.
func TablesOf(store *catalog.Store) func(context.Context, uuid.UUID, uuid.UUID) (func(string) bool, error) {
	return func(ctx context.Context, org, base uuid.UUID) (func(string) bool, error) {
		s, err := store.Fresh(ctx, org)
		if err != nil {
			return nil, err
		}
		return func(public string) bool {
			t := tableIn(s, base, public)
			return t != nil && t.Rows() == nil // who is at which record would say that it is there
		}, nil
	}
}
