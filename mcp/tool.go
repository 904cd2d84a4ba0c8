package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// A tool is an operation, or search or fetch, as agents see it.
type tool struct {
	listed  *sdk.Tool
	encoded json.RawMessage // its entry in the list of tools
	scopes  []authz.Scope
	input   *jsonschema.Schema
	list    operation.List
	form    operation.Form
	// operation is the tool's operation; nil for search and fetch.
	operation *operation.Operation
	quotes    bool                    // the result quotes people in prose, so it says what the quotes are
	confirm   func(input []byte) bool // whether the input needs confirmation; nil means never
	check     func(ctx context.Context, s *server, c *caller, input []byte) (operation.Target, error)
	run       func(ctx context.Context, s *server, c *caller, input []byte, opts callOptions) (operation.Result, error)
}

// callOptions are the options of a tool call that are not arguments of its operation.
type callOptions struct {
	key       string // a write with a key runs at most once; "" for none
	changeSet string // name or id of the change set that it joins; "" for none
	maxTokens int    // of the result, as tokens estimates them
	// confirmation is the person's answer that the call needs; nil for none.
	confirmation *db.PlanUse
}

func (t *tool) readOnly() bool { return t.listed.Annotations.ReadOnlyHint }

// reports says whether the tool notifies clients of its progress.
func (t *tool) reports() bool { return t.operation != nil && t.operation.Reports }

// toolset returns the toolset that contains the tool, or "" if all of them do.
func (t *tool) toolset() string {
	for _, scope := range t.scopes {
		if set := toolsets[scope]; set != "" {
			return set
		}
	}
	return ""
}

func (s *server) add(t *tool) {
	t.encoded = encodeTool(t.listed)
	s.toolIndexes[t.listed.Name] = len(s.tools)
	s.tools = append(s.tools, t)
}

func operationTool(op *operation.Operation) *tool {
	t := &tool{
		input: op.Input(), confirm: op.Agent.Confirm.Needed, list: op.Agent.List, form: op.Agent.Form, operation: op,
	}
	if op.Scope != authz.None {
		t.scopes = []authz.Scope{op.Scope}
	}
	t.listed = newListedTool(op.Def, inputSchema(op), outputSchema(op.Output()))
	t.check = func(ctx context.Context, s *server, c *caller, input []byte) (operation.Target, error) {
		return op.Check(ctx, s.Deps, c.Principal, input)
	}
	t.run = func(ctx context.Context, s *server, c *caller, input []byte, opts callOptions) (operation.Result, error) {
		request := c.call(ctx, input)
		request.IdempotencyKey, request.ChangeSet, request.Confirmation = opts.key, opts.changeSet, opts.confirmation
		return op.Do(ctx, s.Deps, request)
	}
	return t
}

func newListedTool(def operation.Def, input, output *jsonschema.Schema) *sdk.Tool {
	destructive, open := def.Destructive, def.OpenWorld
	return &sdk.Tool{
		Name: def.Name, Title: def.Title, Description: def.Summary + " " + def.Description,
		InputSchema: encode(input), OutputSchema: encode(output),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: def.ReadOnly, DestructiveHint: &destructive, OpenWorldHint: &open,
			IdempotentHint: def.Idempotent && !def.ReadOnly, // it means nothing for a tool that only reads
		},
	}
}

// toolHandler handles a tool call that came through the SDK.
func (s *server) toolHandler(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := callerOf(ctx)
		var question *sdk.CallToolResult
		var executed []byte // the input
		out := s.callTool(ctx, t, func() (operation.Result, error) {
			given, err := json.Marshal(req.Params.Meta[idempotencyKeyName])
			if err != nil {
				return operation.Result{}, err
			}
			input, opts, confirmed, err := s.prepareInput(ctx, t, c, req.Params.Arguments, given)
			if err != nil {
				return operation.Result{}, err
			}
			if t.confirm != nil && t.confirm(input) {
				question, opts.confirmation, err = s.confirm(ctx, t, c, req, input, confirmed)
				if question != nil || err != nil {
					return operation.Result{}, err
				}
			}
			executed = input
			if t.reports() {
				reported, stop := s.withProgress(ctx, req)
				defer stop()
				return s.execute(reported, t, c, input, opts)
			}
			return s.execute(ctx, t, c, input, opts)
		})
		switch {
		case question != nil:
			return question, nil
		case out == nil:
			return nil, ctx.Err()
		}
		body, image := takeImage(t, out.body)
		out.body = body
		result := newToolResult(out)
		if image != nil {
			result.Content = append(result.Content, image)
		}
		if link := s.downloadLink(t, c, req, executed, out.body); link != nil && !out.failed {
			result.Content = append(result.Content, link)
		}
		return result, nil
	}
}

