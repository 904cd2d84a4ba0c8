// Package problem holds the errors that callers may see: their kinds, the one table from a kind to an
// HTTP status, and the problem document (RFC 9457), with the id of the request, that every surface
// returns. It knows no operation, route, tool or table.
package problem

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Document is the body of every error response (RFC 9457, application/problem+json).
type Document struct {
	Type      string   `json:"type" jsonschema:"about:blank, for the title is the status's own"`
	Title     string   `json:"title"`
	Status    int      `json:"status"`
	Detail    string   `json:"detail" jsonschema:"what was wrong and what would be right"`
	Code      string   `json:"code" jsonschema:"machine-readable"`
	RequestID string   `json:"requestId"`
	Scopes    []string `json:"scopes,omitempty" jsonschema:"every scope that the call needs, for code insufficient_scope"`
	OpenInApp string   `json:"openInApp,omitempty" jsonschema:"where a person can do in the application what was refused"`
	Errors    []Item   `json:"errors,omitempty" jsonschema:"each wrong place in the input"`
	// Current is finished JSON.
	Current jsontext.Value `json:"current,omitzero" jsonschema:"for code version_changed, the record as it is now; for revert_conflict, the plan with its conflicts"`
}

// statuses is the one table from kinds of error to HTTP statuses.
var statuses = map[Kind]int{
	KindInvalid:         http.StatusBadRequest,
	KindUnauthenticated: http.StatusUnauthorized,
	KindForbidden:       http.StatusForbidden,
	KindNotFound:        http.StatusNotFound,
	KindImpossible:      http.StatusMethodNotAllowed,
	KindConflict:        http.StatusConflict,
	KindMismatch:        http.StatusUnprocessableEntity,
	KindPrecondition:    http.StatusPreconditionFailed,
	KindGone:            http.StatusGone,
	KindTooLarge:        http.StatusRequestEntityTooLarge,
	KindRateLimited:     http.StatusTooManyRequests,
	KindUnavailable:     http.StatusServiceUnavailable,
	KindInternal:        http.StatusInternalServerError,
}

// Statuses returns the status of every kind, for API descriptions.
func Statuses() []int {
	list := make([]int, 0, len(statuses))
	for _, status := range statuses {
		list = append(list, status)
	}
	return list
}

// New describes an error to a caller. An error that is not a *problem.Error is internal, and its
// text is left out.
func New(err error, requestID string) Document {
	kind := KindOf(err)
	p := Document{
		Type: "about:blank", Status: statuses[kind], Code: string(kind), RequestID: requestID,
		Detail: "Something went wrong on our side. Quote the requestId when you report it.",
	}
	p.Title = http.StatusText(p.Status)
	var e *Error
	if errors.As(err, &e) && kind != KindInternal {
		p.Detail, p.Errors, p.Scopes, p.OpenInApp, p.Current = e.Message, e.Items, e.Scopes, e.OpenInApp, e.Current
		if e.Code != "" {
			p.Code = e.Code
		}
	}
	return p
}

// Brief returns the document for a reader who pays for each word: errors without the first place, if detail says all
// of it. Programs that show messages where they belong read the whole.
func (p Document) Brief() Document {
	if len(p.Errors) == 0 {
		return p
	}
	first := p.Errors[0].Message
	if p.Errors[0].Path != "" {
		first = p.Errors[0].Path + ": " + first
	}
	if strings.HasPrefix(p.Detail, first) {
		p.Errors = p.Errors[1:]
	}
	return p
}

// JSON returns the document as compact JSON.
func (p *Document) JSON() []byte {
	encoded, err := json.Marshal(p)
	if err != nil {
		return []byte(`{"type":"about:blank","title":"Internal Server Error","status":500,` +
			`"detail":"Something went wrong on our side.","code":"internal","requestId":""}`)
	}
	return encoded
}

// Write answers a request with an error. It assigns a request id if there is none yet.
func Write(w http.ResponseWriter, r *http.Request, err error) {
	if AssignedRequestID(w) == "" {
		AssignRequestID(w, r)
	}
	p := New(err, AssignedRequestID(w))
	var e *Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		seconds := int((e.RetryAfter + time.Second - 1) / time.Second)
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	p.write(w)
}

// WriteStatus answers a request with an HTTP status that belongs to no kind of error.
func WriteStatus(w http.ResponseWriter, r *http.Request, status int, code, detail string) {
	if AssignedRequestID(w) == "" {
		AssignRequestID(w, r)
	}
	p := Document{
		Type:      "about:blank",
		Title:     http.StatusText(status),
		Status:    status,
		Detail:    detail,
		Code:      code,
		RequestID: AssignedRequestID(w),
	}
	p.write(w)
}

func (p *Document) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	_, _ = w.Write(p.JSON()) // the client may be gone
}
