package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	forms "github.com/rowhouse/rowhouse/tenancy/form"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web/text"
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
	Secure  bool // whether cookies are sent over TLS only
	DB      *db.DB
	Work    *Challenger // for those who answer forms
	// Limit bounds the requests of an address and of a share. Nil bounds none.
	Limit *limit.Guard
	// Viewer returns who is signed in.
	Viewer func(r *http.Request) (person uuid.UUID, err error)
	Files  *attachment.Store // takes files for answers to forms
}

// SharePath is the path of the public pages: /share/{share id}.
const SharePath = "/share"

// sharePageSize is the number of records on a page.
const sharePageSize = 100

// Share serves a publicly shared base, or one view: as a page without scripts at /share/{id}, and as JSON at
// /share/{id}/base and /share/{id}/tables/{table}/records. It reads and sends only the records and
// fields that a view shows. The share id is checked on every request, so that revoking it takes
// effect at once. Who gave the password of a share has a cookie. A form is a page that sends an answer to itself.
func Share(deps ShareDeps) http.Handler {
	s := &shareHandler{
		ShareDeps: deps, page: publicPage("share.html"), printed: publicPage("print.html", "share.html"),
		form: publicPage("form.html"), uploads: limit.NewBulkhead(formUploads),
	}
	r := chi.NewRouter()
	r.Use(securityHeaders, route.HeadAsGet(r))
	r.Post(SharePath+"/{share}/files", s.postFile)
	r.Group(func(r chi.Router) {
		r.Use(limitBodySize)
		r.Get(SharePath+"/{share}", s.serve(s.getPage))
		r.Post(SharePath+"/{share}", s.post)
		r.Get(SharePath+"/preview/{org}/{view}", s.getPreview)
		r.Get(SharePath+"/print/{org}/{view}", s.getPrint)
		r.Get(SharePath+"/{share}/base", s.serve(s.getBase))
		r.Get(SharePath+"/{share}/tables/{table}/records", s.serve(s.getRecords))
	})
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

	page, printed, form translated

	uploads *limit.Bulkhead // of files for answers, by share
}

// post takes an answer to a form, or the password of a share.
func (s *shareHandler) post(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	switch {
	case err != nil:
		s.fail(w, r, err)
	case values.Has("challenge"):
		s.serve(s.postForm)(w, r)
	default:
		s.postPassword(w, r)
	}
}

func errShareNotFound() error {
	return &problem.Error{Kind: problem.KindNotFound, Message: text.English.Share.Gone}
}

// A shareContent makes what a request for a share is answered with, and may set headers.
type shareContent func(h http.Header, r *http.Request, base *shared) (reply, error)

type reply struct {
	status    int // 0 is 200
	mediaType string
	content   []byte
	location  string // of a redirect
}

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
	target, err := s.resolve(ctx, shareID)
	if err != nil {
		return err
	}
	if err := checkPass(r, target); err != nil {
		return err
	}
	leave, err := s.Limit.EnterAnonymous(r, target.Org, shareID)
	if err != nil {
		return err
	}
	defer leave()
	made, err := s.make(w.Header(), r, target, content)
	if err != nil {
		return err
	}
	if isVisit(r) {
		s.countVisit(r, target)
	}
	frameable(w.Header(), r, target)
	if made.location != "" {
		w.Header().Set("Location", made.location)
	}
	send(w, cmp.Or(made.status, http.StatusOK), made.mediaType, made.content)
	return nil
}

// isVisit reports whether a request opens the page of a share, and does not come from that page, as when somebody
// searches it. Nothing is kept in the browser to distinguish visits, because that would need the reader's consent.
func isVisit(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Path == SharePath+"/"+chi.URLParam(r, "share") &&
		r.Header.Get("Sec-Fetch-Site") != "same-origin"
}

// countVisit counts a visit of a shared view. A failure is logged: the reader gets the page.
func (s *shareHandler) countVisit(r *http.Request, target *organization.SharedTarget) {
	if target.View == uuid.Nil {
		return
	}
	if err := s.Shares.CountVisit(r.Context(), target); err != nil {
		s.Log.WarnContext(r.Context(), "a visit of a shared view was not counted", slog.Any("error", err))
	}
}

func (s *shareHandler) resolve(ctx context.Context, shareID string) (*organization.SharedTarget, error) {
	target, err := s.Shares.Resolve(ctx, shareID)
	if errors.Is(err, organization.ErrUnknownShare) {
		return nil, errShareNotFound()
	}
	return target, err
}

// make makes the content in one of the slots of pages.
func (s *shareHandler) make(
	h http.Header, r *http.Request, target *organization.SharedTarget, content shareContent,
) (reply, error) {
	leave, err := s.Limit.EnterPage(r.Context(), target.Org)
	if err != nil {
		return reply{}, err //nolint:wrapcheck // it is for the caller
	}
	defer leave()
	shared, err := s.shared(r.Context(), target)
	if err != nil {
		return reply{}, err
	}
	shared.say = languageOf(h, r)
	return content(h, r, shared)
}

func send(w http.ResponseWriter, status int, mediaType string, content []byte) {
	if mediaType != "" {
		w.Header().Set("Content-Type", mediaType)
	}
	w.WriteHeader(status)
	_, _ = w.Write(content) // the client may have disconnected
}

// A shared is what a share shows: a base, and if view is not nil only that view of it.
type shared struct {
	*schema.Base

	view *schema.View
	say  *text.Text // the language of the reader

	// The rest is of a form, and of a view whose readers change records: a form asks for its fields. It is answered
	// with the rights of the person who shared it.
	form   *forms.Form
	target *organization.SharedTarget
	as     context.Context //nolint:containedctx // of the request, with the rights of the person
}

