package operation

import (
	"context"

	"github.com/rowhouse/rowhouse/problem"
)

// reauthorize looks up the caller of a call that has waited again, and returns an error unless it has the
// rights with which the call began.
func (o *Operation) reauthorize(ctx context.Context, deps *Deps, call *Call, request Request) error {
	if request.Again == nil {
		return nil
	}
	principal, err := request.Again()
	if err != nil {
		return err
	}
	target, err := o.Check(ctx, deps, principal, request.Raw)
	if err != nil {
		return err
	}
	if FeedViewer(principal, target.Org) != FeedViewer(call.Principal, call.Target.Org) {
		return problem.Forbidden("Your rights have changed meanwhile; ask again.")
	}
	return nil
}

// idle gives the slot back while wait waits for something to happen. The caller may have lost its rights
// meanwhile, which is an error.
func (c *Call) idle(ctx context.Context, wait func()) error {
	c.releaseSlot()
	c.releaseSlot = func() {}
	wait()
	if c.reauthorize != nil {
		if err := c.reauthorize(); err != nil {
			return err
		}
	}
	return c.acquireSlot(ctx)
}
