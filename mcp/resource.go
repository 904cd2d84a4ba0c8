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
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
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

// A source is the operation that reads a family of resources, and its parameter that is the id in
// the path; "" for a single resource.
type source struct {
	*operation.Resource
	op        *operation.Operation
	parameter string
}

func newSource(op *operation.Operation) source {
	src := source{Resource: op.Agent.Resource, op: op}
	if _, rest, found := strings.Cut(src.Path, "{"); found {
		src.parameter, _, _ = strings.Cut(rest, "}")
	}
	return src
}

// template is the URI of the resources, as a URI template (RFC 6570).
func (src *source) template() string {
	query := ""
	if len(src.Query) > 0 {
		query = "{?" + strings.Join(src.Query, ",") + "}"
	}
	return scheme + src.Path + query
}

func (s *server) addResources() {
	for i := range s.sources {
		src := &s.sources[i]
		if src.parameter == "" {
			s.sdk.AddResource(&sdk.Resource{
				URI: src.template(), Name: src.Name, Title: src.Title, Description: src.Description,
				MIMEType: "application/json",
			}, s.readResource)
			continue
		}
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
			URITemplate: src.template(), Name: src.Name, Title: src.Title, Description: src.Description,
			MIMEType: "application/json",
		}, s.readResource)
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
func (s *server) resourceScopes(uri string) []authz.Scope {
	src, _, err := s.findSource(uri)
	if err != nil {
		return nil // reading it gives a not-found error
	}
	return []authz.Scope{src.op.Scope}
}

// findSource returns the source that a URI names and the input of its operation.
func (s *server) findSource(uri string) (*source, map[string]string, error) {
	unknown := problem.NotFound("resource", uri)
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return nil, nil, unknown
	}
	path, rawQuery, _ := strings.Cut(rest, "?")
	given := strings.Split(path, "/")
	for i := range s.sources {
		src := &s.sources[i]
		input, ok := matchPath(strings.Split(src.Path, "/"), given)
		if !ok {
			continue
		}
		query, err := url.ParseQuery(rawQuery)
		if err != nil {
			return nil, nil, problem.Invalid("uri", "its query string is invalid")
		}
		for _, name := range slices.Sorted(maps.Keys(query)) {
			if !slices.Contains(src.Query, name) || len(query[name]) != 1 {
				return nil, nil, problem.Invalid("uri", "the query parameter %q is unknown or repeated; "+
					"the valid ones are %s", name, problem.List(src.Query))
			}
			input[name] = query[name][0] // readArguments converts it to a number where necessary
		}
		return src, input, nil
	}
	return nil, nil, unknown
}

func matchPath(pattern, given []string) (map[string]string, bool) {
	if len(pattern) != len(given) {
		return nil, false
	}
	input := map[string]string{}
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

// readResource is an sdk.ResourceHandler.
func (s *server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	output, err := s.readURI(ctx, callerOf(ctx), req.Params.URI)
	if err != nil {
		return nil, resourceError(ctx, req.Params.URI, err)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{
		{URI: req.Params.URI, MIMEType: "application/json", Text: string(output)},
	}}, nil
}

func (s *server) readURI(ctx context.Context, c *caller, uri string) ([]byte, error) {
	src, input, err := s.findSource(uri)
	if err != nil {
		return nil, err
	}
	t, a, err := s.callOf(ctx, c, uri, src, input)
	if err != nil {
		return nil, err
	}
	result, err := t.run(ctx, s, c, a.encode(), callOptions{})
	if err != nil {
		return nil, err
	}
	return truncate(result.Body, maxTokens, true)
}

// callOf returns the tool that reads a resource and the arguments of its call, if the caller may
// make it.
func (s *server) callOf(
	ctx context.Context, c *caller, uri string, src *source, input map[string]string,
) (*tool, *arguments, error) {
	t := s.tool(src.op.Name)
	if t == nil || !c.filter.calls(t) {
		return nil, nil, problem.NotFound("resource", uri)
	}
	if err := c.RequireScope(t.scopes...); err != nil {
		return nil, nil, err
	}
	raw, err := json.Marshal(input)
	if err != nil {
		return nil, nil, fmt.Errorf("writing the input of %s: %w", src.op.Name, err)
	}
	a, err := readArguments(t, raw)
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
