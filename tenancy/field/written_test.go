package field

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// decoded is what typecast makes of a text, or the error.
func decoded(f *Field, style Style, text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		return err.Error()
	}
	value, err := (&Input{Field: f, Typecast: true, Style: style}).Decode(raw)
	switch v := value.(type) {
	case time.Time:
		if f.Type() == "date" {
			return v.Format(time.DateOnly)
		}
		return v.Format(time.RFC3339Nano)
	case nil:
		if err != nil {
			return err.Error()
		}
	}
	return fmt.Sprint(value)
}

// What a person writes for a value is read as it is meant, or refused: nothing is guessed or dropped.
func TestWrittenValues(t *testing.T) {
	t.Parallel()
	of := func(kind Type, c Config) *Field { return &Field{Kind: kind.Kind(), Config: c} }
	date, day := of("date", Config{}), of("date", Config{DateFormat: "european"})
	us := of("date", Config{DateFormat: "us"})
	at := of("datetime", Config{TimeZone: "America/New_York"})
	atUS := of("datetime", Config{TimeZone: "America/New_York", DateFormat: "us"})
	duration := of("duration", Config{})
	dollars := of("currency", Config{})
	number := of("number", Config{})
	tags := of("multi_select", Config{Options: []Option{{Name: "Smith, John"}, {Name: "a"}, {Name: `x "y"`}}})
	doc := of("json", Config{})
	comma := Style{Decimal: ","}
	for _, c := range []struct {
		field *Field
		style Style
		text  string
		want  string // the value, or part of the error
	}{
		// The written day counts, whatever the offset.
		{date, Style{}, "2026-01-31T23:30:00-05:00", "2026-01-31"},
		{date, Style{}, "2026-01-31T00:30:00+02:00", "2026-01-31"},
		{date, Style{}, "2026-01-31 10:00:00+02", "2026-01-31"},
		{date, Style{}, "Sat, 31 Jan 2026 23:30:00 -0500", "2026-01-31"},
		{at, Style{}, "2026-01-31 10:00:00+02", "2026-01-31T08:00:00Z"},
		{at, Style{}, "2026-01-31 10:00", "2026-01-31T15:00:00Z"},
		{at, Style{}, "2026-01-31T23:30:00-05:00", "2026-02-01T04:30:00Z"},
		{atUS, Style{}, "4/3/2026 9:05am", "2026-04-03T13:05:00Z"},
		{at, Style{}, "4/3/2026 9:05am", "may be 2026-03-04 or 2026-04-03"},
		{at, Style{Order: DayFirst}, "4/3/2026 9:05 PM", "2026-03-05T02:05:00Z"},
		{at, Style{}, "2026-03-08 02:30", "2026-03-08T07:00:00Z"}, // no clock shows it

		// Day and month are decided by the value, its column or its field, and never guessed.
		{date, Style{}, "4/3/2026", "may be 2026-03-04 or 2026-04-03"},
		{date, Style{}, "4.3.2026", "2026-03-04"},
		{date, Style{}, "31/1/2026", "2026-01-31"},
		{date, Style{}, "1/31/2026", "2026-01-31"},
		{date, Style{}, "3/3/2026", "2026-03-03"},
		{date, Style{Order: MonthFirst}, "4/3/2026", "2026-04-03"},
		{date, Style{Order: DayFirst}, "4/3/2026", "2026-03-04"},
		{date, Style{Order: DayFirst}, "1/31/2026", "another order"},
		{us, Style{}, "3/14/2025", "2025-03-14"},
		{us, Style{}, "3/4/2025", "2025-03-04"},
		{day, Style{}, "3/4/2025", "2025-04-03"},
		{us, Style{Order: DayFirst}, "3/4/2025", "2025-04-03"},
		{date, Style{}, "31/2/2026", "no day of the calendar"},
		{date, Style{}, "31/01/26", "is not a date"},
		{date, Style{}, "2 Jan 2026", "2026-01-02"},
		{date, Style{}, "January 2nd, 2026", "2026-01-02"},
		{date, Style{}, "2-Jan-2026", "2026-01-02"},
		{date, Style{}, "20260131", "2026-01-31"},
		{date, Style{}, "2026/1/31", "2026-01-31"},
		{date, Style{}, "2 Jam 2026", "no day of the calendar"},
		{date, Style{}, "25:61", "is not a date"},

		{duration, Style{}, "1:30", "5400"},
		{duration, Style{}, "1:30:15.5", "5415.5"},
		{duration, Style{}, "1h 30m", "5400"},
		{duration, Style{}, "90 min", "5400"},
		{duration, Style{}, "90", "90"},
		{duration, Style{}, "1:75", "not a number"},

		{dollars, Style{}, "€5", "is an amount in €, and the field holds amounts in $"},
		{dollars, Style{}, "5 £", "is an amount in £"},
		{dollars, Style{}, "EUR 5", "is an amount in EUR"},
		{dollars, Style{}, "$1,234.50", "1234.5"},
		{dollars, Style{}, "($35.50)", "-35.5"},
		{dollars, Style{}, "USD 5", "5"},

		{number, comma, "1,5", "1.5"},
		{number, comma, "1.234", "1234"},
		{number, comma, "1.5", "as in 1234.56"},
		{number, comma, "1.234,5", "1234.5"},
		{number, comma, "(35,50)", "-35.5"},
		{number, Style{Decimal: "."}, "1,234", "1234"},
		{number, Style{Decimal: "."}, "1,5", "as in 1234.56"},

		{tags, Style{}, "Smith, John", "[Smith, John]"},
		{tags, Style{}, "a, smith, john", "[a Smith, John]"},
		{tags, Style{}, `"Smith, John", "x ""y"""`, `[Smith, John x "y"]`},
		{tags, Style{}, `x "y", a`, `[x "y" a]`},
		{tags, Style{}, "a, b", `"b" is not an option`},

		{doc, Style{}, `{"a": 1}`, `{"a": 1}`},
		{doc, Style{}, `{"a": `, "is not JSON"},
		{doc, Style{}, `plain`, `"plain"`},
	} {
		got := decoded(c.field, c.style, c.text)
		if got != c.want && !strings.Contains(got, c.want) || len(c.want) < 8 && got != c.want {
			t.Errorf("%s %+v: %q is %s, not %s", c.field.Type(), c.style, c.text, got, c.want)
		}
	}
	_, err := (&Input{Field: doc}).Decode([]byte(`"{\"a\":1}"`))
	if err == nil || !strings.Contains(err.Error(), "send the JSON itself") {
		t.Errorf("JSON in a string: %v", err)
	}
	_, err = (&Input{Field: of("attachment", Config{})}).Decode([]byte(`[{"url":"https://example.com/a.pdf"}]`))
	if err == nil || !strings.Contains(err.Error(), "/uploads") {
		t.Errorf("a file by its url: %v", err)
	}
}

// A duration becomes a text that people read, and that text the same duration.
func TestADurationIsReadableAsText(t *testing.T) {
	t.Parallel()
	from, to := &Field{Kind: Type("duration").Kind()}, &Field{Kind: Type("text").Kind()}
	for raw, want := range map[string]string{
		"5400": "1:30:00", "90.5": "0:01:30.5", "0": "0:00:00", "360000": "100:00:00",
	} {
		text, err := (&Input{Field: to, Typecast: true}).Convert(from, []byte(raw))
		if err != nil || text != want {
			t.Errorf("%s is %v: %v", raw, text, err)
		}
		if back := decoded(from, Style{}, want); back != raw {
			t.Errorf("%s is %s again", want, back)
		}
	}
}
