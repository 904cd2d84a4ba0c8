package record

import (
	"fmt"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// zone is the time zone of a field's moments; the name was checked when the field was configured.
func zone(f *schema.Field) *time.Location {
	if f.Config.TimeZone == "" {
		return time.UTC
	}
	location, err := time.LoadLocation(f.Config.TimeZone)
	if err != nil {
		return time.UTC
	}
	return location
}

func parseDate(s string) (time.Time, bool) {
	t, err := time.Parse(dateLayout, s)
	return t, err == nil && t.Year() >= 1
}

func parseMoment(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	return t.UTC().Truncate(time.Microsecond), err == nil && t.UTC().Year() >= 1 && t.UTC().Year() <= 9999
}

// looseEncoders are the other ways of writing a date that typecast understands; none leaves the order of day and month open.
var looseEncoders = []string{
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02 15:04:05Z07:00",
	"2006/01/02", "20060102", "2 Jan 2006", "2 January 2006", "Jan 2, 2006", "January 2, 2006", time.RFC1123, time.RFC1123Z,
}

func parseLoose(s string, location *time.Location) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if t, ok := parseMoment(s); ok {
		return t, true
	}
	for _, encoder := range append([]string{dateLayout}, looseEncoders...) {
		if t, err := time.ParseInLocation(encoder, s, location); err == nil && t.Year() >= 1 && t.Year() <= 9999 {
			return shown(t, s, encoder, location).Truncate(time.Microsecond), true
		}
	}
	return time.Time{}, false
}

// shown returns t, which was read from s in a location, unless no clock there showed that: then it is the first instant after it. The
// beginning of a day without a midnight is so on that day and not on the one before.
func shown(t time.Time, s, encoder string, location *time.Location) time.Time {
	wall, err := time.Parse(encoder, s)
	if err != nil || wall.Location() != time.UTC || t.Location() != location || t.Format(encoder) == wall.Format(encoder) {
		return t
	}
	return edgeOf(wall, location)[0]
}

// A timeForm is one of the two ways in which time is written.
type timeForm struct {
	noun, example, rule string
	exact               func(s string) (time.Time, bool)
}

var (
	dayForm    = timeForm{"a date", "YYYY-MM-DD", "dates are written YYYY-MM-DD", parseDate}
	momentForm = timeForm{"a moment", "as in 2026-01-31T08:30:00Z", "moments are written as in RFC 3339, 2026-01-31T08:30:00Z", parseMoment}
)

// instant reads a time; what typecast reads in no zone of its own is one of location.
func (d *decoder) instant(raw []byte, form *timeForm, location *time.Location) (time.Time, error) {
	if kind(raw) != 's' {
		return time.Time{}, fmt.Errorf("must be %s as a string, %s, not %s", form.noun, form.example, kindName(raw))
	}
	s, err := unquote(raw)
	if err != nil {
		return time.Time{}, err
	}
	t, ok := form.exact(s)
	if !ok && d.typecast {
		t, ok = parseLoose(s, location)
	}
	if !ok {
		return time.Time{}, fmt.Errorf("%s is not %s; %s", quoted(s), form.noun, form.rule)
	}
	return t, nil
}

func (d *decoder) date(raw []byte) (any, error) {
	t, err := d.instant(raw, &dayForm, time.UTC)
	if err != nil {
		return nil, err
	}
	y, m, day := t.Date()
	return time.Date(y, m, day, 0, 0, 0, 0, time.UTC), nil
}

func (d *decoder) moment(raw []byte) (any, error) {
	t, err := d.instant(raw, &momentForm, zone(d.field))
	if err != nil {
		return nil, err
	}
	return t.UTC(), nil
}
