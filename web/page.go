package web

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/api/approval"
	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/web/text"
)

// Deps are the services that the pages use. Home, Mailbox and Log are optional.
type Deps struct {
	Accounts *account.Service
	Keys     *apikey.Service
	BaseURL  string // public URL of the service, without a trailing slash
	Home     string // where to redirect after signing in; default "/"
	Schema   *catalog.Store
	// Approvals are the questions that agents ask.
	Approvals *approval.Approvals
	// Mailbox lists the sent mails, for development. Nil disables the page.
	Mailbox func() []mailer.Delivered
	Log     *slog.Logger
}

// PageRoutes are the paths that Handler serves, including everything below them.
var PageRoutes = []string{
	"/sign-up", "/sign-in", "/sign-out", "/forgot-password", "/reset-password", "/verify-email",
	"/change-email", "/invitation", "/account", "/dev/mailbox", "/approve", staticPath,
}

// PagePolicy is the content security policy of the server-rendered pages, which have no scripts.
const PagePolicy = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// Handler serves the server-rendered pages and, below /account/api, the endpoints with which the
// application manages the account. Everything below /account requires a session. Requests that
// change anything must come from the same origin.
func Handler(deps Deps) http.Handler {
	if deps.Home == "" {
		deps.Home = "/"
	}
	if deps.Log == nil {
		deps.Log = slog.Default()
	}
	p := &pages{Deps: deps, static: newStatic(), started: time.Now()}
	p.parseTemplates()

	guard := http.NewCrossOriginProtection()
	if err := guard.AddTrustedOrigin(deps.BaseURL); err != nil {
		panic("web: the base URL is not an origin: " + err.Error()) // the configuration was checked
	}
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.renderError(w, r, problem.Forbidden("%s", text.English.Account.ElsewhereForm).
			WithCode(problem.CodeCrossOrigin))
	}))

	r := chi.NewRouter()
	r.Use(problem.WithRequestID, securityHeaders, limitBodySize, route.HeadAsGet(r))
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { p.renderError(w, r, pageNotFound(r)) })
	r.MethodNotAllowed(p.methodNotAllowed(r, p.renderError))
	r.Handle(staticPath+"/*", p.static)
	all := r
	r.Group(func(r chi.Router) {
		r.Use(guard.Handler)
		p.registerSignInRoutes(r)
		p.registerMailLinkRoutes(r)
		p.registerAccountRoutes(r)
		p.registerApprovalRoutes(r)
		r.Route("/account/api", func(r chi.Router) { p.registerAPIRoutes(r, all) })
		if deps.Mailbox != nil {
			r.Get("/dev/mailbox", p.mailbox)
		}
	})
	return r
}

type pages struct {
	Deps

	static    *static
	templates map[string]translated
	started   time.Time
}

// methodNotAllowed responds to a method that the path does not support, with an Allow header (RFC
// 9110 section 15.5.6).
func (p *pages) methodNotAllowed(
	routes chi.Routes,
	writeError func(http.ResponseWriter, *http.Request, error),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		allowed := route.Allowed(routes, r)
		if len(allowed) == 0 { // no route supports the method
			writeError(w, r, pageNotFound(r))
			return
		}
		if err := route.MethodNotAllowed(w, r, allowed); err != nil {
			writeError(w, r, err)
		}
	}
}

func pageNotFound(r *http.Request) error {
	return &problem.Error{Kind: problem.KindNotFound, Message: "There is no page at " + r.URL.Path + "."}
}

const maxFormBytes = 64 << 10

func limitBodySize(next http.Handler) http.Handler { return http.MaxBytesHandler(next, maxFormBytes) }

func securityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", PagePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		// Mailed links contain tokens. With no-referrer, browsers would send "Origin: null" with
		// forms.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Robots-Tag", "noindex")
		next.ServeHTTP(w, r)
	})
}

//go:embed template/*.html
var templates embed.FS

// parseTemplates parses each page together with the layout. It panics on an invalid template.
func (p *pages) parseTemplates() {
	p.templates = map[string]translated{}
	names, err := fs.Glob(templates, "template/*.html")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range names {
		page := strings.TrimSuffix(strings.TrimPrefix(name, "template/"), ".html")
		if page != "layout" && page != "part" && page != "share" && page != "form" && page != "print" {
			p.templates[page] = translated{}
			for _, say := range text.All {
				p.templates[page][say] = template.Must(template.New("layout.html").Funcs(p.templateFuncs(say)).
					ParseFS(templates, "template/layout.html", "template/part.html", name))
			}
		}
	}
}

// A view is the data of every page template.
type view struct {
	Title string
	Form  form
	Data  any
	// Language is that of a page whose texts come from elsewhere; nil is the reader's.
	Language *text.Text
}

