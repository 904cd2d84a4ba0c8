package web

import (
	"context"
	"encoding/json"

	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// limit gives the columns of a board the limits that the view has for them.
func (format formatter) limit(o *tableView, board []shareStack, by *schema.Field) {
	var limits []schema.StackLimit
	_ = json.Unmarshal(o.view.Config["stackLimits"], &limits) // none, or it was checked when it was written
	for _, one := range limits {
		if one.FieldID != by.PublicID() {
			continue
		}
		label := format.say.None(by.Name)
		switch value := one.Value.(type) {
		case bool:
			label = format.say.Checked(by.Name, value)
		case string:
			if label = value; len(by.Config.Options) == 0 {
				label = format.Person(value)
			}
		}
		for i := range board {
			if board[i].Label.Text == label {
				board[i].Limit = one.Limit
			}
		}
	}
}

// sumUp gives the columns of a board the sums that the view shows. A record with several values is in several columns,
// which the groups of an aggregation are not, so such boards have none.
func (s *shareHandler) sumUp(
	ctx context.Context, o *tableView, q shareQuery, format formatter, board []shareStack, by *schema.Field,
) error {
	if by.Info().People || !by.CanGroup() {
		return nil
	}
	groups, err := s.aggregates(ctx, o, record.Actor{Org: o.table.Org}, o.request(q, nil), format, by)
	if err != nil {
		return err
	}
	for _, group := range groups {
		label := format.key(by, "", group.key)
		for i := range board {
			if board[i].Label.Text == label {
				board[i].Sums = group.sums
			}
		}
	}
	return nil
}

// Over reports whether the stack has more records than its limit.
func (s shareStack) Over() bool { return s.Limit > 0 && len(s.records) > s.Limit }
