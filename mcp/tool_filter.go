package mcp

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// A toolFilter restricts the tools through the query of the URL: /mcp?readonly=1 and
// /mcp?toolsets=records,schema. Other tools are unknown there.
//
// The list of tools is part of every conversation of an agent, so a client that needs to find, read and
// write records, and little more, takes /mcp?toolsets=core.
type toolFilter struct {
	readOnly bool
	toolsets []string // nil means all
}

// The toolsets. A tool that needs no scope is in all of them but core.
const (
	core    = "core"
	records = "records"
	schemas = "schema"
	members = "members"
)

var toolsets = map[authz.Scope]string{
	authz.DataRead: records, authz.DataWrite: records,
	authz.SchemaRead: schemas, authz.SchemaWrite: schemas,
	authz.MembersRead: members, authz.MembersManage: members,
}

// coreTools are the tools of the toolset core.
var coreTools = []string{
	"list_bases", "create_base", "describe_base", "create_table", "create_field", "query_records", "aggregate_records",
	"query_sql", "create_records", "update_records", "delete_records", "revert_changes", "search", "fetch",
}

func parseToolFilter(query url.Values) (toolFilter, error) {
	var filter toolFilter
	for _, name := range slices.Sorted(maps.Keys(query)) {
		value := strings.Join(query[name], ",")
		switch name {
		case "readonly":
			switch value {
			case "1", "true":
				filter.readOnly = true
			case "0", "false":
			default:
				return filter, problem.Invalid(name, "must be 1 or 0, not %q", value)
			}
		case "toolsets":
			valid := []string{core, records, schemas, members}
			filter.toolsets = []string{}
			for set := range strings.SplitSeq(value, ",") {
				if set = strings.TrimSpace(set); !slices.Contains(valid, set) {
					return filter, problem.Invalid(name, "%q is not a toolset%s; the valid ones are %s",
						set, problem.DidYouMean(set, valid), problem.List(valid))
				}
				filter.toolsets = append(filter.toolsets, set)
			}
		default:
			valid := []string{"readonly", "toolsets"}
			return filter, problem.Invalid(name, "is not a query parameter%s; the valid ones are %s",
				problem.DidYouMean(name, valid), problem.List(valid))
		}
	}
	return filter, nil
}

// includes reports whether the filter includes a tool.
func (f *toolFilter) includes(t *tool) bool {
	if f.readOnly && !t.readOnly() {
		return false
	}
	if f.toolsets == nil || slices.Contains(f.toolsets, t.toolset()) {
		return true
	}
	if slices.Contains(f.toolsets, core) && slices.Contains(coreTools, t.listed.Name) {
		return true
	}
	if t.toolset() == "" {
		return slices.ContainsFunc(f.toolsets, func(set string) bool { return set != core })
	}
	// Reading records requires knowing tables and fields.
	return slices.Contains(f.toolsets, records) &&
		slices.Contains([]string{"list_bases", "describe_base", "describe_table"}, t.listed.Name)
}

// offers reports whether a tool is listed to the caller. One that another tool covers is not: it can be
// called by those who know it. An API key sees the tools that its scopes
// allow. An access token sees all of them, because its client can ask the person for more scopes.
func (c *caller) offers(t *tool) bool {
	if t.coveredBy != "" || !c.filter.includes(t) {
		return false
	}
	if c.Kind == authz.OAuth {
		return true
	}
	return c.RequireScope(t.scopes...) == nil
}

// filterTools is middleware that lists the tools that the caller is offered, in the catalogue's
// order, and rejects tools outside the caller's filter. It passes on tools that it does not know,
// which come from Options.Extend.
func (s *server) filterTools(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (_ sdk.Result, err error) {
		defer func() {
			if failure := recover(); failure != nil { // a panic must not end the process
				err = &jsonrpc.Error{
					Code:    jsonrpc.CodeInternalError,
					Message: "something went wrong on our side; quote the request " + problem.RequestID(ctx),
				}
				s.logError(ctx, fmt.Errorf("%s panicked: %v\n%s", method, failure, debug.Stack()))
			}
		}()
		c := callerOf(ctx)
		switch method {
		case "tools/call":
			if params, ok := req.GetParams().(*sdk.CallToolParamsRaw); ok {
				if t := s.tool(params.Name); t != nil && !c.filter.includes(t) {
					return nil, &jsonrpc.Error{
						Code:    jsonrpc.CodeInvalidParams,
						Message: fmt.Sprintf("unknown tool %q", params.Name),
					}
				}
			}
		case "initialize", "server/discover":
			result, err := next(ctx, method, req)
			switch result := result.(type) {
			case *sdk.InitializeResult:
				result.Instructions = s.instructionsFor(c)
			case *sdk.DiscoverResult:
				result.Instructions = s.instructionsFor(c)
				if s.Live != nil && result.Capabilities != nil { // for clients of this revision alone; see listen.go
					capabilities := *result.Capabilities
					capabilities.Resources = &sdk.ResourceCapabilities{Subscribe: true}
					result.Capabilities = &capabilities
				}
			}
			return result, err
		case "tools/list":
			result, err := next(ctx, method, req)
			if list, ok := result.(*sdk.ListToolsResult); ok && err == nil {
				return s.listFor(c, list), nil
			}
			return result, err
		}
		return next(ctx, method, req)
	}
}

func (s *server) tool(name string) *tool {
	if i, ok := s.toolIndexes[name]; ok {
		return s.tools[i]
	}
	return nil
}

func (s *server) toolIndex(name string) int {
	if i, ok := s.toolIndexes[name]; ok {
		return i
	}
	return len(s.tools)
}
