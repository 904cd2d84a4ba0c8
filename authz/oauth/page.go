package oauth

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/authz"
)

//go:embed page
var pageFiles embed.FS

// pages are the consent page, those of devices and the error page. They use no scripts, and html/template escapes
// everything that comes from a client.
var pages = template.Must(template.ParseFS(pageFiles, "page/*.html"))

// A scopeChoice is a checkbox on the consent page.
type scopeChoice struct {
	Scope     string
	Title     string
	Checked   bool
	Sensitive bool
}

// consentPage is the data of the consent page.
type consentPage struct {
	Title       string
	Person      *Person
	Name        string       // client_name, chosen by the client
	NameWarning string       // about confusable letters in Name, or ""
	Domain      string       // of the metadata document, or ""
	Punycode    bool         // whether Domain or Host contains punycode
	Host        string       // of the redirect URI
	Loopback    bool         // whether the redirect URI is on the person's machine
	App         bool         // whether the redirect URI has a private-use scheme
	Device      *shownDevice // of a device, which has no redirect URI
	Resource    string
	Orgs        []grantOrganization
	Reading     []scopeChoice
	Writing     []scopeChoice
	Handle      string
	AllOrgs     string
}

func (s *Service) renderConsent(
	w http.ResponseWriter,
	r *http.Request,
	person *Person,
	client *Client,
	q *authorizationRequest,
	orgs []grantOrganization,
	handle string,
) {
	target, err := url.Parse(q.Target)
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	view := consentPage{
		Title:    "Allow access",
		Person:   person,
		Name:     truncateName(normalizeName(client.Metadata.Name)),
		Domain:   client.Domain(),
		Host:     shownHost(target),
		Loopback: isLoopback(target),
		App:      q.Device == nil && target.Scheme != "https" && target.Scheme != "http",
		Device:   q.shown,
		Resource: "MCP server",
		Orgs:     orgs,
		Handle:   handle,
		AllOrgs:  allOrgs,
	}
	view.NameWarning = nameWarning(normalizeName(client.Metadata.Name))
	view.Punycode = hasPunycode(view.Domain) || hasPunycode(target.Hostname())
	if view.Name == "" {
		view.Name = "An application without a name"
	}
	if view.App {
		view.Host = target.Scheme + ":"
	}
	if q.Resource == s.resources.rest {
		view.Resource = "REST interface"
	}
	for _, scope := range q.Scopes {
		info, _ := authz.Info(scope)
		careful := scope == authz.MembersManage
		list := &view.Reading
		if info.Writes {
			list = &view.Writing
		}
		*list = append(*list, scopeChoice{
			Scope:     string(scope),
			Title:     info.Title,
			Checked:   !careful,
			Sensitive: careful,
		})
	}
	source := ""
	if q.Device == nil {
		source = formActionSource(target)
	}
	s.render(w, r, http.StatusOK, "consent.html", view, source)
}

// formActionSource returns the CSP source expression that allows the consent form to redirect to
// the client, because browsers apply form-action to redirects too.
func formActionSource(target *url.URL) string {
	if target.Scheme != "https" && target.Scheme != "http" {
		return target.Scheme + ":"
	}
	host := target.Host
	if addr, err := netip.ParseAddr(target.Hostname()); err == nil && addr.Is6() {
		// Source expressions do not support IPv6 addresses.
		return target.Scheme + ":"
	}
	if strings.ContainsFunc(host, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(".-:", r)
	}) {
		return target.Scheme + ":"
	}
	return target.Scheme + "://" + host
}

// errorPage is the data of the error page.
type errorPage struct {
	Title  string
	Detail string
	Code   string
	Return template.URL // the client's redirect URI with the error, or ""
	Host   string       // of Return
}

// renderReturnPage shows an error with a link back to the client, which the person may follow. The
// page does not repeat text that the client sent.
func (s *Service) renderReturnPage(w http.ResponseWriter, r *http.Request, e *redirectableError) {
	target, err := url.Parse(e.target)
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	f := s.toOAuthError(r.Context(), e.cause)
	view := errorPage{
		Title:  "This request cannot go on",
		Detail: f.DescriptionField,
		Code:   f.ErrorField,
		Return: template.URL(s.errorResponseURL(r.Context(), e)), //nolint:gosec // its scheme was validated
		Host:   shownHost(target),
	}
	if target.Scheme != "https" && target.Scheme != "http" {
		view.Host = target.Scheme + ":"
	}
	s.render(w, r, f.CodeField, "error.html", view, "")
}

// renderError shows an error to the person, because it is not safe to redirect to the client.
func (s *Service) renderError(w http.ResponseWriter, r *http.Request, err error) {
	f := s.toOAuthError(r.Context(), err)
	view := errorPage{Title: "This request cannot go on", Detail: f.Reason(), Code: f.ErrorField}
	if view.Detail == "" {
		view.Detail = f.DescriptionField
	}
	var known *fosite.RFC6749Error
	if errors.As(err, &known) && f.CodeField >= http.StatusInternalServerError {
		view.Title = "Something went wrong"
	}
	s.render(w, r, f.CodeField, "error.html", view, "")
}

func (s *Service) render(
	w http.ResponseWriter,
	r *http.Request,
	status int,
	name string,
	view any,
	formActionSource string,
) {
	var body bytes.Buffer
	if err := pages.ExecuteTemplate(&body, name, view); err != nil {
		s.log.LogAttrs(r.Context(), slog.LevelError, "rendering a page", slog.Any("error", err))
		http.Error(w, "Something went wrong.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy",
		strings.TrimSpace("default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; "+
			"frame-ancestors 'none'; form-action 'self' "+formActionSource))
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// style serves the stylesheet.
func (s *Service) style(w http.ResponseWriter, _ *http.Request) {
	text, err := pageFiles.ReadFile("page/style.css")
	if err != nil {
		http.Error(w, "Not found.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(text)
}