// An output is the output of a tool.
type output struct {
	body   []byte // JSON: the result of the operation, as REST has it, or a problem
	failed bool
	meta   []string // names of the members of _meta; see metaNotes
}

// The members of _meta of a result.
const (
	metaData     = "rowhouse/data"
	metaReplayed = "rowhouse/replayed"
)

// metaNotes contains the texts of the members of _meta.
var metaNotes = map[string]string{
	metaData: dataNote,
	metaReplayed: "This is the result of the first call with this idempotencyKey; the call was not executed " +
		"again.",
}

// newToolResult returns a result whose text is the same JSON as its structured content, because
// some clients show only one of them. A problem is only text, so that nothing checks it against the
// output schema.
func newToolResult(out *output) *sdk.CallToolResult {
	result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(out.body)}}, IsError: out.failed}
	if !out.failed {
		result.StructuredContent = json.RawMessage(out.body)
	}
	for _, name := range out.meta {
		if result.Meta == nil {
			result.Meta = sdk.Meta{}
		}
		result.Meta[name] = metaNotes[name]
	}
	return result
}

// callTool runs call and returns the tool's output. An error becomes an output with failed set
// (problemText). So does a panic, which must not end the process. The output is nil if the client
// has disconnected.
func (s *server) callTool(ctx context.Context, t *tool, call func() (operation.Result, error)) (out *output) {
	defer func() {
		if failure := recover(); failure != nil {
			err := fmt.Errorf("%s panicked: %v\n%s", t.listed.Name, failure, debug.Stack())
			s.logError(ctx, err)
			out = &output{body: problemText(ctx, err), failed: true}
		}
	}()
	result, err := call()
	if err != nil {
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return nil
		}
		if t.operation != nil && t.operation.Agent.QuotingErrors {
			return &output{body: withNote(problemText(ctx, err), dataNote), failed: true}
		}
		return &output{body: problemText(ctx, err), failed: true}
	}
	out = &output{body: compactJSON(result.Body)}
	if t.readOnly() {
		out.meta = append(out.meta, metaData)
	}
	if result.Replayed {
		out.meta = append(out.meta, metaReplayed)
	}
	return out
}

