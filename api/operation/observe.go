package operation

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/rowhouse/rowhouse/problem"
)

// outcome returns "ok" or the kind of an error.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return string(problem.KindOf(err))
}

// trace names the request's span after the operation and records the ids of credential, request and
// organization.
func (o *Operation) trace(ctx context.Context, call *Call, request Request, err error) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.SetName(o.Name)
	span.SetAttributes(
		attribute.String("rowhouse.operation", o.Name), attribute.String("rowhouse.outcome", outcome(err)),
		attribute.String("rowhouse.credential", call.Principal.Credential),
		attribute.String("rowhouse.request", request.ID))
	if call.Target.Org != uuid.Nil {
		span.SetAttributes(attribute.String("rowhouse.org", call.Target.OrgID()))
	}
}

// log writes one line per call. The line contains ids and durations, never names, values or
// secrets. It calls the handler directly, because slog.Logger would look up the source line of
// every call.
func (o *Operation) log(ctx context.Context, call *Call, request Request, elapsed time.Duration, err error) {
	if call.Log == nil {
		return
	}
	level, failed := slog.LevelInfo, false
	if err != nil {
		switch problem.KindOf(err) { //nolint:exhaustive // only the service's own failures are logged with a cause
		case problem.KindInternal:
			level, failed = slog.LevelError, true
		case problem.KindUnavailable:
			level, failed = slog.LevelWarn, true
		}
	}
	handler := call.Log.Handler()
	if !handler.Enabled(ctx, level) {
		return
	}
	attrs := append(make([]slog.Attr, 0, 8),
		slog.String("request", request.ID),
		slog.String("operation", o.Name),
		slog.String("credential", call.Principal.Credential),
		slog.String("person", call.Principal.UserID()),
		slog.Duration("took", elapsed))
	if call.Target.Org != uuid.Nil {
		attrs = append(attrs, slog.String("org", call.Target.OrgID()))
	}
	if failed {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	line := slog.NewRecord(time.Now(), level, "operation", 0)
	line.AddAttrs(append(attrs, slog.String("outcome", outcome(err)))...)
	_ = handler.Handle(ctx, line) // a log line that cannot be written is lost
}
