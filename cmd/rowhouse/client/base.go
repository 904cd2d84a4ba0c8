package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
	"github.com/rowhouse/rowhouse/problem"
)

// inBase is the flag of commands that work in one base.
type inBase struct {
	Base string `short:"b" env:"ROWHOUSE_BASE" placeholder:"BASE" help:"Name or id of the base. Default: the only one there is."`
}

type baseListCommand struct {
	connection `embed:""`
	output     `embed:""`
}

func (c *baseListCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	bases, err := client.Bases(ctx)
	if err != nil {
		return err
	}
	sheet := c.sheet(to, "name", "id", "workspaceId", "orgId")
	for _, base := range bases {
		sheet.row(base.Name, base.ID, base.WorkspaceID, base.OrgID)
	}
	return sheet.end()
}

type baseCreateCommand struct {
	connection `embed:""`
	output     `embed:""`

	Name      string `arg:"" help:"Its name."`
	Org       string `placeholder:"ID" help:"The organization, if you belong to several."`
	Workspace string `placeholder:"ID" help:"The workspace. Default: the first of the organization."`
}

func (c *baseCreateCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	body := map[string]any{"name": c.Name}
	if c.Workspace != "" {
		body["workspaceId"] = c.Workspace
	} else if c.Org != "" {
		body["orgId"] = c.Org
	}
	var made rowhouse.Named
	request := rowhouse.Request{Method: http.MethodPost, Path: "/bases", Body: body}
	if err := client.Send(ctx, request, &made); err != nil {
		return err
	}
	return c.named(to, made)
}

// named prints what was made.
func (o *output) named(to Streams, made rowhouse.Named) error {
	sheet := o.sheet(to, "name", "id")
	sheet.row(made.Name, made.ID)
	return sheet.end()
}

type tableListCommand struct {
	connection `embed:""`
	output     `embed:""`

	Base string `arg:"" optional:"" env:"ROWHOUSE_BASE" help:"Name or id of the base. Default: the only one there is."`
}

func (c *tableListCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	id, err := findBase(ctx, client, c.Base)
	if err != nil {
		return err
	}
	base, err := client.Base(ctx, id)
	if err != nil {
		return err
	}
	sheet := c.sheet(to, "name", "id", "fields", "views")
	for _, table := range base.Tables {
		sheet.row(table.Name, table.ID, len(table.Fields), len(table.Views))
	}
	return sheet.end()
}

type tableCreateCommand struct {
	connection `embed:""`
	output     `embed:""`

	Table  string   `arg:"" help:"Base/Name of the new table."`
	Fields []string `arg:"" optional:"" placeholder:"NAME:TYPE" help:"Its fields, the primary one first: Name, Tons:number, Kind:single_select=Ferry,Tug. Without a type, a field is a text."`
}

func (tableCreateCommand) Help() string {
	return `Examples:

  rowhouse table create Harbour/Ships Name Kind:single_select=Ferry,Tug Tons:number Built:date

rowhouse schema apply makes tables with everything that fields can be configured with.`
}

func (c *tableCreateCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	within, name, found := cutLast(c.Table, "/")
	if !found {
		within, name = "", c.Table
	}
	base, err := findBase(ctx, client, within)
	if err != nil {
		return err
	}
	body := map[string]any{"name": name}
	var fields []rowhouse.FieldIn
	for _, text := range c.Fields {
		field, err := parseField(text)
		if err != nil {
			return err
		}
		fields = append(fields, field)
	}
	if fields != nil {
		body["fields"] = fields
	}
	var made rowhouse.Named
	if err := client.Send(ctx, rowhouse.Request{
		Method: http.MethodPost, Path: "/bases/" + base + "/tables", Body: body,
	}, &made); err != nil {
		return err
	}
	return c.named(to, made)
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

// fieldTypes are the types of fields, as their words are in the document of the REST interface.
func fieldTypes() []string {
	return []string{
		"text", "long_text", "number", "currency", "percent", "rating", "duration", "checkbox", "date", "datetime",
		"single_select", "multi_select", "user", "email", "phone", "url", "attachment", "json", "formula", "lookup",
		"rollup", "count", "auto_number", "created_time", "created_by", "last_modified_time", "last_modified_by",
	}
}

// parseField reads NAME:TYPE or NAME:TYPE=OPTION,OPTION. A colon whose rest is no type is part of the name.
func parseField(text string) (rowhouse.FieldIn, error) {
	name, rest, found := cutLast(text, ":")
	if !found {
		return rowhouse.FieldIn{Name: text, Type: rowhouse.FieldTypeText}, nil
	}
	kind, options, hasOptions := strings.Cut(rest, "=")
	field := rowhouse.FieldIn{Name: name, Type: rowhouse.FieldType(kind)}
	if !field.Type.Valid() {
		return field, fail(StatusUsage, "%s: %q is not a type of fields%s; the types are %s", text, kind,
			problem.DidYouMean(kind, fieldTypes()), strings.Join(fieldTypes(), ", "))
	}
	switch {
	case hasOptions && field.Type == rowhouse.FieldTypeFormula:
		field.Config = rowhouse.FieldConfigIn{"formula": options}
	case hasOptions:
		field.Config = rowhouse.FieldConfigIn{"options": strings.Split(options, ",")}
	}
	return field, nil
}

type fieldListCommand struct {
	connection `embed:""`
	output     `embed:""`

	Table string `arg:"" help:"Base/Table, or its id."`
}

func (c *fieldListCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	table, err := findTable(ctx, client, c.Table)
	if err != nil {
		return err
	}
	sheet := c.sheet(to, "name", "type", "id", "options")
	for _, field := range table.Fields {
		options := field.Options
		if options == nil {
			options = []string{}
		}
		sheet.row(field.Name, field.Type, field.ID, options)
	}
	return sheet.end()
}

type fieldAddCommand struct {
	connection `embed:""`
	output     `embed:""`

	Table  string `arg:"" help:"Base/Table, or its id."`
	Field  string `arg:"" placeholder:"NAME:TYPE" help:"The field: Built:date, Kind:single_select=Ferry,Tug, Age:formula=YEAR(TODAY())-Built."`
	Config string `placeholder:"JSON" help:"Configuration of the field, as in the REST interface."`
}

func (c *fieldAddCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	field, err := parseField(c.Field)
	if err != nil {
		return err
	}
	if c.Config != "" {
		if err := json.Unmarshal([]byte(c.Config), &field.Config); err != nil {
			return fail(StatusUsage, "--config is not a JSON object: %v", err)
		}
	}
	table, err := findTable(ctx, client, c.Table)
	if err != nil {
		return err
	}
	var made rowhouse.Named
	err = client.Send(ctx, rowhouse.Request{
		Method: http.MethodPost, Path: "/tables/" + table.ID + "/fields", Body: field,
	}, &made)
	if err != nil {
		return fmt.Errorf("adding %s to %s: %w", field.Name, table.Name, err)
	}
	return c.named(to, made)
}
