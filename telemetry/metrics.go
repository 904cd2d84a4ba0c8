package telemetry

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are what Prometheus reads. Their labels come from short fixed lists: rooms of the service, names of operations,
// kinds of error.
type Metrics struct {
	registry   *prometheus.Registry
	operations *prometheus.HistogramVec
	requests   *prometheus.HistogramVec
	inFlight   prometheus.Gauge
	panics     prometheus.Counter
}

// from 0.5 ms to 32 s
var buckets = prometheus.ExponentialBuckets(0.0005, 2, 17)

// NewMetrics returns metrics of this process, with those of the Go runtime.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		operations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "rowhouse_operation_duration_seconds", Buckets: buckets,
			Help: "Time that an operation took, by its name and its outcome: ok, or the kind of error.",
		}, []string{"operation", "outcome"}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "rowhouse_http_request_duration_seconds", Buckets: buckets,
			Help: "Time that an HTTP request took, by the room of the service that answered it, its method and its status.",
		}, []string{"room", "method", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "rowhouse_http_requests_under_way", Help: "HTTP requests that are being answered.",
		}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "rowhouse_panics_total", Help: "Requests that ended in a panic, each of which is a bug.",
		}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "rowhouse_info", Help: "1, with the version as a label.", ConstLabels: prometheus.Labels{"version": version},
	})
	info.Set(1)
	m.registry.MustRegister(m.operations, m.requests, m.inFlight, m.panics, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler answers Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Operation notes that an operation has ended. It implements operation.Observer.
func (m *Metrics) Operation(name, outcome string, took time.Duration) {
	m.operations.WithLabelValues(name, outcome).Observe(took.Seconds())
}

func (m *Metrics) request(surface, method string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		method = "other" // it is the client's own text
	}
	m.requests.WithLabelValues(surface, method, strconv.Itoa(status)).Observe(took.Seconds())
}

// Gauge adds a number that is read each time Prometheus asks.
func (m *Metrics) Gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

// Counter is Gauge for a number that only grows.
func (m *Metrics) Counter(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, read))
}
