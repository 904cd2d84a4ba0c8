package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/api/encoding"
	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/problem"
)

// helpDist contains the built pages of docs/. In a checkout that has not built them, there is only
// .gitkeep.
//
//go:embed all:help/dist
var helpDist embed.FS

// HelpPath is where Help serves, including everything below it.
const HelpPath = "/help"

// HelpPolicy is the content security policy of the help. Its build (help/finish.mjs) puts every
// script in a file. The hash is the hash of the style with which VitePress stops transitions while
// the theme changes. Its style sheets contain icons as data: URLs.
const HelpPolicy = "default-src 'none'; script-src 'self'; " +
	"style-src 'self' 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='; font-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// Help serves the documentation, to everybody. A file with a hash in its name may be cached for
// ever; all others are revalidated by their ETag. Any other path below HelpPath is status 404, with
// the site's own page for a browser and a problem for a program.
func Help() http.Handler {
	root, err := fs.Sub(helpDist, "help/dist")
	panicOnError(err)
	return &help{root: root}
}

type help struct{ root fs.FS }

func (h *help) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		if err := route.MethodNotAllowed(
			w, r, []string{http.MethodGet, http.MethodHead, http.MethodOptions},
		); err != nil {
			problem.Write(w, r, err)
		}
		return
	}
	if r.URL.Path == HelpPath { // the pages' links begin with a slash after it
		http.Redirect(w, r, HelpPath+"/", http.StatusMovedPermanently)
		return
	}
	name, status := h.find(strings.TrimPrefix(r.URL.Path, HelpPath+"/")), http.StatusOK
	if name == "" {
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			w.Header().Set("Vary", "Accept")
			problem.Write(w, r, route.NoSuchPath(r))
			return
		}
		name, status = "404.html", http.StatusNotFound
	}
	if err := h.serve(w, r, name, status); err != nil {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "This binary does not contain the help. Build it with `make build`.",
			http.StatusServiceUnavailable)
	}
}

// find returns the name of the file at a path below HelpPath, or "" if there is none. A page's path
// is its name without .html.
func (h *help) find(at string) string {
	if at == "" {
		return "index.html" // a build without the help has none, which serve reports
	}
	name := strings.TrimPrefix(path.Clean("/"+at), "/")
	if strings.HasPrefix(name, ".") { // .gitkeep
		return ""
	}
	candidates := []string{name, name + ".html"}
	for _, candidate := range candidates {
		for _, stored := range []string{candidate, candidate + ".gz"} {
			if info, err := fs.Stat(h.root, stored); err == nil && !info.IsDir() {
				return candidate
			}
		}
	}
	return ""
}

// serve responds with a file, compressed if it is stored so and the client accepts that. It returns
// an error, and has sent nothing, if the file cannot be read.
func (h *help) serve(w http.ResponseWriter, r *http.Request, name string, status int) error {
	content, err := fs.ReadFile(h.root, name+".gz")
	compressed := err == nil
	if errors.Is(err, fs.ErrNotExist) {
		content, err = fs.ReadFile(h.root, name)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	sum := sha256.Sum256(content)
	tag := hex.EncodeToString(sum[:8])
	header := w.Header()
	if compressed {
		if encoding.Accepts(strings.Join(r.Header.Values("Accept-Encoding"), ","), "gzip") {
			header.Set("Content-Encoding", "gzip")
			tag += "-gzip"
		} else if content, err = expand(content); err != nil {
			return fmt.Errorf("expanding %s: %w", name, err)
		}
	}
	header.Add("Vary", "Accept-Encoding")
	header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if strings.HasSuffix(name, ".html") {
		header.Set("Content-Security-Policy", HelpPolicy)
		header.Set("Referrer-Policy", "same-origin")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	}
	if status != http.StatusOK {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			_, _ = w.Write(content) // the client may have disconnected
		}
		return nil
	}
	header.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	return nil
}

func expand(content []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
