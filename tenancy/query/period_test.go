package query_test

import (
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/query"
)

func TestTimesInSearches(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 26, 23, 30, 0, 0, time.UTC).In(zone) // Friday the 27th there
	for text, want := range map[string]string{
		"spring":                       "2026-03-01 to 2026-05-31|",
		"the harbour fair last spring": "2026-03-01 to 2026-05-31|the harbour fair",
		"winter":                       "2025-12-01 to 2026-02-28|",
		"last winter":                  "2025-12-01 to 2026-02-28|",
		"next winter":                  "2026-12-01 to 2027-02-28|",
		"winter 2023":                  "2023-12-01 to 2024-02-29|",
		"deals closed last March":      "2026-03-01 to 2026-03-31|deals closed",
		"last november":                "2025-11-01 to 2025-11-30|",
		"november":                     "2026-11-01 to 2026-11-30|",
		"December":                     "2025-12-01 to 2025-12-31|",
		"this december":                "2026-12-01 to 2026-12-31|",
		"next May":                     "2027-05-01 to 2027-05-31|",
		"Q2 2026":                      "2026-04-01 to 2026-06-30|",
		"2025 q4 invoices":             "2025-10-01 to 2025-12-31|invoices",
		"q1":                           "2026-01-01 to 2026-03-31|",
		"second quarter of 2024 sales": "2024-04-01 to 2024-06-30|sales",
		"what did we sell in 2025?":    "2025-01-01 to 2025-12-31|what did we sell",
		"calls yesterday":              "2026-11-26|calls",
		"today":                        "2026-11-27|",
		"tomorrow's":                   "<nil>|tomorrow's",
		"meeting on 3 May":             "2026-05-03|meeting",
		"May 3rd, 2024":                "2024-05-03|",
		"3rd of may":                   "2026-05-03|",
		"31 december":                  "2025-12-31|",
		"in May":                       "2026-05-01 to 2026-05-31|",
		"may be late":                  "<nil>|may be late",
		"May 2024":                     "2024-05-01 to 2024-05-31|",
		"2026-05-03 visit":             "2026-05-03|visit",
		"2026-05":                      "2026-05-01 to 2026-05-31|",
		"last week":                    "2026-11-16 to 2026-11-22|",
		"this week":                    "2026-11-23 to 2026-11-29|",
		"next month":                   "2026-12-01 to 2026-12-31|",
		"last quarter":                 "2026-07-01 to 2026-09-30|",
		"last year":                    "2025-01-01 to 2025-12-31|",
		"past 7 days":                  "2026-11-20 to 2026-11-27|",
		"3 days ago":                   "2026-11-24|",
		"two months ago":               "2026-09-01 to 2026-09-30|",
		"last friday":                  "2026-11-20|",
		"on monday":                    "2026-11-23|",
		"next tuesday":                 "2026-12-01|",
		"signed since june":            "since 2026-06-01|signed",
		"before 2024 crane":            "until 2023-12-31|crane",
		"after Q1 2026":                "since 2026-04-01|",
		"fall protection":              "<nil>|fall protection",
		"in the fall":                  "2026-09-01 to 2026-11-30|",
		"crane 500":                    "<nil>|crane 500",
		"last order":                   "<nil>|last order",
		"":                             "<nil>|",
	} {
		rest, period := query.FindPeriod(text, now)
		got := "<nil>"
		if period != nil {
			got = period.String()
		}
		if got += "|" + rest; got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}
