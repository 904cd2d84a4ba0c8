// Package operation is the catalogue of operations. Each operation is defined here once: one file
// per object, one value per operation. REST, MCP and the web application all serve it from here,
// and the OpenAPI document describes it.
//
// Every call passes through Operation.Do, which checks scope and role, validates and decodes the
// input, runs the handler and writes the log line. The package knows nothing of HTTP requests or
// MCP messages and contains no SQL: handlers call the packages below tenancy.
package operation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// An Operation is a Def with its schemas and its handler. New makes it, and nothing changes it
// afterwards.
type Operation struct {
	Def

	target string // first path parameter, or ""
	// schemas derives the schemas when they are first needed, because commands that serve nothing would wait for
	// them, too.
	schemas func() *schemas
	run     func(ctx context.Context, call *Call) ([]byte, error)
}

// A Call is one invocation of an operation.
type Call struct {
	*Deps
	Principal *authz.Principal
	// Target is the resource that the path's first parameter names.
	Target Target
	// deleted is the target of an operation on a deleted organization.
	deleted *organization.DeletedOrg

	input   *input
	ifMatch []int64 // the record must have one of these versions; none demands nothing
	version *int64  // of the record in the result

	writer    db.Actor // of a call that writes
	unwritten bool     // nothing was changed, so the call has no change set

	releaseSlot func() // ends the call's admission
	// lookAgain checks that the caller still has the rights with which the call began, and that its target
	// is still there.
	lookAgain func(ctx context.Context) error
}

// newCall returns a call of a principal, and the context for it, in which schemas are those that the principal sees.
func (d *Deps) newCall(ctx context.Context, p *authz.Principal) (context.Context, *Call) {
	return catalog.WithCaller(ctx, p), &Call{Deps: d, Principal: p}
}

// An Appender encodes itself as JSON without reflection.
type Appender interface{ AppendJSON(dst []byte) []byte }

// New makes an operation. In and Out are structs with json tags. A jsonschema tag describes a
// member; the tags min, max, minLength, maxLength, minItems, maxItems and enum bound it. A member
// without omitzero is required. An invalid definition panics, here or when its schemas are first
// needed.
func New[In, Out any](def Def, handle func(ctx context.Context, call *Call, in In) (Out, error)) *Operation {
	if def.Scope != authz.None {
		if _, known := authz.Info(def.Scope); !known {
			panic(fmt.Sprintf("operation %s: unknown scope %q", def.Name, def.Scope))
		}
	}
	var target string
	if parameters := def.PathParameters(); len(parameters) > 0 {
		target = parameters[0]
	}
	derived := sync.OnceValue(func() *schemas { return schemasOf[In, Out](def, target) })
	return &Operation{
		Def: def, target: target, schemas: derived,
		run: func(ctx context.Context, call *Call) ([]byte, error) {
			var in In
			single := derived().single
			if value, ok := single.read(call.input.envelope); ok {
				single.set(&in, value)
			} else if err := json.Unmarshal(call.input.envelope, &in); err != nil {
				// The validator accepted it, so the schema and the struct disagree.
				return nil, fmt.Errorf("decoding the input of %s: %w", def.Name, err)
			}
			out, err := handle(ctx, call, in)
			if err != nil {
				return nil, err
			}
			if appender, ok := any(out).(Appender); ok {
				return appender.AppendJSON(nil), nil
			}
			// The same result has the same bytes, whoever asks for it and however often.
			encoded, err := json.Marshal(out, json.Deterministic(true))
			if err != nil {
				return nil, fmt.Errorf("encoding the output of %s: %w", def.Name, err)
			}
			return encoded, nil
		},
	}
}

