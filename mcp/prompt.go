package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
)

// A prompt is a task that a person can start from a menu. Its text is a format string for the
// arguments in order.
type prompt struct {
	name, title, description string
	arguments                []*sdk.PromptArgument
	text                     string
}

func requiredArgument(name, description string) *sdk.PromptArgument {
	return &sdk.PromptArgument{Name: name, Description: description, Required: true}
}

var prompts = []prompt{
	{
		"explore_base", "Explore a base", "Learn what a base contains and how its tables relate.",
		[]*sdk.PromptArgument{requiredArgument("base", "id or name of the base")},
		"Explore the base %s. Call " +
			operation.DescribeBase.Name + ", then look at a few records of each table with " +
			operation.ListRecords.Name + " (limit 5). Explain in plain words what each table is for, how the " +
			"tables are linked, which fields matter, and what looks unfinished or inconsistent. Change nothing.",
	},
	{
		"design_base", "Design a base", "Turn a description into a base with tables and fields.",
		[]*sdk.PromptArgument{requiredArgument("description", "what the base is for, in your own words")},
		"Design a base for this purpose: %s\n\nRead rowhouse://docs/field-types first. Propose the tables, each with " +
			"its fields, types and options, and say why. Wait for agreement; then create the base with " +
			operation.CreateBase.Name + " and each table with " + operation.CreateTable.Name + " and its fields in " +
			"one call, and finish with " + operation.DescribeBase.Name + ". Link fields can " +
			"be created only in the application: name the ones that are needed.",
	},
	{
		"summarize_view", "Summarize a view", "Summarize the records that a view shows.",
		[]*sdk.PromptArgument{
			requiredArgument("table", "id or name of the table"), requiredArgument("view", "id or name of the view"),
		},
		"Summarize the records of the table %s that the view %s shows. Use " +
			operation.AggregateRecords.Name + " for counts and sums instead of reading every record; read only the " +
			"fields that you need with " + operation.ListRecords.Name + " and its view argument. Give the " +
			"main figures, the notable records, and what is missing.",
	},
	{
		"clean_up_table", "Clean up a table",
		"Find duplicates, gaps and inconsistent values, and fix them after asking.",
		[]*sdk.PromptArgument{requiredArgument("table", "id or name of the table")},
		"Look for problems in the records of the table %s: duplicates, empty fields that should be filled, " +
			"inconsistent spelling, values of the wrong kind. Show what you found with record ids and propose each " +
			"change. Only after agreement, apply it with " + operation.UpdateRecords.Name +
			", up to 100 records a call, and keep the old values so that the change can be undone. Never " +
			"delete a record without asking.",
	},
	{
		"import_rows", "Import rows", "Import rows into a table, updating existing records.",
		[]*sdk.PromptArgument{
			requiredArgument("table", "id or name of the table"),
			requiredArgument("rows", "the rows, as CSV, a pasted table or JSON"),
		},
		"Import these rows into the table %s.\n\nCall " +
			operation.DescribeTable.Name + " first. Match columns to fields by name and say " +
			"which ones have no field. If a field identifies a record, pass it in upsertOn so that existing records " +
			"are updated. Use typecast if values are text. Send at most 100 records a call; report how many were " +
			"created and updated, and every row that was rejected, with the reason.\n\n%s",
	},
}

func (s *server) addPrompts() {
	for i := range prompts {
		p := &prompts[i]
		s.sdk.AddPrompt(&sdk.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: p.arguments},
			func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
				values := make([]any, len(p.arguments))
				for i, argument := range p.arguments {
					value := strings.TrimSpace(req.Params.Arguments[argument.Name])
					if value == "" {
						return nil, &jsonrpc.Error{
							Code:    jsonrpc.CodeInvalidParams,
							Message: "the argument " + argument.Name + " is required: " + argument.Description,
						}
					}
					if argument.Name != "rows" && argument.Name != "description" {
						value = fmt.Sprintf("%q", value)
					}
					values[i] = value
				}
				return &sdk.GetPromptResult{Description: p.description, Messages: []*sdk.PromptMessage{
					{Role: "user", Content: &sdk.TextContent{Text: fmt.Sprintf(p.text, values...)}},
				}}, nil
			})
	}
}

// completableArguments maps arguments of prompts and parameters of resources to the kind of
// resource that they name.
var completableArguments = map[string]id.Kind{
	"base": id.Base, "baseId": id.Base, "table": id.Table, "tableId": id.Table, "view": id.View,
}

// maxCompletions is the protocol's limit.
const maxCompletions = 100

// complete suggests resources whose name or id starts with, or contains, what the person has typed.
func (s *server) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	result := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	c := callerOf(ctx)
	kind, ok := completableArguments[req.Params.Argument.Name]
	if !ok || !c.Has(authz.SchemaRead) {
		return result, nil
	}
	within := ""
	if req.Params.Context != nil {
		for _, name := range []string{"table", "tableId"} {
			if value := req.Params.Context.Arguments[name]; kind == id.View && value != "" {
				a := &arguments{members: []argument{{"tableId", quote(value)}}}
				if err := s.resolveNames(ctx, c, a); err != nil {
					return result, nil //nolint:nilerr // a missing table has no views
				}
				within, _ = a.stringValue("tableId")
			}
		}
	}
	places, err := s.listNamed(ctx, c, kind, within)
	if err != nil {
		return nil, fmt.Errorf("listing resources to complete: %w", err)
	}
	// People see the value of a prompt, so it is the path. A resource URI accepts only ids.
	byPath := req.Params.Ref != nil && req.Params.Ref.Type == "ref/prompt"
	input := naming.Key(req.Params.Argument.Value)
	var prefixMatches, substringMatches []string
	for i := range places {
		value, name := places[i].id, naming.Key(places[i].path[len(places[i].path)-1])
		path := strings.Join(places[i].path, "/")
		if byPath {
			value = path
		}
		switch {
		case strings.HasPrefix(name, input) || strings.HasPrefix(places[i].id, input):
			prefixMatches = append(prefixMatches, value)
		case strings.Contains(naming.Key(path), input):
			substringMatches = append(substringMatches, value)
		}
	}
	values := slices.Concat(prefixMatches, substringMatches)
	result.Completion.Total = len(values)
	result.Completion.HasMore = len(values) > maxCompletions
	result.Completion.Values = append(result.Completion.Values, values[:min(len(values), maxCompletions)]...)
	return result, nil
}
