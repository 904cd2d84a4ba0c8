package web

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A rowGroup is the records that stand together, below what they have in common.
type rowGroup struct {
	Label string // "" where the view has no groups
	Rows  []shareRow
}

// groupedBy returns the fields of the view's groups, as far as it shows them.
func (o *tableView) groupedBy() []*schema.Field {
	if o.view == nil {
		return nil
	}
	var public []string
	var by []*schema.Field
	_ = json.Unmarshal(o.view.Config["groupBy"], &public) // none, or a list of ids: it was checked when it was written
	for _, one := range public {
		if f := o.shown(one); f != nil {
			by = append(by, f)
		}
	}
	return by
}

// A shareSum is what stands below a column; its text may be empty.
type shareSum struct{ Column, Text string }

type shareSort struct {
	FieldID string `json:"fieldId"`
	Dir     string `json:"dir,omitempty"`
}

// sorts returns the order of a page: by its groups, which another order may turn around, and then as the reader asks,
// or as the view has it. Nil is the order of the view.
func (o *tableView) sorts(q shareQuery) []shareSort {
	by := o.groupedBy()
	if len(by) == 0 && q.sort == "" {
		return nil
	}
	asked := shareSort{q.sort, "asc"}
	if q.descending {
		asked.Dir = "desc"
	}
	turned := slices.ContainsFunc(by, func(f *schema.Field) bool { return f.PublicID() == q.sort })
	var others []shareSort
	if (turned || q.sort == "") && o.view != nil {
		_ = json.Unmarshal(o.view.Config["sorts"], &others) // likewise
	}
	if q.sort != "" {
		others = append([]shareSort{asked}, others...)
	}
	var out []shareSort
	for _, f := range by {
		if !query.Sortable(f) {
			continue
		}
		own := shareSort{f.PublicID(), "asc"}
		same := func(one shareSort) bool { return one.FieldID == f.PublicID() || one.FieldID == f.Name }
		if at := slices.IndexFunc(others, same); at >= 0 {
			own.Dir = others[at].Dir
		}
		others = slices.DeleteFunc(others, same)
		out = append(out, own)
	}
	return append(out, others...)
}

// groups puts records that follow each other and have the same values in the fields of the view's groups together.
func (format formatter) groups(o *tableView, records []sharedRecord) []rowGroup {
	by, tags := o.groupedBy(), cellTags(o.fields)
	var groups []rowGroup
	for i, r := range records {
		labels := make([]string, len(by))
		for j, f := range by {
			value := r.Fields[f.Name]
			if day, ok := f.Day(value); ok && f.Type() == schema.DateTime { // moments stand with their days
				labels[j] = day.Format(time.DateOnly)
				continue
			}
			labels[j] = format.key(f, "", value)
		}
		label := strings.Join(labels, " · ")
		if i == 0 || label != groups[len(groups)-1].Label {
			groups = append(groups, rowGroup{Label: label})
		}
		row := format.row(o.fields, tags, r)
		row.ID, row.Name, row.Tone = r.ID, format.title(o, r), r.tone
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, row)
	}
	return groups
}

// sums computes what the view shows below its columns but the first, or returns nil if it shows nothing there.
func (s *shareHandler) sums(
	ctx context.Context, o *tableView, actor record.Actor, request query.Request, format formatter,
) ([]shareSum, error) {
	groups, err := s.aggregates(ctx, o, actor, request, format, nil)
	if err != nil || len(groups) == 0 {
		return nil, err
	}
	return groups[0].sums, nil
}

// A sumGroup is the sums of the records with a value.
type sumGroup struct {
	key  any
	sums []shareSum // of each column but the first
}

// aggregates computes what the view sums up, of all records that a request finds or, unless by is nil, of those with
// each of its values. It returns nil if the view sums nothing up.
func (s *shareHandler) aggregates(
	ctx context.Context, o *tableView, actor record.Actor, request query.Request, format formatter, by *schema.Field,
) ([]sumGroup, error) {
	var chosen map[string]string
	if o.view == nil || json.Unmarshal(o.view.Config["aggregates"], &chosen) != nil {
		return nil, nil
	}
	var functions []any
	results := make([]*drawnChart, len(o.fields))
	for i, f := range o.fields[1:] {
		fn := chosen[f.PublicID()]
		if format.say.Of(fn, f.Name) == "" { // shares of filled fields are of the screen
			continue
		}
		functions = append(functions, map[string]string{"fn": fn, "fieldId": f.PublicID()})
		results[i+1] = &drawnChart{fn: fn, value: f, result: fn + "(" + f.Name + ")"}
	}
	if len(functions) == 0 {
		return nil, nil
	}
	in := query.Aggregation{
		View: request.View, Search: request.Search, Filters: request.Filters, Functions: jsonvalue.Must(functions),
	}
	if by != nil {
		in.GroupBy = []string{by.PublicID()}
	}
	found, err := s.Records.Aggregate(ctx, actor, o.table.ID, in)
	if err != nil {
		return nil, fmt.Errorf("computing the sums of a page: %w", err)
	}
	out := make([]sumGroup, len(found.Groups))
	for n, raw := range found.Groups {
		var group struct{ Key, Results map[string]any }
		if err := decode(raw, &group); err != nil {
			return nil, err
		}
		if by != nil {
			out[n].key = group.Key[by.Name]
		}
		out[n].sums = make([]shareSum, len(o.fields)-1)
		for i, one := range results[1:] {
			out[n].sums[i].Column = o.fields[i+1].Name
			if one != nil {
				number, _ := format.number(one, group.Results[one.result])
				out[n].sums[i].Text = format.say.Print.Sum(one.fn) + " " + number
			}
		}
	}
	return out, nil
}
