package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

var fetchTool = standalone{
	Def: operation.Def{
		Name: "fetch", Title: "Fetch a document",
		Summary: "Get a base, table or record as text, by the id that search returns.",
		Description: "Linked records are named. For values to work with, use " + operation.GetRecord.Name +
			". Also reads rowhouse://docs/filters and rowhouse://docs/field-types.",
		Agent: operation.Agent{List: operation.ListCore},
	},
	parameter: "id", about: "the id of a base, table or record, from search",
	output: documentSchema(),
	run: func(ctx context.Context, s *server, c *caller, public string, budget int) (any, error) {
		return s.fetch(ctx, c, public, budget)
	},
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

// fetch reads the object with an id, or the product's document with an address.
func (s *server) fetch(ctx context.Context, c *caller, public string, budget int) (*searchResult, error) {
	for _, doc := range docs {
		if public == scheme+"docs/"+doc.name {
			return &searchResult{ID: public, Title: doc.title, Text: doc.text, URL: public}, nil
		}
	}
	var document *searchResult
	var err error
	switch id.KindOf(public) {
	case id.Record:
		document, err = s.fetchRecord(ctx, c, public)
	case id.Table:
		document, err = s.fetchSchema(ctx, c, operation.DescribeTable, public)
	case id.Base:
		document, err = s.fetchSchema(ctx, c, operation.DescribeBase, public)
	case id.Attachment:
		err = problem.Invalid("id", "%q is the id of a file; %s reads it, with recordId, which is the record that "+
			"holds it, and attachmentId", public, operation.ReadAttachment.Name)
	default:
		err = problem.Invalid("id",
			"%q is not the id of a base (bas_…), table (tbl_…) or record (rec_…); search returns them", public)
	}
	if err != nil {
		return nil, err
	}
	document.Text = truncateText(document.Text, budget)
	return document, nil
}

func (s *server) fetchRecord(ctx context.Context, c *caller, public string) (*searchResult, error) {
	var r record
	_, target, err := s.readOne(ctx, c, operation.GetRecord, public, &r)
	if err != nil {
		return nil, err
	}
	titles, err := s.linkedTitles(ctx, target, &r)
	return &searchResult{
		ID: public, Title: r.title(target.Table), Text: r.text(target.Table, titles),
		URL: s.appURL(id.Format(id.Base, target.Base), target.Table.PublicID(), public),
	}, err
}

// fetchSchema reads a base or a table by the operation that describes it.
func (s *server) fetchSchema(
	ctx context.Context, c *caller, op *operation.Operation, public string,
) (*searchResult, error) {
	var named struct {
		Name string `json:"name"`
	}
	body, target, err := s.readOne(ctx, c, op, public, &named)
	if err != nil {
		return nil, err
	}
	table := ""
	if target.Table != nil {
		table = target.Table.PublicID()
	}
	return &searchResult{
		ID: public, Title: named.Name, Text: string(body), URL: s.appURL(id.Format(id.Base, target.Base), table, ""),
	}, nil
}

// readOne reads the object that an operation's only path parameter identifies, with the caller's
// rights, and decodes it.
func (s *server) readOne(
	ctx context.Context, c *caller, op *operation.Operation, public string, into any,
) ([]byte, operation.Target, error) {
	var target operation.Target
	input, err := json.Marshal(map[string]string{op.PathParameters()[0]: public})
	if err != nil {
		return nil, target, problem.NotFound("document", public)
	}
	if target, err = op.Check(ctx, s.Deps, c.Principal, input); err != nil {
		return nil, target, err
	}
	result, err := op.Do(ctx, s.Deps, c.call(ctx, input))
	if err != nil {
		return nil, target, err
	}
	if err := json.Unmarshal(result.Body, into); err != nil {
		return nil, target, fmt.Errorf("reading what %s returned: %w", op.Name, err)
	}
	return result.Body, target, nil
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

// linkedTitles returns the titles of the records that a record links to, by id.
func (s *server) linkedTitles(ctx context.Context, target operation.Target, r *record) (map[string]string, error) {
	var linked []string
	for _, f := range target.Table.Fields {
		linked = append(linked, linkedIDs(f, r.Fields[f.Name])...)
	}
	return s.Deps.LinkedTitles(ctx, target.Org, linked)
}

// linkedIDs are the records that a value of a link field contains.
func linkedIDs(f *schema.Field, value jsontext.Value) (ids []string) {
	if f.Type() != "link" || value.Kind() != '[' || json.Unmarshal(value, &ids) != nil {
		return nil
	}
	return ids
}

// text formats a record as lines, in the order of the table's fields. Linked records appear by
// name.
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
