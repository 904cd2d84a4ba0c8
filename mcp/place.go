package mcp

import (
	"context"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A place is the table that a call is about.
type place struct {
	org   uuid.UUID
	table *schema.Table
}

// placeOf returns the table that a call names, or that contains the record that it names, among
// those that the caller reaches; nil for none.
func (s *server) placeOf(ctx context.Context, c *caller, input *arguments) (*place, error) {
	table, _ := input.stringValue("tableId")
	record, _ := input.stringValue("recordId")
	tableID, err := id.Parse(id.Table, table)
	number, _, recordErr := id.ParseRecord(record)
	if err != nil && recordErr != nil {
		return nil, nil
	}
	for _, m := range c.Orgs {
		snapshot, err := s.Deps.Schema.Cached(ctx, m.Org)
		if err != nil {
			return nil, err
		}
		t := snapshot.Table(tableID)
		if recordErr == nil {
			t = snapshot.TableByNumber(number)
		}
		if t != nil && c.ReachesBase(t.Base.ID) {
			return &place{m.Org, t}, nil
		}
	}
	return nil, nil
}
