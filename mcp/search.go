package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/sync/errgroup"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The tools search and fetch have the form that assistants expect of any knowledge source: results
// with id, title and url, and a document with id, title, text and url. Both call operations of the
// catalogue with the caller's own rights.

const (
	maxSearchResults   = 20              // per search
	maxResultsPerTable = 5               // per table
	maxTitleLength     = 200             // characters
	searchConcurrency  = 4               // tables that a search reads concurrently
	searchTimeout      = 8 * time.Second // after which it reads no further tables
)

func property(kind, description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: kind, Description: description}
}

func object(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: properties, Required: required, PropertyOrder: required}
}

func closed(s *jsonschema.Schema) *jsonschema.Schema {
	s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	return s
}

func searchTool() *tool {
	input := closed(
		object([]string{"query"}, map[string]*jsonschema.Schema{"query": {Type: "string"}}),
	)
	result := object([]string{"id", "title", "url"}, map[string]*jsonschema.Schema{
		"id":    {Type: "string"},
		"title": {Type: "string"},
		"url":   {Type: "string"},
	})
	output := object(nil, map[string]*jsonschema.Schema{"results": {Type: "array", Items: result}})
	return &tool{
		input: input, scopes: []authz.Scope{authz.SchemaRead, authz.DataRead},
		listed: newListedTool(operation.Def{
			Name: "search", Title: "Search everything", ReadOnly: true, Idempotent: true,
			Summary: "Find bases, tables and records that contain a text.",
			Description: "Searches every table that you can access; a note says if it could not. Up to 20 results, " +
				"for fetch. search_records searches one table.",
		}, input, output),
		run: func(ctx context.Context, s *server, c *caller, input []byte, _ manner) ([]byte, error) {
			query, err := requiredText(input, "query")
			if err != nil {
				return nil, err
			}
			return s.search(ctx, c, query)
		},
	}
}

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
	output := object(nil, text)
	return &tool{
		input: input, scopes: []authz.Scope{authz.SchemaRead, authz.DataRead},
		listed: newListedTool(operation.Def{
			Name: "fetch", Title: "Fetch a document", ReadOnly: true, Idempotent: true,
			Summary: "Get a search result as text.",
			Description: "Accepts the id of a base, table or record, or rowhouse://docs/filters or " +
				"rowhouse://docs/field-types.",
		}, input, output),
		run: func(ctx context.Context, s *server, c *caller, input []byte, how manner) ([]byte, error) {
			public, err := requiredText(input, "id")
			if err != nil {
				return nil, err
			}
			return s.fetch(ctx, c, public, how.form.maxTokens)
		},
	}
}

// requiredText returns the only argument of search and fetch.
func requiredText(input []byte, name string) (string, error) {
	a := &arguments{}
	if err := eachMember(
		input, func(name string, value jsontext.Value) { a.members = append(a.members, argument{name, value}) },
	); err != nil {
		return "", problem.Invalid("", "The arguments must be one JSON object.")
	}
	for _, m := range a.members {
		if m.name != name {
			return "", problem.Invalid(m.name, "is unknown%s; the valid names are %s",
				problem.DidYouMean(m.name, []string{name}), name)
		}
	}
	text, ok := a.stringValue(name)
	if text = strings.TrimSpace(text); !ok || text == "" {
		return "", problem.Invalid(name, "is required and must be a non-empty string")
	}
	return text, nil
}

// A searchResult is one result of a search.
type searchResult struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

func (s *server) search(ctx context.Context, c *caller, query string) ([]byte, error) {
	results := []searchResult{}
	var tables []*schema.Table
	lower := naming.Key(query)
	for _, m := range c.Orgs {
		snapshot, err := s.Deps.Schema.Fresh(ctx, m.Org)
		if err != nil {
			return nil, err
		}
		for _, b := range snapshot.Bases {
			if !c.ReachesBase(b.ID) {
				continue
			}
			if strings.Contains(naming.Key(b.Name), lower) {
				results = append(results, searchResult{b.PublicID(), "Base " + b.Name, s.appURL(b.PublicID(), "", "")})
			}
			for _, t := range b.Tables {
				if strings.Contains(naming.Key(t.Name), lower) {
					results = append(results, searchResult{
						t.PublicID(), "Table " + b.Name + "/" + t.Name, s.appURL(b.PublicID(), t.PublicID(), ""),
					})
				}
				tables = append(tables, t)
			}
		}
	}
	found, read, err := s.searchTables(ctx, c, query, tables, maxSearchResults-len(results))
	if err != nil {
		return nil, err
	}
	results = append(results, found...)
	response := struct {
		Results []searchResult `json:"results"`
		Note    string         `json:"note,omitempty"`
	}{Results: results[:min(len(results), maxSearchResults)]}
	switch {
	case read < len(tables) && len(results) >= maxSearchResults:
		response.Note = fmt.Sprintf("There may be more: %d results were found after reading %d of %d tables. "+
			"Search for a longer text, or search one table with search_records.",
			maxSearchResults, read, len(tables))
	case read < len(tables):
		response.Note = fmt.Sprintf("The search is incomplete: it timed out after %d of %d tables. "+
			"Search the others with search_records.", read, len(tables))
	}
	return json.Marshal(response)
}

