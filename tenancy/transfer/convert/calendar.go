package convert

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// eventKinds are the columns of events, in their order.
var eventKinds = []string{
	"Summary", "Start", "End", "All day", "Location", "Description", "Recurrence", "Organizer", "Attendees", "Status",
	"Categories", "URL",
}

// convertCalendar makes a row of each event of a calendar. A day without a time becomes the beginning of the day, and
// the end of such an event its last day, where the form has the day after.
func convertCalendar(from, to *os.File) *Result {
	c := &calendar{unknown: map[string]bool{}}
	out := convertTwice(to, eventKinds, "event", func(use func(row []cell) error) error {
		lines, err := newLineReader(from)
		if err != nil {
			return err
		}
		c.lines, c.others = lines, 0
		return c.read(use)
	})
	if out.Problem != "" {
		return out
	}
	if c.others > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("To-dos and journal entries were left out: %d.", c.others))
	}
	for zone := range c.unknown {
		out.Notes = append(out.Notes, fmt.Sprintf("The time zone %q is not known; its times are as clocks show them "+
			"there.", zone))
	}
	slices.Sort(out.Notes)
	return out
}

// A calendar is a file of calendars that is being read.
type calendar struct {
	lines   *lineReader
	inside  []string // of which parts
	event   *event
	others  int // parts that are no events
	unknown map[string]bool
}

func (c *calendar) read(use func(row []cell) error) error {
	c.inside, c.event = nil, nil
	for {
		line, err := c.lines.read()
		switch {
		case errors.Is(err, io.EOF):
			if len(c.inside) > 0 {
				return fmt.Errorf("%s has no END; the file is cut", c.inside[len(c.inside)-1])
			}
			return nil
		case err != nil:
			return fmt.Errorf("line %d: %w", c.lines.at, err)
		case line.name == "BEGIN":
			c.inside = append(c.inside, strings.ToUpper(line.value))
			if len(c.inside) > 20 {
				return fmt.Errorf("line %d: parts are nested more than 20 deep", c.lines.at)
			}
			switch c.inside[len(c.inside)-1] {
			case "VEVENT":
				c.event = &event{calendar: c}
			case "VTODO", "VJOURNAL":
				c.others++
			}
		case line.name == "END":
			if len(c.inside) == 0 || !strings.EqualFold(c.inside[len(c.inside)-1], line.value) {
				return fmt.Errorf("line %d: an END without its BEGIN", c.lines.at)
			}
			c.inside = c.inside[:len(c.inside)-1]
			if strings.EqualFold(line.value, "VEVENT") && c.event != nil {
				row := c.event.done()
				c.event = nil
				if err := use(row); err != nil {
					return err
				}
			}
		case c.event != nil && c.inside[len(c.inside)-1] == "VEVENT": // and not in an alarm
			c.event.add(line)
		}
	}
}

// An event is an event that is being read.
type event struct {
	*calendar

	row        []cell
	start, end moment
	duration   string
	attendees  []string
}

// A moment is a day, or a time.
type moment struct {
	at     time.Time
	isDay  bool
	zoned  bool // the moment is known, not only what a clock shows
	failed string
}

func (e *event) put(name, form, value string) {
	if value != "" && !slices.ContainsFunc(e.row, func(one cell) bool { return one.name == name }) {
		e.row = append(e.row, cell{kind: name, name: name, form: form, value: value})
	}
}

func (e *event) add(line *contentLine) {
	switch line.name {
	case "SUMMARY":
		e.put("Summary", textForm, whole(line.value))
	case "DTSTART":
		e.start = e.moment(line)
	case "DTEND":
		e.end = e.moment(line)
	case "DURATION":
		e.duration = line.value
	case "LOCATION":
		e.put("Location", textForm, whole(line.value))
	case "DESCRIPTION":
		e.put("Description", "long_text", whole(line.value))
	case "RRULE":
		e.put("Recurrence", textForm, line.value)
	case "ORGANIZER":
		e.put("Organizer", textForm, person(line))
	case "ATTENDEE":
		e.attendees = append(e.attendees, person(line))
	case "STATUS":
		e.put("Status", textForm, strings.ToLower(line.value))
	case "URL":
		e.put("URL", textForm, line.value)
	case "CATEGORIES":
		names := slices.DeleteFunc(parts(line.value, ','), func(name string) bool { return name == "" })
		if len(names) > 0 && !slices.ContainsFunc(e.row, func(one cell) bool { return one.name == "Categories" }) {
			e.row = append(e.row, cell{kind: "Categories", name: "Categories", form: listForm, parts: names})
		}
	}
}

