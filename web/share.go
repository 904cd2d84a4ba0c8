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
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/answer"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/share"
)

// ShareDeps are what the public pages work with; all are needed.
type ShareDeps struct {
	Shares  *share.Store
	Schema  *schema.Store
	Records *record.Engine
	Links   *attachment.Links // the addresses of files
	// Members lists the members of an organization, for the names in fields that hold people. Nothing else of them is shown.
	Members func(ctx context.Context, org uuid.UUID) ([]organization.Member, error)
	Log     *slog.Logger
}

// SharePath is where the public pages are; each share is below it, under its id.
const SharePath = "/share"

// sharePage is how many records a page shows.
const sharePage = 100

// Share serves what anybody may read of a shared base: the page at /share/{id}, which needs no script, and the same as JSON at
// /share/{id}/base and /share/{id}/tables/{table}/records. Only what a view shows is read and sent: its records and the
// fields that it does not hide. A share id is asked for with every request, so that one that was ended is dead at once.
func Share(deps ShareDeps) http.Handler {
	s := &shared{ShareDeps: deps, page: publicPage()}
	r := chi.NewRouter()
	r.Use(headers, route.HeadAsGet(r))
	r.Get(SharePath+"/{share}", s.serve(s.getPage))
	r.Get(SharePath+"/{share}/base", s.serve(s.getBase))
	r.Get(SharePath+"/{share}/tables/{table}/records", s.serve(s.getRecords))
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, noShare()) })
	r.MethodNotAllowed(func(w http.ResponseWriter, request *http.Request) {
		if err := route.MethodNotAllowed(w, request, route.Allowed(r, request)); err != nil {
			problem.Write(w, request, err)
		}
	})
	return r
}

type shared struct {
	ShareDeps

	page *template.Template
}

// publicPage is the template of a page that is read without an account; it is given a shareView.
func publicPage() *template.Template {
	s := newStatic()
	return template.Must(template.New("share.html").Funcs(template.FuncMap{
		"css":  func() string { return s.url("/page.css") },
		"more": func() string { return s.url("/share.css") },
		"mark": func() string { return s.url("/mark.svg") },
	}).ParseFS(templates, "template/share.html"))
}

func noShare() error {
	return &problem.Error{Kind: problem.KindNotFound, Message: "This link does not lead to a base, or it is not shared any more. Ask the person who gave it to you for a new one."}
}

// serve finds the base of the request's share and hands it on.
func (s *shared) serve(handle func(w http.ResponseWriter, r *http.Request, base *schema.Base) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, release := answer.WithReservation(r.Context())
		defer release()
		r = r.WithContext(ctx)
		base, err := s.base(ctx, chi.URLParam(r, "share"))
		if err == nil {
			err = handle(w, r, base)
		}
		if err != nil {
			s.fail(w, r, err)
		}
	}
}

func (s *shared) base(ctx context.Context, shareID string) (*schema.Base, error) {
	org, baseID, err := s.Shares.Resolve(ctx, shareID)
	if errors.Is(err, share.ErrUnknown) {
		return nil, noShare()
	}
	if err != nil {
		return nil, err
	}
	snapshot, err := s.Schema.Fresh(ctx, org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of a shared base: %w", err)
	}
	base := snapshot.Base(baseID)
	if base == nil {
		return nil, noShare()
	}
	return base, nil
}

// fail answers a page with a page and a program with a problem.
func (s *shared) fail(w http.ResponseWriter, r *http.Request, err error) {
	if chi.URLParam(r, "share") == "" || r.URL.Path == SharePath+"/"+chi.URLParam(r, "share") {
		var known *problem.Error
		message := "Something went wrong on our side. Try again in a moment."
		if errors.As(err, &known) && known.Kind != problem.KindInternal {
			message = known.Message
		} else {
			s.Log.ErrorContext(r.Context(), "a shared page failed", slog.Any("error", err))
		}
		s.render(w, r, problem.New(err, "").Status, shareView{Failure: message})
		return
	}
	problem.Write(w, r, err)
}

// opened is a table through one of its views, as the public sees it.
type opened struct {
	table  *schema.Table
	view   *schema.View // nil for a table that has no view to show
	fields []*schema.Field
}

