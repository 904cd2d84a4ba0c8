package web

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/api/encoding"
	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/problem"
)

// dist contains the built application. In a checkout that has not built it, there is only .gitkeep.
//
//go:embed all:app/dist
var dist embed.FS

// AppPolicy is the application's content security policy. Only the service's own files run, and
// nothing inline. Images may come from other hosts over HTTPS, because a person may choose any
// image URL as a base's icon and file storage may have its own host; data: is for icons that the
// grid draws, blob: for files that are being uploaded.
const AppPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; " +
	"img-src 'self' data: blob: https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// appRoute matches the paths that the application's router handles (app/src/router.tsx).
var appRoute = regexp.MustCompile(`^/(` +
	`base/[^/]+(/[^/]+|/dashboard/[^/]+)?|` +
	`org/[^/]+(/(members|groups|keys|audit|trash))?|` +
	`settings(/(profile|security|keys|apps|notifications))?|` +
	`inbox` +
	`)?$`)

// AppFiles are the application's files outside /assets, whose names contain no hash.
var AppFiles = []string{"/favicon.svg", "/theme.js", "/prefetch.js", "/docs"}

// App serves the application: its page for each of its routes, the API reference at /docs, and
// their files. A file with a hash in its name may be cached for ever; all others are revalidated.
// Responses are compressed if the client accepts that. Any other path is status 404, with the
// application's own page for a browser and a problem for a program.
func App() http.Handler {
	root, err := fs.Sub(dist, "app/dist")
	if err != nil {
		panic("web: " + err.Error()) // the path is constant and valid
	}
	return &app{root: root}
}

// AgentPage is the page that agents' clients show next to a result (app/src/agent), as one text. A
// build without it returns "".
func AgentPage() string {
	page, err := dist.ReadFile("app/dist/agent.html")
	if err != nil {
		return ""
	}
	return string(page)
}

type app struct{ root fs.FS }

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	hashed := strings.HasPrefix(name, "assets/")
	known := hashed || slices.Contains(AppFiles, "/"+name) || appRoute.MatchString("/"+name)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		err := route.NoSuchPath(r)
		if known {
			err = route.MethodNotAllowed(w, r, []string{http.MethodGet, http.MethodHead, http.MethodOptions})
		}
		if err != nil {
			problem.Write(w, r, err)
		}
		return
	}
	if !known && !strings.Contains(r.Header.Get("Accept"), "text/html") {
		w.Header().Set("Vary", "Accept")
		problem.Write(w, r, route.NoSuchPath(r))
		return
	}
	switch {
	case name == "docs":
		name = "docs.html"
	case hashed || slices.Contains(AppFiles, "/"+name):
	case strings.HasPrefix(name, "base/"):
		name = "base.html" // the same page, which also preloads what a table needs
	default:
		name = "index.html"
	}
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	if strings.HasSuffix(name, ".html") {
		header.Set("Content-Security-Policy", AppPolicy)
		header.Set("Referrer-Policy", "same-origin")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	}
	if hashed {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	if !known {
		w = &notFoundWriter{w}
		r = r.WithContext(r.Context()) // makes a copy
		r.Header = r.Header.Clone()
		for _, conditional := range []string{"If-None-Match", "If-Modified-Since", "Range"} {
			r.Header.Del(conditional)
		}
	}
	a.serve(w, r, name)
}

// notFoundWriter replaces status 200 by 404.
type notFoundWriter struct{ http.ResponseWriter }

func (m *notFoundWriter) WriteHeader(status int) {
	if status == http.StatusOK {
		status = http.StatusNotFound
	}
	m.ResponseWriter.WriteHeader(status)
}

// serve responds with the best encoding of the file that the client accepts.
func (a *app) serve(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	header.Add("Vary", "Accept-Encoding")
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	accepted := strings.Join(r.Header.Values("Accept-Encoding"), ",")
	for _, variant := range []struct{ coding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}} {
		if variant.coding != "" && !encoding.Accepts(accepted, variant.coding) {
			continue
		}
		content, err := fs.ReadFile(a.root, name+variant.suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			break
		}
		if variant.coding != "" {
			header.Set("Content-Encoding", variant.coding)
		}
		header.Set("Content-Type", kind)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
		return
	}
	header.Set("Cache-Control", "no-store")
	if strings.HasSuffix(name, ".html") {
		http.Error(w, "This binary does not contain the web application. Build it with `make build`.",
			http.StatusServiceUnavailable)
		return
	}
	problem.Write(w, r, route.NoSuchPath(r))
}
