package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func testHelp(t *testing.T) http.Handler {
	t.Helper()
	file := func(text string) *fstest.MapFile {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
			t.Fatal("packing a file", err)
		}
		return &fstest.MapFile{Data: packed.Bytes()}
	}
	return &help{root: fstest.MapFS{
		".gitkeep":              {},
		"index.html.gz":         file("<!doctype html>home"),
		"404.html.gz":           file("<!doctype html>missing"),
		"reference/sql.html.gz": file("<!doctype html>sql"),
		"assets/app.1234.js.gz": file("script"),
		"assets/grid.1234.png":  {Data: []byte("picture")},
	}}
}

func TestHelpServesPagesToEverybody(t *testing.T) {
	t.Parallel()
	h := testHelp(t)
	for target, want := range map[string]string{"/help/": "home", "/help/reference/sql": "sql"} {
		response := request(t, h, http.MethodGet, target, "")
		if got := body(t, response); response.StatusCode != http.StatusOK || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %d %q", target, response.StatusCode, got)
		}
		policy := response.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", target, policy)
		}
		tag := response.Header.Get("ETag")
		if response.Header.Get("Cache-Control") != "no-cache" || tag == "" {
			t.Errorf("%s: %v", target, response.Header)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusNotModified {
			t.Errorf("%s with its ETag: %d", target, w.Code)
		}
	}
	head := request(t, h, http.MethodHead, "/help/reference/sql", "")
	if got := body(t, head); head.StatusCode != http.StatusOK || got != "" || head.ContentLength <= 0 {
		t.Errorf("HEAD: %d %q %d", head.StatusCode, got, head.ContentLength)
	}
	if response := request(t, h, http.MethodGet, "/help", ""); response.StatusCode != http.StatusMovedPermanently ||
		response.Header.Get("Location") != "/help/" {
		t.Errorf("/help: %d %q", response.StatusCode, response.Header.Get("Location"))
	}
}

func TestHelpFilesAreCompressedForThoseWhoTakeIt(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"", "br", "gzip, br"} {
		response := request(t, testHelp(t), http.MethodGet, "/help/assets/app.1234.js", encoding)
		compressed := response.Header.Get("Content-Encoding") == "gzip"
		if compressed != strings.Contains(encoding, "gzip") || response.Header.Get("Vary") != "Accept-Encoding" ||
			!strings.Contains(response.Header.Get("Cache-Control"), "immutable") ||
			!strings.Contains(response.Header.Get("Content-Type"), "javascript") {
			t.Errorf("Accept-Encoding %q: %v", encoding, response.Header)
		}
		if got := body(t, response); !compressed && got != "script" {
			t.Errorf("Accept-Encoding %q: %q", encoding, got)
		}
	}
	picture := request(t, testHelp(t), http.MethodGet, "/help/assets/grid.1234.png", "gzip")
	if got := body(t, picture); got != "picture" {
		t.Errorf("a picture: %q", got)
	}
}

func TestHelpHasItsOwnPageForWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, target := range []string{
		"/help/nothing", "/help/reference", "/help/assets", "/help/../go.mod", "/help/.gitkeep",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		r.Header.Set("Accept", "text/html")
		w := httptest.NewRecorder()
		testHelp(t).ServeHTTP(w, r)
		if w.Code != http.StatusNotFound || !strings.HasSuffix(w.Body.String(), "missing") ||
			w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%s for a person: %d %q", target, w.Code, w.Body)
		}
		response := request(t, testHelp(t), http.MethodGet, target, "")
		if got := body(t, response); response.StatusCode != http.StatusNotFound ||
			!strings.Contains(got, "no_such_path") {
			t.Errorf("%s for a program: %d %q", target, response.StatusCode, got)
		}
	}
	response := request(t, testHelp(t), http.MethodPost, "/help/", "")
	if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("POST: %d %q", response.StatusCode, response.Header.Get("Allow"))
	}
}

func TestBinaryWithoutHelpSaysHowToBuildIt(t *testing.T) {
	t.Parallel()
	response := request(t, &help{root: fstest.MapFS{}}, http.MethodGet, "/help/", "")
	if got := body(t, response); response.StatusCode != http.StatusServiceUnavailable ||
		!strings.Contains(got, "make build") {
		t.Errorf("%d %q", response.StatusCode, got)
	}
}
