package formula_test

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// What Moment.js 2.30 writes: a language, a format, the text of 2 March, and the beginning of the SHA-256 of
// the texts of all days of 2026, at the times of yearOfDays. The words of Turkish ordinals lack the
// fortieth there.
//
//go:embed testdata/moment.tsv
var momentTexts string

// yearOfDays are moments of every day of a year, each at another time of day.
const yearOfDays = `select timestamptz '2026-01-01 00:00+00' + make_interval(hours => 24 * i, mins => (i * 397) % 1440,
	secs => (i * 7) % 60 + ((i * 131) % 1000) / 1000.0) as at from generate_series(0, 364) i`

func TestTokensWriteWhatMomentWrites(t *testing.T) {
	t.Parallel()
	admin := tenancytest.Admin(t)
	seen := map[string]bool{}
	for line := range strings.Lines(momentTexts) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		language, format, sample, sum := part[0], part[1], part[2], part[3]
		seen[language] = true
		var all, one string
		err := admin.QueryRow(t.Context(), `select string_agg(w, E'\n' order by at), (array_agg(w order by at))[61]
			from (select at, gate.formula_write(at, $1, 'UTC', `+formula.Words(language)+`) w
				from (`+yearOfDays+`) y) x`,
			format).Scan(&all, &one)
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256([]byte(all)); one != sample || hex.EncodeToString(got[:8]) != sum {
			t.Errorf("%s in %s is %q on 2 March, want %q; or another day differs", format, language, one, sample)
		}
	}
	if names := formula.LocaleNames(); len(seen) != len(names) {
		t.Errorf("of the languages %v, those are compared: %v", names, seen)
	}
}

// What is written in a format is read in it again, in every language.
func TestTokensAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	admin := tenancytest.Admin(t)
	formats := map[string][]string{
		"day": {
			"L",
			"LL",
			"l",
			"ll",
			"D MMMM YYYY",
			"Do MMMM YYYY",
			"D MMM YYYY",
			"DD-MMM-YYYY",
			"dddd, D MMMM YYYY",
			"dd DD-MM-YY",
			"YYYY DDDD",
			"YYYY DDDo",
			"YYYY Mo Do",
			"GGGG-[W]WW-E",
			"gggg ww e",
			"YYYYMMDD",
			"YYYYYY-MM-DD",
		},
		"minute": {
			"LLL", "LLLL", "lll", "llll", "L LT", "YYYY-MM-DD [at] HH:mm", "MMM D, YYYY h:mm a", "h:mm A, D/M/YYYY",
			"YYYY-MM-DD Hmm", "YYYY-MM-DD hmm A", "YYYY-MM-DD kk:mm", "YYYY-MM-DDTHH:mmZ",
		},
		"second":       {"X", "L LTS", "YYYYMMDDHHmmss"},
		"milliseconds": {"x", "YYYY-MM-DDTHH:mm:ss.SSSZ"},
		"month":        {"MMMM YYYY", "MMM YY"},
		"quarter":      {"YYYY-[Q]Q", "YYYY Qo"},
	}
	for _, language := range formula.LocaleNames() {
		for unit, list := range formats {
			for _, format := range list {
				var wrong int
				var sample *string
				err := admin.QueryRow(t.Context(), `
					select count(*), (array_agg(written || ' is read as ' || read))[1] from (
					select date_trunc($2, at at time zone 'UTC') at time zone 'UTC' as at, written,
						gate.formula_read(written, $1, `+formula.Words(language)+`, 'UTC') as read
					from (`+yearOfDays+` where i % 3 = 0) y, lateral (
						select gate.formula_write(at, $1, 'UTC', `+formula.Words(language)+`) as written
						offset 0) w) x where read is distinct from at`, format, unit).
					Scan(&wrong, &sample)
				if err != nil {
					t.Fatal(err)
				}
				if wrong > 0 {
					t.Errorf("%s in %s: %d of 122 days differ: %s", format, language, wrong, *sample)
				}
			}
		}
	}
}

// In the hour that clocks show twice in autumn, the earlier moment is the one that is meant.
func TestAnAmbiguousTimeIsTheEarlierMoment(t *testing.T) {
	t.Parallel()
	cases := []struct{ zone, written, want string }{
		{"Europe/Oslo", `DATETIME_PARSE("2026-10-25 02:30", "YYYY-MM-DD HH:mm")`, "2026-10-25T00:30:00.000Z"},
		{"Europe/Oslo", `DATETIME_PARSE("2026-10-25 02:30")`, "2026-10-25T00:30:00.000Z"},
		{"Europe/Oslo", `DATEADD("2026-10-24 02:30", 1, "day")`, "2026-10-25T00:30:00.000Z"},
		{"Europe/Oslo", `DATEADD("2026-09-25 02:30", 1, "month")`, "2026-10-25T00:30:00.000Z"},
		{"Europe/Oslo", `DATEADD("2026-10-25 00:30", 3, "hours")`, "2026-10-25T01:30:00.000Z"},
		{"Europe/Oslo", `DATETIME_PARSE("2026-10-25 03:00")`, "2026-10-25T02:00:00.000Z"},
		{"Europe/Oslo", `DATETIME_PARSE("2026-03-29 02:30")`, "2026-03-29T01:30:00.000Z"}, // is skipped
		{"America/New_York", `DATETIME_PARSE("2026-11-01 01:15")`, "2026-11-01T05:15:00.000Z"},
		{"Australia/Lord_Howe", `DATETIME_PARSE("2026-04-05 01:45")`, "2026-04-04T14:45:00.000Z"},
		{
			"America/Havana",
			`DATEADD("2026-11-01", 0, "hours")`,
			"2026-11-01T04:00:00.000Z",
		}, // a midnight that comes twice
		{"Africa/Casablanca", `DATETIME_PARSE("2026-02-15 02:30")`, "2026-02-15T01:30:00.000Z"},
	}
	for _, c := range cases {
		f, err := compile(c.written, c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := evaluate(t, "full", []*formula.Formula{f}); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s in %s is %v, want %s", c.written, c.zone, got, c.want)
		}
	}
}