// A Request is one call of an operation, as REST or MCP passes it on.
type Request struct {
	Principal *authz.Principal
	Raw       []byte // one JSON object with all arguments; empty means {}
	ID        string // request id, which appears in logs
	// IdempotencyKey identifies a request that the client may send again (header Idempotency-Key);
	// "" when there is none.
	IdempotencyKey string
	// ChangeSet is the name or the public id of the change set that a write joins; "" makes the
	// request a change set of its own. See changelog.Join.
	ChangeSet string
	// Confirmation, if set, is the person's answer that the request needs: it is good for one call
	// that changes something.
	Confirmation *db.PlanUse
	// IfMatch lists the versions of which the record must have one; none demands nothing. It is set
	// only for Versioned operations.
	IfMatch []int64
	// CallerContext, if set, is cancelled when the caller disconnects, although the context of the
	// call is not. No write begins after that.
	CallerContext context.Context
	// Again looks up the caller again during a long call, because rights may end meanwhile. Nil
	// skips that.
	Again func(ctx context.Context) (*authz.Principal, error)
	// At is when Principal was looked up; zero means just now.
	At time.Time
	// ViewAs is the public id of the member as whom a creator looks at a base; "" is the caller.
	ViewAs string
	// Deliver, if set, sends the result of a successful call to the caller before logs, metrics and
	// traces are written, so that the caller does not wait for them.
	Deliver func(result Result)
}

// A Result is the output of a successful call.
type Result struct {
	Body     []byte // the output as JSON
	Replayed bool   // it is the stored result of an earlier request with the same idempotency key
	// Version is the version of the one record that a Versioned operation returns, or nil.
	Version *int64
	// ChangeSet is the public id of the group of changes that a write belongs to, or "".
	ChangeSet string
}

// Invoke runs an operation without a request id, an idempotency key or a delivery function, and
// returns the output as JSON.
func (o *Operation) Invoke(ctx context.Context, deps *Deps, principal *authz.Principal, raw []byte) ([]byte, error) {
	result, err := o.Do(ctx, deps, Request{Principal: principal, Raw: raw})
	return result.Body, err
}

// Do runs an operation; it is the only way to do so. It returns the output, or an error, which is a
// *problem.Error if the caller may see it. It writes nothing before scope, role and input have been
// checked. A request with an idempotency key runs at most once; see idempotency.Reserve.
func (o *Operation) Do(ctx context.Context, deps *Deps, request Request) (Result, error) {
	started := time.Now()
	ctx, call := deps.newCall(ctx, request.Principal)
	call.ifMatch = request.IfMatch
	bounded, cancel := context.WithDeadline(ctx, started.Add(o.deadline()))
	defer cancel()
	reserving, release := membudget.WithReservation(bounded)
	defer release() // after the result was delivered
	result, err := o.do(reserving, call, request)
	err = call.nameless(ctx, err)
	if err == nil {
		// A write has been committed, so its result is always delivered.
		if reserveErr := membudget.Reserve(reserving, len(result.Body)); reserveErr != nil && o.ReadOnly {
			err = reserveErr
		}
	}
	err = whoWent(ctx, err)
	elapsed := time.Since(started)
	if err == nil && request.Deliver != nil {
		request.Deliver(result)
	}
	o.observe(ctx, call, request, elapsed, err)
	return result, err
}

// whoWent returns the error of a call whose caller disconnected, unless it failed because the
// caller lost its rights, which may end the connection as well.
func whoWent(ctx context.Context, err error) error {
	var because *lostError
	if err == nil || !errors.Is(ctx.Err(), context.Canceled) || errors.As(err, &because) {
		return err
	}
	return callerGoneError(err)
}

func callerGoneError(err error) error {
	return (&problem.Error{
		Kind:    problem.KindUnavailable,
		Code:    problem.CodeCallerGone,
		Message: "The caller went away.",
	}).Because(err)
}

// observe reports the end of a call to metrics, traces and the log.
func (o *Operation) observe(ctx context.Context, call *Call, request Request, elapsed time.Duration, err error) {
	if call.Observer != nil {
		call.Observer.Operation(o.Name, outcome(err), elapsed)
	}
	o.trace(ctx, call, request, err)
	o.log(ctx, call, request, elapsed, err)
}

