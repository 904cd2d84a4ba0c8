package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web/text"
)

// maxPrinted bounds the records on a page to print.
const maxPrinted = 1000

// A printView is the data of the template print.html.
type printView struct {
	Base, Table, View string
	When              string
	Text              string   // what was searched for
	Filtered          []string // names of fields
	Columns           []string
	Groups            []printGroup
	Sums              []string // a text for each column but the first; nil: none
	Printed, Total    int64
}

// A printGroup is the records that stand together, below what they have in common.
type printGroup struct {
	Label string // "" where the view has no groups
	Rows  []shareRow
}

// getPrint makes a page to print of a view, as the person who is signed in sees it. The query of its URL may have
// filters, sorts and q, as in a list of records, in addition to those of the view.
func (s *shareHandler) getPrint(w http.ResponseWriter, r *http.Request) {
	made, err := s.print(w.Header(), r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	send(w, http.StatusOK, made.mediaType, made.content)
}

func (s *shareHandler) print(h http.Header, r *http.Request) (reply, error) {
	person, err := s.Viewer(r)
	if err != nil {
		return reply{}, err
	}
	org, wrongOrg := id.Parse(id.Org, chi.URLParam(r, "org"))
	viewID, wrongView := id.Parse(id.View, chi.URLParam(r, "view"))
	if wrongOrg != nil || wrongView != nil {
		return reply{}, errNothingToPrint()
	}
	member, err := s.Schema.Member(r.Context(), org, person)
	if err != nil {
		return reply{}, fmt.Errorf("looking up who prints: %w", err)
	}
	if member.Role == "" {
		return reply{}, errNothingToPrint()
	}
	leave, err := s.Limit.EnterHeavy(r.Context(), org)
	if err != nil {
		return reply{}, err //nolint:wrapcheck // it is for the caller
	}
	defer leave()
	ctx := catalog.WithCaller(r.Context(), member)
	snapshot, err := s.Schema.Fresh(ctx, org)
	if err != nil {
		return reply{}, fmt.Errorf("reading the schema of a page to print: %w", err)
	}
	view := snapshot.View(viewID)
	if view == nil || view.Type == schema.Form ||
		!slices.Contains(schema.Viewer{Person: person}.Views(view.Table), view) {
		return reply{}, errNothingToPrint()
	}
	o := &tableView{table: view.Table, view: view, fields: visibleFields(view.Table, view)}
	return s.printOf(ctx, languageOf(h, r), o, record.Actor{Org: org, Person: person}, r)
}

func errNothingToPrint() error {
	return &problem.Error{Kind: problem.KindNotFound, Message: text.English.Print.Gone}
}

// printOf prints a view of somebody, whose context it is.
func (s *shareHandler) printOf(
	ctx context.Context, say *text.Text, o *tableView, actor record.Actor, r *http.Request,
) (reply, error) {
	values := r.URL.Query()
	request := query.Request{
		Limit: query.MaxPage, View: o.view.PublicID(), Filters: []byte(values.Get("filters")),
		Sorts: []byte(values.Get("sorts")), Search: values.Get("q"),
	}
	for _, f := range o.fields {
		request.Fields = append(request.Fields, f.PublicID())
	}
	v := printView{
		Base: o.table.Base.Name, Table: o.table.Name, View: o.view.Name, Text: values.Get("q"),
		When: say.Moment(time.Now().UTC()) + " UTC", Filtered: o.filteredBy(request.Filters),
	}
	var records []sharedRecord
	for more := true; more && len(records) < maxPrinted; {
		request.Offset = int64(len(records))
		page, err := s.Records.List(ctx, actor, o.table.ID, request)
		if err != nil {
			return reply{}, fmt.Errorf("reading records to print: %w", err)
		}
		for _, raw := range page.Records {
			var one sharedRecord
			if err := decode(raw, &one); err != nil {
				return reply{}, err
			}
			records = append(records, one)
		}
		v.Total, more = page.Total, page.HasMore && len(page.Records) > 0
	}
	v.Printed = int64(len(records))
	format, err := s.newFormatter(ctx, say, o.table.Base, o, records)
	if err != nil {
		return reply{}, err
	}
	for _, f := range o.fields {
		v.Columns = append(v.Columns, f.Name)
	}
	v.Groups = format.printed(o, records)
	if v.Sums, err = s.printedSums(ctx, o, actor, request, format); err != nil {
		return reply{}, err
	}
	var body strings.Builder
	if err := s.printed[say].Execute(&body, v); err != nil {
		return reply{}, fmt.Errorf("rendering a page to print: %w", err)
	}
	return reply{mediaType: mediaTypeHTML, content: []byte(body.String())}, nil
}

// filteredBy names the shown fields by which records are filtered: by the view, and by further conditions.
func (o *tableView) filteredBy(further []byte) []string {
	conditions := string(o.view.Config["filters"]) + string(further)
	var names []string
	for _, f := range o.fields {
		if strings.Contains(conditions, `"`+f.PublicID()+`"`) {
			names = append(names, f.Name)
		}
	}
	return names
}

// printed puts records that follow each other and have the same values in the fields of the view's groups together.
func (format formatter) printed(o *tableView, records []sharedRecord) []printGroup {
	var public []string
	var by []*schema.Field
	_ = json.Unmarshal(o.view.Config["groupBy"], &public) // none, or a list of ids: it was checked when it was written
	for _, one := range public {
		if f := o.shown(one); f != nil {
			by = append(by, f)
		}
	}
	tags := cellTags(o.fields)
	var groups []printGroup
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
			groups = append(groups, printGroup{Label: label})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, format.row(o.fields, tags, r))
	}
	return groups
}

// printedSums computes what the view shows below its columns.
func (s *shareHandler) printedSums(
	ctx context.Context, o *tableView, actor record.Actor, request query.Request, format formatter,
) ([]string, error) {
	var chosen map[string]string
	if json.Unmarshal(o.view.Config["aggregates"], &chosen) != nil {
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
	groups, err := s.Records.Aggregate(ctx, actor, o.table.ID, query.Aggregation{
		View: request.View, Search: request.Search, Filters: request.Filters, Functions: jsonvalue.Must(functions),
	})
	if err != nil {
		return nil, fmt.Errorf("computing sums to print: %w", err)
	}
	var whole struct{ Results map[string]any }
	if len(groups.Groups) > 0 {
		if err := decode(groups.Groups[0], &whole); err != nil {
			return nil, err
		}
	}
	sums := make([]string, len(o.fields))
	for i, one := range results {
		if one != nil {
			number, _ := format.number(one, whole.Results[one.result])
			sums[i] = format.say.Print.Sum(one.fn) + " " + number
		}
	}
	return sums[1:], nil
}
