// Package telemetry shows those who run the service what it does: metrics for Prometheus, traces for OpenTelemetry, one log line
// for a request that no operation logs, and none of it holds a secret, a name or a cell.
//
// It owns the names of the metrics and the spans. It knows nothing of what a request means; the parts of the service do not
// know it, and tell it what they did through small interfaces of their own.
package telemetry

import (
	"context"
	"fmt"
	"net/http"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Tracing says where traces go. The zero value traces nothing.
type Tracing struct {
	Endpoint string  // URL of an OTLP receiver over HTTP, as http://127.0.0.1:4318; "" traces nothing
	Ratio    float64 // of the traces that begin here which are kept, 0 to 1; those that a caller began are kept as it says
	Version  string  // of the service
}

// A Tracer makes spans and delivers them in the background.
type Tracer struct {
	provider api.TracerProvider // nil: nothing is traced
	requests api.Tracer
	stop     func(ctx context.Context) error
}

// NewTracer starts the delivery. A receiver that does not answer loses spans and disturbs nothing else.
func NewTracer(ctx context.Context, t Tracing) (*Tracer, error) {
	if t.Endpoint == "" {
		return &Tracer{stop: func(context.Context) error { return nil }}, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(t.Endpoint))
	if err != nil {
		return nil, fmt.Errorf("preparing to send traces: %w", err)
	}
	provider := trace.NewTracerProvider(
		trace.WithBatcher(exporter),
		trace.WithSampler(trace.ParentBased(trace.TraceIDRatioBased(t.Ratio))),
		trace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "rowhouse"), attribute.String("service.version", t.Version))),
	)
	return &Tracer{provider, provider.Tracer("github.com/rowhouse/rowhouse"), provider.Shutdown}, nil
}

// Close delivers what is left.
func (t *Tracer) Close(ctx context.Context) error {
	if err := t.stop(ctx); err != nil {
		return fmt.Errorf("sending the last traces: %w", err)
	}
	return nil
}

// begin starts the span of a request, as a part of its caller's when it names one. It must be ended. When nothing is traced the
// request stays as it is.
func (t *Tracer) begin(r *http.Request, surface string) (*http.Request, api.Span) {
	if t.provider == nil {
		return r, noop.Span{}
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.requests.Start(ctx, r.Method+" /"+surface, api.WithSpanKind(api.SpanKindServer))
	return r.WithContext(ctx), span
}

// Queries traces what goes to PostgreSQL: the text of statements, which holds no values, and never their arguments.
// It is nil when nothing is traced.
func (t *Tracer) Queries() pgx.QueryTracer {
	if t.provider == nil {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithTracerProvider(t.provider), otelpgx.WithDisableConnectionDetailsInAttributes())
}
