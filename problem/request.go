package problem

import (
	"context"
	"encoding/base32"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

// crockford is the alphabet of all public identifiers (package id, which is above this one).
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

type requestIDKey struct{}

// RequestID returns the id of the request to which ctx belongs, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// WithRequestID assigns an id to every request and passes it to next in the context.
func WithRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, AssignRequestID(w, r))))
	})
}

const idHeader = "X-Request-Id"

// AssignRequestID takes the request's X-Request-Id if it is safe to log, or creates an id, and sets
// it on the response.
func AssignRequestID(w http.ResponseWriter, r *http.Request) string {
	id := r.Header.Get(idHeader)
	if !isSafeRequestID(id) {
		u := uuid.Must(uuid.NewV7()) // the change set of what the request writes has the same number
		id = "req_" + crockford.EncodeToString(u[:])
	}
	w.Header().Set(idHeader, id)
	return id
}

// AssignedRequestID returns the id of the request that w answers, or "" if none was assigned.
func AssignedRequestID(w http.ResponseWriter) string { return w.Header().Get(idHeader) }

// isSafeRequestID reports whether an id may appear in logs, traces and the audit log: it is short,
// consists of simple characters, and does not look like a key, code or token of this service, all
// of which begin with rh, a letter and _. Nor does it look like an id that the service gives, because
// that is also the id of a change set.
func isSafeRequestID(id string) bool {
	if len(id) == 0 || len(id) > 64 || strings.HasPrefix(id, "req_") || len(id) > 4 && id[:2] == "rh" && id[3] == '_' {
		return false
	}
	return !strings.ContainsFunc(id, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:", c)
	})
}
