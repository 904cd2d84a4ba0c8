package field

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// zones lists the time zones that PostgreSQL and Go both know.
func zones(t *testing.T) []*time.Location {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), tenancytest.AdminURL(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), "select name from pg_timezone_names where name not like 'posix%'")
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	var list []*time.Location
	for _, name := range names {
		if location, err := time.LoadLocation(name); err == nil {
			list = append(list, location)
		}
	}
	if len(list) < 400 {
		t.Fatalf("only %d of %d zones are known", len(list), len(names))
	}
	return list
}

// behind reports whether an instant is not before the edge, as since and before say in SQL.
func (e edge) behind(at time.Time) bool {
	n := 0
	for _, toggle := range e {
		if !at.Before(toggle) {
			n++
		}
	}
	return n%2 == 1
}

// Around every change of a clock in every zone, a day is the instants at which a clock there shows
// it, and no others.
func TestADayIsWhatAClockInItsZoneShows(t *testing.T) {
	t.Parallel()
	changes, severalTimes, never := 0, 0, 0
	for _, location := range zones(t) {
		at := time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC)
		for {
			_, next := at.In(location).ZoneBounds()
			if next.IsZero() || next.Year() > 2040 {
				break
			}
			if !next.After(at) { // the last day of a leap year; see edgeOf
				next = at.Add(24 * time.Hour)
			}
			at = next
			changes++
			for _, near := range []time.Duration{-24 * time.Hour, -time.Nanosecond, 0, 24 * time.Hour} {
				y, m, d := at.Add(near).In(location).Date()
				for ahead := range 2 { // also the day behind it, which may be none
					day := time.Date(y, m, d+ahead, 0, 0, 0, 0, time.UTC)
					from, until := edgeOf(day, location), edgeOf(day.AddDate(0, 0, 1), location)
					if len(from) > 1 {
						severalTimes++
					}
					if len(from) == 1 && len(until) == 1 && from[0].Equal(until[0]) {
						never++
					}
					probes := append(append(edge{at, at.Add(time.Hour), at.Add(-time.Hour)}, from...), until...)
					for _, probe := range probes {
						for _, by := range []time.Duration{-time.Microsecond, 0, time.Minute} {
							when := probe.Add(by)
							y, m, d := when.In(location).Date()
							shown := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
							if from.behind(when) == shown.Before(day) || until.behind(when) != shown.After(day) {
								t.Fatalf("%s: %s is shown as %s; of %s it is from %v until %v", location, when.UTC(),
									shown.Format(dateLayout), day.Format(dateLayout), from.behind(when),
									until.behind(when))
							}
						}
					}
				}
			}
		}
	}
	if changes < 10_000 || severalTimes == 0 || never == 0 {
		t.Errorf("%d changes of clocks, %d days that begin several times, %d that never do: the walk sees too little",
			changes, severalTimes, never)
	}
}
