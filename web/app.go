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
	"strconv"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/problem"
)

// dist holds the built application. In a checkout that has not built it yet there is only .gitkeep.
//
//go:embed all:app/dist
var dist embed.FS

// AppPolicy is the content security policy of the application: nothing but the service's own files runs, and nothing is
// inline. Images may come from elsewhere over https, because a person may give a base the address of an image as its icon
// and stored files may have addresses of their own; data: is for the grid's drawn icons, blob: for files before they are sent.
const AppPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; " +
	"img-src 'self' data: blob: https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// appRoute recognizes the paths that the application's router knows (app/src/router.tsx).
var appRoute = regexp.MustCompile(`^/(` +
	`base/[^/]+(/[^/]+)?|` +
	`org/[^/]+(/(members|keys|audit))?|` +
	`settings(/(profile|security|keys|apps))?` +
	`)?$`)

// AppFiles are the application's files outside /assets, which have no hash in their names.
var AppFiles = []string{"/favicon.svg", "/theme.js", "/ahead.js", "/docs"}

// App serves the application: its page for every route, the API reference at /docs, and their files. Files with a hash in
// their name may be kept for ever, all others are asked for again; text comes compressed when the client can read that.
// Every other path is 404: with the application's page, which says so, for a person, and with a problem for a program.
func App() http.Handler {
	root, err := fs.Sub(dist, "app/dist")
	if err != nil {
		panic("web: " + err.Error()) // the path is a constant and valid
	}
	return &app{root: root}
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
		name = "base.html" // the same page, which also names the files that an open table needs
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
		r = r.WithContext(r.Context()) // a copy
		r.Header = r.Header.Clone()
		for _, conditional := range []string{"If-None-Match", "If-Modified-Since", "Range"} {
			r.Header.Del(conditional)
		}
	}
	a.serve(w, r, name)
}

// notFoundWriter answers with status 404 what would be an answer with 200.
type notFoundWriter struct{ http.ResponseWriter }

func (m *notFoundWriter) WriteHeader(status int) {
	if status == http.StatusOK {
		status = http.StatusNotFound
	}
	m.ResponseWriter.WriteHeader(status)
}

// serve answers with the best encoding of the file that the client accepts.
func (a *app) serve(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	header.Add("Vary", "Accept-Encoding")
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	for _, encoding := range []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}} {
		if encoding.name != "" && !accepts(r.Header.Get("Accept-Encoding"), encoding.name) {
			continue
		}
		content, err := fs.ReadFile(a.root, name+encoding.suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			break
		}
		if encoding.name != "" {
			header.Set("Content-Encoding", encoding.name)
		}
		header.Set("Content-Type", kind)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
		return
	}
	header.Set("Cache-Control", "no-store")
	if strings.HasSuffix(name, ".html") {
		http.Error(w, "The web application is not part of this binary. Build it with `make build`.", http.StatusServiceUnavailable)
		return
	}
	problem.Write(w, r, route.NoSuchPath(r))
}

// accepts reads an Accept-Encoding header (RFC 9110, section 12.5.3) for one named encoding.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, parameter, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		key, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if key != "q" {
			return true
		}
		weight, err := strconv.ParseFloat(value, 64)
		return err != nil || weight > 0
	}
	return false
}
