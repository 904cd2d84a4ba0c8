package mcp

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// A toolFilter is the choice of tools that a URL of the server makes (address.go). Tools outside
// the choice are unknown there.
//
// The list of tools is part of every conversation of an agent, so a client that needs only to find,
// read and write records uses /mcp/core.
type toolFilter struct {
	readOnly bool
	all      bool     // also tools that few tasks need
	toolsets []string // nil means every tool
}

// The toolsets. A tool that needs no scope is in records, schema and members.
const (
	all      = "all"
	core     = "core"
	records  = "records"
	schemas  = "schema"
	members  = "members"
	readonly = "readonly"
)

var toolsets = map[authz.Scope]string{
	authz.DataRead: records, authz.DataWrite: records,
	authz.SchemaRead: schemas, authz.SchemaWrite: schemas,
	authz.MembersRead: members, authz.MembersManage: members,
}

// calls reports whether a tool can be called.
func (f *toolFilter) calls(t *tool) bool {
	if f.readOnly && !t.readOnly() {
		return false
	}
	return f.toolsets == nil || f.has(t)
}

// lists reports whether a tool is listed, if the caller's scopes allow it. Tools that few tasks
// need are listed where they are requested, at /mcp/all and in the toolset of their scope;
// elsewhere they can be called without being listed.
func (f *toolFilter) lists(t *tool) bool {
	return f.calls(t) && (f.all || f.toolsets != nil || t.list >= operation.ListCommon)
}

// has reports whether one of the toolsets has a tool.
func (f *toolFilter) has(t *tool) bool {
	if slices.Contains(f.toolsets, t.toolset()) {
		return true
	}
	if slices.Contains(f.toolsets, core) && t.list == operation.ListCore {
		return true
	}
	if t.toolset() == "" {
		return slices.ContainsFunc(f.toolsets, func(set string) bool { return set != core })
	}
	return slices.Contains(f.toolsets, records) && t.operation != nil && t.operation.Agent.WithRecords
}

// offers reports whether a tool is listed to the caller. An API key sees the tools that its scopes
// allow. An access token sees all of them, because its client can ask the person for more scopes.
func (c *caller) offers(t *tool) bool {
	if !c.filter.lists(t) {
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
				if t := s.tool(params.Name); t != nil && !c.filter.calls(t) {
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
				if s.Live != nil && result.Capabilities != nil { // only for clients of this revision; see listen.go
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
