package field

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

var zoneName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$`)

// ValidZone reports whether a name is one of an IANA time zone. The files of a system have others,
// which PostgreSQL need not know.
func ValidZone(name string) bool {
	if !zoneName.MatchString(name) || strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") ||
		slices.Contains([]string{"Local", "Factory", "localtime", "posixrules"}, name) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// CheckTimeZone says what is wrong with the name of a time zone; "" for nothing.
func CheckTimeZone(name string) string {
	if !ValidZone(name) {
		return fmt.Sprintf("%q is not an IANA time zone, as in Europe/Oslo", name)
	}
	return ""
}

// ZoneInSQL is a time zone as PostgreSQL takes it in AT TIME ZONE; "" is UTC. Four names of zones with a
// summer time are there also abbreviations of a fixed offset, which win: these go by a place in the zone.
func ZoneInSQL(name string) string {
	switch name {
	case "":
		return "UTC"
	case "CET", "MET":
		return "Europe/Brussels"
	case "EET":
		return "Europe/Athens"
	case "WET":
		return "Europe/Lisbon"
	}
	return name
}

// location is where the field's clock is: in its own time zone, or in its base's. The names
// were checked when they were set.
func (f *Field) location() *time.Location {
	name := f.Config.TimeZone
	if name == "" {
		name = f.BaseZone
	}
	location, err := time.LoadLocation(name) // "" is UTC
	if err != nil {
		return time.UTC
	}
	return location
}

// Day returns the day on which a value of the field is, as REST has it: a date, or a moment, which is on a day of the
// field's clock. ok is false for other values.
func (f *Field) Day(value any) (day time.Time, ok bool) {
	text, _ := value.(string)
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, true
	}
	moment, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, false
	}
	year, month, date := moment.In(f.location()).Date()
	return time.Date(year, month, date, 0, 0, 0, 0, time.UTC), true
}

// Today is the present day of the field's clock.
func (f *Field) Today(now time.Time) time.Time {
	year, month, date := now.In(f.location()).Date()
	return time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
}