// deadline returns how long a call may take: a little longer than the database allows a statement.
// Schema changes get more time, because they may rewrite a large table.
func (o *Operation) deadline() time.Duration {
	if !o.ReadOnly && o.Scope != authz.DataWrite {
		return 110 * time.Second
	}
	return 20*time.Second + o.Waits
}

func (o *Operation) do(ctx context.Context, call *Call, request Request) (Result, error) {
	if len(request.Raw) == 0 {
		request.Raw = []byte("{}")
	}
	if err := o.authorize(ctx, call, request.Raw); err != nil {
		return Result{}, err
	}
	if request.ViewAs != "" {
		var err error
		if ctx, err = o.viewAs(ctx, call, request); err != nil {
			return Result{}, err
		}
		request.Again = nil // which would look up the rights of the caller
	}
	if err := o.admit(ctx, call); err != nil {
		return Result{}, err
	}
	defer func() { call.releaseSlot() }() // a waiting call may have replaced it
	if !o.ReadOnly && (ctx.Err() != nil || request.CallerContext != nil && request.CallerContext.Err() != nil) {
		return Result{}, callerGoneError(context.Canceled) // checked after waiting for a slot and before writing
	}
	keyed := request.IdempotencyKey != "" && !o.ReadOnly
	if keyed {
		// The work continues without its client, who can ask for the result with the key.
		whole := context.WithoutCancel(ctx)
		if deadline, bounded := ctx.Deadline(); bounded {
			var cancel context.CancelFunc
			whole, cancel = context.WithDeadline(whole, deadline)
			defer cancel()
		}
		ctx = whole
	}
	ctx, release, err := o.watched(ctx, call, request)
	if err != nil {
		return Result{}, err
	}
	defer release()
	if keyed {
		result, err := o.idempotent(ctx, call, request)
		return result, lost(ctx, err)
	}
	out, err := o.runHandler(ctx, call, request, uuid.Nil)
	return call.result(out), lost(ctx, err)
}

// result returns the result of a handler that has run.
func (c *Call) result(out []byte) Result {
	return Result{Body: out, Version: c.version, ChangeSet: c.writtenSet()}
}

// writtenSet is the public id of the change set of a call that has written something, or "".
func (c *Call) writtenSet() string {
	if c.writer.ChangeSet == uuid.Nil || c.unwritten || onlyPlans(c.writer.Input) {
		return ""
	}
	return id.Format(id.ChangeSet, c.writer.ChangeSet)
}

// runHandler runs the handler. Writes are attributed to the caller, and their results name their change set.
func (o *Operation) runHandler(ctx context.Context, call *Call, request Request, attempt uuid.UUID) ([]byte, error) {
	if !o.ReadOnly {
		set, err := call.changeSet(ctx, request)
		if err != nil {
			return nil, err
		}
		ctx = call.bindActor(ctx, request, attempt, set)
		out, err := o.runConfirmed(ctx, call, request)
		if written := call.writtenSet(); err == nil && written != "" {
			out = withChangeSet(out, written)
		}
		return out, err
	} else if o.AuditsReads {
		ctx = call.bindActor(ctx, request, uuid.Nil, uuid.Nil)
	}
	return o.run(ctx, call)
}

// changeSetMember is the member of the result of a write that names its change set.
const changeSetMember = "changeSet"

// writtenSchema describes what the results of all writes contain.
func writtenSchema() *jsonschema.Schema {
	return part("Written", &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		changeSetMember: {
			Type: "string", Description: "of the write, as in list_change_sets; absent where nothing was written",
		},
	}})
}

// withChangeSet adds the change set to a result, which is an object.
func withChangeSet(out []byte, set string) []byte {
	head, closed := bytes.CutSuffix(out, []byte("}"))
	if !closed {
		return out
	}
	separator := ","
	if len(head) == 1 {
		separator = ""
	}
	return slices.Concat(head, []byte(separator+`"`+changeSetMember+`":"`+set+`"}`))
}

