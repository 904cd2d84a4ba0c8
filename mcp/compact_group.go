package mcp

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/tenancy/id"
)

// compactGroups writes the groups of an aggregation as columns and rows.
func compactGroups(output []byte, f form) ([]byte, error) {
	answer, err := parseArguments(output)
	if err != nil {
		return nil, fmt.Errorf("reading groups: %w", err)
	}
	var groups []struct {
		Key     jsontext.Value `json:"key"`
		Results jsontext.Value `json:"results"`
	}
	if err := json.Unmarshal(answer.value("groups"), &groups); err != nil {
		return nil, fmt.Errorf("reading groups: %w", err)
	}
	if f.format == records || f.format == "" && len(groups) < rowsFrom {
		return output, nil
	}
	columns, body := &arguments{}, &arguments{}
	for i, g := range groups {
		row := &arguments{}
		for _, object := range []jsontext.Value{g.Key, g.Results} {
			if err := eachMember(object, func(name string, value jsontext.Value) {
				if i == 0 {
					columns.members = append(columns.members, argument{value: quote(name)})
				}
				var linked struct {
					ID    string         `json:"id"`
					Title jsontext.Value `json:"title"`
				}
				if value.Kind() == '{' && json.Unmarshal(value, &linked) == nil {
					titled := &arguments{members: []argument{{id.Short(linked.ID), linked.Title}}}
					value = titled.encode()
				}
				row.members = append(row.members, argument{value: value})
			}); err != nil {
				return nil, fmt.Errorf("reading a group: %w", err)
			}
		}
		body.members = append(body.members, argument{value: row.list()})
	}
	out := &arguments{members: []argument{{"columns", columns.list()}, {rows, body.list()}}}
	for _, m := range answer.members {
		if m.name != "groups" {
			out.members = append(out.members, m)
		}
	}
	return out.encode(), nil
}
