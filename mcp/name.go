package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A namedResource is a workspace, base, table, field or view that can be named: its id and its
// path, such as Base/Table/Field.
type namedResource struct {
	id   string
	path []string
}

func (p *namedResource) String() string { return strings.Join(p.path, "/") + " (" + p.id + ")" }

// namedParameters are the parameters that accept a name in place of an id, with the kind of
// resource that they name.
var namedParameters = map[string]id.Kind{
	"workspaceId": id.Workspace, "baseId": id.Base, "tableId": id.Table, "tableIds": id.Table, "fieldId": id.Field,
	"viewId": id.View, "view": id.View, "table": id.Table,
}

var objectNames = map[id.Kind]string{
	id.Org:        "organization",
	id.Workspace:  "workspace",
	id.Base:       "base",
	id.Table:      "table",
	id.Field:      "field",
	id.View:       "view",
	id.Record:     "record",
	id.User:       "user",
	id.Invitation: "invitation",
}

// resolveNames replaces names by ids. A value that is an id already stays as it is. Names are
// resolved only for callers that may read schemas, because that reveals which names exist.
func (s *server) resolveNames(ctx context.Context, c *caller, a *arguments) error {
	for i := range a.members {
		m := &a.members[i]
		kind, ok := namedParameters[m.name]
		if !ok {
			continue
		}
		switch m.value.Kind() { //nolint:exhaustive // the operation rejects other types
		case '"':
			value, err := s.resolveValue(ctx, c, m.name, kind, m.value, a)
			if err != nil {
				return err
			}
			m.value = value
		case '[':
			var elements []jsontext.Value
			if err := json.Unmarshal(m.value, &elements); err != nil {
				return fmt.Errorf("reading %s: %w", m.name, err)
			}
			for j, element := range elements {
				if element.Kind() != '"' {
					continue
				}
				value, err := s.resolveValue(ctx, c, fmt.Sprintf("%s[%d]", m.name, j), kind, element, a)
				if err != nil {
					return err
				}
				elements[j] = value
			}
			encoded, err := json.Marshal(elements)
			if err != nil {
				return fmt.Errorf("writing %s: %w", m.name, err)
			}
			m.value = encoded
		}
	}
	return nil
}

func (s *server) resolveValue(
	ctx context.Context,
	c *caller,
	at string,
	kind id.Kind,
	value jsontext.Value,
	a *arguments,
) (jsontext.Value, error) {
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, fmt.Errorf("reading %s: %w", at, err)
	}
	if _, err := id.Parse(kind, text); err == nil || text == "" {
		return value, nil
	}
	if other := id.KindOf(text); objectNames[other] != "" && other != kind {
		_, parsed := id.Parse(other, text)
		_, _, record := id.ParseRecord(text)
		if parsed == nil || record == nil {
			return nil, problem.Invalid(at, "%q is the id of a %s, not the id or name of a %s",
				text, objectNames[other], objectNames[kind])
		}
	}
	if !c.Has(authz.SchemaRead) {
		return nil, problem.Invalid(at, "%q is not the id of a %s, and resolving names requires the scope schema:read",
			text, objectNames[kind])
	}
	within := ""
	if kind == id.View || kind == id.Field {
		within, _ = a.stringValue("tableId") // already resolved, because path parameters come first
	}
	if kind == id.Table {
		within, _ = a.stringValue("baseId")
	}
	places, err := s.listNamed(ctx, c, kind, within)
	if err != nil {
		return nil, err
	}
	found, err := findByName(at, text, kind, places)
	if err != nil {
		return nil, err
	}
	return quote(found), nil
}

func sameName(a, b string) bool { return naming.Key(a) == naming.Key(b) }

// findByName returns the id of the resource with a name, or with a path such as Base/Table. An
// exact match takes precedence over a case-insensitive one.
func findByName(at, text string, kind id.Kind, places []namedResource) (string, error) {
	var matches []namedResource
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, sameName} {
		for _, p := range places {
			for depth := range p.path {
				if same(strings.Join(p.path[depth:], "/"), text) {
					matches = append(matches, p)
					break
				}
			}
		}
		if len(matches) > 0 {
			break
		}
	}
	switch len(matches) {
	case 1:
		return matches[0].id, nil
	case 0:
		names := make([]string, len(places))
		for i, p := range places {
			names[i] = p.path[len(p.path)-1]
		}
		return "", (&problem.Error{
			Kind: problem.KindNotFound,
			Message: fmt.Sprintf("%s: no %s is called %q or has that id%s. Available: %s.",
				at, objectNames[kind], text, problem.DidYouMean(text, names), problem.List(unique(names))),
		})
	}
	candidates := make([]string, len(matches))
	for i := range matches {
		candidates[i] = matches[i].String()
	}
	return "", problem.Invalid(at, "%d %ss are called %q: %s. Give the id, or the path with a slash.",
		len(matches), objectNames[kind], text, problem.List(candidates)).
		WithCode(problem.CodeAmbiguousName)
}

func unique(names []string) []string {
	seen := map[string]bool{}
	var list []string
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// listNamed lists the resources of a kind that the caller can name, within the base or table with
// the id within, if given.
func (s *server) listNamed(ctx context.Context, c *caller, kind id.Kind, within string) ([]namedResource, error) {
	var list []namedResource
	for _, m := range c.Orgs {
		snapshot, err := s.Deps.Schema.Fresh(ctx, m.Org)
		if err != nil {
			return nil, err
		}
		if kind == id.Workspace {
			for _, w := range snapshot.Workspaces {
				if operation.ReachesWorkspace(c.Principal, snapshot, w) {
					list = append(list, namedResource{w.PublicID(), []string{w.Name}})
				}
			}
			continue
		}
		for _, b := range snapshot.Bases {
			if c.ReachesBase(b.ID) {
				list = append(list, listNamedIn(b, operation.Viewer(c.Principal, m.Org), kind, within)...)
			}
		}
	}
	return list, nil
}

func listNamedIn(b *schema.Base, viewer schema.Viewer, kind id.Kind, within string) []namedResource {
	if kind == id.Base {
		return []namedResource{{b.PublicID(), []string{b.Name}}}
	}
	var list []namedResource
	isOutside := func(u uuid.UUID, kind id.Kind) bool {
		return id.KindOf(within) == kind && id.Format(kind, u) != within
	}
	if isOutside(b.ID, id.Base) {
		return nil
	}
	for _, t := range b.Tables {
		if isOutside(t.ID, id.Table) {
			continue
		}
		switch kind { //nolint:exhaustive // only these are in a base
		case id.Table:
			list = append(list, namedResource{t.PublicID(), []string{b.Name, t.Name}})
		case id.Field:
			for _, f := range t.Fields {
				list = append(list, namedResource{f.PublicID(), []string{b.Name, t.Name, f.Name}})
			}
		case id.View:
			for _, v := range viewer.Views(t) {
				list = append(list, namedResource{v.PublicID(), []string{b.Name, t.Name, v.Name}})
			}
		}
	}
	return list
}
