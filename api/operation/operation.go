// Package operation is the catalogue: every operation of the product is defined here once, one file per noun and one value per
// operation, and is served from here by REST, by MCP and to the web application, and described in OpenAPI.
//
// It owns the gate that every call goes through (Operation.Do): scope and role, validation, decoding, the handler, the
// log line. It never knows of HTTP requests or MCP messages, and it holds no SQL: handlers call the tenancy packages.
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
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// Def is what an operation says of itself.
type Def struct {
	Name   string // of the tool, and the operationId: a verb and a noun, as in list_bases
	Method string
	Path   string // below /api/v1, with its parameters in braces; the first one is the operation's target
	Title  string // a few words for a person, as in "List bases"

	Summary     string // one line
	Description string // for whoever decides whether to call it: what it returns, when another one is better

	Scope authz.Scope       // None: any valid credential
	Role  organization.Role // "": the weakest role that may use Scope

	ReadOnly    bool
	Destructive bool // may remove or overwrite what cannot be had back
	Idempotent  bool // doing it twice is as doing it once
	OpenWorld   bool // reaches beyond the organization

	// Narrowed says that a credential narrowed to bases may call the operation although its path names no base, because it then
	// answers with nothing beyond those bases. Other operations outside a base are refused to such a credential.
	Narrowed bool

	// NotATool says why agents have no tool for the operation; "" makes it a tool.
	NotATool string

	// Secret says that the answer holds a secret, such as a share's id, so that it is not compressed.
	Secret bool

	// NeedsConfirmation reports whether an input asks for so much to be lost that a person is asked first where a machine decides. Nil is never.
	NeedsConfirmation func(input []byte) bool
}

