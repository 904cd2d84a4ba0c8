package field

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
)

const dateLayout = "2006-01-02"

// A TimeLike is a kind whose values are dates or timestamps.
type TimeLike struct {
	Base
	form *timeForm
}

// A timeForm is one of the two forms in which times are written and stored.
type timeForm struct {
	name, example, rule string
	read                func(s string) (time.Time, bool)
	zone                func(f *Field) *time.Location // in which a value has a day
	stored              func(t time.Time) time.Time   // what the column keeps of a time
	append              Encoder
	sortKey             func(raw []byte) (any, bool)
	span                func(v timeValue, now time.Time, zone *time.Location) (from, until edge)
	show                func(f *Field, text string) string
	isDate              bool
	operators           []Operator
}

// NewDateLike returns a kind of dates.
func NewDateLike(info Info) *TimeLike {
	info.Column, info.Value = "date", `{"type":["string","null"],"format":"date"}`
	info.Unique, info.UpsertKey, info.Convertible = true, true, true
	info.Roles = []Role{RoleStart, RoleEnd}
	return &TimeLike{Base{info}, dateForm}
}

// NewTimestampLike returns a kind of timestamps, whose time zone is in the config.
func NewTimestampLike(info Info) *TimeLike {
	info.Value = `{"type":["string","null"],"format":"date-time"}`
	info.Keys = []Key{dateFormatKey, timeFormatKey, timeZoneKey}
	info.Convertible = true
	info.Roles = []Role{RoleStart, RoleEnd}
	if info.System == "" {
		info.Column, info.Unique, info.UpsertKey = "timestamptz", true, true
	}
	return &TimeLike{Base{info}, timestampForm}
}

// Decode accepts the form of the kind, and with typecast other unambiguous ways of writing a time
// (writtentime.go).
func (k *TimeLike) Decode(in *Input, raw []byte) (any, error) {
	if jsonvalue.Kind(raw) != jsonvalue.String {
		return nil, fmt.Errorf("must be %s as a string, %s, not %s",
			k.form.name, k.form.example, jsonvalue.Describe(raw))
	}
	s, err := jsonvalue.Unquote(raw)
	if err != nil {
		return nil, err
	}
	if t, ok := k.form.read(s); ok {
		return k.form.stored(t), nil
	}
	if !in.Typecast {
		return nil, fmt.Errorf("%s is not %s; %s", Quote(s), k.form.name, k.form.rule)
	}
	if strings.TrimSpace(s) == "" {
		return nil, nil //nolint:nilnil // white space is no value
	}
	config := &in.Field.Config
	written, err := readWrittenTime(s, in.Style.Order, config.ownOrder())
	switch {
	case errors.Is(err, errNoTime):
		return nil, fmt.Errorf("%s is not %s; %s", Quote(s), k.form.name, k.form.rule)
	case err != nil:
		return nil, fmt.Errorf("%s %w", Quote(s), err)
	case k.form.isDate:
		return k.form.stored(written.date()), nil
	}
	t := written.moment(k.form.zone(in.Field))
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		return nil, fmt.Errorf("%s is not %s; %s", Quote(s), k.form.name, k.form.rule)
	}
	return k.form.stored(t), nil
}

// Select is the column.
func (k *TimeLike) Select(f *Field) string { return f.column() }

// Encoder writes the form of the kind.
func (k *TimeLike) Encoder(*Field, FileLinks) Encoder { return k.form.append }

// IsDate reports whether the values are dates, and not timestamps.
func (k *TimeLike) IsDate() bool { return k.form.isDate }

// Location is the time zone in which a value has a day.
func (k *TimeLike) Location(f *Field) *time.Location { return k.form.zone(f) }

// Zone is the time zone in which a value has a day, in the form of ZoneInSQL.
func (k *TimeLike) Zone(f *Field) string { return ZoneInSQL(k.form.zone(f).String()) }

// AppendDate writes a date.
func AppendDate(dst, raw []byte) []byte {
	return appendDate(dst, int32(binary.BigEndian.Uint32(raw))) //nolint:gosec // two's complement
}

// Order is the column.
func (k *TimeLike) Order(_ *Field, column string) string { return column }

// SortKey is a time.Time.
func (k *TimeLike) SortKey(raw []byte) (any, bool) { return k.form.sortKey(raw) }

// Aggregates count the values and find the first and the last one.
func (k *TimeLike) Aggregates() []Aggregate { return timeAggregates }

var timeAggregates = []Aggregate{CountValues, endOf("min"), endOf("max")}

