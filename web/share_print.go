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
	Groups            []rowGroup
	Sums              []shareSum // of each column but the first; nil for none
	Printed, Total    int64
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
		Sorts: []byte(values.Get("sorts")), Search: values.Get("q"), ColorsOf: o.view.PublicID(),
	}
	for _, f := range o.fields {
		request.Fields = append(request.Fields, f.PublicID())
	}
	var public string
	_ = json.Unmarshal(o.view.Config["colorFieldId"], &public) // none, or it was checked when it was written
	colored := o.table.FieldByID(public)
	if colored != nil && o.shown(colored.PublicID()) == nil { // people see its colours in the application, too
		request.Fields = append(request.Fields, colored.PublicID())
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
		some, err := decodePage(page, colored)
		if err != nil {
			return reply{}, err
		}
		records = append(records, some...)
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
	v.Groups = format.groups(o, records)
	if v.Sums, err = s.sums(ctx, o, actor, request, format); err != nil {
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
