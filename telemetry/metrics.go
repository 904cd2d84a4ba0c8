package telemetry

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the Prometheus metrics of a process. All label values come from short fixed lists,
// such as surfaces, operations and kinds of error.
type Metrics struct {
	registry   *prometheus.Registry
	operations *prometheus.HistogramVec
	requests   *prometheus.HistogramVec
	inFlight   prometheus.Gauge
	panics     prometheus.Counter
}

// buckets range from 0.5 ms to 32 s.
var buckets = prometheus.ExponentialBuckets(0.0005, 2, 17)

// NewMetrics returns the metrics of this process, including those of the Go runtime.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		operations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "rowhouse_operation_duration_seconds", Buckets: buckets,
			Help: "Duration of operations, by name and outcome: ok, or the kind of error.",
		}, []string{"operation", "outcome"}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "rowhouse_http_request_duration_seconds", Buckets: buckets,
			Help: "Duration of HTTP requests, by surface (first path segment), method and status.",
		}, []string{"surface", "method", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "rowhouse_http_requests_in_flight", Help: "HTTP requests in progress.",
		}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "rowhouse_panics_total", Help: "Requests that ended in a panic. Each is a bug.",
		}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "rowhouse_info", Help: "Always 1, with the version as a label.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	info.Set(1)
	m.registry.MustRegister(m.operations, m.requests, m.inFlight, m.panics, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics in the Prometheus format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Operation records the duration of an operation. It implements operation.Observer.
func (m *Metrics) Operation(name, outcome string, took time.Duration) {
	m.operations.WithLabelValues(name, outcome).Observe(took.Seconds())
}

func (m *Metrics) request(surface, method string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
		http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		method = "other" // clients may send any text
	}
	m.requests.WithLabelValues(surface, method, strconv.Itoa(status)).Observe(took.Seconds())
}

// Gauge registers a gauge whose value is read at each scrape.
func (m *Metrics) Gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

// Counter registers a counter whose value is read at each scrape.
func (m *Metrics) Counter(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, read))
}
