package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func fetchTool() *tool {
	input := closed(object([]string{"id"}, map[string]*jsonschema.Schema{
		"id": property("string", "the id of a base, table or record, from search"),
	}))
	text := map[string]*jsonschema.Schema{
		"id":    {Type: "string"},
		"title": {Type: "string"},
		"text":  {Type: "string"},
		"url":   {Type: "string"},
	}
	output := object([]string{"id", "title", "url"}, text)
	return &tool{
		input: input, scopes: []authz.Scope{authz.SchemaRead, authz.DataRead}, quotes: true,
		list: operation.ListCore,
		listed: newListedTool(operation.Def{
			Name: "fetch", Title: "Fetch a document", ReadOnly: true, Idempotent: true,
			Summary: "Get a base, table or record as text, by the id that search returns.",
			Description: "Linked records are named. For values to work with, use get_record. Also reads " +
				"rowhouse://docs/filters and rowhouse://docs/field-types.",
		}, input, outputSchema(output)),
		run: func(ctx context.Context, s *server, c *caller, input []byte, how manner) (operation.Result, error) {
			public, err := requiredText(input, "id")
			if err != nil {
				return operation.Result{}, err
			}
			body, err := s.fetch(ctx, c, public, how.maxTokens)
			return operation.Result{Body: body}, err
		},
	}
}

// A record has what a title and a text need.
type record struct {
	ID     string                    `json:"id"`
	Fields map[string]jsontext.Value `json:"fields"`
}

func (r *record) title(t *schema.Table) string {
	if primary := t.Primary(); primary != nil {
		if value, ok := r.Fields[primary.Name]; ok {
			if title := operation.TitleOf(value); title != "" {
				return title
			}
		}
	}
	return t.Name + " " + r.ID
}

func (s *server) fetch(ctx context.Context, c *caller, public string, budget int) ([]byte, error) {
	document := searchResult{ID: public}
	describe := func(name, parameter string) error {
		op := findOperation(name)
		input, err := json.Marshal(map[string]string{parameter: public})
		if op == nil || err != nil {
			return problem.NotFound("document", public)
		}
		target, err := op.Check(ctx, s.Deps, c.Principal, input)
		if err != nil {
			return err
		}
		result, err := op.Do(ctx, s.Deps, c.call(ctx, input))
		if err != nil {
			return err
		}
		table := ""
		if target.Table != nil {
			table = target.Table.PublicID()
		}
		document.Text = string(result.Body)
		switch parameter {
		case "recordId":
			var r record
			if err := json.Unmarshal(result.Body, &r); err != nil {
				return fmt.Errorf("reading the record: %w", err)
			}
			titles, err := s.linkedTitles(ctx, target, &r)
			if err != nil {
				return err
			}
			document.Title, document.Text = r.title(target.Table), r.text(target.Table, titles)
			document.URL = s.appURL(id.Format(id.Base, target.Base), table, public)
		default:
			var noun struct {
				Name string `json:"name"`
			}
			if err := json.Unmarshal(result.Body, &noun); err != nil {
				return fmt.Errorf("reading the schema: %w", err)
			}
			document.Title = noun.Name
			document.URL = s.appURL(id.Format(id.Base, target.Base), table, "")
		}
		return nil
	}
	for _, doc := range docs {
		if public == scheme+"docs/"+doc.name {
			document.Title, document.Text, document.URL = doc.title, doc.text, public
			return json.Marshal(document)
		}
	}
	var err error
	switch id.KindOf(public) {
	case id.Record:
		err = describe("get_record", "recordId")
	case id.Table:
		err = describe("describe_table", "tableId")
	case id.Base:
		err = describe("describe_base", "baseId")
	default:
		err = problem.Invalid("id",
			"%q is not the id of a base (bas_…), table (tbl_…) or record (rec_…); search returns them", public)
	}
	if err != nil {
		return nil, err
	}
	document.Text = truncateText(document.Text, budget)
	return json.Marshal(document)
}

// truncateText cuts a text so that it fits into a result.
func truncateText(text string, budget int) string {
	const suffix = " … (truncated; the full text is too long for a result)"
	fits := func(text string) bool { return tokens(quote(text)) <= budget-3*noteReserve }
	result := text
	for limit := len(text); !fits(result); limit = limit * 3 / 4 {
		result = strings.ToValidUTF8(text[:limit], "") + suffix
	}
	return result
}

// linkedTitles returns what the records that a record links to are called, by id.
func (s *server) linkedTitles(ctx context.Context, target operation.Target, r *record) (map[string]string, error) {
	var linked []string
	for _, f := range target.Table.Fields {
		linked = append(linked, linkedIDs(f, r.Fields[f.Name])...)
	}
	return s.Deps.LinkedTitles(ctx, target.Org, linked)
}

// linkedIDs are the records that a value of a link field names.
func linkedIDs(f *schema.Field, value jsontext.Value) (ids []string) {
	if f.Type() != "link" || value.Kind() != '[' || json.Unmarshal(value, &ids) != nil {
		return nil
	}
	return ids
}

// text formats a record as lines, in the order of the table's fields. Linked records are named.
func (r *record) text(t *schema.Table, titles map[string]string) string {
	var lines []string
	for _, f := range t.Fields {
		value, ok := r.Fields[f.Name]
		if !ok || value.Kind() == 'n' {
			continue
		}
		text := operation.PlainText(value)
		if linked := linkedIDs(f, value); linked != nil {
			names := make([]string, len(linked))
			for i, public := range linked {
				names[i] = cmp.Or(titles[public], public)
			}
			text = strings.Join(names, ", ")
		}
		lines = append(lines, f.Name+": "+text)
	}
	return strings.Join(lines, "\n")
}
