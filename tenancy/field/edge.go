package field

import (
	"strings"
	"time"
)

// An edge is where a day begins in a time zone: from its first instant on, no clock there shows an
// earlier day. That is one instant except for the rare day at whose beginning clocks were set back over
// midnight. Then they show the day before once more, so the edge has further instants, and each second
// one undoes the one before it.
type edge []time.Time

// edgeOf finds the instants at which clocks in a zone first show clock, which is given in UTC, or a
// later time. A skipped time, such as midnight where clocks are set forward then, begins with the next
// one; a skipped day begins and ends at the same instant.
func edgeOf(clock time.Time, location *time.Location) edge {
	const most = 24 * time.Hour // no zone was ever further from UTC
	var e edge
	shown := false // whether a clock shows the time, or a later one, before at
	for at, end := clock.Add(-most), clock.Add(most); at.Before(end); {
		local := at.In(location)
		_, offset := local.Zone()
		_, until := local.ZoneBounds()
		switch {
		case until.IsZero() || until.After(end):
			until = end
		case !until.After(at): // as ZoneBounds says on the last day of a leap year behind the table of a zone's changes
			until = at.Add(time.Hour)
		}
		first := clock.Add(-time.Duration(offset) * time.Second)
		if now := !at.Before(first); now != shown {
			e = append(e, at.UTC())
		}
		if first.After(at) && first.Before(until) {
			e = append(e, first)
		}
		shown = first.Before(until)
		at = until
	}
	return e
}

// since is the condition that a timestamp is not before an edge.
func since(q Args, column string, e edge) string {
	if len(e) == 1 {
		return column + " >= " + q.Add(e[0])
	}
	var parts []string
	for i := 0; i+1 < len(e); i += 2 {
		parts = append(parts, column+" >= "+q.Add(e[i])+" and "+column+" < "+q.Add(e[i+1]))
	}
	return "(" + strings.Join(append(parts, column+" >= "+q.Add(e[len(e)-1])), " or ") + ")"
}

// before is the condition that a timestamp is before an edge.
func before(q Args, column string, e edge) string {
	if len(e) == 1 {
		return column + " < " + q.Add(e[0])
	}
	parts := []string{column + " < " + q.Add(e[0])}
	for i := 1; i+1 < len(e); i += 2 {
		parts = append(parts, column+" >= "+q.Add(e[i])+" and "+column+" < "+q.Add(e[i+1]))
	}
	return "(" + strings.Join(parts, " or ") + ")"
}
