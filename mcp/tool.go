package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// A tool is an operation, or search or fetch, as agents see it.
type tool struct {
	listed  *sdk.Tool
	encoded json.RawMessage // what the list of tools has of it
	scopes  []authz.Scope
	input   *jsonschema.Schema
	form    recordForm
	// coveredBy is the tool that does the same and is listed in its place; "" lists this one.
	coveredBy string
	confirm   func(input []byte) bool // whether the input needs confirmation; nil means never
	check     func(ctx context.Context, s *server, c *caller, input []byte) (operation.Target, error)
	run       func(ctx context.Context, s *server, c *caller, input []byte, how manner) ([]byte, error)
}

// A manner is how a call is to be done and answered, which is not a matter of its operation.
type manner struct {
	key       string // a write with a key runs at most once; "" for none
	changeSet string // name or id of the change set that it joins; "" for none
	form      form   // of the answer
	// confirmation is the answer of a person which the call needs; nil for none.
	confirmation *db.PlanUse
}

func (t *tool) readOnly() bool { return t.listed.Annotations.ReadOnlyHint }

// toolset returns the toolset that contains the tool, or "" if all of them do.
func (t *tool) toolset() string {
	for _, scope := range t.scopes {
		if set := toolsets[scope]; set != "" {
			return set
		}
	}
	return ""
}

func (s *server) addTools() {
	for _, op := range operation.Tools() {
		s.add(operationTool(op))
	}
	s.add(searchTool())
	s.add(fetchTool())
}

func (s *server) add(t *tool) {
	t.encoded = encodeTool(t.listed)
	s.toolIndexes[t.listed.Name] = len(s.tools)
	s.tools = append(s.tools, t)
}

func operationTool(op *operation.Operation) *tool {
	t := &tool{
		input: op.Input, confirm: op.NeedsConfirmation, coveredBy: coveredTools[op.Name],
		form: recordForms[op.Name],
	}
	if op.Scope != authz.None {
		t.scopes = []authz.Scope{op.Scope}
	}
	t.listed = newListedTool(op.Def, inputSchema(op), outputSchema(op.Output, op.ReadOnly))
	t.check = func(ctx context.Context, s *server, c *caller, input []byte) (operation.Target, error) {
		return op.Check(ctx, s.Deps, c.Principal, input)
	}
	t.run = func(ctx context.Context, s *server, c *caller, input []byte, how manner) ([]byte, error) {
		result, err := op.Do(ctx, s.Deps, operation.Request{
			Principal: c.Principal, Raw: input, ID: problem.RequestID(ctx), IdempotencyKey: how.key,
			ChangeSet: how.changeSet, Confirmation: how.confirmation, CallerContext: c.request, Again: c.again,
		})
		if err == nil && result.ChangeSet != "" {
			result.Body = withMember(result.Body, changeSetName, quote(result.ChangeSet))
		}
		if err == nil && result.Replayed {
			return withNote(result.Body,
				"This is the result of the first call with this idempotencyKey; the call was not executed again."), nil
		}
		return result.Body, err
	}
	return t
}

func newListedTool(def operation.Def, input, output *jsonschema.Schema) *sdk.Tool {
	destructive, open := def.Destructive, def.OpenWorld
	return &sdk.Tool{
		Name: def.Name, Title: def.Title, Description: toolDescription(&def),
		InputSchema: encode(input), OutputSchema: encode(output),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: def.ReadOnly, DestructiveHint: &destructive, OpenWorldHint: &open,
			IdempotentHint: def.Idempotent && !def.ReadOnly, // it says nothing about a tool that only reads
		},
	}
}

