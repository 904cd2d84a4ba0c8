package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/problem"
)

//go:embed static app/src/style/token.css app/public/favicon.svg
var files embed.FS

const staticPath = "/static"

// static serves the pages' files. The style sheet starts with the application's design tokens, so
// that colours are defined once.
type static struct {
	files   map[string][]byte // keyed by path below staticPath
	version string
}

func newStatic() *static {
	s := &static{files: map[string][]byte{}}
	root, err := fs.Sub(files, "static")
	panicOnError(err)
	panicOnError(fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		s.files["/"+name], err = fs.ReadFile(root, name)
		return err
	}))
	tokens, err := files.ReadFile("app/src/style/token.css")
	panicOnError(err)
	s.files["/mark.svg"], err = files.ReadFile("app/public/favicon.svg")
	panicOnError(err)
	s.files["/page.css"] = append(followSystemTheme(tokens), s.files["/page.css"]...)
	sum := sha256.New()
	sum.Write(s.files["/page.css"])
	for _, name := range []string{"/share.css", "/form.css", "/form.js"} {
		sum.Write(s.files[name])
	}
	s.version = hex.EncodeToString(sum.Sum(nil))[:10]
	return s
}

func panicOnError(err error) {
	if err != nil {
		panic("web: " + err.Error()) // the files are embedded
	}
}

// followSystemTheme makes the dark colours, which the application's script selects, follow the
// system's colour scheme.
func followSystemTheme(tokens []byte) []byte {
	const chosen = `:root[data-theme="dark"] {`
	light, dark, found := strings.Cut(string(tokens), chosen)
	if !found {
		panic("web: the tokens have no dark theme")
	}
	block, rest, _ := strings.Cut(dark, "\n}")
	return []byte(light + "@media (prefers-color-scheme: dark) {\n:root {" + block + "\n}\n}" + rest + "\n")
}

// url returns the URL of a file. Its version changes with the style sheets and scripts.
func (s *static) url(name string) string { return staticPath + name + "?v=" + s.version }

func (s *static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, staticPath)
	content, found := s.files[name]
	if !found {
		problem.Write(w, r, route.NoSuchPath(r))
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		if err := route.MethodNotAllowed(
			w, r, []string{http.MethodGet, http.MethodHead, http.MethodOptions},
		); err != nil {
			problem.Write(w, r, err)
		}
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("Cache-Control", "public, max-age=3600")
	if r.URL.Query().Get("v") == s.version || path.Ext(name) == ".woff2" {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}