// searchTables searches tables in order, several at a time, until it has found limit records or
// time has run out. It returns the results and the number of tables read.
func (s *server) searchTables(
	ctx context.Context,
	c *caller,
	query string,
	tables []*schema.Table,
	limit int,
) (results []searchResult, read int, err error) {
	op := findOperation("search_records")
	deadline := time.Now().Add(searchTimeout)
	for len(tables) > 0 && op != nil && len(results) < limit && (read == 0 || time.Now().Before(deadline)) {
		chunk := tables[:min(len(tables), searchConcurrency)]
		tables = tables[len(chunk):]
		found := make([][]searchResult, len(chunk))
		var group errgroup.Group
		for i, t := range chunk {
			group.Go(func() (err error) {
				found[i], err = s.searchTable(ctx, op, c, query, t)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return nil, read, err
		}
		read += len(chunk)
		results = slices.Concat(results, slices.Concat(found...))
	}
	return results, read, nil
}

func (s *server) searchTable(
	ctx context.Context,
	op *operation.Operation,
	c *caller,
	query string,
	t *schema.Table,
) ([]searchResult, error) {
	input, err := json.Marshal(map[string]any{"tableId": t.PublicID(), "q": query, "limit": maxResultsPerTable})
	if err != nil {
		return nil, fmt.Errorf("encoding a search: %w", err)
	}
	result, err := op.Do(ctx, s.Deps, operation.Request{Principal: c.Principal, Raw: input, ID: problem.RequestID(ctx)})
	if err != nil {
		if problem.KindOf(err) == problem.KindNotFound {
			return nil, nil // the table has been deleted
		}
		return nil, err
	}
	var page struct{ Records []record }
	if err := json.Unmarshal(result.Body, &page, json.MatchCaseInsensitiveNames(true)); err != nil {
		return nil, fmt.Errorf("reading the records found: %w", err)
	}
	results := make([]searchResult, len(page.Records))
	for i, r := range page.Records {
		results[i] = searchResult{r.ID, r.title(t), s.appURL(t.Base.PublicID(), t.PublicID(), r.ID)}
	}
	return results, nil
}

// A record has what a title and a text need.
type record struct {
	ID     string                    `json:"id"`
	Fields map[string]jsontext.Value `json:"fields"`
}

func (r *record) title(t *schema.Table) string {
	if primary := t.Primary(); primary != nil {
		if value, ok := r.Fields[primary.Name]; ok {
			if text := plainText(value); text != "" {
				if runes := []rune(text); len(runes) > maxTitleLength {
					text = string(runes[:maxTitleLength]) + "…"
				}
				return text
			}
		}
	}
	return t.Name + " " + r.ID
}

func plainText(value jsontext.Value) string {
	var text string
	if value.Kind() == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	if value.Kind() == 'n' {
		return ""
	}
	return string(value)
}

func (s *server) fetch(ctx context.Context, c *caller, public string, budget int) ([]byte, error) {
	document := struct {
		searchResult
		Text string `json:"text"`
	}{searchResult: searchResult{ID: public}}
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
		result, err := op.Do(ctx, s.Deps, operation.Request{
			Principal: c.Principal,
			Raw:       input,
			ID:        problem.RequestID(ctx),
		})
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
			document.Title, document.Text = r.title(target.Table), r.text(target.Table)
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

// text formats a record as lines, in the order of the table's fields.
func (r *record) text(t *schema.Table) string {
	var lines []string
	for _, f := range t.Fields {
		if value, ok := r.Fields[f.Name]; ok && value.Kind() != 'n' {
			lines = append(lines, f.Name+": "+plainText(value))
		}
	}
	return strings.Join(lines, "\n")
}

// appURL returns the URL of a resource in the web application.
func (s *server) appURL(base, table, record string) string {
	address := s.Deps.BaseURL + "/base/" + base
	if table != "" {
		address += "/" + table
	}
	if record != "" {
		address += "?record=" + record
	}
	return address
}

func findOperation(name string) *operation.Operation {
	catalogue := operation.Tools()
	if i := slices.IndexFunc(catalogue, func(op *operation.Operation) bool { return op.Name == name }); i >= 0 {
		return catalogue[i]
	}
	return nil
}
