// Package body reads request bodies. A body is charged to the process's memory budget and to its
// caller's share as it arrives; an announced length alone reserves nothing. The package knows
// nothing of what a body contains.
package body

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/problem"
)

const (
	// small is the size up to which a body needs no budget, in bytes. Nearly all bodies are smaller.
	small = 64 << 10
	// least is the smallest buffer for a body, in bytes.
	least = 512
	// budgetWait is how long a request waits for budget.
	budgetWait = 10 * time.Second
	// A large body may pause for at most maxStall and take at most maxTime in total.
	maxStall = 5 * time.Second
	maxTime  = time.Minute
	// rest is how long the connection stays open after the body, for the request.
	rest = 2 * time.Minute
)

// A Bulkhead limits how many large bodies a caller may send at once.
type Bulkhead interface {
	Receive(ctx context.Context, caller string) (leave func(), err error)
}

// A Reader reads bodies of up to Max bytes.
type Reader struct {
	max      int64
	message  string // what is too large
	total    *semaphore.Weighted
	bulkhead Bulkhead // nil: no limit
	stall    time.Duration
}

// New returns a reader of bodies of up to limit bytes. All large ones together may occupy total bytes.
func New(limit, total int64, message string, bulkhead Bulkhead) *Reader {
	return &Reader{limit, message, semaphore.NewWeighted(total), bulkhead, maxStall}
}

// A Reservation is the part of the memory budget that a request's body takes. Release it when the
// body is no longer used.
type Reservation struct {
	reader *Reader
	size   int64
	leave  func()
}

// NewReservation returns an empty reservation.
func (r *Reader) NewReservation() *Reservation { return &Reservation{reader: r} }

// Release returns the budget.
func (h *Reservation) Release() {
	h.reader.total.Release(h.size)
	if h.leave != nil {
		h.leave()
	}
	h.size, h.leave = 0, nil
}

// Oversized returns an error of kind too_large if the announced length is too large, before the
// body costs anything. The server need not read it.
func (r *Reader) Oversized(w http.ResponseWriter, request *http.Request) error {
	if request.ContentLength <= r.max {
		return nil
	}
	w.Header().Set("Connection", "close")
	return r.tooLarge()
}

func (r *Reader) tooLarge() error {
	return &problem.Error{Kind: problem.KindTooLarge, Message: r.message}
}

// Read reads a body. Beyond the size that needs no budget, it reserves budget for what has arrived,
// and a slot among the caller's large bodies. It returns errors of kind too_large, rate_limited and
// unavailable, and of kind invalid for a body that ends early or does not arrive in time.
func (h *Reservation) Read(w http.ResponseWriter, r *http.Request, caller string) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	announced := int64(small)
	if r.ContentLength >= 0 {
		announced = r.ContentLength
	}
	source := http.MaxBytesReader(w, r.Body, h.reader.max)
	deadlines := deadlines{control: http.NewResponseController(w), stall: h.reader.stall}
	body := make([]byte, 0, min(announced, small/8)+1) // one more byte, to notice the end
	for {
		if len(body) == cap(body) {
			grown, err := h.grow(r.Context(), body, r.ContentLength, caller)
			if err != nil {
				w.Header().Set("Connection", "close")
				return nil, err
			}
			body = grown
		}
		if len(body) >= small {
			if err := deadlines.extend(); err != nil {
				return nil, err
			}
		}
		n, err := source.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			return body, deadlines.end()
		case err != nil:
			w.Header().Set("Connection", "close")
			return nil, h.reader.failure(err)
		}
	}
}

// grow doubles the room of a body, up to the announced length.
func (h *Reservation) grow(ctx context.Context, body []byte, announced int64, caller string) ([]byte, error) {
	limit := h.reader.max
	if announced >= 0 {
		limit = min(limit, announced)
	}
	size := min(max(2*int64(cap(body)), least), limit+1)
	if cap(body) <= small {
		size = min(size, small+1) // which needs no budget
	}
	if size <= int64(len(body)) { // more has arrived than announced; the source reports it
		size = int64(len(body)) + least
	}
	if size > small+1 {
		if err := h.acquire(ctx, size-h.size, caller); err != nil {
			return nil, err
		}
	}
	return append(make([]byte, 0, size), body...), nil
}

func (h *Reservation) acquire(ctx context.Context, size int64, caller string) error {
	if h.leave == nil && h.reader.bulkhead != nil {
		leave, err := h.reader.bulkhead.Receive(ctx, caller)
		if err != nil {
			return err //nolint:wrapcheck // it is for the caller
		}
		h.leave = leave
	}
	ctx, cancel := context.WithTimeout(ctx, budgetWait)
	defer cancel()
	if err := h.reader.total.Acquire(ctx, size); err != nil {
		return (&problem.Error{
			Kind: problem.KindUnavailable, Code: problem.CodeTooManyLargeBodies, RetryAfter: time.Second,
			Message: "Too many large request bodies are being read; try again shortly, or send fewer records at once.",
		}).Because(err)
	}
	h.size += size
	return nil
}

func (r *Reader) failure(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return r.tooLarge()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return problem.Invalid("", "The body is shorter than its Content-Length.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problem.Invalid("", "The body arrived too slowly: nothing of it for %s, or not all of it in %s.",
			r.stall, maxTime).
			WithCode(problem.CodeSlowBody).Because(err)
	}
	return problem.Invalid("", "The body could not be read.").Because(err)
}

// deadlines are the read deadlines of a large body.
type deadlines struct {
	control *http.ResponseController
	stall   time.Duration
	last    time.Time // until which all of the body must arrive; zero if no deadline was set
}

func (d *deadlines) extend() error {
	now := time.Now()
	if d.last.IsZero() {
		d.last = now.Add(maxTime)
	}
	next := now.Add(d.stall)
	if next.After(d.last) {
		next = d.last
	}
	return d.set(next)
}

// end sets the read deadline for the rest of the request, after the body has arrived.
func (d *deadlines) end() error {
	if d.last.IsZero() {
		return nil
	}
	return d.set(time.Now().Add(rest))
}

func (d *deadlines) set(at time.Time) error {
	if err := d.control.SetReadDeadline(at); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return problem.Invalid("", "The body could not be read.").Because(err)
	}
	return nil
}
