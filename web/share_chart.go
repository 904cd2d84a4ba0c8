package web

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A shareChart is the numbers of a chart: one, or one for each group.
type shareChart struct {
	Of     string // what the numbers are, as in "Sum of Cost"
	By     string // what they are grouped by; "" for one number
	Number string
	Bars   []chartBar
	More   bool // there are more groups
}

// A chartBar is the number of a group.
type chartBar struct {
	Label, Number string
	Percent       string // of the largest number, as in 42.5%
}

// A drawnChart is what a chart asks for, with its fields, all of which the view shows.
type drawnChart struct {
	fn                   string
	value, group, series *schema.Field
	groupSpan            string
	seriesSpan           string
	aggregation          query.Aggregation
	result               string // the name of the number in the results
}

// chart returns what the view draws, or nil if it is no chart, is not finished, or needs a field that it does not show.
func (o *tableView) chart() *drawnChart {
	if o.view == nil || o.view.Type != schema.Chart {
		return nil
	}
	stored := o.view.Chart()
	if stored == nil {
		return nil
	}
	out := &drawnChart{fn: stored.Value.Fn, result: "count", aggregation: query.Aggregation{
		View: o.view.PublicID(), Limit: stored.Limit,
	}}
	function := map[string]string{"fn": out.fn}
	if stored.Value.FieldID != "" {
		if out.value = o.shown(stored.Value.FieldID); out.value == nil {
			return nil
		}
		function["fieldId"] = out.value.PublicID()
		out.result = out.fn + "(" + out.value.Name + ")"
	}
	out.aggregation.Functions = jsonvalue.Must([]any{function})
	if stored.Kind == "number" {
		return out
	}
	by := func(g *schema.ChartGroup) (*schema.Field, string) {
		f := o.shown(g.FieldID)
		if f == nil {
			return nil, ""
		}
		name := f.PublicID()
		if g.Span != "" {
			name = g.Span + "(" + name + ")"
		}
		out.aggregation.GroupBy = append(out.aggregation.GroupBy, name)
		return f, g.Span
	}
	if stored.GroupBy == nil {
		return nil
	}
	if out.group, out.groupSpan = by(stored.GroupBy); out.group == nil {
		return nil
	}
	if stored.SeriesBy != nil && stored.Kind != "pie" {
		if out.series, out.seriesSpan = by(stored.SeriesBy); out.series == nil {
			return nil
		}
	}
	if stored.Sort != nil && stored.Sort.By == "value" && out.series == nil {
		out.aggregation.OrderBy = jsonvalue.Must([]any{map[string]string{"by": out.result, "dir": stored.Sort.Dir}})
	}
	return out
}

// nameOf is how the results of an aggregation name a grouping.
func nameOf(f *schema.Field, span string) string {
	if span != "" {
		return span + "(" + f.Name + ")"
	}
	return f.Name
}

// drawChart reads the numbers of a chart.
func (s *shareHandler) drawChart(
	ctx context.Context, base *shared, o *tableView, q shareQuery, chart *drawnChart,
) (*shareChart, error) {
	if q.text != "" {
		chart.aggregation.Filters = jsonvalue.Must([]any{containing(o.fields, q.text)})
	}
	groups, err := s.Records.Aggregate(ctx, record.Actor{Org: o.table.Org}, o.table.ID, chart.aggregation)
	if err != nil {
		return nil, fmt.Errorf("reading the numbers of a shared chart: %w", err)
	}
	format, err := s.newFormatter(ctx, base.say, base.Base, o, nil)
	if err != nil {
		return nil, err
	}
	out := &shareChart{Of: base.say.Share.RecordCount, More: groups.HasMore}
	if chart.value != nil {
		out.Of = base.say.Of(chart.fn, chart.value.Name)
	}
	var sizes []float64
	largest := 0.0
	for _, raw := range groups.Groups {
		var group struct {
			Key     map[string]any
			Results map[string]any
		}
		if err := decode(raw, &group); err != nil {
			return nil, err
		}
		number, size := format.number(chart, group.Results[chart.result])
		if chart.group == nil {
			out.Number = number
			return out, nil
		}
		label := format.key(chart.group, chart.groupSpan, group.Key[nameOf(chart.group, chart.groupSpan)])
		if chart.series != nil {
			part := group.Key[nameOf(chart.series, chart.seriesSpan)]
			label += " · " + format.key(chart.series, chart.seriesSpan, part)
		}
		out.Bars = append(out.Bars, chartBar{Label: label, Number: number})
		sizes, largest = append(sizes, size), max(largest, size)
	}
	out.By = chart.group.Name
	for i, size := range sizes {
		out.Bars[i].Percent = fmt.Sprintf("%.1f%%", 100*max(0, size)/max(largest, 1e-300))
	}
	return out, nil
}

// number formats a result, as a value of the field if it is one.
func (format formatter) number(chart *drawnChart, value any) (text string, size float64) {
	number, ok := value.(json.Number)
	switch {
	case value == nil:
		return "–", 0
	case !ok: // the first or last of some days
		return format.cell(chart.value, value).Text, 0
	}
	size, _ = number.Float64()
	if chart.value == nil || chart.fn == "count" || chart.fn == "distinct" {
		return number.String(), size
	}
	return format.cell(chart.value, value).Text, size
}

// key formats what the records of a group have in common.
func (format formatter) key(f *schema.Field, span string, key any) string {
	switch value := key.(type) {
	case nil:
		return format.say.None(f.Name)
	case bool:
		return format.say.Checked(f.Name, value)
	case map[string]any: // a linked record
		title, _ := value["title"].(string)
		if title == "" {
			return format.say.Untitled
		}
		return title
	case string:
		if day, err := time.Parse(time.DateOnly, value); err == nil && span != "" {
			return format.span(span, day)
		}
		if f.Type() == "multi_select" {
			key = []any{value}
		}
	}
	shown := f.Kind.Show(&f.Field, format, key)
	return shown.Plain()
}

// span is what a span of time is called that begins on a day.
func (format formatter) span(span string, day time.Time) string {
	switch span {
	case "month":
		return format.say.Month(day)
	case "quarter":
		return format.say.Quarter((int(day.Month())+2)/3, day.Year())
	case "year":
		return day.Format("2006")
	}
	return format.say.Day(day)
}
