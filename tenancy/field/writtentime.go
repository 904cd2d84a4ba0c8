package field

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Dates and times as people write them are read only in this file, for typecast, imports and changes of
// type.
//
// A written time that has an offset, as 2026-01-31T23:30:00-05:00, is one moment for a field of
// timestamps. For a field of dates the written day counts, 31 January, wherever the moment falls in
// another time zone. Without an offset it is a time in the field's own zone.
//
// Of two numbers before a year, as in 4/3/2026, one is the day. These decide which, in this order:
// points between the numbers (4.3.2026), which are written with the day first everywhere; a number over
// 12, and two that are equal; the order of the column (Style), which columns of an import decide
// together (Column); the field's own format, if that is european or us. Otherwise the value is refused.
// A year has four digits.

// A DateOrder is which of day and month stands first in a date of numbers whose year is last; "" is not known.
type DateOrder string

// The orders.
const (
	DayFirst   DateOrder = "DMY"
	MonthFirst DateOrder = "MDY"
	// MixedOrder is the order of a column whose values contradict each other: each value must decide
	// its own.
	MixedOrder DateOrder = "mixed"
)

// A Style says how a column writes what a single text leaves open.
type Style struct {
	Decimal string    // "." or ","; "" is not known
	Order   DateOrder // of numeric dates
}

// A writtenTime is what a text says: a date, perhaps with a time of the day, perhaps with an offset from UTC.
type writtenTime struct {
	year, month, day     int
	hour, minute, second int
	nanosecond           int
	hasClock             bool
	offset               *int // seconds east of UTC
}

var (
	clockPattern = regexp.MustCompile(`^(.*?)(?:[ T]|, ?| at )\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?` +
		`\s*(?:([AaPp])\.?[Mm]\.?)?\s*(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$`)
	yearFirstPattern = regexp.MustCompile(`^(\d{4})([-/.])(\d{1,2})([-/.])(\d{1,2})$`)
	yearLastPattern  = regexp.MustCompile(`^(\d{1,2})([-/.])\s?(\d{1,2})([-/.])\s?(\d{4})$`)
	packedPattern    = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})$`)
	dayNamedPattern  = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th|\.)?[ -]+([A-Za-z]{3,9})\.?[ ,-]+(\d{4})$`)
	nameFirstPattern = regexp.MustCompile(`^([A-Za-z]{3,9})\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})$`)
	weekdayPattern   = regexp.MustCompile(`^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? +`)
)

// plainTime reports whether a text is a day of the calendar as 2026-01-31, or a moment as 2026-01-31T23:30:00Z.
func plainTime(text string) (clock, ok bool) {
	if len(text) < len(dateLayout) || text[4] != '-' || text[7] != '-' {
		return false, false
	}
	number := func(from, to int) int {
		n := 0
		for i := from; i < to; i++ {
			if !isDigit(text[i]) {
				return -1
			}
			n = 10*n + int(text[i]-'0')
		}
		return n
	}
	// The 29th and later days are left to the calendar.
	if year, month, day := number(0, 4), number(5, 7), number(8, 10); year < 1 || month < 1 || month > 12 || day < 1 ||
		day > 28 {
		return false, false
	}
	if len(text) == len(dateLayout) {
		return false, true
	}
	if len(text) != len("2006-01-02T15:04:05Z") || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
		text[19] != 'Z' {
		return false, false
	}
	hour, minute, second := number(11, 13), number(14, 16), number(17, 19)
	return true, hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60
}

// splitDate separates a date from the time of the day behind it. clock is nil if there is none.
func splitDate(text string) (date string, clock []string) {
	text = strings.TrimSpace(groupers.Replace(text))
	if m := clockPattern.FindStringSubmatch(text); m != nil {
		return strings.TrimRight(weekdayPattern.ReplaceAllString(m[1], ""), ", "), m
	}
	return weekdayPattern.ReplaceAllString(text, ""), nil
}

// readWrittenTime reads a date and perhaps a time. order is the order of its column or of the field.
func readWrittenTime(text string, column, own DateOrder) (writtenTime, error) {
	date, clock := splitDate(text)
	out, err := readWrittenDate(date, column, own)
	if err != nil || clock == nil {
		return out, err
	}
	return out, out.readClock(clock)
}

