package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/naming"
)

// A prompt is a task that a person can start from a menu. Its text is a format with the arguments in their order.
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
		"explore_base", "Explore a base", "Learn what a base holds and how its tables belong together.",
		[]*sdk.PromptArgument{requiredArgument("base", "id or name of the base")},
		"Explore the base %s. Call describe_base, then look at a few records of each table with query_records (limit 5). " +
			"Explain in plain words what each table is for, how the tables are linked, which fields matter, and what looks unfinished or inconsistent. Change nothing.",
	},
	{
		"design_base", "Design a base", "Turn a description into a base with tables and fields.",
		[]*sdk.PromptArgument{requiredArgument("description", "what the base is for, in your own words")},
		"Design a base for this purpose: %s\n\nRead rowhouse://docs/field-types first. Propose the tables, each with its fields, types and options, and say why. " +
			"Wait for agreement; then create the base with create_base and each table with create_table and its fields in one call, and finish with describe_base. " +
			"Link fields are made in the application: name the ones that are wanted.",
	},
	{
		"summarize_view", "Summarize a view", "Say what the records that a view shows amount to.",
		[]*sdk.PromptArgument{requiredArgument("table", "id or name of the table"), requiredArgument("view", "id or name of the view")},
		"Summarize the records of the table %s that the view %s shows. Count and sum with aggregate_records where numbers are asked for instead of reading every record; " +
			"read only the fields that you need with query_records and its view argument. Give the main figures, the notable records, and what is missing.",
	},
	{
		"clean_up_table", "Clean up a table", "Find duplicates, gaps and inconsistent values, and mend them after asking.",
		[]*sdk.PromptArgument{requiredArgument("table", "id or name of the table")},
		"Look for problems in the records of the table %s: duplicates, empty fields that should be filled, inconsistent spelling, values of the wrong kind. " +
			"Show what you found with record ids and propose each change. Only after agreement, apply it with update_records, up to 100 records a call, and keep the former values so that it can be undone. " +
			"Never delete a record without asking.",
	},
	{
		"import_rows", "Import rows", "Bring rows into a table, updating those that are there.",
		[]*sdk.PromptArgument{requiredArgument("table", "id or name of the table"), requiredArgument("rows", "the rows, as CSV, a pasted table or JSON")},
		"Import these rows into the table %s.\n\nCall describe_table first. Match columns to fields by name and say which ones have no field. " +
			"If a field identifies a record, give it in upsertOn so that rows which are there are updated. Use typecast when values are text. " +
			"Send at most 100 records a call; report how many were created and updated, and every row that was refused with the reason.\n\n%s",
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
						return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the argument " + argument.Name + " is required: " + argument.Description}
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

// completed says what an argument of a prompt or a parameter of a resource names.
var completableArguments = map[string]id.Kind{
	"base": id.Base, "baseId": id.Base, "table": id.Table, "tableId": id.Table, "view": id.View,
}

// mostCompletions is the protocol's bound.
const maxCompletions = 100

// complete offers ids whose name or id begins with, or holds, what the person has typed.
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
					return result, nil //nolint:nilerr // a table that is not there has no views
				}
				within, _ = a.stringValue("tableId")
			}
		}
	}
	places, err := s.listNamed(ctx, c, kind, within)
	if err != nil {
		return nil, fmt.Errorf("looking up what can be named: %w", err)
	}
	// A prompt's reader sees the value: it is the path, which says more than an id. A resource's address takes only ids.
	byPath := req.Params.Ref != nil && req.Params.Ref.Type == "ref/prompt"
	typed := naming.Key(req.Params.Argument.Value)
	var first, later []string
	for i := range places {
		value, name := places[i].id, naming.Key(places[i].path[len(places[i].path)-1])
		path := strings.Join(places[i].path, "/")
		if byPath {
			value = path
		}
		switch {
		case strings.HasPrefix(name, typed) || strings.HasPrefix(places[i].id, typed):
			first = append(first, value)
		case strings.Contains(naming.Key(path), typed):
			later = append(later, value)
		}
	}
	values := slices.Concat(first, later)
	result.Completion.Total = len(values)
	result.Completion.HasMore = len(values) > maxCompletions
	result.Completion.Values = append(result.Completion.Values, values[:min(len(values), maxCompletions)]...)
	return result, nil
}
