package web

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
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

// AppRoutes are the paths that the application itself shows. Each, and everything below it, is answered with its page; the
// router of the service mounts App there, and below /assets and at AppFiles.
var AppRoutes = []string{"/", "/base", "/org", "/settings"}

// AppFiles are the application's files outside /assets, which have no hash in their names.
var AppFiles = []string{"/favicon.svg", "/theme.js", "/ahead.js", "/docs"}

// App serves the application: its page for every route, the API reference at /docs, and their files. Files with a hash in
// their name may be kept for ever, all others are asked for again; text comes compressed when the client can read that.
// A path that is no file below /assets is 404.
func App() http.Handler {
	root, err := fs.Sub(dist, "app/dist")
	if err != nil {
		panic("web: " + err.Error()) // the path is a constant and valid
	}
	return &app{root: root}
}

type app struct{ root fs.FS }

func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "This page can only be read.", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	hashed := strings.HasPrefix(name, "assets/")
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
	a.serve(w, r, name)
}

// serve answers with the best encoding of the file that the client accepts.
func (a *app) serve(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	header.Set("Vary", "Accept-Encoding")
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
	http.NotFound(w, r)
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
