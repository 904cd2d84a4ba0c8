package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A filter and a sort, in the form of the API, which accepts a field's name as its id.
type filter struct {
	FieldID string `json:"fieldId"`
	Op      string `json:"op"`
	Value   any    `json:"value"`
}

type sort struct {
	FieldID string `json:"fieldId"`
	Dir     string `json:"dir"`
}

type page struct {
	Records []record `json:"records"`
	Total   int      `json:"total"`
}

// searchFields are the fields that are printed for a search result, whichever table it is from.
var searchFields = []string{"Name", "Airport", "Ident", "Type", "Code", "Country", "Description", "Frequency (MHz)"}

// printAnswers runs the queries and prints the results.
func printAnswers(ctx context.Context, l *loader, to io.Writer) error {
	longest, err := l.list(ctx, "Runways", "", map[string]any{
		"filters": []filter{{"Lighted", "eq", true}},
		"sorts":   []sort{{"Length (ft)", "desc"}},
		"limit":   "10",
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\nThe ten longest of %d lighted runways:\n", longest.Total)
	if err := printTable(to, "  ", longest.Records, "Name", "Length (ft)", "Surface", "Closed"); err != nil {
		return err
	}

	stations, err := l.list(ctx, "Navaids", "", map[string]any{
		"filters": []filter{
			{"Type", "in", l.vorTypes()},
			{"Country code", "eq", "NO"},
			{"Elevation (ft)", "gt", 1000},
		},
		"sorts": []sort{{"Elevation (ft)", "desc"}},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\n%d VOR stations in Norway above 1,000 ft:\n", stations.Total)
	if err := printTable(to, "  ", stations.Records, "Name", "Ident", "Type", "Elevation (ft)"); err != nil {
		return err
	}

	fmt.Fprintf(to, "\nSearch for “Oslo”:\n")
	for _, f := range l.files {
		found, err := l.list(ctx, f.table.name, "/search", map[string]any{"q": "Oslo", "limit": "5"})
		if err != nil {
			return err
		}
		fmt.Fprintf(to, "  %s: %d\n", f.table.name, found.Total)
		for _, r := range found.Records {
			if err := l.resolveLink(ctx, r); err != nil {
				return err
			}
		}
		if err := printTable(to, "    ", found.Records, searchFields...); err != nil {
			return err
		}
	}
	if l.application == nil {
		return nil // what computes through links is not there
	}
	return printComputed(ctx, l, to)
}

// vorTypes returns the existing navaid types that include a VOR, because a filter may name only
// existing options.
func (l *loader) vorTypes() []string {
	types := []string{}
	for _, f := range l.files {
		if f.table.name != "Navaids" {
			continue
		}
		for _, name := range f.options(&column{source: "type"}) {
			if strings.HasPrefix(name, "VOR") {
				types = append(types, name)
			}
		}
	}
	return types
}

func (l *loader) list(ctx context.Context, table, below string, parameters map[string]any) (page, error) {
	var found page
	q, err := encodeQuery(parameters)
	if err != nil {
		return found, err
	}
	return found, l.api.call(ctx, "GET", "/tables/"+l.ids[table]+"/records"+below+q, nil, &found)
}

// resolveLink replaces the link of a region by the name of its country.
func (l *loader) resolveLink(ctx context.Context, r record) error {
	ids, _ := r.Fields["Country"].([]any)
	for _, id := range ids {
		var country record
		if err := l.api.call(ctx, "GET", fmt.Sprintf("/records/%v", id), nil, &country); err != nil {
			return err
		}
		r.Fields["Country"] = country.Fields["Name"]
	}
	return nil
}

// printTable prints the given fields of the records; a record without a field has no column for it.
func printTable(to io.Writer, indent string, records []record, fields ...string) error {
	var out strings.Builder
	columns := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, r := range records {
		var cells []string
		for _, name := range fields {
			if value, ok := r.Fields[name]; ok {
				cells = append(cells, cell(name, value))
			}
		}
		fmt.Fprintln(columns, indent+strings.Join(cells, "\t"))
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(out.String()) {
		fmt.Fprintln(to, strings.TrimRight(line, " \n"))
	}
	return nil
}

func cell(name string, value any) string {
	switch value {
	case nil, false:
		return ""
	case true:
		return strings.ToLower(name)
	}
	if list, ok := value.([]any); ok { // of a lookup, or the options of a field
		var texts []string
		for _, one := range list {
			texts = append(texts, fmt.Sprint(one))
		}
		return strings.Join(texts, ", ")
	}
	return fmt.Sprint(value)
}
