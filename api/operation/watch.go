package operation

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
)

// lookAgainAfter is how long a request relies on the look-up of its caller at the beginning. Longer
// requests are watched.
const lookAgainAfter = 300 * time.Millisecond

// A Watch notices that the caller of a long request has lost its rights. Nothing else does: streams
// select on Changed, and it ends the contexts of calls.
type Watch struct {
	ctx  context.Context //nolint:containedctx // of its look-ups, whose credentials stay cached
	hold *credential.Hold
	look func(ctx context.Context) error
}

// Watch begins to watch a caller. look looks the caller up again, and returns an error unless the
// caller has the rights with which it began; Watch calls it once and returns its error. Release the
// watch at the end.
func (d *Deps) Watch(ctx context.Context, look func(ctx context.Context) error) (*Watch, error) {
	w := &Watch{look: look}
	w.ctx, w.hold = d.Credentials.Hold(ctx)
	if err := w.Check(); err != nil {
		w.Release()
		return nil, err
	}
	return w, nil
}

// Changed has a value when the rights of the caller may have changed; call Check then.
func (w *Watch) Changed() <-chan struct{} { return w.hold.Changed() }

// Check returns an error unless the caller still has its rights, also if it cannot find out.
func (w *Watch) Check() error { return w.look(w.ctx) }

// Release ends the watch.
func (w *Watch) Release() { w.hold.Release() }

// wait returns an error when the caller has lost its rights, or nil when ctx has ended.
func (w *Watch) wait(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.Changed():
			if err := w.Check(); err != nil {
				return err
			}
		}
	}
}

// StillMay returns an error unless a principal still has the rights with which it began to work on
// a target.
func (o *Operation) StillMay(ctx context.Context, deps *Deps, began, now *authz.Principal, target Target) error {
	if err := now.RequireScope(began.Scopes...); err != nil {
		return err
	}
	if target.Org == uuid.Nil {
		for _, m := range began.Orgs {
			if err := now.RequireRole(m.Org, m.Role); err != nil {
				return err
			}
		}
	} else if err := o.stillMayIn(ctx, deps, began, now, target); err != nil {
		return err
	}
	reaches := slices.Equal(began.Bases, now.Bases) || target.Base != uuid.Nil && now.ReachesBase(target.Base)
	if !reaches || FeedViewer(began, target.Org) != FeedViewer(now, target.Org) {
		return errRightsChanged()
	}
	return nil
}

// stillMayIn is StillMay for a target in an organization.
func (o *Operation) stillMayIn(ctx context.Context, deps *Deps, began, now *authz.Principal, target Target) error {
	if target.Base == uuid.Nil {
		return o.checkOrgRole(now, target.Org)
	}
	if now.Role(target.Org) == "" {
		return problem.NotFound("base", id.Format(id.Base, target.Base))
	}
	if began.PermissionVersion(target.Org) == now.PermissionVersion(target.Org) &&
		began.Role(target.Org) == now.Role(target.Org) {
		return o.checkRole(now, &target)
	}
	s, err := deps.Schema.Cached(catalog.WithCaller(ctx, now), target.Org)
	if err != nil {
		return err
	}
	if s.Base(target.Base) == nil && s != s.Whole() {
		return problem.NotFound("base", id.Format(id.Base, target.Base))
	}
	rights := target.Rights
	if target.Table != nil && s.Table(target.Table.ID) != nil {
		target.Table = s.Table(target.Table.ID)
	}
	target.setRole(now, s)
	if target.Rights != rights {
		return errRightsChanged()
	}
	return o.checkRole(now, &target)
}

func errRightsChanged() error {
	return problem.Forbidden("Your rights have changed meanwhile; ask again.")
}

// lostError is the cause that ends the context of a call whose caller has lost its rights.
type lostError struct{ error }

func (e *lostError) Unwrap() error { return e.error }

// watched returns a context for the work of a call. It ends when the caller loses the rights with
// which the call began, and when release is called, which ends the watch. The caller of a short
// call is looked up again only if its look-up was long before the call.
func (o *Operation) watched(
	ctx context.Context, call *Call, request Request,
) (_ context.Context, release func(), err error) {
	deps, target, named := call.Deps, call.Target, "" // the call changes call.Target
	if call.input != nil {
		named = call.input.target
	}
	call.lookAgain = func(ctx context.Context) error {
		if err := o.lookAgain(ctx, deps, target, request); err != nil {
			return err
		}
		ctx, again := deps.newCall(ctx, request.Principal)
		return o.resolveTarget(ctx, again, named)
	}
	if request.Again == nil {
		return ctx, func() {}, nil
	}
	if !request.At.IsZero() && time.Since(request.At) > lookAgainAfter {
		if err := o.lookAgain(ctx, deps, target, request); err != nil {
			return nil, nil, err
		}
	}
	watched, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(lookAgainAfter, func() {
		w, err := deps.Watch(
			watched,
			func(ctx context.Context) error { return o.lookAgain(ctx, deps, target, request) },
		)
		if err == nil {
			defer w.Release()
			err = w.wait(watched)
		}
		if err != nil {
			cancel(&lostError{err})
		}
	})
	return watched, func() {
		timer.Stop()
		cancel(nil)
	}, nil
}

// lost returns why the context of a call ended if its caller lost its rights, and err otherwise.
func lost(ctx context.Context, err error) error {
	var because *lostError
	if err != nil && errors.As(context.Cause(ctx), &because) {
		return because
	}
	return err
}

// lookAgain looks up the caller of a request again, and returns an error unless it has the rights
// with which the request began.
func (o *Operation) lookAgain(ctx context.Context, deps *Deps, target Target, request Request) error {
	if request.Again == nil {
		return nil
	}
	principal, err := request.Again(ctx)
	if err != nil {
		return err
	}
	return o.StillMay(ctx, deps, request.Principal, principal, target)
}

// idle returns the slot while wait waits. It returns an error if the caller has lost its rights
// meanwhile, or the target was deleted.
func (c *Call) idle(ctx context.Context, wait func()) error {
	c.releaseSlot()
	c.releaseSlot = func() {}
	wait()
	if err := c.lookAgain(ctx); err != nil {
		return err
	}
	return c.acquireSlot(ctx)
}
