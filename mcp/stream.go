package mcp

import (
	"bytes"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A stream is the response to one request. It asks proxies not to buffer events, and keeps an idle
// connection alive with comments until the response is ready.
//
// It has its own header until the first byte is sent, because the timer and the transport run
// concurrently.
type stream struct {
	writer   http.ResponseWriter
	header   http.Header
	interval time.Duration

	mu             sync.Mutex
	timer          *time.Timer
	headerSent     bool // the status was sent
	eventStream    bool // the response is text/event-stream
	startedByTimer bool // the timer sent the status before the transport did
	closed         bool
}

func newStream(w http.ResponseWriter, silence time.Duration) *stream {
	s := &stream{writer: w, header: w.Header().Clone(), interval: silence}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(silence, s.sendComment)
	return s
}

// close ends the stream when the transport has returned.
func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.timer.Stop()
}

func (s *stream) sendComment() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.headerSent && !s.eventStream {
		return
	}
	if !s.headerSent {
		// The transport responds to every call with events, and has had time to reject the request.
		s.startedByTimer, s.eventStream, s.headerSent = true, true, true
		h := s.writer.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-cache, no-transform")
		h.Set("X-Accel-Buffering", "no")
		s.writer.WriteHeader(http.StatusOK)
	}
	_, _ = s.writer.Write([]byte(": still working\n\n")) // the client may have disconnected
	s.flush()
	s.timer.Reset(s.interval)
}

func (s *stream) writeHeader(status int) {
	s.headerSent = true
	s.eventStream = strings.HasPrefix(s.header.Get("Content-Type"), "text/event-stream")
	if s.eventStream {
		s.header.Set("X-Accel-Buffering", "no")
	}
	h := s.writer.Header()
	clear(h)
	maps.Copy(h, s.header)
	s.writer.WriteHeader(status)
}

// Header returns the response header. Changes after the first write are not sent.
func (s *stream) Header() http.Header { return s.header }

// WriteHeader sends the status.
func (s *stream) WriteHeader(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.headerSent && !s.closed {
		s.writeHeader(status)
	}
}

// Write sends a part of the response.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, http.ErrHandlerTimeout
	}
	if !s.headerSent {
		s.writeHeader(http.StatusOK)
	}
	s.timer.Reset(s.interval)
	if s.startedByTimer && !bytes.HasPrefix(p, []byte("event:")) && !bytes.HasPrefix(p, []byte("data:")) &&
		!bytes.HasPrefix(p, []byte("id:")) {
		// The transport meant this error to be the whole response; it becomes an event.
		event := append([]byte("event: message\ndata: "), bytes.TrimSpace(p)...)
		_, err := s.writer.Write(append(event, "\n\n"...))
		return len(p), err
	}
	return s.writer.Write(p)
}

// Flush sends what has been written.
func (s *stream) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if !s.headerSent {
		s.writeHeader(http.StatusOK)
	}
	s.flush()
}

func (s *stream) flush() {
	_ = http.NewResponseController(s.writer).Flush() // not every writer supports it
}
