package web

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxDrawn bounds the records on a page that shows all of them at once: a board, a month, a timeline.
const maxDrawn = 300

// A shareDrawing is the records of a view as its type draws them, or the numbers of a chart. One of its members is set.
type shareDrawing struct {
	Cards    []shareCard
	Board    []shareStack
	Calendar *shareMonth
	Timeline *shareMonth
	Chart    *shareChart
}

// look returns the type as which a page shows a view. It is a table where the view needs a field that it does not show.
func (o *tableView) look(q shareQuery) schema.ViewType {
	if o.view == nil || q.as == asTable {
		return schema.Grid
	}
	switch kind := o.view.Type; {
	case kind == schema.Gallery,
		kind == schema.Kanban && o.named("stackFieldId") != nil,
		(kind == schema.Calendar || kind == schema.Timeline) && o.named("startFieldId") != nil,
		kind == schema.Chart && o.chart() != nil:
		return kind
	}
	return schema.Grid
}

// named returns the shown field that a key of the view's config names, or nil.
func (o *tableView) named(key string) *schema.Field {
	var public string
	if o.view == nil || json.Unmarshal(o.view.Config[key], &public) != nil {
		return nil
	}
	return o.shown(public)
}

// shown returns the shown field with an id, or nil.
func (o *tableView) shown(public string) *schema.Field {
	at := slices.IndexFunc(o.fields, func(f *schema.Field) bool { return f.PublicID() == public })
	if at < 0 {
		return nil
	}
	return o.fields[at]
}

// draw reads what a page shows of a view that is no table.
func (s *shareHandler) draw(
	ctx context.Context, shareID string, base *shared, o *tableView, q shareQuery, v *shareView,
) error {
	kind := o.look(q)
	if kind == schema.Chart {
		drawn, err := s.drawChart(ctx, base, o, q, o.chart())
		v.Drawing = &shareDrawing{Chart: drawn}
		return err
	}
	var filters []any
	var month time.Time
	start, end := o.named("startFieldId"), o.named("endFieldId")
	if kind == schema.Calendar || kind == schema.Timeline {
		month = q.monthOf(start, time.Now())
		from, to := month, month.AddDate(0, 1, -1)
		if kind == schema.Calendar {
			from, to = weeksOf(month)
		}
		filters = onDays(start, end, from, to)
	}
	records, total, err := s.readAll(ctx, shareID, o, q, filters)
	if err != nil {
		return err
	}
	format, err := s.newFormatter(ctx, base.say, base.Base, o, records)
	if err != nil {
		return err
	}
	if v.Total = total; total > int64(len(records)) {
		v.Cut = int64(len(records))
	}
	switch kind {
	case schema.Gallery:
		v.Drawing = &shareDrawing{Cards: format.cards(o, records, nil, o.named("coverFieldId"))}
	case schema.Kanban:
		by := o.named("stackFieldId")
		board := format.board(o, records, by)
		format.limit(o, board, by)
		v.Drawing = &shareDrawing{Board: board}
		return s.sumUp(ctx, o, q, format, board, by)
	case schema.Calendar:
		v.Drawing = &shareDrawing{Calendar: format.calendar(o, records, month, q, shareID)}
	default:
		v.Drawing = &shareDrawing{Timeline: format.timeline(o, records, month, q, shareID)}
	}
	return nil
}

// readAll reads the records of a view, up to maxDrawn, and says how many there are.
func (s *shareHandler) readAll(
	ctx context.Context, shareID string, o *tableView, q shareQuery, filters []any,
) (records []sharedRecord, total int64, err error) {
	q.offset = 0
	for {
		page, err := s.read(ctx, shareID, o, q, filters, sharePageSize)
		if err != nil {
			return nil, 0, err
		}
		some, err := decodePage(page, o.named("colorFieldId"))
		if err != nil {
			return nil, 0, err
		}
		records = append(records, some...)
		q.offset = int64(len(records))
		if total = page.Total; !page.HasMore || len(records) >= maxDrawn {
			return records, total, nil
		}
	}
}

// onDays is a filter for the records that are on one of some days.
func onDays(start, end *schema.Field, from, to time.Time) []any {
	compare := func(f *schema.Field, op field.Op, day time.Time) any {
		value := day.Format(time.DateOnly)
		if f.Type() != schema.Date { // a moment, of which the field's clock says the day
			value = day.Format(time.RFC3339)
		}
		return map[string]any{"fieldId": f.PublicID(), "op": op, "value": value}
	}
	// A clock is at most fourteen hours ahead of UTC, and twelve behind.
	from, to = from.AddDate(0, 0, -1), to.AddDate(0, 0, 2)
	ends := []any{compare(start, field.Gte, from)}
	if end != nil {
		ends = append(ends, compare(end, field.Gte, from))
	}
	return []any{compare(start, field.Lte, to), map[string]any{"or": ends}}
}

// monthOf returns the first day of the month that the query names, or of the present one.
func (q shareQuery) monthOf(f *schema.Field, now time.Time) time.Time {
	if named, err := time.Parse("2006-01", q.month); err == nil && named.Year() > 0 {
		return named
	}
	today := f.Today(now)
	return today.AddDate(0, 0, 1-today.Day())
}

// monthLink links the page a number of months later.
func (format formatter) monthLink(shareID string, q shareQuery, month time.Time, later int) shareLink {
	next := month.AddDate(0, later, 0)
	q.month = next.Format("2006-01")
	return shareLink{Name: format.say.Month(next), Address: q.address(shareID)}
}

func daysBetween(from, to time.Time) int { return int(to.Sub(from) / (24 * time.Hour)) }

// span returns the days of a record between two days, as offsets from the first; ok is false if it is on none.
func span(r sharedRecord, start, end *schema.Field, from, to time.Time) (first, last int, ok bool) {
	begins, ok := start.Day(r.Fields[start.Name])
	if !ok {
		return 0, 0, false
	}
	ends := begins
	if end != nil {
		if day, ok := end.Day(r.Fields[end.Name]); ok && day.After(begins) {
			ends = day
		}
	}
	first, last = max(0, daysBetween(from, begins)), min(daysBetween(from, to), daysBetween(from, ends))
	return first, last, first <= last
}
