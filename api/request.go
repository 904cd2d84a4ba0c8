package api

import (
	"context"
	"net/http"

	"github.com/rowhouse/rowhouse/api/problem"
)

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string { return problem.RequestID(ctx) }

// WithRequestID gives every request an id: the client's own X-Request-Id when it is harmless, else a new one. The answer
// carries it back.
func WithRequestID(next http.Handler) http.Handler { return problem.WithRequestID(next) }
