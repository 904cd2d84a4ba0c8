// Package progress reports how far a long operation has come to whoever waits for it.
package progress

import (
	"context"
	"fmt"
)

// A Step is how far an operation has come: Done of Total steps, rows or records, and what it does now.
// A Total of 0 is not known yet. An operation that begins again, because of others, goes back.
type Step struct {
	Done, Total int
	Message     string
}

type contextKey struct{}

// With returns a context in which an operation reports each step. The function must be quick, and is called by one
// goroutine at a time.
func With(ctx context.Context, report func(Step)) context.Context {
	return context.WithValue(ctx, contextKey{}, report)
}

// Report reports a step to the context's waiter, if there is one.
func Report(ctx context.Context, done, total int, format string, args ...any) {
	if report, ok := ctx.Value(contextKey{}).(func(Step)); ok {
		report(Step{done, total, fmt.Sprintf(format, args...)})
	}
}