// changeSet returns the change set of a request that writes.
func (c *Call) changeSet(ctx context.Context, request Request) (uuid.UUID, error) {
	if request.ChangeSet == "" {
		return request.ownChangeSet(), nil
	}
	org := c.Target.Org
	if org == uuid.Nil && len(c.Principal.Orgs) == 1 {
		org = c.Principal.Orgs[0].Org
	}
	if org == uuid.Nil {
		return uuid.Nil, problem.Invalid("changeSet",
			"cannot be given here, because a change set belongs to one organization and you belong to none or several")
	}
	return changelog.Join(ctx, c.DB, changelog.Joiner{
		Org: org, Person: c.Principal.Person, Credential: c.Principal.Credential, Set: request.ChangeSet,
	})
}

// ownChangeSet returns the change set of a request that joins none.
func (r *Request) ownChangeSet() uuid.UUID {
	set, err := id.Parse(id.Request, r.ID)
	if err != nil { // the caller chose the request id
		return id.New()
	}
	return set
}

// bindActor returns a context that attributes the writes of the call to its caller.
func (c *Call) bindActor(ctx context.Context, request Request, attempt, set uuid.UUID) context.Context {
	p := request.Principal
	c.writer = db.Actor{
		Person: p.Person, Kind: string(p.Kind), Credential: p.Credential, Request: request.ID, Input: request.Raw,
		Attempt: attempt, ChangeSet: set, Confirmation: request.Confirmation, Blind: !p.Has(authz.DataRead),
		Nameless: !p.Has(authz.SchemaRead),
	}
	return db.WithActor(ctx, c.writer)
}

// Check runs the checks that Do makes before the handler. It returns the target or Do's error, and
// changes nothing.
func (o *Operation) Check(ctx context.Context, deps *Deps, principal *authz.Principal, raw []byte) (Target, error) {
	ctx, call := deps.newCall(ctx, principal)
	err := o.authorize(ctx, call, raw)
	return call.Target, err
}

// acquireSlot waits until the organization's limits admit the call.
func (c *Call) acquireSlot(ctx context.Context) error {
	c.releaseSlot = func() {}
	if c.Admission == nil {
		return nil
	}
	leave, err := c.Admission.Enter(ctx, c.Target.Org, c.Principal.Person)
	if err == nil {
		c.releaseSlot = leave
	}
	return err
}

// heavyTenant is under which id heavy calls are counted: that of the organization, or of the person if there is none.
func (c *Call) heavyTenant() uuid.UUID {
	if c.Target.Org == uuid.Nil {
		return c.Principal.Person
	}
	return c.Target.Org
}

// turn waits until a part of a call that takes processor time for long may begin, however many others come first: its
// caller has sent a file for it.
func (c *Call) turn(ctx context.Context) (end func(), err error) {
	if c.Admission == nil {
		return func() {}, nil
	}
	for {
		end, err = c.Admission.EnterHeavy(ctx, c.heavyTenant())
		if problem.KindOf(err) != problem.KindRateLimited || ctx.Err() != nil {
			return end, err //nolint:wrapcheck // it is for the caller
		}
		select {
		case <-ctx.Done():
		case <-time.After(turnPause):
		}
	}
}

// turnPause is how long a turn is not asked for after it was refused.
const turnPause = time.Second

// admit is acquireSlot; a heavy operation also waits for its turn.
func (o *Operation) admit(ctx context.Context, call *Call) error {
	if err := call.acquireSlot(ctx); err != nil || !o.Heavy || call.Admission == nil {
		return err
	}
	leave, err := call.Admission.EnterHeavy(ctx, call.heavyTenant())
	if err != nil {
		call.releaseSlot()
		return err
	}
	slot := call.releaseSlot
	call.releaseSlot = func() { leave(); slot() }
	return nil
}
