package mcp

import (
	"bytes"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A stream is the answer to one request. It tells proxies not to buffer events, and keeps a silent connection alive with comments
// until the answer is there.
//
// Its header is its own until the first byte goes out, because the timer and the transport work at the same time.
type stream struct {
	under   http.ResponseWriter
	header  http.Header
	silence time.Duration

	mu     sync.Mutex
	timer  *time.Timer
	sent   bool // the status is out
	events bool // as text/event-stream
	early  bool // the timer sent the status, before the transport knew what to answer
	closed bool
}

func newStream(w http.ResponseWriter, silence time.Duration) *stream {
	s := &stream{under: w, header: w.Header().Clone(), silence: silence}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(silence, s.comment)
	return s
}

// close ends the stream: the transport has returned.
func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.timer.Stop()
}

func (s *stream) comment() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.sent && !s.events {
		return
	}
	if !s.sent {
		// The transport answers every call with events, and has had its chance to refuse the request.
		s.early, s.events, s.sent = true, true, true
		h := s.under.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-cache, no-transform")
		h.Set("X-Accel-Buffering", "no")
		s.under.WriteHeader(http.StatusOK)
	}
	_, _ = s.under.Write([]byte(": still working\n\n")) // the client may be gone
	s.flush()
	s.timer.Reset(s.silence)
}

func (s *stream) begin(status int) {
	s.sent = true
	s.events = strings.HasPrefix(s.header.Get("Content-Type"), "text/event-stream")
	if s.events {
		s.header.Set("X-Accel-Buffering", "no")
	}
	h := s.under.Header()
	clear(h)
	maps.Copy(h, s.header)
	s.under.WriteHeader(status)
}

// Header is the header of the answer; what is set after the first write is not sent.
func (s *stream) Header() http.Header { return s.header }

// WriteHeader sends the status.
func (s *stream) WriteHeader(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.sent && !s.closed {
		s.begin(status)
	}
}

// Write sends a part of the answer.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, http.ErrHandlerTimeout
	}
	if !s.sent {
		s.begin(http.StatusOK)
	}
	s.timer.Reset(s.silence)
	if s.early && !bytes.HasPrefix(p, []byte("event:")) && !bytes.HasPrefix(p, []byte("data:")) && !bytes.HasPrefix(p, []byte("id:")) {
		// An error that the transport meant to be the whole answer: it is an event now.
		event := append([]byte("event: message\ndata: "), bytes.TrimSpace(p)...)
		_, err := s.under.Write(append(event, "\n\n"...))
		return len(p), err
	}
	return s.under.Write(p)
}

// Flush sends what was written.
func (s *stream) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if !s.sent {
		s.begin(http.StatusOK)
	}
	s.flush()
}

func (s *stream) flush() {
	_ = http.NewResponseController(s.under).Flush() // not every writer can
}
