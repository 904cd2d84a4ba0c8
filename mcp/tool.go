package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// A tool is an operation, or one of the two that stand beside the catalogue, as agents see it.
type tool struct {
	listed  *sdk.Tool
	scopes  []authz.Scope
	input   *jsonschema.Schema
	confirm func(input []byte) bool // nil is never
	check   func(ctx context.Context, s *server, c *caller, input []byte) (operation.Target, error)
	// run does the call; a writing one with a key is done once.
	run func(ctx context.Context, s *server, c *caller, input []byte, key string) ([]byte, error)
}

func (t *tool) readOnly() bool { return t.listed.Annotations.ReadOnlyHint }

// set is the toolset that the tool belongs to, or "" for every one.
func (t *tool) set() string {
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
	s.names[t.listed.Name] = len(s.tools)
	s.tools = append(s.tools, t)
}

func operationTool(op *operation.Operation) *tool {
	t := &tool{input: op.Input, confirm: op.NeedsConfirmation}
	if op.Scope != authz.None {
		t.scopes = []authz.Scope{op.Scope}
	}
	t.listed = list(op.Def, inputSchema(op), outputSchema(op.Output))
	t.check = func(ctx context.Context, s *server, c *caller, input []byte) (operation.Target, error) {
		return op.Check(ctx, s.Deps, c.Principal, input)
	}
	t.run = func(ctx context.Context, s *server, c *caller, input []byte, key string) ([]byte, error) {
		answer, err := op.Do(ctx, s.Deps, operation.Request{
			Principal: c.Principal, Raw: input, ID: problem.RequestID(ctx), Key: key, Caller: c.request,
		})
		if err == nil && answer.Repeated {
			return withNote(answer.Body, "This is the answer to the first call with this idempotencyKey; nothing was done again."), nil
		}
		return answer.Body, err
	}
	return t
}

func list(def operation.Def, input, output *jsonschema.Schema) *sdk.Tool {
	destructive, open := def.Destructive, def.OpenWorld
	return &sdk.Tool{
		Name: def.Name, Title: def.Title, Description: strings.TrimSpace(def.Summary + " " + def.Description),
		InputSchema: encode(input), OutputSchema: encode(output),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: def.ReadOnly, IdempotentHint: def.Idempotent, DestructiveHint: &destructive, OpenWorldHint: &open,
		},
	}
}

// toolHandler answers a call of a tool that came through the SDK.
func (s *server) toolHandler(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := callerOf(ctx)
		var question *sdk.CallToolResult
		output, failed := s.outcome(ctx, t, func() ([]byte, error) {
			given, err := json.Marshal(req.Params.Meta[keyName])
			if err != nil {
				return nil, err
			}
			input, key, confirmed, err := s.input(ctx, t, c, req.Params.Arguments, given)
			if err != nil {
				return nil, err
			}
			if t.confirm != nil && t.confirm(input) {
				if question, err = s.confirm(ctx, t, c, req, input, confirmed); question != nil || err != nil {
					return nil, err
				}
			}
			return s.execute(ctx, t, c, input, key)
		})
		switch {
		case question != nil:
			return question, nil
		case output == nil:
			return nil, ctx.Err()
		}
		return answer(output, failed), nil
	}
}

// answer is a result whose text is the same JSON as its structured content: some clients show only one of them.
func answer(output []byte, failed bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: string(output)}}, StructuredContent: json.RawMessage(output), IsError: failed,
	}
}

// outcome returns what a call of a tool answers with. Every error that the agent can do something about is an answer, with the same
// problem that REST would give; a panic is an error and must not take the process with it. The output is nil when the caller has
// gone away.
func (s *server) outcome(ctx context.Context, t *tool, call func() ([]byte, error)) (output []byte, failed bool) {
	defer func() {
		if failure := recover(); failure != nil {
			err := fmt.Errorf("%s panicked: %v\n%s", t.listed.Name, failure, debug.Stack())
			s.report(ctx, err)
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
		return p.JSON(), true
	}
	return compact(output), false
}

// compact takes white space out of JSON that holds ends of lines, which would end an event too.
func compact(output []byte) []byte {
	if bytes.IndexByte(output, '\n') < 0 && bytes.IndexByte(output, '\r') < 0 {
		return output
	}
	var line bytes.Buffer
	if json.Compact(&line, output) != nil {
		return output
	}
	return line.Bytes()
}

// execute runs a tool whose call is confirmed where it must be.
func (s *server) execute(ctx context.Context, t *tool, c *caller, input []byte, key string) ([]byte, error) {
	output, err := t.run(ctx, s, c, input, key)
	if err != nil {
		return nil, err
	}
	if output, err = truncate(output, input, t.readOnly()); err != nil || !t.readOnly() || !slices.Contains(t.scopes, authz.DataRead) {
		return output, err
	}
	return withNote(output, dataNote), nil
}

// keyName is the argument of writing tools, and the member of _meta, that holds the client's own name of a call that must not be done
// twice: Idempotency-Key of REST.
const keyName = "idempotencyKey"

// input makes the input of an operation out of the arguments of a call, and the key in _meta when there is one. It returns the call's
// key, and reports whether the arguments confirm it.
func (s *server) input(
	ctx context.Context, t *tool, c *caller, raw []byte, meta jsontext.Value,
) (input []byte, key string, confirmed bool, err error) {
	// A foreign scope is refused before names are looked up, which would tell of them.
	if err := c.RequireScope(t.scopes...); err != nil {
		return nil, "", false, err
	}
	arguments, err := readArguments(t.input, raw)
	if err != nil {
		return nil, "", false, err
	}
	confirmed = t.confirm != nil && arguments.takeTrue(confirmName)
	if !t.readOnly() {
		if key, err = arguments.takeKey(meta); err != nil {
			return nil, "", false, err
		}
	}
	if err := s.resolveNames(ctx, c, arguments); err != nil {
		return nil, "", false, err
	}
	return arguments.encode(), key, confirmed, nil
}

// takeKey removes the key from the arguments and returns it, or the one in _meta, or "".
func (a *arguments) takeKey(meta jsontext.Value) (string, error) {
	var keys []string
	for _, value := range []jsontext.Value{a.value(keyName), meta} {
		if len(value) == 0 || value.Kind() == 'n' {
			continue
		}
		var key string
		if err := json.Unmarshal(value, &key); err != nil {
			return "", problem.Invalid(keyName, "must be a string")
		}
		if err := operation.CheckKey(keyName, key); err != nil {
			return "", err
		}
		keys = append(keys, key)
	}
	a.drop(keyName)
	if len(keys) == 0 {
		return "", nil
	}
	if keys[0] != keys[len(keys)-1] {
		return "", problem.Invalid(keyName, "is given as an argument and in _meta, and differs")
	}
	return keys[0], nil
}

// report logs what a caller is not told.
func (s *server) report(ctx context.Context, err error) {
	if s.Deps.Log != nil {
		s.Deps.Log.ErrorContext(ctx, "agent", "request", problem.RequestID(ctx), "error", err)
	}
}
