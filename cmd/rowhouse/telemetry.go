package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/pprof"
	"runtime/debug"
	"time"

	"github.com/rowhouse/rowhouse/telemetry"
)

// telemetryConfig configures metrics and traces. Nothing is exposed by default.
type telemetryConfig struct {
	MetricsAddr string  `name:"metrics-addr" env:"METRICS_ADDR" help:"Address on which Prometheus reads /metrics, and Go programmers /debug/pprof, such as :9090. Keep it off the internet." placeholder:"ADDRESS"`
	TracesURL   string  `name:"otel-exporter-otlp-endpoint" env:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"Receiver of OpenTelemetry traces over HTTP." placeholder:"URL"`
	TraceRatio  float64 `name:"trace-ratio" env:"TRACE_RATIO" default:"0.05" help:"Fraction of requests that are traced, 0 to 1."`
}

func (c *telemetryConfig) check() error {
	if c.TraceRatio < 0 || c.TraceRatio > 1 {
		return invalidError("TRACE_RATIO", "a number from 0 to 1", "0.05")
	}
	return nil
}

// pathLabels are the first path segments that metrics and logs distinguish.
var pathLabels = []string{
	"", "api", "mcp", "oauth", ".well-known", "account", "share", "assets", "docs", "help", "base", "org", "settings",
	"approve", "device", "healthz", "readyz",
}

// registerMetrics registers the metrics of the service's parts.
func (s *service) registerMetrics() {
	s.metrics = telemetry.NewMetrics(version())
	s.metrics.Gauge("rowhouse_database_connections", "Open connections to PostgreSQL.", func() float64 {
		open, _, _, _ := s.db.Connections()
		return float64(open)
	})
	s.metrics.Gauge("rowhouse_database_connections_in_use", "Connections to PostgreSQL that requests hold.",
		func() float64 {
			_, inUse, _, _ := s.db.Connections()
			return float64(inUse)
		})
	s.metrics.Counter("rowhouse_database_waits_total", "How often a request waited for a connection.", func() float64 {
		_, _, waits, _ := s.db.Connections()
		return float64(waits)
	})
	s.metrics.Counter("rowhouse_database_wait_seconds_total", "How long requests waited for connections.",
		func() float64 {
			_, _, _, waited := s.db.Connections()
			return waited.Seconds()
		})
	s.metrics.Gauge("rowhouse_redis_connections", "Open connections to Redis.", func() float64 {
		return float64(s.redis.PoolStats().TotalConns)
	})
	s.metrics.Counter("rowhouse_redis_timeouts_total", "How often no connection to Redis became available in time.",
		func() float64 {
			return float64(s.redis.PoolStats().Timeouts)
		})
	s.registerJobMetrics()
}

// registerJobMetrics registers the metrics of the job queue.
func (s *service) registerJobMetrics() {
	s.metrics.Counter("rowhouse_jobs_done_total", "Background jobs that this process has done.", func() float64 {
		done, _, _ := s.jobs.Counts()
		return float64(done)
	})
	s.metrics.Counter("rowhouse_job_failures_total", "Attempts at background jobs that failed in this process.",
		func() float64 {
			_, failed, _ := s.jobs.Counts()
			return float64(failed)
		})
	s.metrics.Counter("rowhouse_jobs_dead_total", "Background jobs that this process gave up after their last attempt.",
		func() float64 {
			_, _, dead := s.jobs.Counts()
			return float64(dead)
		})
	s.metrics.Gauge("rowhouse_job_connections",
		"Connections to PostgreSQL that background jobs hold, without the one that listens.",
		func() float64 { return float64(s.jobs.Connections()) })
	s.metrics.Counter("rowhouse_webhook_messages_total", "Messages of webhooks that this process delivered.",
		func() float64 {
			delivered, _ := s.webhooks.Counts()
			return float64(delivered)
		})
	s.metrics.Counter("rowhouse_webhook_failures_total", "Failed attempts of this process at messages of webhooks.",
		func() float64 {
			_, failed := s.webhooks.Counts()
			return float64(failed)
		})
	for queue := range jobQueues() {
		s.metrics.Gauge("rowhouse_jobs_waiting_"+queue,
			"Background jobs of the queue "+queue+" that wait, in all processes; -1 if the number is unknown.",
			func() float64 {
				ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
				defer cancel()
				waiting, err := s.jobs.Waiting(ctx)
				if err != nil {
					return -1
				}
				return float64(waiting[queue])
			})
	}
}

// serveMetrics serves /metrics and runtime profiles on a separate address until stop is called. ""
// serves nothing.
func (s *service) serveMetrics(ctx context.Context, address string) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := listen(ctx, address, "METRICS_ADDR")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index) // also heap, goroutine and other profiles below it
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: time.Minute}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.log.ErrorContext(ctx, "serving metrics", "error", err)
		}
	}()
	return func() { _ = server.Close() }, nil
}

// version returns the module's version, or the commit that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return "unknown"
}
