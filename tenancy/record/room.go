package record

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/problem"
)

// Answers that are large are counted against what all of this process may take together, from when they are read until they are delivered.
// Small ones, which nearly all are, are not counted.

const (
	// smallAnswer is the size up to which an answer is not counted, in bytes.
	smallAnswer = 256 << 10
	// allAnswers is how much all large answers may take together.
	allAnswers = 64 << 20
	// largestAnswer is what a page may take while it is read: its records, and the answer that is made of them.
	largestAnswer = 2 * MaxAnswer
	// roomWithin is how long a request waits for room.
	roomWithin = 10 * time.Second
)

// errNoRoom says that a page is large and there is no room for it. It is read again when there is.
var errNoRoom = errors.New("there is no room for a large answer")

// answers is the memory for large answers. It is one for the process, as memory is, however many engines there are.
var answers = semaphore.NewWeighted(allAnswers)

// A hold is the room that one request has taken.
type hold struct{ size int64 }

type holdKey struct{}

// Holding returns a context in which large answers keep their room until release is called, which must be after they are delivered.
// In a context without a hold, room is given back as soon as the answer was read.
func Holding(ctx context.Context) (held context.Context, release func()) {
	h := &hold{}
	return context.WithValue(ctx, holdKey{}, h), func() { h.shrink(0) }
}

// holdOf returns the hold of the context, or one for a single call, which release ends.
func holdOf(ctx context.Context) (h *hold, release func()) {
	if h, ok := ctx.Value(holdKey{}).(*hold); ok {
		return h, func() {}
	}
	h = &hold{}
	return h, func() { h.shrink(0) }
}

// try takes room up to size, if there is some at once.
func (h *hold) try(size int64) bool {
	if more := size - h.size; more > 0 {
		if !answers.TryAcquire(more) {
			return false
		}
		h.size = size
	}
	return true
}

// take waits for room up to size. It returns an error of kind unavailable when there is none in time.
func (h *hold) take(ctx context.Context, size int64) error {
	size = min(size, allAnswers)
	if h.try(size) {
		return nil
	}
	h.shrink(0) // who waits holds nothing, so that nobody waits for each other
	ctx, cancel := context.WithTimeout(ctx, roomWithin)
	defer cancel()
	if err := answers.Acquire(ctx, size); err != nil {
		return (&problem.Error{
			Kind: problem.KindUnavailable, Code: "too_many_large_answers", RetryAfter: time.Second,
			Message: "Too many large answers are being sent at this moment; try again shortly, ask for fewer records at once, or name the fields you need.",
		}).Because(err)
	}
	h.size = size
	return nil
}

// shrink gives back what is more than size.
func (h *hold) shrink(size int64) {
	if less := h.size - size; less > 0 {
		answers.Release(less)
		h.size = size
	}
}

// HoldAnswer sets the room of a request, in a context of Holding, to what its finished answer of size bytes takes. It returns an error of kind
// unavailable when there is none in time.
func HoldAnswer(ctx context.Context, size int) error {
	h, release := holdOf(ctx)
	defer release()
	if size <= smallAnswer {
		h.shrink(0)
		return nil
	}
	h.shrink(int64(size))
	return h.take(ctx, int64(size))
}
