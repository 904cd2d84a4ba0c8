package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// ShareDeps are the services that Share uses. All but Limit are required.
type ShareDeps struct {
	Shares  *organization.Shares
	Schema  *catalog.Store
	Records *record.Engine
	Links   *attachment.Links // makes file URLs
	// Members lists the members of an organization. Only the names are shown, in fields that
	// contain people.
	Members func(ctx context.Context, org uuid.UUID) ([]organization.Member, error)
	Log     *slog.Logger
	// Limit bounds the requests of an address and of a share. Nil bounds none.
	Limit *limit.Guard
}

// SharePath is the path of the public pages: /share/{share id}.
const SharePath = "/share"

// sharePageSize is the number of records on a page.
const sharePageSize = 100

// Share serves a publicly shared base: as a page without scripts at /share/{id}, and as JSON at
// /share/{id}/base and /share/{id}/tables/{table}/records. It reads and sends only the records and
// fields that a view shows. The share id is checked on every request, so that revoking it takes
// effect at once.
func Share(deps ShareDeps) http.Handler {
	s := &shareHandler{ShareDeps: deps, page: publicPage()}
	r := chi.NewRouter()
	r.Use(securityHeaders, route.HeadAsGet(r))
	r.Get(SharePath+"/{share}", s.serve(s.getPage))
	r.Get(SharePath+"/{share}/base", s.serve(s.getBase))
	r.Get(SharePath+"/{share}/tables/{table}/records", s.serve(s.getRecords))
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, errShareNotFound()) })
	r.MethodNotAllowed(func(w http.ResponseWriter, request *http.Request) {
		if err := route.MethodNotAllowed(w, request, route.Allowed(r, request)); err != nil {
			problem.Write(w, request, err)
		}
	})
	return r
}

type shareHandler struct {
	ShareDeps

	page *template.Template
}

// publicPage returns the template of a page that needs no account. Its data is a shareView.
func publicPage() *template.Template {
	s := newStatic()
	return template.Must(template.New("share.html").Funcs(template.FuncMap{
		"css":      func() string { return s.url("/page.css") },
		"shareCSS": func() string { return s.url("/share.css") },
		"mark":     func() string { return s.url("/mark.svg") },
	}).ParseFS(templates, "template/share.html"))
}

func errShareNotFound() error {
	return &problem.Error{Kind: problem.KindNotFound, Message: "This link does not lead to a base, or the base is no " +
		"longer shared. Ask the person who gave it to you for a new link."}
}

// A shareContent makes what a request for a base is answered with.
type shareContent func(r *http.Request, base *schema.Base) (mediaType string, content []byte, err error)

// serve resolves the share id to its base and answers with the content.
func (s *shareHandler) serve(content shareContent) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, release := membudget.WithReservation(r.Context())
		defer release()
		if err := s.admitted(w, r.WithContext(ctx), content); err != nil {
			s.fail(w, r, err)
		}
	}
}

// admitted answers with the content once the request has a slot.
func (s *shareHandler) admitted(w http.ResponseWriter, r *http.Request, content shareContent) error {
	ctx, shareID := r.Context(), chi.URLParam(r, "share")
	org, baseID, err := s.Shares.Resolve(ctx, shareID)
	if errors.Is(err, organization.ErrUnknownShare) {
		return errShareNotFound()
	}
	if err != nil {
		return err
	}
	leave, err := s.Limit.EnterAnonymous(r, org, shareID)
	if err != nil {
		return err
	}
	defer leave()
	mediaType, made, err := s.make(r, org, baseID, content)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, mediaType, made)
	return nil
}

// make makes the content in one of the slots of pages.
func (s *shareHandler) make(
	r *http.Request, org, baseID uuid.UUID, content shareContent,
) (mediaType string, made []byte, err error) {
	leave, err := s.Limit.EnterPage(r.Context(), org)
	if err != nil {
		return "", nil, err //nolint:wrapcheck // it is for the caller
	}
	defer leave()
	base, err := s.base(r.Context(), org, baseID)
	if err != nil {
		return "", nil, err
	}
	return content(r, base)
}

