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
	next http.Handler, m *Metrics, t *Tracer, log *slog.Logger, surfaces []string, onPanic http.HandlerFunc,
) http.Handler {
	known := make(map[string]bool, len(surfaces))
	for _, surface := range surfaces {
		known[surface] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		surface, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if !known[surface] {
			surface = "other"
		}
		began, recorder := time.Now(), &responseRecorder{ResponseWriter: w}
		r, span := t.begin(r, surface)
		m.inFlight.Inc()
		defer func() {
			m.inFlight.Dec()
			defer span.End()
			took := time.Since(began)
			if failure := recover(); failure != nil {
				if failure == http.ErrAbortHandler { //nolint:errorlint // The library's own sign, compared as it compares it.
					panic(failure)
				}
				m.panics.Inc()
				log.ErrorContext(r.Context(), "a request ended in a panic",
					slog.String("request", w.Header().Get("X-Request-Id")),
					slog.String("room", surface), slog.Any("panic", failure), slog.String("stack", string(debug.Stack())))
				if recorder.status == 0 {
					onPanic(recorder, r)
				}
			}
			m.request(surface, r.Method, recorder.code(), took)
			if span.IsRecording() {
				span.SetAttributes(attribute.Int("http.response.status_code", recorder.code()), attribute.String("rowhouse.request", w.Header().Get("X-Request-Id")))
				if recorder.code() >= http.StatusInternalServerError {
					span.SetStatus(codes.Error, "")
				}
			}
			// An operation writes its own line, which says more.
			if level := slog.LevelInfo; recorder.code() >= http.StatusBadRequest || surface != "api" && surface != "mcp" {
				if surface == "healthz" || surface == "readyz" || surface == "assets" {
					level = slog.LevelDebug
				}
				log.LogAttrs(r.Context(), level, "request", slog.String("request", w.Header().Get("X-Request-Id")), slog.String("room", surface),
					slog.String("method", r.Method), slog.Int("status", recorder.code()), slog.Duration("took", took), slog.Int64("bytes", recorder.bytes))
			}
		}()
		next.ServeHTTP(recorder, r)
	})
}

// An responseRecorder remembers what was answered.
type responseRecorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (a *responseRecorder) code() int {
	if a.status == 0 {
		return http.StatusOK
	}
	return a.status
}

func (a *responseRecorder) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *responseRecorder) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(b)
	a.bytes += int64(n)
	return n, err //nolint:wrapcheck // the writer's own
}

// Unwrap lets http.ResponseController reach what is beneath.
func (a *responseRecorder) Unwrap() http.ResponseWriter { return a.ResponseWriter }
