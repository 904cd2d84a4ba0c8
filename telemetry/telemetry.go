// Package telemetry provides metrics for Prometheus, traces for OpenTelemetry, and request logs.
// None of them contains secrets, names or cell values.
//
// The package owns the names of metrics and spans. It knows nothing of what a request means. Other
// packages do not import it; they report through small interfaces that they define.
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

// Tracing configures the export of traces. The zero value disables tracing.
type Tracing struct {
	Endpoint string  // URL of an OTLP/HTTP receiver, as in http://127.0.0.1:4318; "" disables tracing
	Ratio    float64 // of root traces that are sampled, 0 to 1; child traces follow their parent
	Version  string  // of the service
}

// A Tracer creates spans and exports them in the background.
type Tracer struct {
	provider api.TracerProvider // nil when tracing is disabled
	requests api.Tracer
	stop     func(ctx context.Context) error
}

// NewTracer starts the export. Spans are dropped while the receiver does not respond.
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

// Close exports the remaining spans.
func (t *Tracer) Close(ctx context.Context) error {
	if err := t.stop(ctx); err != nil {
		return fmt.Errorf("sending the last traces: %w", err)
	}
	return nil
}

// begin starts the span of a request, as a child of the span in its trace context, if any. The
// caller ends it. When tracing is disabled the request is unchanged.
func (t *Tracer) begin(r *http.Request, surface string) (*http.Request, api.Span) {
	if t.provider == nil {
		return r, noop.Span{}
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.requests.Start(ctx, r.Method+" /"+surface, api.WithSpanKind(api.SpanKindServer))
	return r.WithContext(ctx), span
}

// Queries returns a tracer of SQL statements, or nil when tracing is disabled. It records their
// text, which contains no values, and never their arguments.
func (t *Tracer) Queries() pgx.QueryTracer {
	if t.provider == nil {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithTracerProvider(t.provider), otelpgx.WithDisableConnectionDetailsInAttributes())
}