var errNoTime = fmt.Errorf("is no date")

func readWrittenDate(date string, column, own DateOrder) (writtenTime, error) {
	number := func(s string) int { n, _ := strconv.Atoi(s); return n } // the patterns take digits only
	var out writtenTime
	switch {
	case yearFirstPattern.MatchString(date):
		m := yearFirstPattern.FindStringSubmatch(date)
		if m[2] != m[4] {
			return out, errNoTime
		}
		out.year, out.month, out.day = number(m[1]), number(m[3]), number(m[5])
	case packedPattern.MatchString(date):
		m := packedPattern.FindStringSubmatch(date)
		out.year, out.month, out.day = number(m[1]), number(m[2]), number(m[3])
	case yearLastPattern.MatchString(date):
		m := yearLastPattern.FindStringSubmatch(date)
		if m[2] != m[4] {
			return out, errNoTime
		}
		a, b := number(m[1]), number(m[3])
		order := orderOf(a, b, m[2])
		switch {
		case column == MixedOrder && order != "":
		case column != "" && column != MixedOrder && order != "" && order != bothOrders && order != column:
			return out, fmt.Errorf("has another order of day and month than its column, which is %s", column)
		case order == "" && column != "" && column != MixedOrder:
			order = column
		case order == "" && own != "" && column != MixedOrder:
			order = own
		case order == "":
			return out, fmt.Errorf(
				"may be %04[1]d-%02[2]d-%02[3]d or %04[1]d-%02[3]d-%02[2]d; write it as one of them, or "+
					"say which order of day and month the column has",
				number(m[5]),
				b,
				a,
			)
		}
		if out.year, out.month, out.day = number(m[5]), b, a; order == MonthFirst {
			out.month, out.day = a, b
		}
	default:
		var day, name, year string
		if m := dayNamedPattern.FindStringSubmatch(date); m != nil {
			day, name, year = m[1], m[2], m[3]
		} else if m := nameFirstPattern.FindStringSubmatch(date); m != nil {
			day, name, year = m[2], m[1], m[3]
		} else {
			return out, errNoTime
		}
		out.year, out.month, out.day = number(year), monthNamed(name), number(day)
	}
	t := time.Date(out.year, time.Month(out.month), out.day, 0, 0, 0, 0, time.UTC)
	if out.year < 1 || t.Month() != time.Month(out.month) || t.Day() != out.day {
		return out, fmt.Errorf("is no day of the calendar")
	}
	return out, nil
}

// bothOrders is the order of a date that reads the same in both.
const bothOrders DateOrder = "both"

// orderOf is the order that two numbers decide by themselves; "" if they leave it open.
func orderOf(a, b int, separator string) DateOrder {
	switch {
	case separator == "." || a > 12 && b <= 12:
		return DayFirst
	case b > 12 && a <= 12:
		return MonthFirst
	case a == b:
		return bothOrders
	}
	return ""
}

// monthNamed is the number of a month of which a text is the English name or its first letters; 0 if it is none.
func monthNamed(name string) int {
	for month := time.January; month <= time.December; month++ {
		full := month.String()
		if len(name) <= len(full) && strings.EqualFold(name, full[:len(name)]) &&
			(len(name) == 3 || len(name) == len(full) || strings.EqualFold(name, "sept")) {
			return int(month)
		}
	}
	return 0
}

func (t *writtenTime) readClock(m []string) error {
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	t.hasClock, t.hour, t.minute, t.second = true, number(m[2]), number(m[3]), number(m[4])
	t.nanosecond = number((m[5] + "000000000")[:9])
	if half := strings.ToLower(m[6]); half != "" {
		if t.hour < 1 || t.hour > 12 {
			return fmt.Errorf("has no hour %d of the half day", t.hour)
		}
		t.hour %= 12
		if half == "p" {
			t.hour += 12
		}
	}
	if t.hour > 23 || t.minute > 59 || t.second > 59 {
		return fmt.Errorf("has a time that no clock shows")
	}
	switch zone := m[7]; {
	case zone == "":
	case zone[0] == '+' || zone[0] == '-':
		digits := strings.ReplaceAll(zone[1:], ":", "") + "00"
		seconds := number(digits[:2])*3600 + number(digits[2:4])*60
		if zone[0] == '-' {
			seconds = -seconds
		}
		if seconds < -14*3600 || seconds > 14*3600 {
			return fmt.Errorf("has the offset %s, which no place has", zone)
		}
		t.offset = &seconds
	default:
		utc := 0
		t.offset = &utc
	}
	return nil
}

