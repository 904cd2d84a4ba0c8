package schema

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A ChartConfig is what the key chart of a view's config holds: the number that it draws, and the groups that it draws
// it of. Whoever draws it asks for an aggregation of the view's records with the same groups and function.
//
// A part that is missing was not chosen yet, or named a field that is gone or that the person does not see. Without
// value nothing is drawn, so that nobody takes one number for another.
type ChartConfig struct {
	Kind     string      `json:"kind"`
	Value    *ChartValue `json:"value,omitempty"`
	GroupBy  *ChartGroup `json:"groupBy,omitempty"`
	SeriesBy *ChartGroup `json:"seriesBy,omitempty"` // divides each group
	Stacked  bool        `json:"stacked,omitempty"`
	Sort     *ChartSort  `json:"sort,omitempty"`  // default the groups in their order
	Limit    int         `json:"limit,omitempty"` // of groups, default as many as an aggregation returns
}

// A ChartValue is the number that a chart draws: a function of the values of a field, or of the records.
type ChartValue struct {
	Fn      string `json:"fn"`
	FieldID string `json:"fieldId,omitempty"` // "" for the records
}

// A ChartGroup is what records are grouped by: a field, or a span of time of one.
type ChartGroup struct {
	FieldID string `json:"fieldId"`
	Span    string `json:"span,omitempty"` // of Spans, for times
}

// A ChartSort is the order of groups: by group or by value.
type ChartSort struct {
	By  string `json:"by"`
	Dir string `json:"dir"`
}

// Chart returns what the view draws, or nil if its config does not say.
func (v *View) Chart() *ChartConfig {
	var c ChartConfig
	if json.Unmarshal(v.Config["chart"], &c) != nil || c.Value == nil {
		return nil
	}
	return &c
}

// Spans are the spans of time by which records are grouped.
var Spans = []string{"day", "week", "month", "quarter", "year"}

// maxChartGroups bounds the groups of a chart, as it bounds those of an aggregation.
const maxChartGroups = 1000

var (
	chartKinds     = []string{"bar", "line", "pie", "number"}
	chartFunctions = []string{"count", "distinct", "sum", "avg", "median", "min", "max"}
	chartOrders    = []string{"group", "value"}
	directions     = []string{"asc", "desc"}
)

// chartConfig checks a chart and names its fields by id.
func chartConfig(t *Table, path string, raw json.RawMessage) (json.RawMessage, error) {
	in, err := members(path, raw, "kind", "value", "groupBy", "seriesBy", "stacked", "sort", "limit")
	if err != nil {
		return nil, err
	}
	var out ChartConfig
	if out.Kind, err = oneOf(path+".kind", "kind", in["kind"], chartKinds); err != nil {
		return nil, err
	}
	if out.Value, err = readChartValue(t, path+".value", in["value"]); err != nil {
		return nil, err
	}
	if out.GroupBy, err = readChartGroup(t, path+".groupBy", in["groupBy"]); err != nil {
		return nil, err
	}
	if out.SeriesBy, err = readChartGroup(t, path+".seriesBy", in["seriesBy"]); err != nil {
		return nil, err
	}
	if out.SeriesBy != nil && out.GroupBy != nil && *out.SeriesBy == *out.GroupBy {
		return nil, problem.Invalid(path+".seriesBy", "is what the chart groups by already")
	}
	if raw := in["stacked"]; raw != nil && json.Unmarshal(raw, &out.Stacked) != nil {
		return nil, problem.Invalid(path+".stacked", "must be true or false")
	}
	if out.Sort, err = readChartSort(path+".sort", in["sort"]); err != nil {
		return nil, err
	}
	if raw := in["limit"]; raw != nil {
		if json.Unmarshal(raw, &out.Limit) != nil || out.Limit < 1 || out.Limit > maxChartGroups {
			return nil, problem.Invalid(path+".limit", "must be a whole number from 1 to %d", maxChartGroups)
		}
	}
	return jsonvalue.Must(out), nil
}

func readChartValue(t *Table, path string, raw json.RawMessage) (*ChartValue, error) {
	if raw == nil {
		return nil, nil //nolint:nilnil // it is optional
	}
	in, err := members(path, raw, "fn", "fieldId")
	if err != nil {
		return nil, err
	}
	out := &ChartValue{}
	if out.Fn, err = oneOf(path+".fn", "function", in["fn"], chartFunctions); err != nil {
		return nil, err
	}
	if in["fieldId"] == nil {
		if out.Fn != "count" {
			return nil, problem.Invalid(path+".fieldId", "is missing; only count is of records")
		}
		return out, nil
	}
	f, err := t.chartField(path, in["fieldId"])
	if err != nil {
		return nil, err
	}
	out.FieldID = f.PublicID()
	return out, out.fits(path, f)
}