// person is the name of a person with their address.
func person(line *contentLine) string {
	address := line.value
	if len(address) >= 7 && strings.EqualFold(address[:7], "mailto:") {
		address = address[7:]
	}
	if names := line.params["CN"]; len(names) > 0 && names[0] != "" && names[0] != address {
		return strings.Join(names, ",") + " <" + address + ">"
	}
	return address
}

func (e *event) done() []cell {
	if e.end.at.IsZero() && e.duration != "" && !e.start.at.IsZero() {
		if length, ok := durationOf(e.duration); ok {
			e.end = e.start
			e.end.at = e.start.at.Add(length)
		}
	}
	if e.end.isDay {
		if e.end.at = e.end.at.AddDate(0, 0, -1); e.end.at.Before(e.start.at) {
			e.end.at = e.start.at
		}
	}
	for i, m := range []moment{e.start, e.end} {
		e.put([]string{"Start", "End"}[i], timeForm, m.text())
	}
	allDay := "false"
	if e.start.isDay {
		allDay = "true"
	}
	e.put("All day", checkboxForm, allDay)
	e.put("Attendees", textForm, strings.Join(e.attendees, ", "))
	return e.row
}

func (m moment) text() string {
	switch {
	case m.failed != "":
		return m.failed // the check of its column says what is wrong
	case m.at.IsZero():
		return ""
	case m.zoned:
		return m.at.UTC().Format(time.RFC3339)
	}
	return m.at.Format("2006-01-02T15:04:05")
}

// moment reads a day or a time, in UTC, in a zone, or as a clock shows it.
func (c *calendar) moment(line *contentLine) moment {
	value := strings.TrimSpace(line.value)
	if day, err := time.Parse("20060102", value); err == nil {
		return moment{at: day, isDay: true}
	}
	if at, err := time.Parse("20060102T150405Z", value); err == nil {
		return moment{at: at, zoned: true}
	}
	zone, known := time.UTC, false
	if names := line.params["TZID"]; len(names) > 0 {
		if zone, known = zoneNamed(names[0]); !known {
			c.unknown[names[0]] = true
		}
	}
	at, err := time.ParseInLocation("20060102T150405", value, zone)
	if err != nil {
		return moment{failed: value}
	}
	return moment{at: at, zoned: known}
}

// zoneNamed finds a time zone by a name of the IANA, which may stand behind the name of a program.
func zoneNamed(name string) (*time.Location, bool) {
	names := strings.Split(strings.Trim(name, "/"), "/")
	for from := range names {
		if one := strings.Join(names[from:], "/"); one != "" && one != "Local" {
			if zone, err := time.LoadLocation(one); err == nil {
				return zone, true
			}
		}
	}
	return time.UTC, false
}

// durationOf reads a duration as PT1H30M.
func durationOf(text string) (time.Duration, bool) {
	sign := time.Duration(1)
	if strings.HasPrefix(text, "-") {
		sign = -1
	}
	text = strings.TrimLeft(strings.ToUpper(text), "+-")
	if !strings.HasPrefix(text, "P") {
		return 0, false
	}
	units := map[byte]time.Duration{
		'W': 7 * 24 * time.Hour, 'D': 24 * time.Hour, 'H': time.Hour, 'M': time.Minute, 'S': time.Second,
	}
	sum, digits := time.Duration(0), ""
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits += string(c)
		case c == 'T':
		default:
			n, err := strconv.Atoi(digits)
			if err != nil || units[c] == 0 || n > 100_000 {
				return 0, false
			}
			sum, digits = sum+time.Duration(n)*units[c], ""
		}
	}
	return sign * sum, digits == ""
}
