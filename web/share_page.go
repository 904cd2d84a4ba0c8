package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web/text"
)

// A shareQuery is what a reader asks of a shared view, as the query of a page's URL has it.
type shareQuery struct {
	table, view string // public ids; "" for the first
	text        string // that a shown field contains; "" for all records
	sort        string // public id of a shown field; "" for the view's order
	descending  bool
	offset      int64
	as          string // asTable: whatever the type of the view
	month       string // of a calendar or a timeline, as in 2026-11; "" for the present one
}

const asTable = "table"

// maxShareSearch bounds the text of a search, in bytes.
const maxShareSearch = 800

func readShareQuery(values url.Values) shareQuery {
	q := shareQuery{
		table: values.Get("table"), view: values.Get("view"), text: values.Get("q"), sort: values.Get("sort"),
		descending: values.Get("dir") == "desc", month: values.Get("month"),
	}
	if values.Get("as") == asTable {
		q.as = asTable
	}
	if len(q.text) > maxShareSearch {
		q.text = ""
	}
	if n, err := strconv.ParseInt(values.Get("offset"), 10, 64); err == nil && n > 0 && n <= 1_000_000_000 {
		q.offset = n
	}
	return q
}

// address returns the URL of the page.
func (q shareQuery) address(shareID string) string {
	values := url.Values{}
	for _, one := range q.parts() {
		values.Set(one.Name, one.Address)
	}
	if q.text != "" {
		values.Set("q", q.text)
	}
	if q.offset > 0 {
		values.Set("offset", strconv.FormatInt(q.offset, 10))
	}
	if len(values) == 0 {
		return SharePath + "/" + shareID
	}
	return SharePath + "/" + shareID + "?" + values.Encode()
}

// parts lists the parameters of the URL but for the text and the offset.
func (q shareQuery) parts() []shareLink {
	var list []shareLink
	add := func(name, value string) {
		if value != "" {
			list = append(list, shareLink{Name: name, Address: value})
		}
	}
	add("table", q.table)
	add("view", q.view)
	add("as", q.as)
	add("month", q.month)
	add("sort", q.sort)
	if q.sort != "" && q.descending {
		add("dir", "desc")
	}
	return list
}

// A shareSearch is the form that searches; its zero value is none.
type shareSearch struct {
	Action, Text string
	Hidden       []shareLink // names and values of fields
}

// has reports whether values of a field are compared with an operator.
func has(f *schema.Field, op field.Op) bool {
	return slices.ContainsFunc(f.Kind.Operators(), func(o field.Operator) bool { return o.Op == op })
}

// containing is a filter for the records of which a shown field contains a text. It looks at no other field, because a
// search would reveal what is in it.
func containing(fields []*schema.Field, text string) any {
	conditions := []any{}
	for _, f := range fields {
		if has(f, field.Contains) && len(conditions) < maxShareConditions {
			one := map[string]any{"fieldId": f.PublicID(), "op": field.Contains, "value": text}
			conditions = append(conditions, one)
		}
	}
	return map[string]any{"or": conditions}
}

const maxShareConditions = 40

// request asks for the records of the view that a reader looks for, and for which further conditions hold.
func (o *tableView) request(q shareQuery, filters []any) query.Request {
	var request query.Request
	for _, f := range o.fields {
		request.Fields = append(request.Fields, f.PublicID())
	}
	if o.view != nil {
		request.View = o.view.PublicID()
	}
	if q.text != "" {
		filters = append(slices.Clone(filters), containing(o.fields, q.text))
	}
	if len(filters) > 0 {
		request.Filters = jsonvalue.Must(filters)
	}
	return request
}

// fill shows the records of a page, in the groups of the view and above its sums.
func (s *shareHandler) fill(
	ctx context.Context, base *shared, o *tableView, q shareQuery, page record.Page, v *shareView,
) error {
	records, err := decodePage(page, o.named("colorFieldId"))
	if err != nil {
		return err
	}
	format, err := s.newFormatter(ctx, base.say, base.Base, o, records)
	if err != nil {
		return err
	}
	v.Groups = format.groups(o, records)
	if len(records) > 0 {
		v.Sums, err = s.sums(ctx, o, record.Actor{Org: o.table.Org}, o.request(q, nil), format)
	}
	return err
}

// read returns a page of the view's records for which further conditions hold.
func (s *shareHandler) read(
	ctx context.Context, shareID string, o *tableView, q shareQuery, filters []any, limit int,
) (record.Page, error) {
	request := o.request(q, filters)
	request.Limit, request.Offset, request.ColorRules = limit, q.offset, o.colorRules()
	if sorts := o.sorts(q); len(sorts) > 0 {
		request.Sorts = jsonvalue.Must(sorts)
	}
	// File URLs stop working when the share ends.
	link, err := id.Parse(id.Share, shareID)
	if err != nil {
		return record.Page{}, errShareNotFound()
	}
	page, err := s.Records.Linking(s.Links.ForShare(link)).List(ctx, record.Actor{Org: o.table.Org},
		o.table.ID, request)
	if err != nil {
		return page, fmt.Errorf("reading shared records: %w", err)
	}
	return page, nil
}

