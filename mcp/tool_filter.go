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

// A toolFilter narrows the tools, by the address that the client uses: /mcp?readonly=1 and /mcp?toolsets=records,schema. A narrowed
// address refuses the other tools as unknown ones.
type toolFilter struct {
	readOnly bool
	toolsets []string // nil is all
}

// The toolsets. Tools that need no scope belong to every one.
const (
	records = "records"
	schemas = "schema"
	members = "members"
)

var toolsets = map[authz.Scope]string{
	authz.DataRead: records, authz.DataWrite: records,
	authz.SchemaRead: schemas, authz.SchemaWrite: schemas,
	authz.MembersRead: members, authz.MembersManage: members,
}

func parseToolFilter(query url.Values) (toolFilter, error) {
	var v toolFilter
	for _, name := range slices.Sorted(maps.Keys(query)) {
		value := strings.Join(query[name], ",")
		switch name {
		case "readonly":
			switch value {
			case "1", "true":
				v.readOnly = true
			case "0", "false":
			default:
				return v, problem.Invalid(name, "must be 1 or 0, not %q", value)
			}
		case "toolsets":
			known := []string{records, schemas, members}
			v.toolsets = []string{}
			for set := range strings.SplitSeq(value, ",") {
				if set = strings.TrimSpace(set); !slices.Contains(known, set) {
					return v, problem.Invalid(name, "%q is not a toolset%s; the valid ones are %s", set, problem.DidYouMean(set, known), problem.List(known))
				}
				v.toolsets = append(v.toolsets, set)
			}
		default:
			known := []string{"readonly", "toolsets"}
			return v, problem.Invalid(name, "is not a query parameter here%s; the valid ones are %s", problem.DidYouMean(name, known), problem.List(known))
		}
	}
	return v, nil
}

// includes reports whether a tool is one of the view's.
func (v *toolFilter) includes(t *tool) bool {
	if v.readOnly && !t.readOnly() {
		return false
	}
	if v.toolsets == nil || t.toolset() == "" || slices.Contains(v.toolsets, t.toolset()) {
		return true
	}
	// Records cannot be asked for without knowing their tables and fields.
	return slices.Contains(v.toolsets, records) && slices.Contains([]string{"list_bases", "describe_base", "describe_table"}, t.listed.Name)
}

// offers reports whether a tool is listed to the caller. An API key is shown what its scopes allow; an access token is shown all,
// because its client can ask the person for more.
func (c *caller) offers(t *tool) bool {
	if !c.filter.includes(t) {
		return false
	}
	if c.Kind == authz.OAuth {
		return true
	}
	return c.RequireScope(t.scopes...) == nil
}

// filterTools lists the tools in the catalogue's order, those that the caller is offered, and refuses tools outside the caller's view.
// Tools that it does not know come from Options.Extend and pass.
func (s *server) filterTools(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (_ sdk.Result, err error) {
		defer func() {
			if failure := recover(); failure != nil { // it must not take the process with it
				err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "something went wrong on our side; quote the request " + problem.RequestID(ctx)}
				s.logError(ctx, fmt.Errorf("%s panicked: %v\n%s", method, failure, debug.Stack()))
			}
		}()
		c := callerOf(ctx)
		switch method {
		case "tools/call":
			if params, ok := req.GetParams().(*sdk.CallToolParamsRaw); ok {
				if t := s.tool(params.Name); t != nil && !c.filter.includes(t) {
					return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", params.Name)}
				}
			}
		case "initialize", "server/discover":
			result, err := next(ctx, method, req)
			switch result := result.(type) {
			case *sdk.InitializeResult:
				result.Instructions = s.instructionsFor(c)
			case *sdk.DiscoverResult:
				result.Instructions = s.instructionsFor(c)
			}
			return result, err
		case "tools/list":
			result, err := next(ctx, method, req)
			if list, ok := result.(*sdk.ListToolsResult); ok && err == nil {
				list.Tools = slices.DeleteFunc(list.Tools, func(listed *sdk.Tool) bool {
					t := s.tool(listed.Name)
					return t != nil && !c.offers(t)
				})
				for i, listed := range list.Tools {
					if t := s.tool(listed.Name); t != nil {
						list.Tools[i] = t.listed
					}
				}
				slices.SortStableFunc(list.Tools, func(a, b *sdk.Tool) int { return s.toolIndex(a.Name) - s.toolIndex(b.Name) })
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
