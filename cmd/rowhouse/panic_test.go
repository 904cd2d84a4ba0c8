package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPanicIsProblemWithRequestID(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	w.Header().Set("Content-Length", "7")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/me", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Request-Id", "my-own.1")
	writePanicProblem(w, r)
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), `"requestId":"my-own.1"`) || w.Header().Get("Content-Length") != "" {
		t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
	}
}
