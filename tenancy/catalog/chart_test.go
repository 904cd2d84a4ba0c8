package catalog_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// What a view does not understand of a chart is refused where it is, with what would be valid.
func TestChartsOfViewsAreValidated(t *testing.T) {
	t.Parallel()
	w := newReferenceWorld(t)
	for _, one := range []struct{ chart, path, words string }{
		{`"bar"`, "chart", "must be an object"},
		{`{}`, "chart.kind", "must be one of bar, line, pie, number"},
		{`{"kind":"bars"}`, "chart.kind", `did you mean "bar"?`},
		{`{"kind":"bar","x":1}`, "chart.x", "the keys are kind, value"},
		{`{"kind":"bar","value":{}}`, "chart.value.fn", "must be one of count, distinct, sum"},
		{`{"kind":"bar","value":{"fn":"sum"}}`, "chart.value.fieldId", "only count is of records"},
		{`{"kind":"bar","value":{"fn":"sum","fieldId":"State"}}`, "chart.value", "is of numbers"},
		{`{"kind":"bar","value":{"fn":"max","fieldId":"Day"}}`, "chart.value", "is of numbers"},
		{`{"kind":"bar","groupBy":{"fieldId":"Nay"}}`, "chart.groupBy.fieldId", `no field "Nay"`},
		{`{"kind":"bar","groupBy":{"fieldId":"Photo"}}`, "chart.groupBy", "cannot be grouped by"},
		{`{"kind":"bar","groupBy":{"fieldId":"State","span":"month"}}`, "chart.groupBy.span", "month is of dates"},
		{`{"kind":"bar","groupBy":{"fieldId":"Day","span":"era"}}`, "chart.groupBy.span", "day, week, month"},
		{`{"kind":"bar","groupBy":{"fieldId":"State"},"seriesBy":{"fieldId":"State"}}`, "chart.seriesBy", "already"},
		{`{"kind":"bar","stacked":1}`, "chart.stacked", "true or false"},
		{`{"kind":"bar","sort":{"by":"size"}}`, "chart.sort.by", "group, value"},
		{`{"kind":"bar","limit":1001}`, "chart.limit", "from 1 to 1000"},
	} {
		err := w.store.UpdateView(t.Context(), w.org, w.view, catalog.ViewPatch{
			Config: schema.ViewConfig{"chart": json.RawMessage(one.chart)}, By: w.by, Check: query.CheckView,
		})
		var wrong *problem.Error
		if !errors.As(err, &wrong) || len(wrong.Items) != 1 || wrong.Items[0].Path != "config."+one.path ||
			!strings.Contains(wrong.Items[0].Message, one.words) {
			t.Errorf("%s: %v", one.chart, err)
		}
	}
}