func (s *shareHandler) getPage(h http.Header, r *http.Request, base *shared) (reply, error) {
	if base.isForm() || base.form != nil && asksRecord(r) {
		return s.getForm(h, r, base)
	}
	shareID := chi.URLParam(r, "share")
	v := shareView{Share: shareID, Base: base.title(), OneView: base.view != nil}
	q := readShareQuery(r.URL.Query())
	if base.form != nil {
		v.Editable, v.Saved = true, r.URL.Query().Has(savedParameter)
	}
	o, err := openTable(base, q.table, q.view)
	if err != nil {
		return reply{}, err
	}
	if o == nil {
		return s.render(base.say, v)
	}
	v.Table = o.table.Name
	v.link(base, o)
	q.table, q.view = o.table.PublicID(), ""
	if o.view != nil {
		q.view = o.view.PublicID()
	}
	if base.view != nil {
		q.table, q.view = "", ""
	}
	sorts := func(f *schema.Field) bool { return f.PublicID() == q.sort && query.Sortable(f) }
	searches := slices.ContainsFunc(o.fields, func(f *schema.Field) bool { return has(f, field.Contains) })
	if !searches {
		q.text = ""
	}
	if !slices.ContainsFunc(o.fields, sorts) {
		q.sort, q.descending = "", false // nobody learns the order of a field that is not shown
	}
	if searches {
		v.Search = shareSearch{Action: SharePath + "/" + shareID, Text: q.text, Hidden: q.parts()}
	}
	v.offerTable(base.say, o, q)
	if o.look(q) != schema.Grid {
		if err := s.draw(r.Context(), shareID, base, o, q, &v); err != nil {
			return reply{}, err
		}
		return s.render(base.say, v)
	}
	page, err := s.read(r.Context(), shareID, o, q, nil, sharePageSize)
	if err != nil {
		return reply{}, err
	}
	v.Total = page.Total
	for _, f := range o.fields {
		v.Columns = append(v.Columns, q.column(shareID, f))
	}
	if err := s.fill(r.Context(), base, o, q, page, &v); err != nil {
		return reply{}, err
	}
	if base.form != nil {
		s.linkRecords(&v, q, base.form)
	}
	shown := int64(len(page.Records)) // a page with long values may be short
	if shown > 0 {
		v.From, v.To = q.offset+1, q.offset+shown
	}
	if q.offset > 0 {
		previous := q
		previous.offset = max(0, q.offset-sharePageSize)
		v.Previous = previous.address(shareID)
	}
	if page.HasMore {
		next := q
		next.offset += shown
		v.Next = next.address(shareID)
	}
	return s.render(base.say, v)
}

// link lists the tables, and the views of the open one.
func (v *shareView) link(base *shared, o *tableView) {
	for _, t := range base.tables() {
		address := shareQuery{table: t.PublicID()}.address(v.Share)
		v.Tables = append(v.Tables, shareLink{t.Name, address, t == o.table})
	}
	for _, view := range base.views(o.table) {
		address := shareQuery{table: o.table.PublicID(), view: view.PublicID()}.address(v.Share)
		v.Views = append(v.Views, shareLink{view.Name, address, view == o.view})
	}
}

// offerTable links the page to the other way of showing the view: to the table of what it draws, and back.
func (v *shareView) offerTable(say *text.Text, o *tableView, q shareQuery) {
	other := q
	if other.as, other.offset, other.month = asTable, 0, ""; q.as == asTable {
		other.as, other.sort, other.descending = "", "", false
	}
	switch {
	case o.look(other) == o.look(q):
	case q.as == asTable:
		v.Other = shareLink{Name: say.Share.Show(string(o.view.Type)), Address: other.address(v.Share)}
	default:
		v.Other = shareLink{Name: say.Share.Show(string(schema.Grid)), Address: other.address(v.Share)}
	}
}

// column returns the head of a field's column, which leads to the page sorted by it, or by it the other way around.
func (q shareQuery) column(shareID string, f *schema.Field) shareColumn {
	column := shareColumn{Name: f.Name}
	if !query.Sortable(f) {
		return column
	}
	next := q
	next.offset, next.sort, next.descending = 0, f.PublicID(), false
	if q.sort == f.PublicID() {
		column.Sorted = "ascending"
		if q.descending {
			column.Sorted = "descending"
		}
		next.descending = !q.descending
	}
	column.Address = next.address(shareID)
	return column
}
