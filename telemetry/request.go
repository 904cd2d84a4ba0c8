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

// Requests is middleware that measures, traces and logs every request, and converts panics into
// responses. surfaces are the known first path segments; others are reported as "other". Nothing
// else of a path is recorded, because paths and queries may contain secrets. Generic
// instrumentation is not used because it records them. Requests that operations log are not logged
// again when they succeed. onPanic responds to a request whose handler panicked before it wrote
// anything.
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
			incomplete := false
			took := time.Since(began)
			if failure := recover(); failure != nil {
				if failure == http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
					panic(failure)
				}
				m.panics.Inc()
				log.ErrorContext(r.Context(), "a request ended in a panic",
					slog.String("request", w.Header().Get("X-Request-Id")),
					slog.String("surface", surface), slog.Any("panic", failure),
					slog.String("stack", string(debug.Stack())))
				if recorder.status == 0 {
					onPanic(recorder, r)
				} else {
					incomplete = true
				}
			}
			m.request(surface, r.Method, recorder.code(), took)
			if span.IsRecording() {
				span.SetAttributes(attribute.Int("http.response.status_code", recorder.code()),
					attribute.String("rowhouse.request", w.Header().Get("X-Request-Id")))
				if recorder.code() >= http.StatusInternalServerError {
					span.SetStatus(codes.Error, "")
				}
			}
			// Operations log their own lines, with more detail.
			if level := slog.LevelInfo; recorder.code() >= http.StatusBadRequest ||
				surface != "api" && surface != "mcp" {
				if surface == "healthz" || surface == "readyz" || surface == "assets" {
					level = slog.LevelDebug
				}
				log.LogAttrs(r.Context(), level, "request", slog.String("request", w.Header().Get("X-Request-Id")),
					slog.String("surface", surface), slog.String("method", r.Method),
					slog.Int("status", recorder.code()), slog.Duration("took", took),
					slog.Int64("bytes", recorder.bytes))
			}
			if incomplete {
				// Closing the connection shows the client that the response is truncated.
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(recorder, r)
	})
}

// A responseRecorder records the status and the size of a response.
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

// Unwrap supports http.ResponseController.
func (a *responseRecorder) Unwrap() http.ResponseWriter { return a.ResponseWriter }
