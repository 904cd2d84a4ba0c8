package problem

import (
	"errors"
	"fmt"
	"time"
)

// A Kind is a class of errors. problem.go has the table of their statuses.
type Kind string

// Every kind of failure that a caller may see.
const (
	KindInvalid         Kind = "invalid"
	KindUnauthenticated Kind = "unauthenticated"
	KindForbidden       Kind = "forbidden"
	KindNotFound        Kind = "not_found"
	KindImpossible      Kind = "impossible" // it exists, and this can never be done with it
	KindConflict        Kind = "conflict"
	KindMismatch        Kind = "mismatch"     // well-formed, but another request used the same key
	KindPrecondition    Kind = "precondition" // the caller set a condition that is false or cannot be checked
	KindGone            Kind = "gone"         // it existed, and will not come back
	KindTooLarge        Kind = "too_large"
	KindRateLimited     Kind = "rate_limited"
	KindUnavailable     Kind = "unavailable"
	KindInternal        Kind = "internal"
)

// An Error is a failure that the caller may see whole: its message says what was wrong and what would
// be right, and contains no secret and nothing of another organization. Everything that is not an Error
// is internal and is hidden.
type Error struct {
	Kind    Kind
	Code    string // machine-readable, finer than Kind; Kind's own text when empty
	Message string // one or more sentences for a person
	Items   []Item // for KindInvalid: each invalid part of the input
	// RetryAfter is when the same request may succeed, or zero if that is unknown. It is set for
	// KindRateLimited, KindUnavailable and temporary conflicts.
	RetryAfter time.Duration
	// Scopes are all scopes that the call needs, for KindForbidden with Code "insufficient_scope".
	Scopes []string
	// OpenInApp is the address of the application's page on which a person can do what was refused, or
	// "".
	OpenInApp string
	// Current is the JSON of the present state, for KindPrecondition and some conflicts.
	Current []byte

	cause error
}

// An Item is one invalid part of an input.
type Item struct {
	Path    string `json:"path"`    // as in records[3].fields.Price; "" is the input as a whole
	Message string `json:"message"` // what is wrong there, and the valid values
}

// Error returns the message with its cause, for logs.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Because sets the internal cause, which is logged and never shown, and returns the error.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// WithCode sets the machine-readable code and returns the error.
func (e *Error) WithCode(code string) *Error {
	e.Code = code
	return e
}

// KindOf returns the kind of the first Error in err's chain, or KindInternal if there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return KindInternal
}

// Invalid is an error in one place of the input.
func Invalid(path, format string, args ...any) *Error {
	message := fmt.Sprintf(format, args...)
	summary := message
	if path != "" {
		summary = path + ": " + message
	}
	return &Error{Kind: KindInvalid, Message: summary, Items: []Item{{Path: path, Message: message}}}
}

// InvalidItems is an error in several places of the input. items must not be empty.
func InvalidItems(items []Item) *Error {
	first := items[0].Message
	if items[0].Path != "" {
		first = items[0].Path + ": " + first
	}
	if more := len(items) - 1; more > 0 {
		first = fmt.Sprintf("%s (and %d more)", first, more)
	}
	return &Error{Kind: KindInvalid, Message: first, Items: items}
}

// NotFound says that the caller can see no such kind. A foreign id and an unknown id give the
// same error.
func NotFound(kind, id string) *Error {
	if runes := []rune(id); len(runes) > 64 { // no id is that long
		id = string(runes[:64]) + "…"
	}
	return &Error{Kind: KindNotFound, Message: fmt.Sprintf("No %s has the id %q, or it is not yours to see.", kind, id)}
}

// Conflict says that the present state does not allow the request.
func Conflict(format string, args ...any) *Error {
	return &Error{Kind: KindConflict, Message: fmt.Sprintf(format, args...)}
}

// Forbidden says that the caller's role does not allow the request.
func Forbidden(format string, args ...any) *Error {
	return &Error{Kind: KindForbidden, Message: fmt.Sprintf(format, args...)}
}

// Unauthenticated says that the credential is missing or invalid.
func Unauthenticated(format string, args ...any) *Error {
	return &Error{Kind: KindUnauthenticated, Message: fmt.Sprintf(format, args...)}
}

// Unavailable says that the database cannot be reached at present.
func Unavailable(cause error) *Error {
	return &Error{
		Kind: KindUnavailable, Message: "The database is not available at this moment; try again shortly.",
		RetryAfter: time.Second, cause: cause,
	}
}
