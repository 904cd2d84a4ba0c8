// Package membudget bounds the memory that large responses take together in this process, from when
// they are read until they are delivered. Small responses, which nearly all are, are not counted.
package membudget

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/problem"
)

// MaxSize bounds the records of one response together, in bytes: a page ends there, and a write whose
// response would be larger is refused.
const MaxSize = 8 << 20

const (
	// smallSize is the size up to which a response is not counted, in bytes.
	smallSize = 256 << 10
	// budget is the memory that all large responses may take together.
	budget = 64 << 20
	// pageMemory is the memory of a page while it is read: its records, and the response that is built
	// from them.
	pageMemory = 2 * MaxSize
	// maxWait is how long a request waits for memory.
	maxWait = 10 * time.Second
)

// ErrNoMemory says that a response is large and that there is no memory for it now. Reservation.Read
// reads it again when there is.
var ErrNoMemory = errors.New("there is no memory for a large answer")

// memory is shared by the whole process, however many engines there are.
var memory = semaphore.NewWeighted(budget)

// A Reservation is the memory that one request has taken. It is not for concurrent use.
type Reservation struct{ size int64 }

type contextKey struct{}

// WithReservation returns a context in which large responses keep their memory until release is called,
// which must be after they are delivered. In a context without a reservation, memory is released as
// soon as the response was read.
func WithReservation(ctx context.Context) (reserved context.Context, release func()) {
	r := &Reservation{}
	return context.WithValue(ctx, contextKey{}, r), func() { r.shrink(0) }
}

// Of returns the reservation of the context, or one for a single call, which release ends.
func Of(ctx context.Context) (r *Reservation, release func()) {
	if r, ok := ctx.Value(contextKey{}).(*Reservation); ok {
		return r, func() {}
	}
	r = &Reservation{}
	return r, func() { r.shrink(0) }
}

// IsReserved reports whether the context has a reservation, which only one read may use at a time.
func IsReserved(ctx context.Context) bool {
	_, ok := ctx.Value(contextKey{}).(*Reservation)
	return ok
}

// Reserve sets the memory of a request, in a context of WithReservation, to the memory of its finished
// response of size bytes. It returns an error of kind unavailable if there is none in time.
func Reserve(ctx context.Context, size int) error {
	r, release := Of(ctx)
	defer release()
	if size <= smallSize {
		r.shrink(0)
		return nil
	}
	r.shrink(int64(size))
	return r.wait(ctx, int64(size))
}

// Read calls read, which reads a response and returns ErrNoMemory if Fits says so. Read then waits for
// memory and calls it again. It returns an error of kind unavailable if there is no memory in time.
func (r *Reservation) Read(ctx context.Context, read func() error) error {
	err := read()
	for _, size := range []int64{pageMemory, budget} {
		if !errors.Is(err, ErrNoMemory) {
			break
		}
		if err = r.wait(ctx, size); err == nil {
			err = read()
		}
	}
	return err
}

// Fits reports whether there is memory for a response of which size bytes have been read.
func (r *Reservation) Fits(size int) bool {
	return size <= smallSize || r.grow(min(max(pageMemory, 2*int64(size)), budget))
}

// Done releases the memory that a response of size bytes in all does not need.
func (r *Reservation) Done(size int) { r.shrink(2 * int64(size)) }

// grow takes memory up to size, if it is free.
func (r *Reservation) grow(size int64) bool {
	if more := size - r.size; more > 0 {
		if !memory.TryAcquire(more) {
			return false
		}
		r.size = size
	}
	return true
}

// wait takes memory up to size when it becomes free.
func (r *Reservation) wait(ctx context.Context, size int64) error {
	size = min(size, budget)
	if r.grow(size) {
		return nil
	}
	r.shrink(0) // a waiting request has no memory, so that no two wait for each other
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	if err := memory.Acquire(ctx, size); err != nil {
		return (&problem.Error{
			Kind: problem.KindUnavailable, Code: problem.CodeTooManyLargeAnswers, RetryAfter: time.Second,
			Message: "Too many large answers are being sent at this moment; try again shortly, ask for fewer records " +
				"at once, or name the fields you need.",
		}).Because(err)
	}
	r.size = size
	return nil
}

// shrink releases the memory beyond size.
func (r *Reservation) shrink(size int64) {
	if less := r.size - size; less > 0 {
		memory.Release(less)
		r.size = size
	}
}
