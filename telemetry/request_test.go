package telemetry_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rowhouse/rowhouse/telemetry"
)

// serve serves requests through telemetry.Requests, and returns the responses, the log and the
// metrics.
func serve(
	t *testing.T,
	tracing telemetry.Tracing,
	handler http.HandlerFunc,
	requests ...*http.Request,
) (answers []*httptest.ResponseRecorder, logged, measured string) {
	t.Helper()
	tracer, err := telemetry.NewTracer(t.Context(), tracing)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	m := telemetry.NewMetrics("test")
	watched := telemetry.Requests(handler, m, tracer, slog.New(slog.NewJSONHandler(&log, nil)),
		[]string{"api", "share"},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	for _, r := range requests {
		w := httptest.NewRecorder()
		watched.ServeHTTP(w, r)
		answers = append(answers, w)
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return answers, log.String(), w.Body.String()
}

func TestPanicIsAnsweredLoggedAndCounted(t *testing.T) {
	t.Parallel()
	answers, logged, measured := serve(t, telemetry.Tracing{},
		func(http.ResponseWriter, *http.Request) { panic("boom") },
		httptest.NewRequest(http.MethodGet, "/api/v1/me", nil))
	if answers[0].Code != http.StatusInternalServerError || strings.Contains(answers[0].Body.String(), "boom") {
		t.Errorf("answered %d %s", answers[0].Code, answers[0].Body)
	}
	if !strings.Contains(logged, "boom") || !strings.Contains(measured, "rowhouse_panics_total 1") {
		t.Errorf("logged %s", logged)
	}
}

func TestTelemetryContainsNoClientText(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var traced bytes.Buffer
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.Copy(&traced, r.Body)
	}))
	defer receiver.Close()
	_, logged, measured := serve(t, telemetry.Tracing{Endpoint: receiver.URL, Ratio: 1},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		httptest.NewRequest(http.MethodGet, "/share/shr_secret?token=secret", nil),
		httptest.NewRequest(http.MethodGet, "/secret", nil),
		httptest.NewRequest("SECRET", "/share/", nil))
	mu.Lock()
	defer mu.Unlock()
	if traced.Len() == 0 {
		t.Fatal("nothing was traced")
	}
	for what, text := range map[string]string{"log": logged, "metrics": measured, "traces": traced.String()} {
		if !strings.Contains(text, "share") {
			t.Errorf("the %s lack the surface: %s", what, text)
		}
		if strings.Contains(text, "secret") || what == "metrics" && strings.Contains(text, "SECRET") {
			t.Errorf("the %s contain client text: %s", what, text)
		}
	}
	for _, want := range []string{`surface="share"`, `surface="other"`, `method="other"`, `status="404"`} {
		if !strings.Contains(measured, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}