// Tag is the noun that the operation is listed under: the first word of its path that is not a parameter's.
func (d *Def) Tag() string {
	first, _, _ := strings.Cut(strings.TrimPrefix(d.Path, "/"), "/")
	if rest := strings.Split(d.Path, "/"); len(rest) > 3 && !strings.HasPrefix(rest[3], "{") {
		return rest[3]
	}
	return first
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// PathParameters lists the parameters of the path in their order.
func (d *Def) PathParameters() []string {
	var names []string
	for _, match := range pathParameter.FindAllStringSubmatch(d.Path, -1) {
		names = append(names, match[1])
	}
	return names
}

// RequiredRole is the weakest role that may call the operation, or "" when it needs none.
func (d *Def) RequiredRole() organization.Role {
	if d.Role != "" || d.Scope == authz.None {
		return d.Role
	}
	info, _ := authz.Info(d.Scope)
	return info.Role
}

// An Operation is a definition with its schemas and its handler. It is made by New and never changed.
type Operation struct {
	Def
	Input  *jsonschema.Schema // of the one flat object that path, query and body, or a tool's arguments, make
	Output *jsonschema.Schema

	target string                      // the first parameter of the path, or ""
	single *singleParam                // the target, when the input is nothing else
	values map[*jsonschema.Schema]bool // the parts of Input that are Values
	run    func(ctx context.Context, call *Call) ([]byte, error)
}

// A Call is one invocation of an operation.
type Call struct {
	*Deps
	Principal *authz.Principal
	// Target is what the path's first parameter names, in the organization that it belongs to.
	Target Target

	input *input
}

// An Appender writes its own JSON, faster than reflection would.
type Appender interface{ AppendJSON(dst []byte) []byte }

// New makes an operation. In and Out are structs with json tags; a jsonschema tag describes a member, and the tags min, max,
// minLength, maxLength, minItems, maxItems and enum bound it. A member without omitzero is required.
// It panics on a definition that cannot be served, which the first test shows.
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
				// The validator let it through, so schema and struct disagree.
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

// A Request is one call of an operation, as a surface hands it over.
type Request struct {
	Principal *authz.Principal
	Raw       []byte // one JSON object with all arguments; empty is {}
	ID        string // of the request, for those who look for it in logs
	// Key is the client's own name of a request that it may send again (Idempotency-Key); "" when it gave none.
	Key string
	// Caller, when set, ends when the caller goes away, where the context of the call does not: a write is not begun after it.
	Caller context.Context
	// Deliver, when set, takes the answer of a call that succeeded to the caller, before it is noted in logs, metrics and traces:
	// nobody waits for those.
	Deliver func(answer Answer)
}

// An Answer is what an operation that succeeded answers with.
type Answer struct {
	Body     []byte // JSON of the output
	Repeated bool   // it was given before, to the first request with the same key
}

// Invoke runs an operation for a surface that has nothing but the arguments.
func (o *Operation) Invoke(ctx context.Context, deps *Deps, principal *authz.Principal, raw []byte) ([]byte, error) {
	answer, err := o.Do(ctx, deps, Request{Principal: principal, Raw: raw})
	return answer.Body, err
}

// Do is the only way to run an operation. It returns the output, or an error that is a *problem.Error when the caller may see
// it. Nothing is written before scope, role and input are right. A request with a key is done once: see tenancy.idempotency.Reserve.
func (o *Operation) Do(ctx context.Context, deps *Deps, request Request) (Answer, error) {
	began := time.Now()
	call := &Call{Deps: deps, Principal: request.Principal}
	bounded, cancel := context.WithDeadline(ctx, began.Add(o.deadline()))
	defer cancel()
	held, release := answer.WithReservation(bounded)
	defer release() // after the answer was delivered
	given, err := o.do(held, call, request)
	if err == nil {
		// What was written stays written, and its answer is given.
		if noMemory := answer.Reserve(held, len(given.Body)); noMemory != nil && o.ReadOnly {
			err = noMemory
		}
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		err = callerGone(err)
	}
	took := time.Since(began)
	if err == nil && request.Deliver != nil {
		request.Deliver(given)
	}
	o.tell(ctx, call, request, took, err)
	return given, err
}

func callerGone(err error) error {
	return (&problem.Error{Kind: problem.KindUnavailable, Code: "caller_gone", Message: "The caller went away."}).Because(err)
}

// tell tells those who watch that a call has ended.
func (o *Operation) tell(ctx context.Context, call *Call, request Request, took time.Duration, err error) {
	if call.Watch != nil {
		call.Watch.Operation(o.Name, outcome(err), took)
	}
	o.trace(ctx, call, request, err)
	o.log(ctx, call, request, took, err)
}

// deadline is how long a call may take, whatever becomes of the services that it asks: a little more than the database gives a
// statement. A change of a schema may have a large table to go through.
func (o *Operation) deadline() time.Duration {
	if !o.ReadOnly && o.Scope != authz.DataWrite {
		return 110 * time.Second
	}
	return 20 * time.Second
}

func (o *Operation) do(ctx context.Context, call *Call, request Request) (Answer, error) {
	if len(request.Raw) == 0 {
		request.Raw = []byte("{}")
	}
	if err := o.admit(ctx, call, request.Raw); err != nil {
		return Answer{}, err
	}
	leave, err := call.enter(ctx)
	if err != nil {
		return Answer{}, err
	}
	defer leave()
	if !o.ReadOnly && (ctx.Err() != nil || request.Caller != nil && request.Caller.Err() != nil) {
		return Answer{}, callerGone(context.Canceled) // before anything is written, and after having waited
	}
	if request.Key != "" && !o.ReadOnly {
		return o.idempotent(ctx, call, request)
	}
	out, err := o.act(ctx, call, request, uuid.Nil)
	return Answer{Body: out}, err
}

// act runs the handler. What it writes is signed.
func (o *Operation) act(ctx context.Context, call *Call, request Request, attempt uuid.UUID) ([]byte, error) {
	if !o.ReadOnly {
		call.sign(request, attempt)
	}
	return o.run(ctx, call)
}

// sign makes what the call writes its caller's.
func (c *Call) sign(request Request, attempt uuid.UUID) {
	p := request.Principal
	c.Deps = c.Deps.as(db.Actor{
		Person: p.Person, Kind: string(p.Kind), Credential: p.Credential, Request: request.ID, Input: request.Raw, Attempt: attempt,
	})
}

// admit lets a call through that has the scope, a valid input and the role, and says what it works on.
func (o *Operation) admit(ctx context.Context, call *Call, raw []byte) error {
	if err := call.Principal.RequireScope(o.Scope); err != nil {
		return err
	}
	in, err := o.validate(raw)
	if err != nil {
		return err
	}
	call.input = in
	return o.locate(ctx, call, in.target)
}

// Check returns what a call would work on, or the error with which Do would refuse it at its gate. It changes nothing.
func (o *Operation) Check(ctx context.Context, deps *Deps, principal *authz.Principal, raw []byte) (Target, error) {
	call := &Call{Deps: deps, Principal: principal}
	err := o.admit(ctx, call, raw)
	return call.Target, err
}

// enter waits until the call may be under way.
func (c *Call) enter(ctx context.Context) (leave func(), err error) {
	if c.Admission == nil {
		return func() {}, nil
	}
	return c.Admission.Enter(ctx, c.Target.Org, c.Principal.Person)
}

// outcome is "ok" or the kind of an error.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return string(problem.KindOf(err))
}

// trace names the request's span after the operation, and says who it was for in ids.
func (o *Operation) trace(ctx context.Context, call *Call, request Request, err error) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.SetName(o.Name)
	span.SetAttributes(
		attribute.String("rowhouse.operation", o.Name), attribute.String("rowhouse.outcome", outcome(err)),
		attribute.String("rowhouse.credential", call.Principal.Credential), attribute.String("rowhouse.request", request.ID))
	if call.Target.Org != uuid.Nil {
		span.SetAttributes(attribute.String("rowhouse.org", call.Target.OrgID()))
	}
}

// log writes the one line of a call. It holds ids and durations, never names, values or secrets. It goes to the log's handler
// itself, for the logger would look up on every call which line of this file it comes from.
func (o *Operation) log(ctx context.Context, call *Call, request Request, took time.Duration, err error) {
	if call.Log == nil {
		return
	}
	level, failed := slog.LevelInfo, false
	if err != nil {
		switch problem.KindOf(err) { //nolint:exhaustive // only failures of the service itself are logged with their cause
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
		slog.Duration("took", took))
	if call.Target.Org != uuid.Nil {
		attrs = append(attrs, slog.String("org", call.Target.OrgID()))
	}
	if failed {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	line := slog.NewRecord(time.Now(), level, "operation", 0)
	line.AddAttrs(append(attrs, slog.String("outcome", outcome(err)))...)
	_ = handler.Handle(ctx, line) // a line that cannot be written is lost, as with every log
}
