package web

import (
	"time"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A shareMonth is a month of a calendar or of a timeline, with the addresses of its neighbours.
type shareMonth struct {
	Name           string // as in November 2026
	Previous, Next shareLink
	Weeks          []shareWeek // of a calendar
	Days           []shareDay  // of a timeline
	Lanes          []shareLane // of a timeline
}

type shareWeek struct{ Days []shareDay }

// A shareDay is a day with its records.
type shareDay struct {
	Date    string // as in 2026-11-29
	Name    string // as in Sunday 29 November, for those who do not see where it is
	Number  int
	Weekday string // as in Sun
	Other   bool   // it is in the month before, or after
	Today   bool
	Entries []shareEntry
}

// A shareEntry is a record on a day of a calendar.
type shareEntry struct{ Title, Tone string }

// A shareLane is the bars of one value of a timeline's lanes. Its label is empty where there are no lanes.
type shareLane struct {
	Label shareLabel
	Bars  []shareBar
}

// A shareBar is a record on a timeline: the days before it, its own, and those after it.
type shareBar struct {
	Title, Tone          string
	Days                 string // as in 3–9 November
	Before, Width, After int
}

// weeksOf returns the first and the last day of the weeks of a month, which begin on Mondays.
func weeksOf(month time.Time) (from, to time.Time) {
	after := func(day time.Time) int { return (int(day.Weekday()) + 6) % 7 } // days after Monday
	last := month.AddDate(0, 1, -1)
	return month.AddDate(0, 0, -after(month)), last.AddDate(0, 0, 6-after(last))
}

func (format formatter) month(month time.Time, q shareQuery, shareID string) *shareMonth {
	return &shareMonth{
		Name: format.say.Month(month), Previous: format.monthLink(shareID, q, month, -1),
		Next: format.monthLink(shareID, q, month, 1),
	}
}

func (format formatter) day(day, month, today time.Time) shareDay {
	return shareDay{
		Date: day.Format(time.DateOnly), Name: format.say.DayName(day), Number: day.Day(),
		Weekday: format.say.Weekday(day), Other: day.Month() != month.Month(), Today: day.Equal(today),
	}
}

// calendar puts records on the days of a month.
func (format formatter) calendar(
	o *tableView, records []sharedRecord, month time.Time, q shareQuery, shareID string,
) *shareMonth {
	out := format.month(month, q, shareID)
	start, end := o.named("startFieldId"), o.named("endFieldId")
	from, to := weeksOf(month)
	days := make([]shareDay, daysBetween(from, to)+1)
	for i := range days {
		days[i] = format.day(from.AddDate(0, 0, i), month, start.Today(time.Now()))
	}
	for _, r := range records {
		first, last, ok := span(r, start, end, from, to)
		for i := first; ok && i <= last; i++ {
			days[i].Entries = append(days[i].Entries, shareEntry{format.title(o, r), r.tone})
		}
	}
	for i := 0; i < len(days); i += 7 {
		out.Weeks = append(out.Weeks, shareWeek{days[i : i+7]})
	}
	return out
}

// timeline draws the records of a month as bars, in the lanes of the view.
func (format formatter) timeline(
	o *tableView, records []sharedRecord, month time.Time, q shareQuery, shareID string,
) *shareMonth {
	out := format.month(month, q, shareID)
	start, end := o.named("startFieldId"), o.named("endFieldId")
	to := month.AddDate(0, 1, -1)
	for day := month; !day.After(to); day = day.AddDate(0, 0, 1) {
		out.Days = append(out.Days, format.day(day, month, start.Today(time.Now())))
	}
	lanes := []shareStack{{records: records}}
	if by := o.named("laneFieldId"); by != nil {
		lanes = format.stacks(records, by)
	}
	for _, one := range lanes {
		lane := shareLane{Label: one.Label}
		for _, r := range one.records {
			if first, last, ok := span(r, start, end, month, to); ok {
				lane.Bars = append(lane.Bars, format.bar(o, r, start, end, first, last, len(out.Days)))
			}
		}
		if len(lane.Bars) > 0 {
			out.Lanes = append(out.Lanes, lane)
		}
	}
	return out
}

func (format formatter) bar(
	o *tableView, r sharedRecord, start, end *schema.Field, first, last, days int,
) shareBar {
	when := format.cell(start, r.Fields[start.Name]).Text
	if end != nil {
		if until := format.cell(end, r.Fields[end.Name]).Text; until != "" {
			when += " – " + until
		}
	}
	return shareBar{
		Title: format.title(o, r), Tone: r.tone, Days: when,
		Before: first, Width: last - first + 1, After: days - last - 1,
	}
}
