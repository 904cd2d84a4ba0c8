package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

type exportCommand struct {
	connection `embed:""`
	reading    `embed:""`

	Table string `arg:"" help:"Base/Table, or its id."`
	Out   string `placeholder:"FILE" help:"Write to a file. Default: the standard output."`
	BOM   bool   `name:"bom" help:"Begin with a byte order mark, which Excel needs."`
}

func (exportCommand) Help() string {
	return "Examples:\n\n  rowhouse export Harbour/Ships --filter 'Kind = \"Tug\"' --out tugs.csv"
}

func (c *exportCommand) Run(ctx context.Context, to Streams) (err error) {
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
	values, err := query.Values()
	if err != nil {
		return err
	}
	if c.BOM {
		values.Set("bom", "true")
	}
	response, err := client.Open(ctx, rowhouse.Request{Path: "/tables/" + table.ID + "/records/export", Query: values})
	if err != nil {
		return f.explain(err)
	}
	defer response.Body.Close()
	out := to.Out
	if c.Out != "" {
		file, err := os.Create(c.Out)
		if err != nil {
			return fail(StatusUsage, "%v", err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		out = file
	}
	if _, err := io.Copy(out, response.Body); err != nil {
		return fmt.Errorf("the export is not complete: %w", err)
	}
	return nil
}

type sqlCommand struct {
	connection `embed:""`
	output     `embed:""`
	inBase     `embed:""`

	Statement string `arg:"" help:"One SELECT statement; - reads it from the standard input."`
	Limit     int    `default:"1000" help:"Rows, up to 10,000."`
}

func (sqlCommand) Help() string {
	return `Examples:

  rowhouse sql 'select "Kind", count(*) from "Ships" group by 1' --base Harbour`
}

func (c *sqlCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	base, err := findBase(ctx, client, c.Base)
	if err != nil {
		return err
	}
	if c.Statement == "-" {
		content, err := io.ReadAll(to.In)
		if err != nil {
			return fmt.Errorf("reading the statement: %w", err)
		}
		c.Statement = string(content)
	}
	var result struct {
		rowhouse.SQLResult
		Rows [][]json.RawMessage `json:"rows"`
	}
	if err := client.Send(ctx, rowhouse.Request{
		Method: http.MethodPost, Path: "/bases/" + base + "/sql",
		Body: map[string]any{"sql": c.Statement, "limit": c.Limit},
	}, &result); err != nil {
		return err
	}
	columns := make([]string, len(result.Columns))
	for i, column := range result.Columns {
		columns[i] = column.Name
	}
	sheet := c.sheet(to, columns...)
	for _, row := range result.Rows {
		cells := make([]any, len(row))
		for i, value := range row {
			cells[i] = value // as it was written: a number may have more digits than a float64
		}
		sheet.row(cells...)
	}
	if err := sheet.end(); err != nil {
		return err
	}
	if result.Truncated {
		fmt.Fprintf(to.Err, "There are more than %d rows.\n", c.Limit)
	}
	return nil
}

type searchCommand struct {
	connection `embed:""`
	output     `embed:""`
	inBase     `embed:""`

	Text  string `arg:"" help:"What to look for."`
	Limit int    `short:"n" default:"20" help:"Results, up to 50."`
}

func (c *searchCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	base, err := findBase(ctx, client, c.Base)
	if err != nil {
		return err
	}
	var hits rowhouse.SearchHits
	if err := client.Send(ctx, rowhouse.Request{
		Path: "/bases/" + base + "/search", Query: url.Values{"q": {c.Text}, "limit": {strconv.Itoa(c.Limit)}},
	}, &hits); err != nil {
		return err
	}
	sheet := c.sheet(to, "title", "table", "snippet", "id")
	for _, hit := range hits.Results {
		sheet.row(hit.Title, hit.Table, hit.Snippet, hit.ID)
	}
	if hits.Searched < hits.Tables {
		fmt.Fprintf(to.Err, "The time was enough for %d of %d tables.\n", hits.Searched, hits.Tables)
	}
	return sheet.end()
}

type historyCommand struct {
	connection `embed:""`
	output     `embed:""`
	inBase     `embed:""`

	Table  string `arg:"" optional:"" help:"Base/Table of a record, or the id of a record. Without it, the change sets of the base."`
	Record string `arg:"" optional:"" help:"Id, or value of the primary field."`
	Limit  int    `short:"n" default:"20" help:"Entries, up to 100; the last ones first."`
}

func (historyCommand) Help() string {
	return `Examples:

  rowhouse history Harbour/Ships Aase
  rowhouse history --base Harbour`
}

func (c *historyCommand) Run(ctx context.Context, to Streams) error {
	if c.Table == "" {
		return c.changeSets(ctx, to)
	}
	client, id, err := c.locate(ctx, c.Table, c.Record)
	if err != nil {
		return err
	}
	var history struct{ Entries []rowhouse.RecordChange }
	if err := client.Send(ctx, rowhouse.Request{
		Path: "/records/" + id + "/history", Query: url.Values{"detail": {"full"}, "limit": {strconv.Itoa(c.Limit)}},
	}, &history); err != nil {
		return err
	}
	sheet := c.sheet(to, "time", "kind", "person", "changes", "changeSet")
	for _, entry := range history.Entries {
		var changes []string
		for _, change := range entry.Changes {
			changes = append(changes, fmt.Sprintf("%s: %s → %s", change.Field.Name, orNothing(change.From),
				orNothing(change.To)))
		}
		sheet.row(entry.Time, string(entry.Kind), entry.Person.Name, changes, entry.ChangeSet)
	}
	return sheet.end()
}

func orNothing(value any) string {
	if text := text(value); text != "" {
		return text
	}
	return "nothing"
}

func (c *historyCommand) changeSets(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	base, err := findBase(ctx, client, c.Base)
	if err != nil {
		return err
	}
	var list struct{ ChangeSets []rowhouse.ChangeSet }
	if err := client.Send(ctx, rowhouse.Request{
		Path:  "/bases/" + base + "/change-sets",
		Query: url.Values{"detail": {"full"}, "limit": {strconv.Itoa(c.Limit)}},
	}, &list); err != nil {
		return err
	}
	sheet := c.sheet(to, "time", "person", "name", "what", "changeSet", "reverted")
	for i := range list.ChangeSets {
		set := &list.ChangeSets[i]
		sheet.row(set.LastTime, set.Person.Name, set.Name, describe(set), set.ID, len(set.RevertedBy) > 0)
	}
	return sheet.end()
}

// describe says what a change set did.
func describe(set *rowhouse.ChangeSet) []string {
	parts := []string{}
	for _, table := range set.Tables {
		for _, one := range []struct {
			n    int
			does string
		}{
			{table.Created, "created"},
			{table.Updated, "updated"},
			{table.Deleted, "deleted"},
			{table.Restored, "restored"},
			{table.Linked, "linked"},
		} {
			if one.n > 0 {
				parts = append(parts, fmt.Sprintf("%d of %s %s", one.n, table.Name, one.does))
			}
		}
	}
	for _, object := range set.Schema {
		parts = append(parts, fmt.Sprintf("%s %s %s", object.Object, object.Name, object.Does))
	}
	if more := set.SchemaCount - len(set.Schema); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more objects", more))
	}
	return parts
}

type revertCommand struct {
	connection `embed:""`
	inBase     `embed:""`

	ChangeSets []string `arg:"" help:"Ids of change sets (chs_…), as history and import show them."`
	OnConflict string   `enum:"fail,skip,overwrite" default:"fail" placeholder:"HOW" help:"What to do where others have changed something since: fail, skip or overwrite."`
	Yes        bool     `short:"y" help:"Do not ask."`
}

func (revertCommand) Help() string {
	return `Examples:

  rowhouse revert chs_06h25s8h6hyjz608kvkvare458 --base Harbour

It shows what would change, and asks. A revert is a change set too, and can be reverted.`
}

func (c *revertCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	base, plan, err := c.plan(ctx, client)
	if err != nil {
		return err
	}
	schema, err := client.Base(ctx, base)
	if err != nil {
		return err
	}
	c.show(to, schema, plan)
	if plan.ConflictCount > 0 && c.OnConflict == "fail" {
		return fail(StatusConflict, "others have changed %s since: --on-conflict skip leaves these as they are, "+
			"overwrite takes them back too", counted(plan.ConflictCount, "value"))
	}
	if err := confirm(to, c.Yes); err != nil {
		return err
	}
	var done struct{ ChangeSet string }
	if err := client.Send(ctx, c.request(base, false), &done); err != nil {
		return err
	}
	fmt.Fprintf(to.Err, "Reverted, in the change set %s.\n", done.ChangeSet)
	return nil
}

func (c *revertCommand) request(base string, dryRun bool) rowhouse.Request {
	how := c.OnConflict
	if dryRun && how == "fail" {
		how = "skip" // so that the plan is an answer
	}
	return rowhouse.Request{
		Method: http.MethodPost, Path: "/bases/" + base + "/changes/revert",
		Body: map[string]any{"changeSets": c.ChangeSets, "onConflict": how, "dryRun": dryRun},
	}
}

// plan returns what the revert would do, and the base: without --base, the one that knows the change sets.
func (c *revertCommand) plan(ctx context.Context, client *rowhouse.Client) (string, *rowhouse.RevertPlan, error) {
	var bases []named
	if c.Base != "" {
		base, err := findBase(ctx, client, c.Base)
		if err != nil {
			return "", nil, err
		}
		bases = []named{{id: base}}
	} else {
		var err error
		if bases, err = basesOf(ctx, client); err != nil {
			return "", nil, err
		}
	}
	var last error
	for _, base := range bases {
		plan := &rowhouse.RevertPlan{}
		if last = client.Send(ctx, c.request(base.id, true), plan); last == nil {
			return base.id, plan, nil
		}
		var refused *rowhouse.Problem
		if !errors.As(last, &refused) || refused.Status >= http.StatusInternalServerError {
			break
		}
	}
	if last == nil {
		last = fail(StatusNotFound, "there is no base")
	}
	return "", nil, last
}

func (c *revertCommand) show(to Streams, base *rowhouse.Base, plan *rowhouse.RevertPlan) {
	names := map[string]string{}
	for _, table := range base.Tables {
		names[table.ID] = table.Name
	}
	fmt.Fprintf(to.Err, "This changes %s.\n", counted(plan.Records, "record"))
	for _, table := range plan.Tables {
		name := names[table.TableID]
		if name == "" {
			name = table.TableID
		}
		fmt.Fprintf(to.Err, "  %s: %d deleted, %d restored, %d changed\n", name, table.Deleted, table.Restored,
			table.Updated)
	}
	for _, object := range plan.Schema {
		fmt.Fprintf(to.Err, "  %s %s: %s\n", object.Object, object.Name, object.Does)
	}
	for _, conflict := range plan.Conflicts {
		what := strings.TrimSpace(conflict.Reason + " " + conflict.RecordID + " " + conflict.Name)
		fmt.Fprintf(to.Err, "  conflict: %s\n", what)
	}
	for _, note := range plan.Notes {
		fmt.Fprintf(to.Err, "  %s\n", note)
	}
}