// toolHandler handles a tool call that came through the SDK.
func (s *server) toolHandler(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := callerOf(ctx)
		var question *sdk.CallToolResult
		output, failed := s.callTool(ctx, t, func() ([]byte, error) {
			given, err := json.Marshal(req.Params.Meta[idempotencyKeyName])
			if err != nil {
				return nil, err
			}
			input, how, confirmed, err := s.prepareInput(ctx, t, c, req.Params.Arguments, given)
			if err != nil {
				return nil, err
			}
			if t.confirm != nil && t.confirm(input) {
				question, how.confirmation, err = s.confirm(ctx, t, c, req, input, confirmed)
				if question != nil || err != nil {
					return nil, err
				}
			}
			return s.execute(ctx, t, c, input, how)
		})
		switch {
		case question != nil:
			return question, nil
		case output == nil:
			return nil, ctx.Err()
		}
		output, image := takeImage(t, output)
		result := newToolResult(output, failed)
		if image != nil {
			result.Content = append(result.Content, image)
		}
		return result, nil
	}
}

// newToolResult returns a result whose text is the same JSON as its structured content, because
// some clients show only one of them.
func newToolResult(output []byte, failed bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(output)}},
		StructuredContent: json.RawMessage(output),
		IsError:           failed,
	}
}

// callTool runs call and returns the tool's output. An error becomes an output with failed set: the
// same problem that REST would respond with. So does a panic, which must not end the process. The
// output is nil if the client has disconnected.
func (s *server) callTool(ctx context.Context, t *tool, call func() ([]byte, error)) (output []byte, failed bool) {
	defer func() {
		if failure := recover(); failure != nil {
			err := fmt.Errorf("%s panicked: %v\n%s", t.listed.Name, failure, debug.Stack())
			s.logError(ctx, err)
			p := problem.New(err, problem.RequestID(ctx))
			output, failed = p.JSON(), true
		}
	}()
	output, err := call()
	if err != nil {
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return nil, true
		}
		p := problem.New(err, problem.RequestID(ctx))
		if t.listed.Name == operation.QuerySQL.Name { // PostgreSQL's errors quote values
			return withNote(p.JSON(), dataNote), true
		}
		return p.JSON(), true
	}
	return compactJSON(output), false
}

// compactJSON removes white space from JSON that contains line breaks, because a line break would
// end a server-sent event.
func compactJSON(output []byte) []byte {
	if bytes.IndexByte(output, '\n') < 0 && bytes.IndexByte(output, '\r') < 0 {
		return output
	}
	var line bytes.Buffer
	if json.Compact(&line, output) != nil {
		return output
	}
	return line.Bytes()
}

// execute runs a tool whose call has been confirmed if necessary.
func (s *server) execute(ctx context.Context, t *tool, c *caller, input []byte, how manner) ([]byte, error) {
	output, err := s.runWithin(ctx, t, c, input, how)
	if err != nil || !t.readOnly() {
		return output, err
	}
	return withNote(output, dataNote), nil
}

// runWithin runs a tool so that its output has no more tokens than the call allows. A page that has more is read
// again with a smaller limit, so that its cursor continues where it ends.
func (s *server) runWithin(ctx context.Context, t *tool, c *caller, input []byte, how manner) ([]byte, error) {
	run := func(input []byte) ([]byte, error) {
		output, err := t.run(ctx, s, c, input, how)
		if err != nil {
			return nil, err
		}
		return s.compact(ctx, c, t, input, output, how.form)
	}
	if t.listed.Name == operation.ExportRecords.Name {
		var err error
		if input, err = withMaxBytes(input, how.form.maxTokens); err != nil {
			return nil, err
		}
	}
	reads := t.listed.Name == operation.ReadAttachment.Name
	if reads {
		var err error
		if input, err = withTextLimit(input, how.form.maxTokens); err != nil {
			return nil, err
		}
	}
	output, err := run(input)
	if err != nil {
		return nil, err
	}
	if reads {
		return fitText(input, output, how.form.maxTokens)
	}
	if fits(output, how.form.maxTokens-noteReserve) {
		if note := csvNote(input, output); note != "" {
			output = withNote(output, note)
		}
	}
	if fits(output, how.form.maxTokens) {
		return output, nil
	}
	_, paged := t.input.Properties["limit"]
	_, cursored := t.input.Properties["cursor"]
	if !t.readOnly() || !paged || !cursored {
		return truncate(output, how.form.maxTokens, t.readOnly())
	}
	for page, tries := output, 0; tries < maxRereads; tries++ {
		shown, err := countFitting(page, how.form.maxTokens)
		if err != nil {
			return nil, err
		}
		shorter, err := withLimit(input, shown)
		if err != nil {
			return nil, err
		}
		if page, err = run(shorter); err != nil {
			return nil, err
		}
		if noted := withPageNote(page, output, how.form.maxTokens); fits(noted, how.form.maxTokens) {
			return noted, nil
		}
	}
	return truncate(output, how.form.maxTokens, true)
}

