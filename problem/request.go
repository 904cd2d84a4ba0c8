package problem

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
)

type requestIDKey struct{}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// WithRequestID gives every request an id, as Identify does, and next a context that tells it.
func WithRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, AssignRequestID(w, r))))
	})
}

const idHeader = "X-Request-Id"

// Identify gives a request its id: the client's own X-Request-Id when it is harmless, else a new one. The answer carries it back.
func AssignRequestID(w http.ResponseWriter, r *http.Request) string {
	id := r.Header.Get(idHeader)
	if !isSafeRequestID(id) {
		id = "req_" + rand.Text()
	}
	w.Header().Set(idHeader, id)
	return id
}

// Identity returns the id of the request that w answers, or "" when it was given none.
func AssignedRequestID(w http.ResponseWriter) string { return w.Header().Get(idHeader) }

// harmless reports whether an id may stand in logs, traces and the audit log: it is short, of simple characters, and has not the form
// of a key, code or token of this service, which all begin with rh, a letter and _.
func isSafeRequestID(id string) bool {
	if len(id) == 0 || len(id) > 64 || len(id) > 4 && id[:2] == "rh" && id[3] == '_' {
		return false
	}
	return !strings.ContainsFunc(id, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:", c)
	})
}
