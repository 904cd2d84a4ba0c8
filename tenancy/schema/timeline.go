package schema

import (
	"encoding/json"
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// timeScales are the spans that a unit of a timeline shows, of which each is a part of the next.
var timeScales = []string{"day", "week", "month", "quarter"}

// calendarScales are the spans that a calendar shows at once.
var calendarScales = []string{"month", "week", "day"}

// scaleOf returns the check of a key whose value is one of the scales.
func scaleOf(scales []string) func(*Table, string, json.RawMessage) (json.RawMessage, error) {
	return func(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
		if _, err := oneOf(path, "scale", value, scales); err != nil {
			return nil, err
		}
		return value, nil
	}
}

// makesLanes reports whether a timeline can have a lane for each value of the field.
func (f *Field) makesLanes() bool {
	return f.Link != nil || slices.Contains(f.Info().Roles, field.RoleStack)
}

// linksOwnTable reports whether the field links records of its table to each other.
func (f *Field) linksOwnTable() bool { return f.Link != nil && f.Link.LinkedTable == f.Table.ID }
