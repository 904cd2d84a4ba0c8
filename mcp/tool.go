package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

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
			Title: def.Title, ReadOnlyHint: def.ReadOnly, IdempotentHint: def.Idempotent, DestructiveHint: &destructive, OpenWorldHint: &open,
		},
	}
}

func encode(s *jsonschema.Schema) json.RawMessage {
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("mcp: encoding a schema: %v", err)) // it depends on nothing but the catalogue
	}
	return encoded
}

// confirmName is the argument that tools have which may have to be confirmed.
const confirmName = "confirm"

// inputSchema is the operation's, with what is particular to tools.
func inputSchema(op *operation.Operation) *jsonschema.Schema {
	s := *op.Input
	s.Properties = make(map[string]*jsonschema.Schema, len(op.Input.Properties)+1)
	for name, property := range op.Input.Properties {
		if _, ok := named[name]; ok && property.Description == "" {
			described := *property
			described.Description = "id or name"
			property = &described
		}
		s.Properties[name] = property
	}
	if op.Grave == nil {
		return &s
	}
	s.Properties[confirmName] = &jsonschema.Schema{Type: "boolean", Description: "true, once the person has agreed to the loss"}
	s.PropertyOrder = append(slices.Clone(op.Input.PropertyOrder), confirmName)
	return &s
}

// noteName is the member that a result has which was cut to fit.
const noteName = "note"

// outputSchema says of an operation's output what an agent has use for: names and types, and of details that may be absent only
// that they are objects. Objects stay open, because a result that was cut says so in a note, and because a member added later
// must not make a client refuse the result.
func outputSchema(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	bare := *s
	bare.Description, bare.PropertyOrder, bare.Enum = "", nil, nil
	if bare.AdditionalProperties != nil && bare.AdditionalProperties.Not != nil {
		bare.AdditionalProperties = nil
	} else {
		bare.AdditionalProperties = outputSchema(bare.AdditionalProperties)
	}
	bare.Items = outputSchema(bare.Items)
	if bare.Items != nil && len(bare.Items.Required) > 0 {
		// Elements of lists are described by what each of them has.
		maps.DeleteFunc(bare.Items.Properties, func(name string, _ *jsonschema.Schema) bool { return !slices.Contains(s.Items.Required, name) })
	}
	if s.Properties != nil {
		bare.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
		for name, property := range s.Properties {
			if !slices.Contains(s.Required, name) && property.Properties != nil {
				property = &jsonschema.Schema{Type: property.Type, Types: property.Types}
			}
			bare.Properties[name] = outputSchema(property)
		}
	}
	return &bare
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