// publicViews are the views that show records; a form shows none, and a personal view is nobody else's.
func publicViews(t *schema.Table) []*schema.View {
	return slices.DeleteFunc(schema.Viewer{}.Views(t), func(v *schema.View) bool { return v.Type == schema.Form })
}

// open finds the table and the view that a request asks for; "" is the first.
func open(base *schema.Base, tableID, viewID string) (*opened, error) {
	at := slices.IndexFunc(base.Tables, func(t *schema.Table) bool { return tableID == "" || t.PublicID() == tableID })
	if at < 0 {
		if tableID == "" {
			return nil, nil //nolint:nilnil // a base without tables is shared too, and has nothing to open
		}
		return nil, problem.NotFound("table", tableID)
	}
	out := &opened{table: base.Tables[at]}
	for _, v := range publicViews(out.table) {
		if viewID == "" || v.PublicID() == viewID {
			out.view = v
			break
		}
	}
	if out.view == nil && viewID != "" {
		return nil, problem.NotFound("view", viewID)
	}
	out.fields = visible(out.table, out.view)
	return out, nil
}

// visible are the fields that a view shows, in its order. The primary field is always the first and is never hidden.
func visible(t *schema.Table, v *schema.View) []*schema.Field {
	var order, hidden []string
	ownHidden := false
	if v != nil {
		_ = json.Unmarshal(v.Config["fieldOrder"], &order) // absent is no order; what is there was checked when it was written
		ownHidden = json.Unmarshal(v.Config["hiddenFields"], &hidden) == nil && v.Config["hiddenFields"] != nil
	}
	place := func(f *schema.Field) int {
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
		hide := f.Hidden
		if ownHidden {
			hide = slices.Contains(hidden, f.PublicID())
		}
		if (!hide || f.IsPrimary) && f.Info().HasValues() {
			fields = append(fields, f)
		}
	}
	slices.SortStableFunc(fields, func(a, b *schema.Field) int { return place(a) - place(b) })
	return fields
}

// read reads a part of what is open.
func (s *shared) read(ctx context.Context, shareID string, o *opened, offset int64, limit int) (record.Page, error) {
	request := query.Request{Limit: limit, Offset: offset}
	for _, f := range o.fields {
		request.Fields = append(request.Fields, f.PublicID())
	}
	if o.view != nil {
		request.View = o.view.PublicID()
	}
	// Addresses of files end with the share.
	through, err := id.Parse(id.Share, shareID)
	if err != nil {
		return record.Page{}, noShare()
	}
	page, err := s.Records.Linking(s.Links.Through(through)).List(ctx, record.Actor{Org: o.table.Org}, o.table.ID, request)
	if err != nil {
		return page, fmt.Errorf("reading shared records: %w", err)
	}
	return page, nil
}

// shareView is what the template is given.
type shareView struct {
	Failure string // what to say instead of a base
	Share   string
	Base    string
	Tables  []shareLink
	Views   []shareLink
	Table   string
	Columns []string
	Rows    []shareRow
	Total   int64
	From    int64 // the number of the first record shown, from 1
	To      int64
	Before  string // the address of the page before; "" for the first page
	After   string
}

type shareLink struct {
	Name    string
	Address string
	Current bool
}

type shareRow struct {
	Title string
	Cells []shareCell
}

