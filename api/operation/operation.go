// Package operation is the catalogue of operations. Each operation is defined here once: one file
// per noun, one value per operation. REST, MCP and the web application all serve it from here, and
// the OpenAPI document describes it.
//
// Every call passes through Operation.Do, which checks scope and role, validates and decodes the
// input, runs the handler and writes the log line. The package knows nothing of HTTP requests or
// MCP messages and contains no SQL: handlers call the packages below tenancy.
package operation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/answer"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// Def describes an operation: its name, route, documentation and required rights.
type Def struct {
	Name   string // tool name and operationId: a verb and a noun, such as list_bases
	Method string
	Path   string // below /api/v1, with parameters in braces; the first parameter is the operation's target
	Title  string // shown to people, such as "List bases"

	Summary     string // one line
	Description string // helps a caller choose: what it returns, and when to use another operation

	Scope authz.Scope       // None accepts any valid credential
	Role  organization.Role // "" means the weakest role that may use Scope

	ReadOnly    bool
	AuditsReads bool // records an audit event although it only reads
	Destructive bool // may remove or overwrite data irreversibly
	Idempotent  bool // repeating it has no further effect
	OpenWorld   bool // affects people or systems outside the organization

	// BaseFiltered says that the response contains only data of bases that the credential reaches,
	// so that a credential restricted to bases may call the operation although its path names no
	// base. Such a credential is refused every other operation outside its bases.
	BaseFiltered bool

	// NotATool says why agents have no tool for the operation; "" makes it a tool.
	NotATool string

	// Secret says that the response contains a secret, such as a share id. Such a response is not
	// compressed, because the length of compressed text reveals repetition (BREACH).
	Secret bool

	// ShownOnce names a member of the result that is left out when the result is stored for a request
	// with an idempotency key.
	ShownOnce string

	// Waits is how long the operation may wait for something to happen, beyond the time that it works.
	Waits time.Duration

	// Expires says that a cursor of the operation may be older than what is kept (status 410).
	Expires bool

	// Versioned operations read, change or delete a single record, and their results have an ETag.
	// Writes observe If-Match.
	Versioned bool

	// NeedsConfirmation reports whether an input would destroy so much that an MCP client has to
	// ask a person first. Nil means never.
	NeedsConfirmation func(input []byte) bool
}

