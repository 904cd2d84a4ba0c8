package mcp

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// The addresses of the server. Each has its own OAuth metadata, because some clients compare the
// URL that they connect to with the resource of the metadata (RFC 9728 section 3.3).
//
// 	/mcp           the tools that most tasks need; /mcp/ is the same
// 	/mcp/all       every tool
// 	/mcp/readonly  the read-only tools of /mcp
// 	/mcp/core      only the tools that records need
// 	/mcp/records   every tool for records; likewise /mcp/schema, /mcp/members
//
// The query says the same, with several toolsets at once: /mcp?readonly=1&toolsets=records,schema.

var paths = []string{all, readonly, core, records, schemas, members}

// parseAddress returns the tools that a URL of the server offers. rest is the path after Path. It
// returns an error of kind not_found for an unknown path, and of kind invalid for a wrong query.
func parseAddress(rest string, query url.Values) (toolFilter, error) {
	var filter toolFilter
	name := strings.TrimPrefix(rest, "/")
	if name != "" {
		name = strings.TrimSuffix(name, "/")
	}
	switch name {
	case "":
		if rest != "" && rest != "/" {
			return filter, noSuchAddress(rest)
		}
	case all:
		filter.all = true
	case readonly:
		filter.readOnly = true
	default:
		if !slices.Contains(paths, name) {
			return filter, noSuchAddress(rest)
		}
		filter.toolsets = []string{name}
	}
	for _, parameter := range slices.Sorted(maps.Keys(query)) {
		value := strings.Join(query[parameter], ",")
		switch {
		case parameter == readonly:
			switch value {
			case "1", "true":
				filter.readOnly = true
			case "0", "false":
			default:
				return filter, problem.Invalid(parameter, "must be 1 or 0, not %q", value)
			}
		case parameter == "toolsets" && name == "":
			if err := filter.addToolsets(value); err != nil {
				return filter, err
			}
		case parameter == "toolsets":
			return filter, problem.Invalid(parameter, "the path /mcp/%s has chosen the tools already", name)
		default:
			valid := []string{readonly, "toolsets"}
			return filter, problem.Invalid(parameter, "is not a query parameter%s; the valid ones are %s",
				problem.DidYouMean(parameter, valid), problem.List(valid))
		}
	}
	return filter, nil
}

func (f *toolFilter) addToolsets(value string) error {
	valid := []string{all, core, records, schemas, members}
	for set := range strings.SplitSeq(value, ",") {
		if set = strings.TrimSpace(set); !slices.Contains(valid, set) {
			return problem.Invalid("toolsets", "%q is not a toolset%s; the valid ones are %s",
				set, problem.DidYouMean(set, valid), problem.List(valid))
		}
		if set == all {
			f.all, f.toolsets = true, nil
			return nil
		}
		f.toolsets = append(f.toolsets, set)
	}
	return nil
}

func noSuchAddress(rest string) error {
	valid := make([]string, len(paths))
	for i, name := range paths {
		valid[i] = Path + "/" + name
	}
	return (&problem.Error{
		Kind: problem.KindNotFound,
		Message: "The path " + Path + rest + " is not an address of this server; the addresses are " + Path + " and " +
			problem.List(valid) + ".",
	}).WithCode(problem.CodeNotFound)
}

// filterOf returns the tools that a request's URL offers.
func filterOf(r *http.Request) (toolFilter, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return toolFilter{}, problem.Invalid("", "The query string is invalid.")
	}
	return parseAddress(strings.TrimPrefix(r.URL.Path, Path), query)
}

// Addresses returns a function for the authorization server: rest is the path after Path, and the
// query. It returns the scopes of the tools listed there, in the order in which a client should
// request them, or false for a URL that is not an address. It includes the scopes of members only
// where the toolset members is named; elsewhere a challenge asks for them when they are needed.
func Addresses() func(rest string) (initial []authz.Scope, ok bool) {
	s := newServer(Options{})
	return func(rest string) ([]authz.Scope, bool) {
		path, raw, _ := strings.Cut(rest, "?")
		query, err := url.ParseQuery(raw)
		if err != nil {
			return nil, false
		}
		filter, err := parseAddress(path, query)
		if err != nil {
			return nil, false
		}
		needed := map[authz.Scope]bool{authz.MCPTools: true}
		for _, t := range s.tools {
			if !filter.lists(t) {
				continue
			}
			for _, scope := range t.scopes {
				needed[scope] = toolsets[scope] != members || slices.Contains(filter.toolsets, members)
			}
		}
		initial := []authz.Scope{authz.MCPTools}
		for _, info := range authz.Scopes {
			if needed[info.Scope] && info.Scope != authz.MCPTools {
				initial = append(initial, info.Scope)
			}
		}
		return initial, true
	}
}
