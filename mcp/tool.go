package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/api/problem"
	"github.com/rowhouse/rowhouse/authz"
)

// A tool is an operation, or one of the two that stand beside the catalogue, as agents see it.
type tool struct {
	listed *sdk.Tool
	scopes []authz.Scope
	input  *jsonschema.Schema
	grave  func(input []byte) bool // nil is never
	check  func(ctx context.Context, s *server, c *caller, input []byte) (operation.Target, error)
	run    func(ctx context.Context, s *server, c *caller, input []byte) ([]byte, error)
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
	for _, op := range operation.Catalogue() {
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
	t := &tool{input: op.Input, grave: op.Grave}
	if op.Scope != authz.None {
		t.scopes = []authz.Scope{op.Scope}
	}
	t.listed = list(op.Def, inputSchema(op), outputSchema(op.Output))
	t.check = func(ctx context.Context, s *server, c *caller, input []byte) (operation.Target, error) {
		return op.Check(ctx, s.Deps, c.Principal, input)
	}
	t.run = func(ctx context.Context, s *server, c *caller, input []byte) ([]byte, error) {
		answer, err := op.Do(ctx, s.Deps, operation.Request{Principal: c.Principal, Raw: input, ID: problem.RequestID(ctx)})
		return answer.Body, err
	}
	return t
}

func list(def operation.Def, input, output *jsonschema.Schema) *sdk.Tool {
	destructive, open := def.Destructive, def.OpenWorld
	return &sdk.Tool{
		Name: def.Name, Title: def.Title, Description: def.Summary + " " + def.Description,
		InputSchema: encode(input), OutputSchema: encode(output),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: def.ReadOnly, IdempotentHint: def.Idempotent, DestructiveHint: &destructive, OpenWorldHint: &open,
		},
	}
}

// toolHandler answers a call of a tool. Every error that the agent can do something about is a result, with the same problem
// that REST would answer with.
func (s *server) toolHandler(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := callerOf(ctx)
		result, err := s.call(ctx, t, c, req)
		if err != nil {
			if errors.Is(err, context.Canceled) && ctx.Err() != nil {
				return nil, err // nobody waits for the answer
			}
			p := problem.New(err, problem.RequestID(ctx))
			result = answer(p.JSON())
			result.IsError = true
		}
		return result, nil
	}
}

func (s *server) call(ctx context.Context, t *tool, c *caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	// A foreign scope is refused before names are looked up, which would tell of them.
	if err := c.RequireScope(t.scopes...); err != nil {
		return nil, err
	}
	arguments, err := readArguments(t.input, req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	confirmed := t.grave != nil && arguments.takeTrue(confirmName)
	if err := s.resolveNames(ctx, c, arguments); err != nil {
		return nil, err
	}
	input := arguments.encode()
	if t.grave != nil && t.grave(input) {
		question, err := s.confirm(ctx, t, c, req, input, confirmed)
		if question != nil || err != nil {
			return question, err
		}
	}
	output, err := t.run(ctx, s, c, input)
	if err != nil {
		return nil, err
	}
	output, err = fit(output, t.readOnly())
	if err != nil {
		return nil, err
	}
	return answer(output), nil
}

// answer is a result whose text is the same JSON as its structured content: some clients show only one of them.
func answer(output []byte) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(output)}},
		StructuredContent: json.RawMessage(output),
	}
}