func send(w http.ResponseWriter, status int, mediaType string, content []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.WriteHeader(status)
	_, _ = w.Write(content) // the client may have disconnected
}

func (s *shareHandler) base(ctx context.Context, org, baseID uuid.UUID) (*schema.Base, error) {
	snapshot, err := s.Schema.Fresh(ctx, org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of a shared base: %w", err)
	}
	base := snapshot.Base(baseID)
	if base == nil {
		return nil, errShareNotFound()
	}
	return base, nil
}

// fail responds with an error page on the page's path, and with a problem on the JSON paths.
func (s *shareHandler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if chi.URLParam(r, "share") == "" || r.URL.Path == SharePath+"/"+chi.URLParam(r, "share") {
		var known *problem.Error
		message := "Something went wrong on our side. Try again in a moment."
		if errors.As(err, &known) && known.Kind != problem.KindInternal {
			message = known.Message
		} else {
			s.Log.ErrorContext(r.Context(), "serving a shared page failed", slog.Any("error", err))
		}
		document := problem.New(err, "")
		if problem.KindOf(err) == problem.KindRateLimited {
			w.Header().Set("Retry-After", "5")
		}
		mediaType, page, err := s.render(shareView{Error: message})
		if err != nil {
			s.Log.ErrorContext(r.Context(), "rendering a shared page failed", slog.Any("error", err))
			http.Error(w, "This page could not be shown.", http.StatusInternalServerError)
			return
		}
		send(w, document.Status, mediaType, page)
		return
	}
	problem.Write(w, r, err)
}

// tableView is a table as one of its views shows it to the public.
type tableView struct {
	table  *schema.Table
	view   *schema.View // nil if the table has no public view
	fields []*schema.Field
}

// sharedViews returns the views that a share shows: neither forms, which show no records, nor
// personal views.
func sharedViews(t *schema.Table) []*schema.View {
	return slices.DeleteFunc(schema.Viewer{}.Views(t), func(v *schema.View) bool { return v.Type == schema.Form })
}

// openTable returns the table and view that a request names. "" selects the first. It returns nil,
// nil for a base without tables.
func openTable(base *schema.Base, tableID, viewID string) (*tableView, error) {
	at := slices.IndexFunc(base.Tables, func(t *schema.Table) bool { return tableID == "" || t.PublicID() == tableID })
	if at < 0 {
		if tableID == "" {
			return nil, nil //nolint:nilnil // a shared base may have no tables
		}
		return nil, problem.NotFound("table", tableID)
	}
	out := &tableView{table: base.Tables[at]}
	for _, v := range sharedViews(out.table) {
		if viewID == "" || v.PublicID() == viewID {
			out.view = v
			break
		}
	}
	if out.view == nil && viewID != "" {
		return nil, problem.NotFound("view", viewID)
	}
	out.fields = visibleFields(out.table, out.view)
	return out, nil
}

// visibleFields returns the fields that a view shows, in its order. The primary field is always
// first and never hidden.
func visibleFields(t *schema.Table, v *schema.View) []*schema.Field {
	var order []string
	shows := func(f *schema.Field) bool { return f.IsPrimary || !f.Hidden }
	if v != nil {
		// Absent means no order; the value was validated when it was written.
		_ = json.Unmarshal(v.Config["fieldOrder"], &order)
		shows = v.Shows
	}
	rank := func(f *schema.Field) int {
		if f.IsPrimary {
			return -1
		}
		if i := slices.Index(order, f.PublicID()); i >= 0 {
			return i
		}
		return len(order) + slices.Index(t.Fields, f)
	}
	var fields []*schema.Field
	for _, f := range t.Fields {
		if shows(f) && f.Info().HasValues() {
			fields = append(fields, f)
		}
	}
	slices.SortStableFunc(fields, func(a, b *schema.Field) int { return rank(a) - rank(b) })
	return fields
}

