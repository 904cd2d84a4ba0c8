package record_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	fieldkind "github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// zones are the time zones of the database that Go knows too.
func zones(t *testing.T) []string {
	t.Helper()
	rows, err := tenancytest.Admin(t).Query(t.Context(), "select name from pg_timezone_names order by name")
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(name string) bool { return !fieldkind.ValidZone(name) })
	if len(all) < 400 {
		t.Fatalf("there are %d time zones", len(all))
	}
	return all
}

func (b *bundle) moveTo(t *testing.T, zone string) {
	t.Helper()
	err := b.store.UpdateBase(t.Context(), b.actor.Org, b.base, catalog.Patch{TimeZone: &zone}, nil)
	if err != nil {
		t.Fatal(err)
	}
}

// steady is the day in a zone, of a time at which it does not change for a while.
func steady(location *time.Location) time.Time {
	for {
		now := time.Now().In(location)
		if now.Add(20*time.Second).Day() == now.Day() {
			return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
		}
		time.Sleep(time.Second)
	}
}

// Filters of dates and moments, formulas, and filters of formulas take the day of the base in every
// time zone. Zones with the same clock these days are tried once.
func TestRelativeDaysAreThoseOfTheBase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Days",
		field("Name", schema.Text), field("Due", schema.Date), field("At", schema.DateTime),
		formulaField("Today", "TODAY()"), formulaField("Late", "IF({Due} < TODAY(), 1, 0)"),
		formulaField("Same", `IF(IS_SAME({At}, NOW(), "day"), 1, 0)`), formulaField("Next", `DATEADD({Due}, 1, "day")`))
	var inputs []string
	var moments []time.Time
	first := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -2)
	for at := first; at.Before(first.AddDate(0, 0, 5)); at = at.Add(90 * time.Minute) {
		moments = append(moments, at)
		inputs = append(inputs, fmt.Sprintf(`{"Name":"%d","Due":%q,"At":%q}`, len(inputs), at.Format(time.DateOnly),
			at.Format(time.RFC3339)))
	}
	b.create(t, u, inputs...)
	tried := map[string]bool{}
	for _, zone := range zones(t) {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		clock := fmt.Sprint(first.In(location), first.AddDate(0, 0, 5).In(location))
		if tried[clock] {
			continue
		}
		tried[clock] = true
		b.moveTo(t, zone)
		today := steady(location)
		day := func(at time.Time) time.Time {
			y, m, d := at.In(location).Date()
			return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
		}
		for filter, fits := range map[string]func(due, at time.Time) bool{
			`{"fieldId":"Due","op":"eq","value":"today"}`:    func(due, _ time.Time) bool { return due.Equal(today) },
			`{"fieldId":"Due","op":"lt","value":"tomorrow"}`: func(due, _ time.Time) bool { return !due.After(today) },
			`{"fieldId":"At","op":"eq","value":"today"}`: func(_, at time.Time) bool {
				return day(at).Equal(today)
			},
			`{"fieldId":"At","op":"gte","value":"yesterday"}`: func(_, at time.Time) bool {
				return !day(at).Before(today.AddDate(0, 0, -1))
			},
			`{"fieldId":"At","op":"is_within","value":{"unit":"day","offset":1}}`: func(_, at time.Time) bool {
				return !day(at).Before(today) && !day(at).After(today.AddDate(0, 0, 1))
			},
			`{"fieldId":"Next","op":"eq","value":"today"}`: func(due, _ time.Time) bool {
				return due.AddDate(0, 0, 1).Equal(today)
			},
			`{"fieldId":"Today","op":"eq","value":"today"}`: func(_, _ time.Time) bool { return true },
			`{"fieldId":"Late","op":"eq","value":1}`:        func(due, _ time.Time) bool { return due.Before(today) },
			`{"fieldId":"Same","op":"eq","value":1}`:        func(_, at time.Time) bool { return day(at).Equal(today) },
		} {
			var want, got []string
			for i, at := range moments {
				if fits(at.Truncate(24*time.Hour), at) {
					want = append(want, fmt.Sprint(i))
				}
			}
			_, records := b.list(t, u, query.Request{Filters: []byte("[" + filter + "]")})
			for _, name := range column(records, "Name") {
				got = append(got, fmt.Sprint(name))
			}
			if slices.Sort(got); !slices.Equal(got, sorted(want)) {
				t.Errorf(
					"%s, where it is %s: %s finds %v, want %v",
					zone,
					today.Format(time.DateOnly),
					filter,
					got,
					want,
				)
			}
		}
	}
	t.Logf("%d clocks", len(tried))
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}

// Every zone of the database has the day that Go finds there, for moments of two years.
func TestDaysOfEveryZoneAreTheSameInTheDatabase(t *testing.T) {
	t.Parallel()
	admin := tenancytest.Admin(t)
	for _, zone := range zones(t) {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := admin.Query(t.Context(), `select at, gate.formula_day(at, $1)::text from generate_series(
			timestamptz '2024-01-01 00:00+00', timestamptz '2025-12-31 00:00+00', interval '11 hours 17 minutes') at`,
			fieldkind.ZoneInSQL(zone))
		if err != nil {
			t.Fatal(err)
		}
		var at time.Time
		var day string
		if _, err = pgx.ForEachRow(rows, []any{&at, &day}, func() error {
			if want := at.In(location).Format(time.DateOnly); day != want {
				t.Errorf("%s is on %s in %s, want %s", at.UTC(), day, zone, want)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}
