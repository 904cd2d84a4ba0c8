package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/alecthomas/kong"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

// selection are the flags that choose records.
type selection struct {
	Filter string `short:"f" placeholder:"FILTER" help:"Which records: Kind = \"Tug\" and Tons > 90."`
	Search string `placeholder:"TEXT" help:"Records with this text in any field."`
	View   string `placeholder:"VIEW" help:"Those of a view, by its name or id, in its order."`
}

// reading are the flags that say what to read of the chosen records.
type reading struct {
	selection `embed:""`

	Sort   sorts    `short:"s" placeholder:"FIELD" help:"Order: names of fields, with - before them the last value first."`
	Fields []string `placeholder:"FIELD" help:"Only these fields."`
	AsOf   string   `placeholder:"TIME" help:"As they were at a time (RFC 3339), or before a change set."`
}

// sorts are names of fields with commas between them. Unlike other flags, it takes a value that begins with
// -.
type sorts []string

// Decode implements kong.MapperValue.
func (s *sorts) Decode(c *kong.DecodeContext) error {
	text := c.Scan.Pop().String()
	if text == "" || strings.HasPrefix(text, "--") {
		return fail(StatusUsage, "expected the name of a field")
	}
	*s = append(*s, strings.Split(text, ",")...)
	return nil
}

// query returns the query of the flags, and the filter that explains a refusal.
func (r *reading) query(table *rowhouse.Table) (query rowhouse.Query, f *filter, err error) {
	query = rowhouse.Query{Search: r.Search, AsOf: r.AsOf}
	if r.Filter != "" {
		if f, err = parseFilter(r.Filter); err != nil {
			return query, nil, err
		}
		query.Filters = f.filters
	}
	if query.View, err = findView(table, r.View); err != nil {
		return query, nil, err
	}
	if query.Sorts, err = parseSorts(table, r.Sort); err != nil {
		return query, nil, err
	}
	query.Fields, err = fieldNames(table, r.Fields)
	return query, f, err
}

type recordListCommand struct {
	connection `embed:""`
	output     `embed:""`
	reading    `embed:""`

	Table string `arg:"" help:"Base/Table, or its id."`
	Limit int    `short:"n" help:"At most this many. Default: all."`
}

func (recordListCommand) Help() string {
	return `Examples:

  rowhouse record list Harbour/Ships --filter 'Kind = "Tug" and Tons > 90' --sort -Tons --fields Name,Tons
  rowhouse record list Harbour/Ships --filter '{Last visit} < -30 days or {Last visit} is empty'
  rowhouse record list Harbour/Ships -o json | jq '.[].fields.Name'

A filter compares fields with = != < <= > >=, contains, not contains, starts with, ends with, in (…), not in (…),
between … and …, is empty, is not empty, is within, has any (…), has all (…), has none (…), is exactly (…), and
joins conditions with and, or and parentheses. Names with spaces are in braces, texts in quotes. Days are
"2026-05-31", today, yesterday, tomorrow, or a distance from today such as -7 days.`
}

func (c *recordListCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	table, err := findTable(ctx, client, c.Table)
	if err != nil {
		return err
	}
	query, f, err := c.query(table)
	if err != nil {
		return err
	}
	query.Limit = c.Limit
	if c.textual(to) {
		query.Rows = true
		err = c.printRows(ctx, to, client, table, query)
	} else {
		err = c.printRecords(ctx, to, client, table.ID, query)
	}
	return f.explain(err)
}

// printRecords prints the records as they come from the service.
func (c *recordListCommand) printRecords(
	ctx context.Context, to Streams, client *rowhouse.Client, table string, query rowhouse.Query,
) error {
	sheet := c.sheet(to)
	for page, err := range rowhouse.Pages[json.RawMessage](ctx, client, table, query) {
		if err != nil {
			return errors.Join(err, sheet.out.Flush())
		}
		warn(to, page.Problems)
		for _, record := range page.Records {
			sheet.raw(record)
		}
		if sheet.err != nil {
			return sheet.err
		}
	}
	return sheet.end()
}

