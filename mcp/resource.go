package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

const scheme = "rowhouse://"

var (
	//go:embed doc/filters.md
	filtersDoc string
	//go:embed doc/field-types.md
	fieldTypesDoc string
)

// docs are documents about the product, below rowhouse://docs/. The tool fetch accepts their URIs
// too, because many clients leave reading resources to the person.
var docs = []struct{ name, title, description, text string }{
	{"filters", "Filters and sorts", "How to write filters, sorts and paging, with examples.", filtersDoc},
	{"field-types", "Field types", "Every field type, its configuration and its values.", fieldTypesDoc},
}

// A resourceTemplate is a family of resources that an operation serves. Its template is scheme and
// path, with at most one id in braces.
type resourceTemplate struct {
	template, name, title, description string
	operation                          string
	parameter                          string   // the operation's parameter that is the id in the path
	query                              []string // the operation's parameters that the query may contain
}

var resourceTemplates = []resourceTemplate{
	{
		template: scheme + "me", name: "me", title: "Who am I", operation: "get_me",
		description: "Your scopes, organizations with roles, and bases.",
	},
	{
		template:    scheme + "bases/{baseId}/schema",
		name:        "base-schema",
		title:       "Schema of a base",
		operation:   "describe_base",
		parameter:   "baseId",
		description: "All tables of a base with their fields and views.",
	},
	{
		template:    scheme + "tables/{tableId}/records{?view,limit,offset}",
		name:        "records",
		title:       "Records of a table",
		operation:   "query_records",
		parameter:   "tableId",
		query:       []string{"view", "limit", "offset"},
		description: "A page of records; limit up to 100, offset from 0, and a view's id.",
	},
	{
		template:    scheme + "records/{recordId}",
		name:        "record",
		title:       "Record",
		operation:   "get_record",
		parameter:   "recordId",
		description: "One record with all its fields.",
	},
}

func (s *server) addResources() {
	for i := range resourceTemplates {
		src := &resourceTemplates[i]
		if findOperation(src.operation) == nil {
			continue
		}
		if src.parameter == "" {
			s.sdk.AddResource(&sdk.Resource{
				URI:         src.template,
				Name:        src.name,
				Title:       src.title,
				Description: src.description,
				MIMEType:    "application/json",
			}, s.read(src))
			continue
		}
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
			URITemplate: src.template, Name: src.name, Title: src.title, Description: src.description,
			MIMEType: "application/json",
		}, s.read(src))
	}
	for _, doc := range docs {
		s.sdk.AddResource(&sdk.Resource{
			URI: scheme + "docs/" + doc.name, Name: doc.name, Title: doc.title, Description: doc.description,
			MIMEType: "text/markdown", Size: int64(len(doc.text)),
		}, func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			result := &sdk.ReadResourceResult{
				Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: "text/markdown", Text: doc.text}},
			}
			result.TTLMs = 3_600_000
			return result, nil
		})
	}
}

// resourceScopes returns the scopes that reading a resource requires.
func resourceScopes(uri string) []authz.Scope {
	src, _, err := findTemplate(uri)
	if err != nil {
		return nil // reading it gives a not-found error
	}
	if op := findOperation(src.operation); op != nil {
		return []authz.Scope{op.Scope}
	}
	return nil
}

// findTemplate returns the template that a URI matches and the input of its operation.
func findTemplate(uri string) (*resourceTemplate, map[string]any, error) {
	unknown := problem.NotFound("resource", uri)
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return nil, nil, unknown
	}
	path, rawQuery, _ := strings.Cut(rest, "?")
	given := strings.Split(path, "/")
	for i := range resourceTemplates {
		src := &resourceTemplates[i]
		pattern, _, _ := strings.Cut(strings.TrimPrefix(src.template, scheme), "{?")
		input, ok := matchPath(strings.Split(pattern, "/"), given)
		if !ok {
			continue
		}
		query, err := url.ParseQuery(rawQuery)
		if err != nil {
			return nil, nil, problem.Invalid("uri", "its query string is invalid")
		}
		for _, name := range slices.Sorted(maps.Keys(query)) {
			if !slices.Contains(src.query, name) || len(query[name]) != 1 {
				return nil, nil, problem.Invalid("uri", "the query parameter %q is unknown or repeated; "+
					"the valid ones are %s", name, problem.List(src.query))
			}
			input[name] = query[name][0]
			if n, err := strconv.Atoi(query[name][0]); err == nil && name != "view" {
				input[name] = n
			}
		}
		return src, input, nil
	}
	return nil, nil, unknown
}

func matchPath(pattern, given []string) (map[string]any, bool) {
	if len(pattern) != len(given) {
		return nil, false
	}
	input := map[string]any{}
	for i, part := range pattern {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			value, err := url.PathUnescape(given[i])
			if err != nil || value == "" {
				return nil, false
			}
			input[strings.TrimSuffix(name, "}")] = value
		} else if part != given[i] {
			return nil, false
		}
	}
	return input, true
}

func (s *server) read(*resourceTemplate) sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		output, err := s.readURI(ctx, callerOf(ctx), req.Params.URI)
		if err != nil {
			return nil, resourceError(ctx, req.Params.URI, err)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{
			{URI: req.Params.URI, MIMEType: "application/json", Text: string(output)},
		}}, nil
	}
}

func (s *server) readURI(ctx context.Context, c *caller, uri string) ([]byte, error) {
	src, input, err := findTemplate(uri)
	if err != nil {
		return nil, err
	}
	t, a, err := s.callOf(ctx, c, uri, src, input)
	if err != nil {
		return nil, err
	}
	result, err := t.run(ctx, s, c, a.encode(), manner{})
	if err != nil {
		return nil, err
	}
	return truncate(result.Body, maxTokens, true)
}

// callOf returns the tool that reads a resource, and the arguments of the call, for a caller who may make
// it.
func (s *server) callOf(
	ctx context.Context, c *caller, uri string, src *resourceTemplate, input map[string]any,
) (*tool, *arguments, error) {
	t := s.tool(src.operation)
	if t == nil || !c.filter.calls(t) {
		return nil, nil, problem.NotFound("resource", uri)
	}
	if err := c.RequireScope(t.scopes...); err != nil {
		return nil, nil, err
	}
	raw, err := json.Marshal(input)
	if err != nil {
		return nil, nil, fmt.Errorf("writing the input of %s: %w", src.operation, err)
	}
	a, err := readArguments(t.input, raw)
	if err != nil {
		return nil, nil, err
	}
	return t, a, s.resolveNames(ctx, c, a)
}

// resourceError returns the protocol error for a resource that cannot be read. Its data is the
// problem that a tool would return.
func resourceError(ctx context.Context, uri string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if problem.KindOf(err) == problem.KindNotFound {
		return sdk.ResourceNotFoundError(uri)
	}
	p := problem.New(err, problem.RequestID(ctx))
	code := int64(jsonrpc.CodeInvalidParams)
	if p.Status >= 500 {
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: p.Detail, Data: p.JSON()}
}