// problemText returns the problem that REST would respond with, each sentence once.
func problemText(ctx context.Context, err error) []byte {
	brief := problem.New(err, problem.RequestID(ctx)).Brief()
	return brief.JSON()
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

// execute runs a tool whose call has been confirmed if necessary, so that its output has no more
// tokens than the call allows. A longer page is read again with a smaller limit, so that its cursor
// continues where it ends.
func (s *server) execute(
	ctx context.Context, t *tool, c *caller, input []byte, opts callOptions,
) (operation.Result, error) {
	var err error
	switch t.form {
	case operation.AnswerFile:
		input, err = withTextLimit(input, opts.maxTokens)
	case operation.AnswerCSV:
		input, err = withMaxBytes(input, opts.maxTokens)
	case operation.AnswerJSON:
	}
	if err != nil {
		return operation.Result{}, err
	}
	result, err := t.run(ctx, s, c, input, opts)
	if err != nil {
		return operation.Result{}, err
	}
	_, paged := t.input.Properties["limit"]
	_, cursored := t.input.Properties["cursor"]
	switch {
	case t.form == operation.AnswerFile:
		result.Body, err = fitText(input, result.Body, opts.maxTokens)
	case t.readOnly() && paged && cursored:
		result.Body, err = s.fitPage(ctx, t, c, input, result.Body, opts)
	default:
		result.Body, err = truncate(result.Body, opts.maxTokens, t.readOnly())
	}
	if t.quotes && err == nil {
		result.Body = withNote(result.Body, dataNote)
	}
	return result, err
}

// fitPage shortens a page that has too many tokens.
func (s *server) fitPage(
	ctx context.Context, t *tool, c *caller, input, whole []byte, opts callOptions,
) ([]byte, error) {
	if fits(whole, opts.maxTokens-noteReserve) {
		if note := csvNote(input, whole); note != "" {
			whole = withNote(whole, note)
		}
	}
	if fits(whole, opts.maxTokens) {
		return whole, nil
	}
	page := whole
	for range maxRereads {
		shown, err := countFitting(page, opts.maxTokens)
		if err != nil {
			return nil, err
		}
		shorter, err := withLimit(input, shown)
		if err != nil {
			return nil, err
		}
		result, err := t.run(ctx, s, c, shorter, opts)
		if err != nil {
			return nil, err
		}
		page = result.Body
		if noted := withPageNote(page, whole, opts.maxTokens); fits(noted, opts.maxTokens) {
			return noted, nil
		}
	}
	return truncate(whole, opts.maxTokens, true)
}

// maxRereads is how often a page is read again that grows each time, because it is being written.
const maxRereads = 4

// idempotencyKeyName is the argument of writing tools, and the member of _meta, that corresponds to
// the header Idempotency-Key of REST.
const idempotencyKeyName = "idempotencyKey"

// changeSetName is the argument of writing tools that corresponds to the header Change-Set of REST.
const changeSetName = "changeSet"

// prepareInput converts the arguments of a call to the input of its operation. It returns the
// idempotency key of the arguments or of _meta, the change set of the arguments, and whether they
// confirm the call.
func (s *server) prepareInput(
	ctx context.Context, t *tool, c *caller, raw []byte, meta jsontext.Value,
) (input []byte, opts callOptions, confirmed bool, err error) {
	// The scope is checked before names are resolved, which would reveal them.
	if err := c.RequireScope(t.scopes...); err != nil {
		return nil, opts, false, err
	}
	arguments, err := readArguments(t, raw)
	if err != nil {
		return nil, opts, false, err
	}
	if err := s.addOnly(ctx, t, c, arguments); err != nil {
		return nil, opts, false, err
	}
	confirmed = t.confirm != nil && arguments.takeTrue(confirmName)
	if !t.readOnly() {
		if opts.key, err = arguments.takeIdempotencyKey(meta); err != nil {
			return nil, opts, false, err
		}
		if opts.changeSet, err = arguments.takeChangeSet(); err != nil {
			return nil, opts, false, err
		}
	}
	if opts.maxTokens, err = arguments.takeMaxTokens(t); err != nil {
		return nil, opts, false, err
	}
	if err := s.resolveNames(ctx, c, arguments); err != nil {
		return nil, opts, false, err
	}
	if err := s.resolveShortIDs(ctx, c, arguments); err != nil {
		return nil, opts, false, err
	}
	return arguments.encode(), opts, confirmed, nil
}

// addOnly adds the organization or base to a call that needs one and names none, if the caller reaches only one. A call
// for which a person has to be asked names it.
func (s *server) addOnly(ctx context.Context, t *tool, c *caller, a *arguments) error {
	lacks := func(name string) bool {
		return t.confirm == nil && slices.Contains(t.input.Required, name) && !a.has(name)
	}
	if lacks("orgId") && t.readOnly() && len(c.Orgs) == 1 {
		a.members = append(a.members, argument{"orgId", quote(id.Format(id.Org, c.Orgs[0].Org))})
	}
	if lacks("baseId") && c.Has(authz.SchemaRead) {
		bases, err := s.listNamed(ctx, c, id.Base, "")
		if err != nil {
			return err
		}
		if len(bases) == 1 {
			a.members = append(a.members, argument{"baseId", quote(bases[0].id)})
		}
	}
	return nil
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