// maxRereads is how often a page is read again that has more tokens each time, because it is being written.
const maxRereads = 4

// idempotencyKeyName is the argument of writing tools, and the member of _meta, that corresponds to
// the header Idempotency-Key of REST.
const idempotencyKeyName = "idempotencyKey"

// changeSetName is the argument of writing tools that corresponds to the header Change-Set of REST,
// and the member of their results that names the change set.
const changeSetName = "changeSet"

// prepareInput converts the arguments of a call to the input of its operation. It returns the
// idempotency key of the arguments or of _meta, the change set of the arguments, and whether they
// confirm the call.
func (s *server) prepareInput(
	ctx context.Context, t *tool, c *caller, raw []byte, meta jsontext.Value,
) (input []byte, how manner, confirmed bool, err error) {
	// The scope is checked before names are resolved, which would reveal them.
	if err := c.RequireScope(t.scopes...); err != nil {
		return nil, how, false, err
	}
	arguments, err := readArguments(t.input, raw)
	if err != nil {
		return nil, how, false, err
	}
	confirmed = t.confirm != nil && arguments.takeBool(confirmName)
	if !t.readOnly() {
		if how.key, err = arguments.takeIdempotencyKey(meta); err != nil {
			return nil, how, false, err
		}
		if how.changeSet, err = arguments.takeChangeSet(); err != nil {
			return nil, how, false, err
		}
	}
	if how.form, err = arguments.takeForm(t); err != nil {
		return nil, how, false, err
	}
	if err := s.resolveNames(ctx, c, arguments); err != nil {
		return nil, how, false, err
	}
	if err := s.resolveShortIDs(ctx, c, arguments); err != nil {
		return nil, how, false, err
	}
	return arguments.encode(), how, confirmed, nil
}

// takeIdempotencyKey removes the idempotency key from the arguments. It returns it, or else the one
// in _meta, or else "".
func (a *arguments) takeIdempotencyKey(meta jsontext.Value) (string, error) {
	var keys []string
	for _, value := range []jsontext.Value{a.value(idempotencyKeyName), meta} {
		if len(value) == 0 || value.Kind() == 'n' {
			continue
		}
		var key string
		if err := json.Unmarshal(value, &key); err != nil {
			return "", problem.Invalid(idempotencyKeyName, "must be a string")
		}
		if err := operation.CheckKey(idempotencyKeyName, key); err != nil {
			return "", err
		}
		keys = append(keys, key)
	}
	a.remove(idempotencyKeyName)
	if len(keys) == 0 {
		return "", nil
	}
	if keys[0] != keys[len(keys)-1] {
		return "", problem.Invalid(idempotencyKeyName, "differs between the argument and _meta")
	}
	return keys[0], nil
}

// takeChangeSet removes the change set from the arguments and returns it, or "".
func (a *arguments) takeChangeSet() (string, error) {
	value := a.value(changeSetName)
	a.remove(changeSetName)
	if len(value) == 0 || value.Kind() == 'n' {
		return "", nil
	}
	var name string
	if err := json.Unmarshal(value, &name); err != nil {
		return "", problem.Invalid(changeSetName, "must be a string")
	}
	return name, changelog.CheckSetName(changeSetName, name)
}

// logError logs an error that the caller does not see.
func (s *server) logError(ctx context.Context, err error) {
	if s.Deps.Log != nil {
		s.Deps.Log.ErrorContext(ctx, "agent", "request", problem.RequestID(ctx), "error", err)
	}
}