// Search searches the column.
func (k *TimeLike) Search(s *Search, f *Field) { s.Columns = append(s.Columns, f.searchNumber()) }

// Meaning is a Time.
func (k *TimeLike) Meaning(f *Field, raw []byte) (any, error) {
	text, err := jsonvalue.Unquote(raw)
	if err != nil {
		return nil, err
	}
	t, ok := k.form.read(text)
	if !ok {
		return nil, fmt.Errorf("%s is not %s", Quote(text), k.form.name)
	}
	return Time{t.In(k.form.zone(f)), k.form.isDate}, nil
}

// Adapt uses the day of a timestamp in its own time zone if the kind is a date. It refuses booleans.
func (k *TimeLike) Adapt(to *Field, from *Source) ([]byte, error) {
	switch meaning := from.Meaning.(type) {
	case bool:
		return nil, from.refuse(to)
	case Time:
		if k.form.isDate && !meaning.IsDate {
			return meaning.AppendFormat(nil, `"`+dateLayout+`"`), nil
		}
	}
	return from.plain()
}

// Show writes the time in the format of the config.
func (k *TimeLike) Show(f *Field, _ Names, value any) Shown {
	return Shown{Text: k.form.show(f, textOf(value)), NoWrap: true}
}

var dateForm = newTimeForm(timeForm{
	name: "a date", example: "YYYY-MM-DD", rule: "dates are written YYYY-MM-DD",
	read: parseDate,
	zone: func(*Field) *time.Location { return time.UTC },
	stored: func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	},
	append: func(dst, raw []byte) []byte {
		return AppendDate(dst, raw)
	},
	sortKey: func(raw []byte) (any, bool) {
		if len(raw) != 4 {
			return nil, false
		}
		days := int64(int32(binary.BigEndian.Uint32(raw)))
		// The years 1 to 9999.
		return time.Unix((days+epochDays)*86400, 0).UTC(), days >= -epochDays-719162 && days <= 2932896-epochDays
	},
	span: func(v timeValue, now time.Time, _ *time.Location) (from, until edge) {
		day := v.day(now)
		return edge{day}, edge{day.AddDate(0, 0, 1)}
	},
	show: func(f *Field, text string) string {
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return text
		}
		return day.Format(shownDateLayout(&f.Config))
	},
	isDate: true,
})

var timestampForm = newTimeForm(timeForm{
	name: "a timestamp", example: "as in 2026-01-31T08:30:00Z",
	rule:   "timestamps are written as in RFC 3339, 2026-01-31T08:30:00Z",
	read:   parseTimestamp,
	zone:   (*Field).location,
	stored: time.Time.UTC,
	append: func(dst, raw []byte) []byte {
		return AppendTimestamp(dst, int64(binary.BigEndian.Uint64(raw)))
	},
	sortKey: func(raw []byte) (any, bool) {
		if len(raw) != 8 {
			return nil, false
		}
		micros := int64(binary.BigEndian.Uint64(raw))
		const most = 8_000 * 366 * 86400 * 1_000_000
		return time.UnixMicro(micros + epochMicros).UTC(), micros > -most && micros < most
	},
	span: func(v timeValue, now time.Time, zone *time.Location) (from, until edge) {
		if v.exact { // a timestamp is of the day that a clock in the field's time zone shows
			return edge{v.at}, edge{v.at.Add(time.Microsecond)}
		}
		day := v.day(now)
		return edgeOf(day, zone), edgeOf(day.AddDate(0, 0, 1), zone)
	},
	show: func(f *Field, text string) string {
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return text
		}
		return t.In(f.location()).Format(shownTimeLayout(&f.Config))
	},
})

func newTimeForm(t timeForm) *timeForm {
	t.operators = operatorsOf(&t)
	return &t
}

func shownDateLayout(c *Config) string {
	switch c.DateFormat {
	case "european":
		return "02/01/2006"
	case "us":
		return "01/02/2006"
	case "friendly":
		return "2 Jan 2006"
	}
	return time.DateOnly
}

func shownTimeLayout(c *Config) string {
	if c.TimeFormat == "12h" {
		return shownDateLayout(c) + " 03:04 PM"
	}
	return shownDateLayout(c) + " 15:04"
}

func parseDate(s string) (time.Time, bool) {
	t, err := time.Parse(dateLayout, s)
	return t, err == nil && t.Year() >= 1
}

func parseTimestamp(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	return t.UTC().Truncate(time.Microsecond), err == nil && t.UTC().Year() >= 1 && t.UTC().Year() <= 9999
}
