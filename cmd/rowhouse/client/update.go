package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
	"github.com/rowhouse/rowhouse/problem"
)

type recordUpdateCommand struct {
	connection `embed:""`

	Table     string   `arg:"" help:"Base/Table, or its id."`
	Record    string   `arg:"" help:"Id, or value of the primary field."`
	Values    []string `arg:"" placeholder:"FIELD=VALUE" help:"New values; FIELD= clears one, FIELD:=JSON gives any value."`
	IfVersion int      `placeholder:"N" help:"Only if the record still has this version."`
}

func (recordUpdateCommand) Help() string {
	return "Examples:\n\n  rowhouse record update Harbour/Ships Aase Tons=95 Kind="
}

func (c *recordUpdateCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	table, err := findTable(ctx, client, c.Table)
	if err != nil {
		return err
	}
	changed, err := values(table, c.Values)
	if err != nil {
		return err
	}
	id, err := findRecord(ctx, client, table, c.Record)
	if err != nil {
		return err
	}
	record, err := client.Update(ctx, id, changed, c.IfVersion)
	if err != nil {
		return err
	}
	return printJSON(to, record)
}

type recordDeleteCommand struct {
	connection `embed:""`

	Table   string   `arg:"" help:"Base/Table, or its id."`
	Records []string `arg:"" optional:"" help:"Ids, or values of the primary field."`
	Filter  string   `short:"f" placeholder:"FILTER" help:"All records that a filter finds."`
	Yes     bool     `short:"y" help:"Do not ask."`
}

func (recordDeleteCommand) Help() string {
	return `Examples:

  rowhouse record delete Harbour/Ships Aase Ragna
  rowhouse record delete Harbour/Ships --filter 'Tons < 10'

The second one says how many records it finds, and asks.`
}

func (c *recordDeleteCommand) Run(ctx context.Context, to Streams) error {
	if (c.Filter == "") == (len(c.Records) == 0) {
		return fail(StatusUsage, "give either records or --filter")
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	table, err := findTable(ctx, client, c.Table)
	if err != nil {
		return err
	}
	path := "/tables/" + table.ID + "/records"
	var done struct {
		ChangeSet string
		Count     int
	}
	if c.Filter == "" {
		ids := make([]string, len(c.Records))
		for i, text := range c.Records {
			if ids[i], err = findRecord(ctx, client, table, text); err != nil {
				return err
			}
		}
		done.Count = len(ids)
		err = client.Send(ctx, rowhouse.Request{
			Method: http.MethodDelete, Path: path, Body: map[string]any{"ids": ids},
		}, &done)
	} else {
		f, parseErr := parseFilter(c.Filter)
		if parseErr != nil {
			return parseErr
		}
		body := map[string]any{"filters": f.filters, "plan": true}
		var plan rowhouse.BulkResult
		request := rowhouse.Request{Method: http.MethodDelete, Path: path + "/where", Body: body}
		if err := client.Send(ctx, request, &plan); err != nil {
			return f.explain(err)
		}
		if plan.Count == 0 {
			fmt.Fprintln(to.Err, "No record is found.")
			return nil
		}
		var titles []string
		for _, one := range plan.Sample {
			titles = append(titles, one.Title)
		}
		fmt.Fprintf(to.Err, "This deletes %s of %s: %s\n", counted(plan.Count, "record"), table.Name,
			problem.List(titles))
		if err := confirm(to, c.Yes); err != nil {
			return err
		}
		delete(body, "plan")
		body["apply"] = plan.PlanToken
		request.Once = true // a plan can be applied once
		err = client.Send(ctx, request, &done)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(to.Err, "Deleted %s. rowhouse revert %s brings them back.\n", counted(done.Count, "record"),
		done.ChangeSet)
	return nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// confirm asks a person whether to go on. Where nobody can answer, only --yes goes on.
func confirm(to Streams, yes bool) error {
	if yes {
		return nil
	}
	if !isTerminal(to.In) {
		return fail(StatusUsage, "nothing was changed: give --yes where nobody can be asked")
	}
	fmt.Fprint(to.Err, "Go on? [y/N] ")
	line, err := bufio.NewReader(to.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return fail(StatusFailure, "nothing was changed")
	}
	return nil
}