// read returns a page of the view's records.
func (s *shareHandler) read(
	ctx context.Context,
	shareID string,
	o *tableView,
	offset int64,
	limit int,
) (record.Page, error) {
	request := query.Request{Limit: limit, Offset: offset}
	for _, f := range o.fields {
		request.Fields = append(request.Fields, f.PublicID())
	}
	if o.view != nil {
		request.View = o.view.PublicID()
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

// shareView is the data of the template share.html.
type shareView struct {
	Error    string // shown instead of a base
	Share    string
	Base     string
	Tables   []shareLink
	Views    []shareLink
	Table    string
	Columns  []string
	Rows     []shareRow
	Total    int64
	From     int64 // position of the first record shown, from 1
	To       int64
	Previous string // URL of the previous page; "" on the first
	Next     string
}

type shareLink struct {
	Name    string
	Address string
	Current bool
}

type shareRow struct{ Parts []sharePart }

// A sharePart is the markup of cells, as far as one with more than a text, and the value of that.
type sharePart struct {
	Markup template.HTML
	Value  *shareCell // nil in the last part
}

func sharePageURL(shareID, table, view string, offset int64) string {
	query := url.Values{}
	if table != "" {
		query.Set("table", table)
	}
	if view != "" {
		query.Set("view", view)
	}
	if offset > 0 {
		query.Set("offset", strconv.FormatInt(offset, 10))
	}
	if len(query) == 0 {
		return SharePath + "/" + shareID
	}
	return SharePath + "/" + shareID + "?" + query.Encode()
}

func (s *shareHandler) getPage(r *http.Request, base *schema.Base) (mediaType string, content []byte, err error) {
	shareID := chi.URLParam(r, "share")
	v := shareView{Share: shareID, Base: base.Name}
	query := r.URL.Query()
	o, err := openTable(base, query.Get("table"), query.Get("view"))
	if err != nil {
		return "", nil, err
	}
	if o == nil {
		return s.render(v)
	}
	for _, t := range base.Tables {
		v.Tables = append(v.Tables, shareLink{t.Name, sharePageURL(shareID, t.PublicID(), "", 0), t == o.table})
	}
	for _, view := range sharedViews(o.table) {
		v.Views = append(v.Views, shareLink{
			view.Name, sharePageURL(shareID, o.table.PublicID(), view.PublicID(), 0), view == o.view,
		})
	}
	offset, err := strconv.ParseInt(query.Get("offset"), 10, 64)
	if err != nil || offset < 0 || offset > 1_000_000_000 {
		offset = 0
	}
	page, err := s.read(r.Context(), shareID, o, offset, sharePageSize)
	if err != nil {
		return "", nil, err
	}
	v.Table, v.Total = o.table.Name, page.Total
	for _, f := range o.fields {
		v.Columns = append(v.Columns, f.Name)
	}
	if v.Rows, err = s.rows(r.Context(), base, o, page); err != nil {
		return "", nil, err
	}
	viewID := ""
	if o.view != nil {
		viewID = o.view.PublicID()
	}
	if len(v.Rows) > 0 {
		v.From, v.To = offset+1, offset+int64(len(v.Rows))
	}
	if offset > 0 {
		v.Previous = sharePageURL(shareID, o.table.PublicID(), viewID, max(0, offset-sharePageSize))
	}
	if page.HasMore {
		// A page with long values may be short.
		v.Next = sharePageURL(shareID, o.table.PublicID(), viewID, offset+int64(len(v.Rows)))
	}
	return s.render(v)
}

func (s *shareHandler) render(v shareView) (mediaType string, page []byte, err error) {
	var body bytes.Buffer
	if err := s.page.Execute(&body, v); err != nil {
		return "", nil, fmt.Errorf("rendering a shared page: %w", err)
	}
	return "text/html; charset=utf-8", body.Bytes(), nil
}