// fits returns an error if the function does not make a number of the values of a field.
func (v *ChartValue) fits(path string, f *Field) error {
	switch {
	case v.Fn == "count" || v.Fn == "distinct":
		if !f.Aggregates(v.Fn) {
			return problem.Invalid(path, "%q is %s, which has no %s", f.Name, f.Type(), v.Fn)
		}
	case !f.Aggregates("avg"):
		return problem.Invalid(path, "%q is %s; %s of a chart is of numbers", f.Name, f.Type(), v.Fn)
	}
	return nil
}

func readChartGroup(t *Table, path string, raw json.RawMessage) (*ChartGroup, error) {
	if raw == nil {
		return nil, nil //nolint:nilnil // it is optional
	}
	in, err := members(path, raw, "fieldId", "span")
	if err != nil {
		return nil, err
	}
	f, err := t.chartField(path, in["fieldId"])
	if err != nil {
		return nil, err
	}
	out := &ChartGroup{FieldID: f.PublicID()}
	if in["span"] != nil {
		if out.Span, err = oneOf(path+".span", "span of time", in["span"], Spans); err != nil {
			return nil, err
		}
	}
	return out, out.fits(path, f)
}

// fits returns an error if records cannot be grouped so by a field.
func (g *ChartGroup) fits(path string, f *Field) error {
	if !f.MakesGroups() {
		return problem.Invalid(path, "%q is %s, which cannot be grouped by", f.Name, f.Type())
	}
	if _, timed := f.Values().(*field.TimeLike); g.Span != "" && !timed {
		return problem.Invalid(path+".span", "%q is %s; %s is of dates", f.Name, f.Type(), g.Span)
	}
	return nil
}

func readChartSort(path string, raw json.RawMessage) (*ChartSort, error) {
	if raw == nil {
		return nil, nil //nolint:nilnil // it is optional
	}
	in, err := members(path, raw, "by", "dir")
	if err != nil {
		return nil, err
	}
	out := &ChartSort{Dir: "asc"}
	if out.By, err = oneOf(path+".by", "order", in["by"], chartOrders); err != nil {
		return nil, err
	}
	if in["dir"] != nil {
		if out.Dir, err = oneOf(path+".dir", "direction", in["dir"], directions); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (t *Table) chartField(path string, raw json.RawMessage) (*Field, error) {
	var ref string
	if raw == nil || json.Unmarshal(raw, &ref) != nil {
		return nil, problem.Invalid(path+".fieldId", "must be a field id")
	}
	return t.FieldRef(path+".fieldId", ref)
}

// MakesGroups reports whether an aggregation can group records by the field. A record may be in several groups: those
// of its links, and of the options of a multiple select.
func (f *Field) MakesGroups() bool {
	return f.Link != nil || f.Type() == "multi_select" || f.CanGroup()
}

// chartServes reports whether a field, under the id that it has in a stored chart, is what the chart needs there.
func chartServes(stored json.RawMessage, f *Field) bool {
	var c ChartConfig
	if json.Unmarshal(stored, &c) != nil {
		return false
	}
	for _, g := range []*ChartGroup{c.GroupBy, c.SeriesBy} {
		if g != nil && g.FieldID == f.PublicID() && g.fits("", f) != nil {
			return false
		}
	}
	return c.Value == nil || c.Value.FieldID != f.PublicID() || c.Value.fits("", f) == nil
}

// members reads an object that may have some keys. A null is no member.
func members(path string, raw json.RawMessage, keys ...string) (map[string]json.RawMessage, error) {
	var in map[string]json.RawMessage
	if json.Unmarshal(raw, &in) != nil {
		return nil, problem.Invalid(path, "must be an object of %s", problem.List(keys))
	}
	for key, value := range in {
		if !slices.Contains(keys, key) {
			return nil, problem.Invalid(path+"."+key, "is not known here%s; the keys are %s",
				problem.DidYouMean(key, keys), problem.List(keys))
		}
		if bytes.Equal(value, []byte("null")) {
			delete(in, key)
		}
	}
	return in, nil
}

// oneOf reads one of some names of what they are.
func oneOf(path, what string, raw json.RawMessage, names []string) (string, error) {
	var name string
	if raw == nil || json.Unmarshal(raw, &name) != nil {
		return "", problem.Invalid(path, "must be one of %s", problem.List(names))
	}
	if !slices.Contains(names, name) {
		return "", problem.Invalid(path, "%q is no %s%s; valid are %s", name, what,
			problem.DidYouMean(name, names), problem.List(names))
	}
	return name, nil
}
