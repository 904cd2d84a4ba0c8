package client

import (
	"context"
	"fmt"
	"slices"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

// A named is something that can be named: by its id, its name, or a path of names such as Harbour/Ships.
type named struct {
	id   string
	path []string
}

// choose returns the one of list that text names. A name in the same letters comes before one in others.
func choose(kind, text string, list []named) (named, error) {
	for _, same := range []func(a, b string) bool{
		func(a, b string) bool { return a == b },
		func(a, b string) bool { return naming.Key(a) == naming.Key(b) },
	} {
		var found []named
		for _, one := range list {
			matches := one.id == text
			for depth := range one.path {
				matches = matches || same(strings.Join(one.path[depth:], "/"), text)
			}
			if matches {
				found = append(found, one)
			}
		}
		switch len(found) {
		case 0:
			continue
		case 1:
			return found[0], nil
		}
		candidates := make([]string, len(found))
		for i, one := range found {
			candidates[i] = strings.Join(one.path, "/") + " (" + one.id + ")"
		}
		return named{}, fail(StatusUsage, "%d %ss are called %q: %s", len(found), kind, text, problem.List(candidates))
	}
	if len(list) == 0 {
		return named{}, fail(StatusNotFound, "no %s is called %q; there is none", kind, text)
	}
	names := make([]string, len(list))
	for i, one := range list {
		names[i] = one.path[len(one.path)-1]
	}
	last := text[strings.LastIndexByte(text, '/')+1:]
	return named{}, fail(StatusNotFound, "no %s is called %q%s; there are %s", kind, text,
		problem.DidYouMean(last, names), problem.List(names))
}

// isID reports whether a text looks like an id of a kind, such as tbl.
func isID(prefix, text string) bool {
	rest, found := strings.CutPrefix(text, prefix+"_")
	return found && len(rest) > 20 && strings.ToLower(rest) == rest && !strings.ContainsAny(rest, "/ _")
}

func basesOf(ctx context.Context, client *rowhouse.Client) ([]named, error) {
	bases, err := client.Bases(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]named, len(bases))
	for i, base := range bases {
		list[i] = named{base.ID, []string{base.Name}}
	}
	return list, nil
}

// findBase returns the id of a base. Without a text, it is the only base there is.
func findBase(ctx context.Context, client *rowhouse.Client, text string) (string, error) {
	if isID("bas", text) {
		return text, nil
	}
	list, err := basesOf(ctx, client)
	if err != nil {
		return "", err
	}
	if text == "" {
		if len(list) == 1 {
			return list[0].id, nil
		}
		names := make([]string, len(list))
		for i, one := range list {
			names[i] = one.path[0]
		}
		return "", fail(StatusUsage, "which base? give --base: %s", problem.List(names))
	}
	found, err := choose("base", text, list)
	return found.id, err
}

// findTable returns the table that a text names: an id, Base/Table, or the name of a table that only one
// base has.
func findTable(ctx context.Context, client *rowhouse.Client, text string) (*rowhouse.Table, error) {
	if isID("tbl", text) {
		return client.Table(ctx, text)
	}
	bases, err := basesOf(ctx, client)
	if err != nil {
		return nil, err
	}
	if within, _, ok := strings.Cut(text, "/"); ok {
		if base, err := choose("base", within, bases); err == nil {
			bases = []named{base}
		} else if !slices.ContainsFunc(bases, func(b named) bool { return strings.Contains(b.path[0], "/") }) {
			return nil, err
		}
	}
	var tables []named
	for _, base := range bases {
		var list struct{ Tables []rowhouse.Named }
		if err := client.Send(ctx, rowhouse.Request{Path: "/bases/" + base.id + "/tables"}, &list); err != nil {
			return nil, err
		}
		for _, table := range list.Tables {
			tables = append(tables, named{table.ID, []string{base.path[0], table.Name}})
		}
	}
	if base, name, ok := strings.Cut(text, "/"); ok && len(bases) == 1 && isID("bas", base) {
		text = name
	}
	found, err := choose("table", text, tables)
	if err != nil {
		return nil, err
	}
	return client.Table(ctx, found.id)
}

// findField returns the field of a table that a text names.
func findField(table *rowhouse.Table, text string) (*rowhouse.Field, error) {
	list := make([]named, len(table.Fields))
	for i, field := range table.Fields {
		list[i] = named{field.ID, []string{field.Name}}
	}
	found, err := choose("field of "+table.Name, text, list)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(table.Fields, func(f rowhouse.Field) bool { return f.ID == found.id })
	return &table.Fields[at], nil
}

// findView returns the id of the view of a table that a text names, or "" without a text.
func findView(table *rowhouse.Table, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	list := make([]named, len(table.Views))
	for i, view := range table.Views {
		list[i] = named{view.ID, []string{view.Name}}
	}
	found, err := choose("view of "+table.Name, text, list)
	return found.id, err
}

// fieldNames returns the names of the fields that a list names, or nil for an empty list.
func fieldNames(table *rowhouse.Table, list []string) ([]string, error) {
	var names []string
	for _, text := range list {
		field, err := findField(table, strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("--fields: %w", err)
		}
		names = append(names, field.Name)
	}
	return names, nil
}