// printRows prints cells, with links and files by their names.
func (c *recordListCommand) printRows(
	ctx context.Context, to Streams, client *rowhouse.Client, table *rowhouse.Table, query rowhouse.Query,
) error {
	var sheet *sheet
	for page, err := range rowhouse.Pages[json.RawMessage](ctx, client, table.ID, query) {
		if err != nil {
			return err
		}
		warn(to, page.Problems)
		if sheet == nil {
			columns := page.Columns
			for i, name := range columns {
				columns[i] = strings.TrimPrefix(name, "_")
				if name != "_id" {
					columns[i] = name
				}
			}
			sheet = c.sheet(to, columns...)
		}
		for _, row := range page.Rows {
			sheet.row(row...)
		}
		if sheet.err != nil {
			return sheet.err
		}
	}
	return sheet.end()
}

func warn(to Streams, problems []rowhouse.ViewProblem) {
	for _, one := range problems {
		fmt.Fprintf(to.Err, "The view's filter does not fit the table: %s\n", one.Message)
	}
}

// isRecordID reports whether a text is the id of a record.
func isRecordID(text string) bool {
	rest, found := strings.CutPrefix(text, "rec_")
	return found && len(rest) > 20 && !strings.ContainsAny(rest, " _/")
}

// findRecord returns the id of a record that is named by its id or by the value of its primary field.
func findRecord(ctx context.Context, client *rowhouse.Client, table *rowhouse.Table, text string) (string, error) {
	if isRecordID(text) {
		return text, nil
	}
	primary := table.Fields[0]
	for _, field := range table.Fields {
		if field.IsPrimary {
			primary = field
		}
	}
	var ids []string
	for record, err := range client.Records(ctx, table.ID, rowhouse.Query{
		Filters: rowhouse.Filters{{"fieldId": primary.ID, "op": "eq", "value": text}}, Limit: 2,
		Fields: []string{primary.ID},
	}) {
		if err != nil {
			return "", err
		}
		ids = append(ids, record.ID)
	}
	switch len(ids) {
	case 0:
		return "", fail(StatusNotFound, "no record of %s has the %s %q", table.Name, primary.Name, text)
	case 1:
		return ids[0], nil
	}
	return "", fail(StatusUsage, "several records of %s have the %s %q: give the id", table.Name, primary.Name, text)
}

type recordGetCommand struct {
	connection `embed:""`

	Table  string `arg:"" help:"Base/Table, or the id of a record."`
	Record string `arg:"" optional:"" help:"Id, or value of the primary field."`
	AsOf   string `placeholder:"TIME" help:"As it was at a time (RFC 3339), or before a change set."`
}

func (recordGetCommand) Help() string {
	return `Examples:

  rowhouse record get Harbour/Ships Aase
  rowhouse record get rec_2p316n01m8hea47ff5zshfzh5hhst0r4`
}

// locate returns the client and the id of the record that two arguments name.
func (c *connection) locate(ctx context.Context, table, record string) (*rowhouse.Client, string, error) {
	client, err := c.client()
	if err != nil {
		return nil, "", err
	}
	if record == "" && isRecordID(table) {
		return client, table, nil
	}
	if record == "" {
		return nil, "", fail(StatusUsage, "which record of %s? Give its id or the value of its primary field", table)
	}
	found, err := findTable(ctx, client, table)
	if err != nil {
		return nil, "", err
	}
	id, err := findRecord(ctx, client, found, record)
	return client, id, err
}

func (c *recordGetCommand) Run(ctx context.Context, to Streams) error {
	client, id, err := c.locate(ctx, c.Table, c.Record)
	if err != nil {
		return err
	}
	query := url.Values{}
	if c.AsOf != "" {
		query.Set("asOf", c.AsOf)
	}
	var record json.RawMessage
	if err := client.Send(ctx, rowhouse.Request{Path: "/records/" + id, Query: query}, &record); err != nil {
		return err
	}
	return printJSON(to, record)
}