// isForm reports whether nothing is shown but a form.
func (s *shared) isForm() bool { return s.view != nil && s.view.Type == schema.Form }

// title is the name of what is shared.
func (s *shared) title() string {
	if s.view != nil {
		return s.view.Name
	}
	return s.Name
}

// tables lists the tables of which something is shown.
func (s *shared) tables() []*schema.Table {
	if s.view != nil {
		return []*schema.Table{s.view.Table}
	}
	return s.Tables
}

// views returns the views of a table that are shown: neither forms, which show no records, nor personal views.
func (s *shared) views(t *schema.Table) []*schema.View {
	if s.view != nil {
		return []*schema.View{s.view}
	}
	return slices.DeleteFunc(schema.Viewer{}.Views(t), func(v *schema.View) bool { return v.Type == schema.Form })
}

func (s *shareHandler) shared(ctx context.Context, target *organization.SharedTarget) (*shared, error) {
	snapshot, err := s.Schema.Fresh(ctx, target.Org)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of a share: %w", err)
	}
	if view := snapshot.View(target.View); view != nil && view.Access != schema.Personal {
		if view.Type == schema.Form {
			return s.publicForm(ctx, target)
		}
		out := &shared{Base: view.Table.Base, view: view}
		if target.Editable {
			if err := s.edit(ctx, out, target); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	base := snapshot.Base(target.Base)
	if base == nil {
		return nil, errShareNotFound()
	}
	return &shared{Base: base}, nil
}

// fail responds with an error page on the page's path, and with a problem on the JSON paths.
func (s *shareHandler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if chi.URLParam(r, "share") == "" || r.URL.Path == SharePath+"/"+chi.URLParam(r, "share") {
		var known *problem.Error
		say := languageOf(w.Header(), r)
		message := say.Failed
		if errors.As(err, &known) && known.Kind != problem.KindInternal {
			message = explain(say, known)
		} else {
			s.Log.ErrorContext(r.Context(), "serving a shared page failed", slog.Any("error", err))
		}
		document := problem.New(err, "")
		view := shareView{Error: message}
		if known != nil && known.Code == problem.CodePasswordRequired {
			view = shareView{Locked: r.URL.Path}
			if known.Message == text.English.Share.LockedStill {
				view.Wrong = message
			}
		}
		if problem.KindOf(err) == problem.KindRateLimited {
			w.Header().Set("Retry-After", "5")
		}
		page, err := s.render(say, view)
		if err != nil {
			s.Log.ErrorContext(r.Context(), "rendering a shared page failed", slog.Any("error", err))
			http.Error(w, "This page could not be shown.", http.StatusInternalServerError)
			return
		}
		send(w, document.Status, page.mediaType, page.content)
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

// openTable returns the table and view that a request names. "" selects the first. It returns nil,
// nil for a base without tables.
func openTable(base *shared, tableID, viewID string) (*tableView, error) {
	at := slices.IndexFunc(base.tables(), func(t *schema.Table) bool {
		return tableID == "" || t.PublicID() == tableID
	})
	if at < 0 {
		if tableID == "" {
			return nil, nil //nolint:nilnil // a shared base may have no tables
		}
		return nil, problem.NotFound("table", tableID)
	}
	out := &tableView{table: base.tables()[at]}
	for _, v := range base.views(out.table) {
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
		if shows(f) && f.Info().HasValues() && !f.Info().Unlisted {
			fields = append(fields, f)
		}
	}
	slices.SortStableFunc(fields, func(a, b *schema.Field) int { return rank(a) - rank(b) })
	return fields
}

// shareView is the data of the template share.html.
type shareView struct {
	Error    string // shown instead of a base
	Locked   string // where the password is sent that is needed; "" if none is
	Wrong    string // why the password is asked for again
	Share    string
	OneView  bool // only one view is shared
	Search   shareSearch
	Base     string
	Tables   []shareLink
	Views    []shareLink
	Table    string
	Columns  []shareColumn
	Groups   []rowGroup
	Sums     []shareSum // of each column but the first; nil for none
	Total    int64
	From     int64 // position of the first record shown, from 1
	To       int64
	Previous string // URL of the previous page; "" on the first
	Next     string
	Drawing  *shareDrawing // instead of columns and rows
	Cut      int64         // how many of Total are drawn; 0 for all
	Other    shareLink     // to the other way of showing the view; its zero value is none
	Editable bool          // records are changed and added
	New      string        // the address of the page that adds a record; "" where none can be added
	Saved    bool          // what was sent has been saved
}

type shareLink struct {
	Name    string
	Address string
	Current bool
}

// A shareColumn is the head of a column, with the URL of the page that is sorted by it.
type shareColumn struct {
	Name, Address string
	Sorted        string // "ascending", "descending" or ""
}

type shareRow struct {
	Parts []sharePart
	ID    string // of the record
	Name  string
	Tone  string // "" for none
	Edit  string // the address of the page that changes it; "" for none
}

// A sharePart is the markup of cells, as far as one with more than a text, and the value of that.
type sharePart struct {
	Markup template.HTML
	Value  *shareCell // nil in the last part
}

const mediaTypeHTML = "text/html; charset=utf-8"

func (s *shareHandler) render(say *text.Text, v shareView) (reply, error) {
	var body bytes.Buffer
	if err := s.page[say].Execute(&body, v); err != nil {
		return reply{}, fmt.Errorf("rendering a shared page: %w", err)
	}
	return reply{mediaType: mediaTypeHTML, content: body.Bytes()}, nil
}
