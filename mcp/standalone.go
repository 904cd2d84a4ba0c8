package mcp

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// The tools search and fetch are outside the catalogue, because only agents have them: assistants
// expect them in this form of any knowledge source. They call operations of the catalogue with the
// caller's own rights.

// A standalone is a tool outside the catalogue. It only reads, takes one text, and quotes what people wrote.
type standalone struct {
	operation.Def
	parameter, about string // the name and the description of its only argument
	output           *jsonschema.Schema
	// run returns the output, which is encoded as JSON within a budget of tokens.
	run func(ctx context.Context, s *server, c *caller, text string, budget int) (any, error)
}

// standalones are the tools outside the catalogue, in the order in which they are listed, after the catalogue's.
var standalones = []standalone{searchTool, fetchTool}

func (d *standalone) tool() *tool {
	d.ReadOnly, d.Idempotent = true, true
	input := object([]string{d.parameter}, map[string]*jsonschema.Schema{
		d.parameter: {Type: "string", Description: d.about},
	})
	input.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	return &tool{
		input: input, scopes: []authz.Scope{authz.SchemaRead, authz.DataRead}, quotes: true, list: d.Agent.List,
		listed: newListedTool(d.Def, input, outputSchema(d.output)),
		run: func(ctx context.Context, s *server, c *caller, input []byte, opts callOptions) (operation.Result, error) {
			text, err := requiredText(input, d.parameter)
			if err != nil {
				return operation.Result{}, err
			}
			answer, err := d.run(ctx, s, c, text, opts.maxTokens)
			if err != nil {
				return operation.Result{}, err
			}
			body, err := json.Marshal(answer)
			return operation.Result{Body: body}, err
		},
	}
}

// documentSchema describes a document or a part of one.
func documentSchema() *jsonschema.Schema {
	text := &jsonschema.Schema{Type: "string"}
	return object([]string{"id", "title", "url"},
		map[string]*jsonschema.Schema{"id": text, "title": text, "text": text, "url": text})
}

func object(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: properties, Required: required, PropertyOrder: required}
}

// requiredText returns the only argument of a tool.
func requiredText(input []byte, name string) (string, error) {
	a := &arguments{}
	if err := eachMember(
		input, func(name string, value jsontext.Value) { a.members = append(a.members, argument{name, value}) },
	); err != nil {
		return "", problem.Invalid("", "The arguments must be one JSON object.")
	}
	for _, m := range a.members {
		if m.name != name {
			return "", problem.Invalid(m.name, "is unknown%s; the valid names are %s",
				problem.DidYouMean(m.name, []string{name}), name)
		}
	}
	text, ok := a.stringValue(name)
	if text = strings.TrimSpace(text); !ok || text == "" {
		return "", problem.Invalid(name, "is required and must be a non-empty string")
	}
	return text, nil
}