// translate puts what has a translation into a language.
func (v *view) translate(say *text.Text) {
	v.Title, _ = say.Translate(v.Title)
	v.Form.Alert, _ = say.Translate(v.Form.Alert)
	switch data := v.Data.(type) {
	case notice:
		data.Text, _ = say.Translate(data.Text)
		data.Label, _ = say.Translate(data.Label)
		v.Data = data
	case string:
		v.Data, _ = say.Translate(data)
	}
	errs := map[string]string{}
	for control, message := range v.Form.Errors {
		message, _ = say.Translate(message)
		errs[control] = sentence(message)
	}
	v.Form.Errors = errs
}

// A form is what a person entered and what is wrong with it.
type form struct {
	Values url.Values
	Errors map[string]string // by name of the control
	Alert  string            // an error of the form as a whole
}

// Value returns what was entered for a control.
func (f form) Value(name string) string { return f.Values.Get(name) }

// Has reports whether a checkbox or option with this value was selected.
func (f form) Has(name, value string) bool {
	for _, v := range f.Values[name] {
		if v == value {
			return true
		}
	}
	return false
}

func (p *pages) render(w http.ResponseWriter, r *http.Request, status int, name string, v view) {
	say := cmp.Or(v.Language, languageOf(w.Header(), r))
	v.translate(say)
	var body bytes.Buffer
	if err := p.templates[name][say].ExecuteTemplate(&body, "layout.html", v); err != nil {
		p.Log.ErrorContext(r.Context(), "rendering a page failed", slog.String("page", name), slog.Any("error", err))
		http.Error(w, "This page could not be shown.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the client may have disconnected
}

// renderError renders a page that describes an error.
func (p *pages) renderError(w http.ResponseWriter, r *http.Request, err error) {
	status := problem.New(err, "").Status
	title := text.English.Account.WentWrong
	switch status {
	case http.StatusNotFound:
		title = text.English.Account.PageNotFound
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		title = text.English.Account.TryLater
	}
	p.render(w, r, status, "notice", view{
		Title: title,
		Data:  notice{Text: p.userMessage(r, err), Link: p.Home, Label: text.English.Account.Continue},
	})
}

// userMessage returns the text that a person gets about an error. It logs an internal error instead
// of showing it.
func (p *pages) userMessage(r *http.Request, err error) string {
	var e *problem.Error
	if errors.As(err, &e) && e.Kind != problem.KindInternal {
		return e.Message
	}
	route := chi.RouteContext(r.Context()).RoutePattern() // a path may contain a token
	p.Log.ErrorContext(r.Context(), "serving a page failed", slog.String("route", route),
		slog.String("requestId", problem.RequestID(r.Context())), slog.Any("error", err))
	return text.English.Failed
}

// rerender renders a form again with the submitted values and the errors. Passwords have to be
// entered again.
func (p *pages) rerender(w http.ResponseWriter, r *http.Request, err error, name string, v view) {
	v.Form = form{Values: url.Values{}, Errors: map[string]string{}}
	for control, values := range r.PostForm {
		if !strings.Contains(strings.ToLower(control), "password") {
			v.Form.Values[control] = values
		}
	}
	var e *problem.Error
	if errors.As(err, &e) && len(e.Items) > 0 {
		for _, item := range e.Items {
			control, _, _ := strings.Cut(item.Path, "[")
			v.Form.Errors[control] = item.Message
		}
		if e.Kind != problem.KindInvalid || v.Form.Errors[""] != "" {
			v.Form.Alert = e.Message
		}
	} else {
		v.Form.Alert = p.userMessage(r, err)
	}
	p.render(w, r, problem.New(err, "").Status, name, v)
}

// sentence turns "must be longer" into "Must be longer."
func sentence(text string) string {
	if text == "" {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

type notice struct {
	Text        string
	Link, Label string
}

// parseForm parses the form in the request's body.
func parseForm(r *http.Request) (url.Values, error) {
	if err := r.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, &problem.Error{Kind: problem.KindTooLarge, Message: text.English.Account.TooLarge}
		}
		return nil, problem.Invalid("", "%s", text.English.Account.Unread)
	}
	return r.PostForm, nil
}

// isLocalPath reports whether a relative reference stays on this host. Browsers remove tabs and
// line breaks, and treat a backslash as a slash.
func isLocalPath(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || len(path) > 8192 {
		return false
	}
	for _, c := range path {
		if c <= ' ' || c == '\\' || c == 0x7f {
			return false
		}
	}
	u, err := url.Parse(path)
	return err == nil && u.Scheme == "" && u.Host == "" && u.User == nil && !strings.HasPrefix(u.Path, "//")
}