// Tag returns the OpenAPI tag: the first word of the path that names the resource.
func (d *Def) Tag() string {
	first, _, _ := strings.Cut(strings.TrimPrefix(d.Path, "/"), "/")
	if rest := strings.Split(d.Path, "/"); len(rest) > 3 && !strings.HasPrefix(rest[3], "{") {
		return rest[3]
	}
	return first
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// PathParameters returns the names of the path's parameters in order.
func (d *Def) PathParameters() []string {
	var names []string
	for _, match := range pathParameter.FindAllStringSubmatch(d.Path, -1) {
		names = append(names, match[1])
	}
	return names
}

// An Operation is a Def with its schemas and its handler. New makes it, and nothing changes it
// afterwards.
type Operation struct {
	Def
	Input  *jsonschema.Schema // of the flat object that path, query and body form, or a tool's arguments
	Output *jsonschema.Schema

	target string                      // first path parameter, or ""
	single *singleParam                // set when the target is the only input member
	values map[*jsonschema.Schema]bool // the parts of Input that are Values
	run    func(ctx context.Context, call *Call) ([]byte, error)
}

// A Call is one invocation of an operation.
type Call struct {
	*Deps
	Principal *authz.Principal
	// Target is the resource that the path's first parameter names.
	Target Target

	input   *input
	ifMatch *int64 // the version that a record must have; nil demands none
	version *int64 // that the result has

	releaseSlot func()       // ends the call's admission
	reauthorize func() error // checks that the caller still has the rights with which the call began
}

// An Appender encodes itself as JSON without reflection.
type Appender interface{ AppendJSON(dst []byte) []byte }

// New makes an operation. In and Out are structs with json tags. A jsonschema tag describes a
// member; the tags min, max, minLength, maxLength, minItems, maxItems and enum bound it. A member
// without omitzero is required. New panics on an invalid definition.
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
	single := singleParamOf(reflect.TypeFor[In](), target)
	schema := inputSchema[In](def.Name)
	return &Operation{
		Def: def, target: target, single: single, Input: schema, Output: outputSchema[Out](def.Name),
		values: valuesIn(schema, reflect.TypeFor[In]()),
		run: func(ctx context.Context, call *Call) ([]byte, error) {
			var in In
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
			encoded, err := json.Marshal(out)
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
	// Confirmation, if set, is the answer of a person which the request needs: it is good for one call that changes
	// something.
	Confirmation *db.PlanUse
	// IfMatch is the version that the record must have; nil demands none. It is set only for
	// Versioned operations.
	IfMatch *int64
	// CallerContext, if set, is cancelled when the caller disconnects, although the context of the
	// call is not. No write begins after that.
	CallerContext context.Context
	// Again looks up the caller again, for a call that has waited: rights may have ended meanwhile. Nil
	// leaves that out.
	Again func() (*authz.Principal, error)
	// Deliver, if set, sends the result of a successful call to the caller before logs, metrics and
	// traces are written, so that the caller does not wait for them.
	Deliver func(result Result)
}

// A Result is the output of a successful call.
type Result struct {
	Body     []byte // the output as JSON
	Replayed bool   // it is the stored result of an earlier request with the same idempotency key
	// Version is that of the one record that a Versioned operation returns, or nil.
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
	call := &Call{Deps: deps, Principal: request.Principal, ifMatch: request.IfMatch}
	bounded, cancel := context.WithDeadline(ctx, started.Add(o.deadline()))
	defer cancel()
	heldCtx, release := answer.WithReservation(bounded)
	defer release() // after the result was delivered
	call.reauthorize = func() error { return o.reauthorize(heldCtx, deps, call, request) }
	result, err := o.do(heldCtx, call, request)
	if err == nil {
		// A write has been committed, so its result is always delivered.
		if holdErr := answer.Reserve(heldCtx, len(result.Body)); holdErr != nil && o.ReadOnly {
			err = holdErr
		}
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		err = callerGoneError(err)
	}
	elapsed := time.Since(started)
	if err == nil && request.Deliver != nil {
		request.Deliver(result)
	}
	o.observe(ctx, call, request, elapsed, err)
	return result, err
}

func callerGoneError(err error) error {
	return (&problem.Error{
		Kind:    problem.KindUnavailable,
		Code:    "caller_gone",
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
	if err := call.acquireSlot(ctx); err != nil {
		return Result{}, err
	}
	defer func() { call.releaseSlot() }() // of a waiting call it may be another one
	if !o.ReadOnly && (ctx.Err() != nil || request.CallerContext != nil && request.CallerContext.Err() != nil) {
		return Result{}, callerGoneError(context.Canceled) // checked after waiting for a slot and before writing
	}
	if request.IdempotencyKey != "" && !o.ReadOnly {
		return o.idempotent(ctx, call, request)
	}
	out, err := o.runHandler(ctx, call, request, uuid.Nil)
	return call.result(out), err
}

// result is that of a handler which has run.
func (c *Call) result(out []byte) Result {
	result := Result{Body: out, Version: c.version}
	if actor := c.DB.Actor(); actor.ChangeSet != uuid.Nil && !onlyPlans(actor.Input) {
		result.ChangeSet = id.Format(id.ChangeSet, actor.ChangeSet)
	}
	return result
}

// runHandler runs the handler. Writes are attributed to the caller.
func (o *Operation) runHandler(ctx context.Context, call *Call, request Request, attempt uuid.UUID) ([]byte, error) {
	if !o.ReadOnly {
		set, err := call.changeSet(ctx, request)
		if err != nil {
			return nil, err
		}
		call.bindActor(request, attempt, set)
		return o.runConfirmed(ctx, call, request)
	} else if o.AuditsReads {
		call.bindActor(request, uuid.Nil, uuid.Nil)
	}
	return o.run(ctx, call)
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
	if err != nil { // the caller has named its request
		return id.New()
	}
	return set
}

// bindActor attributes everything that the call writes to its caller.
func (c *Call) bindActor(request Request, attempt, set uuid.UUID) {
	p := request.Principal
	c.Deps = c.Deps.withActor(db.Actor{
		Person: p.Person, Kind: string(p.Kind), Credential: p.Credential, Request: request.ID, Input: request.Raw,
		Attempt: attempt, ChangeSet: set, Confirmation: request.Confirmation, Blind: !p.Has(authz.DataRead),
	})
}

// Check runs the checks that Do makes before the handler. It returns the target or Do's error, and
// changes nothing.
func (o *Operation) Check(ctx context.Context, deps *Deps, principal *authz.Principal, raw []byte) (Target, error) {
	call := &Call{Deps: deps, Principal: principal}
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

// outcome returns "ok" or the kind of an error.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return string(problem.KindOf(err))
}

// trace names the request's span after the operation and records the ids of credential, request and
// organization.
func (o *Operation) trace(ctx context.Context, call *Call, request Request, err error) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.SetName(o.Name)
	span.SetAttributes(
		attribute.String("rowhouse.operation", o.Name), attribute.String("rowhouse.outcome", outcome(err)),
		attribute.String("rowhouse.credential", call.Principal.Credential),
		attribute.String("rowhouse.request", request.ID))
	if call.Target.Org != uuid.Nil {
		span.SetAttributes(attribute.String("rowhouse.org", call.Target.OrgID()))
	}
}

// log writes one line per call. The line contains ids and durations, never names, values or
// secrets. It calls the handler directly, because slog.Logger would look up the source line of
// every call.
func (o *Operation) log(ctx context.Context, call *Call, request Request, elapsed time.Duration, err error) {
	if call.Log == nil {
		return
	}
	level, failed := slog.LevelInfo, false
	if err != nil {
		switch problem.KindOf(err) { //nolint:exhaustive // only the service's own failures are logged with a cause
		case problem.KindInternal:
			level, failed = slog.LevelError, true
		case problem.KindUnavailable:
			level, failed = slog.LevelWarn, true
		}
	}
	handler := call.Log.Handler()
	if !handler.Enabled(ctx, level) {
		return
	}
	attrs := append(make([]slog.Attr, 0, 8),
		slog.String("request", request.ID),
		slog.String("operation", o.Name),
		slog.String("credential", call.Principal.Credential),
		slog.String("person", call.Principal.UserID()),
		slog.Duration("took", elapsed))
	if call.Target.Org != uuid.Nil {
		attrs = append(attrs, slog.String("org", call.Target.OrgID()))
	}
	if failed {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	line := slog.NewRecord(time.Now(), level, "operation", 0)
	line.AddAttrs(append(attrs, slog.String("outcome", outcome(err)))...)
	_ = handler.Handle(ctx, line) // a log line that cannot be written is lost
}
