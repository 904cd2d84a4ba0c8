package record_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Days that begin at one o'clock, that never are, that begin twice, and that are 23, 25 and 48
// hours long, with every operator.
func TestFiltersByDayAreOfTheDayThatAClockShows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for zone, day := range map[string]string{
		"America/Santiago":  "2024-09-08",
		"America/Havana":    "2024-03-10",
		"Pacific/Apia":      "2011-12-30",
		"America/St_Johns":  "2006-10-29",
		"America/Sitka":     "1867-10-18",
		"Pacific/Kwajalein": "1993-08-21",
		"Europe/Berlin":     "2024-10-27",
		"Asia/Beirut":       "2022-03-27",
	} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		middle, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		u := b.table(t, zone, field("Name", schema.Text), field("At", schema.DateTime, `{"timeZone":"`+zone+`"}`))
		var inputs []string
		var moments []time.Time
		for at := middle.Add(-50 * time.Hour); at.Before(middle.Add(80 * time.Hour)); at = at.Add(30 * time.Minute) {
			for _, by := range []time.Duration{0, -time.Second, 90 * time.Second} {
				moments = append(moments, at.Add(by))
				inputs = append(inputs,
					fmt.Sprintf(`{"Name":"%d","At":%q}`, len(inputs), at.Add(by).Format(time.RFC3339)))
			}
		}
		b.create(t, u, inputs...)
		for ahead := -1; ahead <= 2; ahead++ {
			wanted := middle.AddDate(0, 0, ahead).Format(time.DateOnly)
			next := middle.AddDate(0, 0, ahead+1).Format(time.DateOnly)
			for op, fits := range map[string]func(shown string) bool{
				"eq":      func(shown string) bool { return shown == wanted },
				"neq":     func(shown string) bool { return shown != wanted },
				"gt":      func(shown string) bool { return shown > wanted },
				"gte":     func(shown string) bool { return shown >= wanted },
				"lt":      func(shown string) bool { return shown < wanted },
				"lte":     func(shown string) bool { return shown <= wanted },
				"between": func(shown string) bool { return shown >= wanted && shown <= next },
			} {
				value := fmt.Sprintf("%q", wanted)
				if op == "between" {
					value = fmt.Sprintf("[%q,%q]", wanted, next)
				}
				filters := `[{"fieldId":"At","op":"` + op + `","value":` + value + `}]`
				var want, got []string
				for i, at := range moments {
					if fits(at.In(location).Format(time.DateOnly)) {
						want = append(want, fmt.Sprint(i))
					}
				}
				q := query.Request{Filters: []byte(filters)}
				for {
					page, records := b.list(t, u, q)
					for _, r := range records {
						got = append(got, fmt.Sprint(r.Fields["Name"]))
					}
					if q.Cursor = page.Cursor; q.Cursor == "" {
						break
					}
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("%s %s: %d records, want %d", zone, filters, len(got), len(want))
				}
			}
		}
	}
}

// A day without a midnight begins later, and a moment that is read of it is not of the day before.
func TestADayThatIsReadAsAMomentStaysTheDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Days", field("Name", schema.Text), field("At", schema.DateTime, `{"timeZone":"America/Santiago"}`))
	written, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{Typecast: true, Records: parsed([]string{
		`{"At":"2024-09-08"}`, `{"At":"2024-09-08 00:30"}`, `{"At":"2024-09-08 01:30"}`, `{"At":"2024-09-07 23:30"}`,
	})})
	if err != nil {
		t.Fatal(err)
	}
	want := []any{
		"2024-09-08T04:00:00.000Z", "2024-09-08T04:00:00.000Z", "2024-09-08T04:30:00.000Z", "2024-09-08T03:30:00.000Z",
	}
	if got := column(decodeAll(t, written.Records), "At"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
