package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// slow responds after some silence, with events or with an error of the protocol that is no event.
func slow(t *testing.T, contentType, body string) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	recorder.Header().Set("X-Request-Id", "kept")
	s := newStream(recorder, 5*time.Millisecond)
	for {
		s.mu.Lock()
		said := strings.Count(recorder.Body.String(), ": still working")
		s.mu.Unlock()
		if said >= 2 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	s.Header().Set("Content-Type", contentType)
	s.WriteHeader(http.StatusBadRequest)
	if _, err := s.Write([]byte(body)); err != nil {
		t.Fatal(err)
	}
	s.close()
	if _, err := s.Write([]byte("more")); err == nil {
		t.Error("a closed stream takes more")
	}
	if h := recorder.Result().Header; h.Get("Content-Type") != "text/event-stream" ||
		h.Get("X-Accel-Buffering") != "no" || h.Get("X-Request-Id") != "kept" {
		t.Errorf("the header is %v", h)
	}
	return recorder.Body.String()
}

func TestIdleStreamSendsComments(t *testing.T) {
	t.Parallel()
	said := slow(t, "text/event-stream", "event: message\ndata: {}\n\n")
	if !strings.HasPrefix(said, ": still working\n\n: still working\n\n") ||
		!strings.HasSuffix(said, "\n\nevent: message\ndata: {}\n\n") {
		t.Errorf("sent %q", said)
	}
}

func TestErrorAfterCommentIsEvent(t *testing.T) {
	t.Parallel()
	if said := slow(
		t, "application/json", `{"error":{}}`,
	); !strings.HasSuffix(said, "\n\nevent: message\ndata: {\"error\":{}}\n\n") {
		t.Errorf("sent %q", said)
	}
}

func TestErrorBeforeCommentKeepsStatus(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	s := newStream(recorder, time.Hour)
	s.Header().Set("Content-Type", "application/json")
	s.WriteHeader(http.StatusNotFound)
	_, _ = s.Write([]byte("{}"))
	s.close()
	if recorder.Code != 404 || recorder.Body.String() != "{}" || recorder.Header().Get("X-Accel-Buffering") != "" {
		t.Errorf("sent %d %q %v", recorder.Code, recorder.Body, recorder.Header())
	}
}
