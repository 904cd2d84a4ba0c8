package telemetry

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
)

// Requests watches every request on its way to next: it measures and traces it, writes a log line for what no operation does,
// and turns a panic into an answer. rooms are the first segments of the paths that the service knows; of a path, nothing else is
// told, for it may hold a secret. That is why it does not use a general instrumentation, which puts paths and queries into spans.
// failed answers a request whose handler panicked before it wrote anything.
func Requests(
	next http.Handler, m *Metrics, t *Tracer, log *slog.Logger, rooms []string, failed http.HandlerFunc,
) http.Handler {
	known := make(map[string]bool, len(rooms))
	for _, room := range rooms {
		known[room] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		room, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if !known[room] {
			room = "other"
		}
		began, answer := time.Now(), &answer{ResponseWriter: w}
		r, span := t.begin(r, room)
		m.underWay.Inc()
		defer func() {
			m.underWay.Dec()
			defer span.End()
			incomplete := false
			took := time.Since(began)
			if failure := recover(); failure != nil {
				if failure == http.ErrAbortHandler { //nolint:errorlint // The library's own sign, compared as it compares it.
					panic(failure)
				}
				m.panics.Inc()
				log.ErrorContext(r.Context(), "a request ended in a panic",
					slog.String("request", w.Header().Get("X-Request-Id")),
					slog.String("room", room), slog.Any("panic", failure), slog.String("stack", string(debug.Stack())))
				if answer.status == 0 {
					failed(answer, r)
				} else {
					incomplete = true
				}
			}
			m.request(room, r.Method, answer.code(), took)
			if span.IsRecording() {
				span.SetAttributes(attribute.Int("http.response.status_code", answer.code()), attribute.String("rowhouse.request", w.Header().Get("X-Request-Id")))
				if answer.code() >= http.StatusInternalServerError {
					span.SetStatus(codes.Error, "")
				}
			}
			// An operation writes its own line, which says more.
			if level := slog.LevelInfo; answer.code() >= http.StatusBadRequest || room != "api" && room != "mcp" {
				if room == "healthz" || room == "readyz" || room == "assets" {
					level = slog.LevelDebug
				}
				log.LogAttrs(r.Context(), level, "request", slog.String("request", w.Header().Get("X-Request-Id")), slog.String("room", room),
					slog.String("method", r.Method), slog.Int("status", answer.code()), slog.Duration("took", took), slog.Int64("bytes", answer.bytes))
			}
			if incomplete {
				// Closing the connection tells the client that the response is truncated.
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(answer, r)
	})
}

// An answer remembers what was answered.
type answer struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (a *answer) code() int {
	if a.status == 0 {
		return http.StatusOK
	}
	return a.status
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(b)
	a.bytes += int64(n)
	return n, err //nolint:wrapcheck // the writer's own
}

// Unwrap lets http.ResponseController reach what is beneath.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
