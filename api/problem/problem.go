// Package problem tells callers of errors, in the same words on every surface: it owns the shape of a problem (RFC 9457), the one
// table from kinds of error to HTTP statuses, and the id of a request. It knows nothing of operations, routes or tools.
package problem

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rowhouse/rowhouse/tenancy"
)

// A Problem is the body of every error (RFC 9457, application/problem+json).
type Problem struct {
	Type      string         `json:"type" jsonschema:"about:blank, for the title is the status's own"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail" jsonschema:"what was wrong and what would be right"`
	Code      string         `json:"code" jsonschema:"machine-readable"`
	RequestID string         `json:"requestId"`
	Scopes    []string       `json:"scopes,omitempty" jsonschema:"every scope that the call needs, for code insufficient_scope"`
	OpenInApp string         `json:"openInApp,omitempty" jsonschema:"where a person can do in the application what was refused"`
	Errors    []tenancy.Item `json:"errors,omitempty" jsonschema:"each wrong place in the input"`
}

// statuses is the one table from kinds of error to HTTP statuses.
var statuses = map[tenancy.Kind]int{
	tenancy.KindInvalid:         http.StatusBadRequest,
	tenancy.KindUnauthenticated: http.StatusUnauthorized,
	tenancy.KindForbidden:       http.StatusForbidden,
	tenancy.KindNotFound:        http.StatusNotFound,
	tenancy.KindImpossible:      http.StatusMethodNotAllowed,
	tenancy.KindConflict:        http.StatusConflict,
	tenancy.KindMismatch:        http.StatusUnprocessableEntity,
	tenancy.KindPrecondition:    http.StatusPreconditionFailed,
	tenancy.KindTooLarge:        http.StatusRequestEntityTooLarge,
	tenancy.KindRateLimited:     http.StatusTooManyRequests,
	tenancy.KindUnavailable:     http.StatusServiceUnavailable,
	tenancy.KindInternal:        http.StatusInternalServerError,
}

// Statuses lists the status of every kind of error, for descriptions.
func Statuses() []int {
	list := make([]int, 0, len(statuses))
	for _, status := range statuses {
		list = append(list, status)
	}
	return list
}

// New tells a caller of an error. What is not a *tenancy.Error is internal: its text stays inside.
func New(err error, requestID string) Problem {
	kind := tenancy.KindOf(err)
	p := Problem{
		Type: "about:blank", Status: statuses[kind], Code: string(kind), RequestID: requestID,
		Detail: "Something went wrong on our side. Quote the requestId when you report it.",
	}
	p.Title = http.StatusText(p.Status)
	var e *tenancy.Error
	if errors.As(err, &e) && kind != tenancy.KindInternal {
		p.Detail, p.Errors, p.Scopes, p.OpenInApp = e.Message, e.Items, e.Scopes, e.OpenInApp
		if e.Code != "" {
			p.Code = e.Code
		}
	}
	return p
}

// JSON writes the problem compactly.
func (p *Problem) JSON() []byte {
	encoded, err := json.Marshal(p)
	if err != nil {
		return []byte(`{"type":"about:blank","title":"Internal Server Error","status":500,"detail":"Something went wrong on our side.","code":"internal","requestId":""}`)
	}
	return encoded
}

// Write answers a request with an error. A request that was given no id yet gets one.
func Write(w http.ResponseWriter, r *http.Request, err error) {
	if Identity(w) == "" {
		Identify(w, r)
	}
	p := New(err, Identity(w))
	var e *tenancy.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		seconds := int((e.RetryAfter + time.Second - 1) / time.Second)
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	p.write(w)
}

// Refuse answers a request with a status that HTTP has for it and no kind of error does.
func Refuse(w http.ResponseWriter, r *http.Request, status int, code, detail string) {
	if Identity(w) == "" {
		Identify(w, r)
	}
	p := Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Code: code, RequestID: Identity(w)}
	p.write(w)
}

func (p *Problem) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	_, _ = w.Write(p.JSON()) // the client may be gone
}