func address(shareID, table, view string, offset int64) string {
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

func (s *shared) getPage(w http.ResponseWriter, r *http.Request, base *schema.Base) error {
	shareID := chi.URLParam(r, "share")
	v := shareView{Share: shareID, Base: base.Name}
	query := r.URL.Query()
	o, err := open(base, query.Get("table"), query.Get("view"))
	if err != nil {
		return err
	}
	if o == nil {
		s.render(w, r, http.StatusOK, v)
		return nil
	}
	for _, t := range base.Tables {
		v.Tables = append(v.Tables, shareLink{t.Name, address(shareID, t.PublicID(), "", 0), t == o.table})
	}
	for _, view := range publicViews(o.table) {
		v.Views = append(v.Views, shareLink{view.Name, address(shareID, o.table.PublicID(), view.PublicID(), 0), view == o.view})
	}
	offset, err := strconv.ParseInt(query.Get("offset"), 10, 64)
	if err != nil || offset < 0 || offset > 1_000_000_000 {
		offset = 0
	}
	page, err := s.read(r.Context(), shareID, o, offset, sharePage)
	if err != nil {
		return err
	}
	v.Table, v.Total = o.table.Name, page.Total
	for _, f := range o.fields {
		v.Columns = append(v.Columns, f.Name)
	}
	if v.Rows, err = s.rows(r.Context(), base, o, page); err != nil {
		return err
	}
	viewID := ""
	if o.view != nil {
		viewID = o.view.PublicID()
	}
	if len(v.Rows) > 0 {
		v.From, v.To = offset+1, offset+int64(len(v.Rows))
	}
	if offset > 0 {
		v.Before = address(shareID, o.table.PublicID(), viewID, max(0, offset-sharePage))
	}
	if page.HasMore {
		v.After = address(shareID, o.table.PublicID(), viewID, offset+int64(len(v.Rows))) // a page of long values ends early
	}
	s.render(w, r, http.StatusOK, v)
	return nil
}

func (s *shared) render(w http.ResponseWriter, r *http.Request, status int, v shareView) {
	var body bytes.Buffer
	if err := s.page.Execute(&body, v); err != nil {
		s.Log.ErrorContext(r.Context(), "a shared page could not be written", slog.Any("error", err))
		http.Error(w, "This page could not be shown.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the browser may be gone
}

type shareFieldJSON struct {
	ID   string      `json:"id"`
	Name string      `json:"name"`
	Type schema.Type `json:"type"`
}

type shareViewJSON struct {
	ID     string           `json:"id"`
	Name   string           `json:"name"`
	Type   schema.ViewType  `json:"type"`
	Fields []shareFieldJSON `json:"fields"`
}

type shareTableJSON struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Views []shareViewJSON `json:"views"`
}

// getBase describes the base: its tables, and of each view the fields that it shows.
func (s *shared) getBase(w http.ResponseWriter, _ *http.Request, base *schema.Base) error {
	out := struct {
		Name   string           `json:"name"`
		Tables []shareTableJSON `json:"tables"`
	}{Name: base.Name, Tables: []shareTableJSON{}}
	for _, t := range base.Tables {
		table := shareTableJSON{ID: t.PublicID(), Name: t.Name, Views: []shareViewJSON{}}
		for _, v := range publicViews(t) {
			view := shareViewJSON{ID: v.PublicID(), Name: v.Name, Type: v.Type}
			for _, f := range visible(t, v) {
				view.Fields = append(view.Fields, shareFieldJSON{f.PublicID(), f.Name, f.Type()})
			}
			table.Views = append(table.Views, view)
		}
		out.Tables = append(out.Tables, table)
	}
	return writeJSON(w, out)
}

// getRecords lists the records of a view: limit and offset as in the REST interface, view a view's id or left out.
func (s *shared) getRecords(w http.ResponseWriter, r *http.Request, base *schema.Base) error {
	query := r.URL.Query()
	if _, err := id.Parse(id.Table, chi.URLParam(r, "table")); err != nil {
		return problem.NotFound("table", chi.URLParam(r, "table"))
	}
	o, err := open(base, chi.URLParam(r, "table"), query.Get("view"))
	if err != nil {
		return err
	}
	limit, err := wholeNumber("limit", query.Get("limit"), sharePage, 1, sharePage)
	if err != nil {
		return err
	}
	offset, err := wholeNumber("offset", query.Get("offset"), 0, 0, 1_000_000_000)
	if err != nil {
		return err
	}
	page, err := s.read(r.Context(), chi.URLParam(r, "share"), o, offset, int(limit))
	if err != nil {
		return err
	}
	sendJSON(w, page.AppendJSON(nil))
	return nil
}

func wholeNumber(name, text string, absent, least, most int64) (int64, error) {
	if text == "" {
		return absent, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, problem.Invalid(name, "must be a whole number from %d to %d", least, most)
	}
	return n, nil
}

func writeJSON(w http.ResponseWriter, v any) error {
	encoded, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding an answer: %w", err)
	}
	sendJSON(w, encoded)
	return nil
}

func sendJSON(w http.ResponseWriter, encoded []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encoded) // the client may be gone
}