// date is the written day.
func (t *writtenTime) date() time.Time {
	return time.Date(t.year, time.Month(t.month), t.day, 0, 0, 0, 0, time.UTC)
}

// moment is the moment, in a zone unless an offset is written. One that no clock there shows is the first instant after
// it: the beginning of a day without a midnight is on that day and not on the one before.
func (t *writtenTime) moment(zone *time.Location) time.Time {
	if t.offset != nil {
		zone = time.FixedZone("", *t.offset)
	}
	written := time.Date(t.year, time.Month(t.month), t.day, t.hour, t.minute, t.second, t.nanosecond, time.UTC)
	at := time.Date(t.year, time.Month(t.month), t.day, t.hour, t.minute, t.second, t.nanosecond, zone)
	const layout = "2006-01-02T15:04:05.999999999"
	if at.Format(layout) != written.Format(layout) {
		at = edgeOf(written, zone)[0]
	}
	return at.Truncate(time.Microsecond)
}

// ownOrder is the order of day and month in the field's own format; "" if that has none.
func (c *Config) ownOrder() DateOrder {
	switch c.DateFormat {
	case "european":
		return DayFirst
	case "us":
		return MonthFirst
	}
	return ""
}

var (
	clockDuration = regexp.MustCompile(`^(\d{1,7}):([0-5]\d)(?::([0-5]\d(?:[.,]\d{1,9})?))?$`)
	wordDuration  = regexp.MustCompile(
		`^(?:(\d{1,7}(?:[.,]\d+)?) ?h(?:(?:ou)?rs?)?)?[ ,]*(?:(\d{1,9}(?:[.,]\d+)?) ?m(?:in(?:ute)?s?)?)?` +
			`[ ,]*(?:(\d{1,9}(?:[.,]\d+)?) ?s(?:ec(?:ond)?s?)?)?$`,
	)
)

// writtenDuration reads a length of time as people write it, 1:30 for an hour and a half, 1:30:15 or 1h 30m, as the
// digits of its seconds; "" for another text.
func writtenDuration(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	m := clockDuration.FindStringSubmatch(text)
	if m == nil {
		if m = wordDuration.FindStringSubmatch(text); m == nil || m[1]+m[2]+m[3] == "" {
			return ""
		}
	}
	seconds := 0.0
	for i, unit := range []float64{3600, 60, 1} {
		n, _ := strconv.ParseFloat(strings.ReplaceAll(m[i+1], ",", "."), 64) // "" is 0
		seconds += n * unit
	}
	return strconv.FormatFloat(roundedTo(seconds, 9), 'f', -1, 64)
}

// roundedTo takes off what adding binary fractions has left behind the digits that were written.
func roundedTo(x float64, digits int) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil {
		return x
	}
	return out
}

// DurationText writes the JSON of a duration as a text that people and typecast read.
func DurationText(raw []byte) string {
	x, err := ParseNumber(string(raw))
	if err != nil {
		return string(raw)
	}
	return durationText(x)
}

// durationText writes seconds as hours, minutes and seconds, with a fraction if there is one.
func durationText(x float64) string {
	sign := ""
	if x < 0 {
		sign, x = "-", -x
	}
	whole := int64(x)
	out := fmt.Sprintf("%s%d:%02d:%02d", sign, whole/3600, whole/60%60, whole%60)
	if x != float64(whole) {
		_, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
		out += "." + fraction
	}
	return out
}

// isNumeric reports whether a text has a digit; messages about others name no notation.
func isNumeric(s string) bool {
	return utf8.ValidString(s) && strings.ContainsAny(s, "0123456789")
}
