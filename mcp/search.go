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

// search and fetch are what assistants ask of a knowledge source that they know nothing else of: results with id, title and url, and a
// document with id, title, text and url. Both go through the operations of the catalogue, with the caller's own rights.

const (
	mostFound    = 20              // results of a search
	perTable     = 5               // records of one table
	maxTitle     = 200             // characters of a title
	searchAtOnce = 4               // tables that one search reads at a time
	searchWithin = 8 * time.Second // how long it goes on to further tables
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
	input := closed(object([]string{"query"}, map[string]*jsonschema.Schema{"query": property("string", "text to look for, as it is written")}))
	result := object([]string{"id", "title", "url"}, map[string]*jsonschema.Schema{"id": {Type: "string"}, "title": {Type: "string"}, "url": {Type: "string"}})
	output := object(nil, map[string]*jsonschema.Schema{"results": {Type: "array", Items: result}})
	return &tool{
		input: input, scopes: []authz.Scope{authz.SchemaRead, authz.DataRead},
		listed: list(operation.Def{
			Name: "search", Title: "Search everything", ReadOnly: true, Idempotent: true,
			Summary:     "Find bases, tables and records that contain a text.",
			Description: "Searches every table you reach; a note says when not. Returns up to 20 results with id, title and url, for fetch. To search one table, page or filter, use search_records or query_records.",
		}, input, output),
		run: func(ctx context.Context, s *server, c *caller, input []byte, _ string) ([]byte, error) {
			query, err := requiredText(input, "query")
			if err != nil {
				return nil, err
			}
			return s.search(ctx, c, query)
		},
	}
}

func fetchTool() *tool {
	input := closed(object([]string{"id"}, map[string]*jsonschema.Schema{"id": property("string", "of a base, table or record, as search returns it")}))
	text := map[string]*jsonschema.Schema{"id": {Type: "string"}, "title": {Type: "string"}, "text": {Type: "string"}, "url": {Type: "string"}}
	output := object(nil, text)
	return &tool{
		input: input, scopes: []authz.Scope{authz.SchemaRead, authz.DataRead},
		listed: list(operation.Def{
			Name: "fetch", Title: "Fetch a document", ReadOnly: true, Idempotent: true,
			Summary:     "The whole of one search result as text.",
			Description: "Takes the id of a base, table or record, or rowhouse://docs/filters or rowhouse://docs/field-types. Returns id, title, text and url. To work with values, use get_record or describe_table.",
		}, input, output),
		run: func(ctx context.Context, s *server, c *caller, input []byte, _ string) ([]byte, error) {
			public, err := requiredText(input, "id")
			if err != nil {
				return nil, err
			}
			return s.fetch(ctx, c, public)
		},
	}
}

// requiredText reads the only argument of search and fetch.
func requiredText(input []byte, name string) (string, error) {
	a := &arguments{}
	if err := eachMember(input, func(name string, value jsontext.Value) { a.members = append(a.members, argument{name, value}) }); err != nil {
		return "", problem.Invalid("", "The arguments must be one JSON object.")
	}
	for _, m := range a.members {
		if m.name != name {
			return "", problem.Invalid(m.name, "is not known here%s; the valid names are %s", problem.DidYouMean(m.name, []string{name}), name)
		}
	}
	text, ok := a.text(name)
	if text = strings.TrimSpace(text); !ok || text == "" {
		return "", problem.Invalid(name, "is required, and must be a string that is not empty")
	}
	return text, nil
}

// A hit is one result of a search.
type hit struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

func (s *server) search(ctx context.Context, c *caller, query string) ([]byte, error) {
	results := []hit{}
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
				results = append(results, hit{b.PublicID(), "Base " + b.Name, s.address(b.PublicID(), "", "")})
			}
			for _, t := range b.Tables {
				if strings.Contains(naming.Key(t.Name), lower) {
					results = append(results, hit{t.PublicID(), "Table " + b.Name + "/" + t.Name, s.address(b.PublicID(), t.PublicID(), "")})
				}
				tables = append(tables, t)
			}
		}
	}
	found, read, err := s.searchTables(ctx, c, query, tables, mostFound-len(results))
	if err != nil {
		return nil, err
	}
	results = append(results, found...)
	answer := struct {
		Results []hit  `json:"results"`
		Note    string `json:"note,omitempty"`
	}{Results: results[:min(len(results), mostFound)]}
	switch {
	case read < len(tables) && len(results) >= mostFound:
		answer.Note = fmt.Sprintf("There may be more: %d results were found before all tables were read (%d of %d). Search for more of the text, or one table with search_records.",
			mostFound, read, len(tables))
	case read < len(tables):
		answer.Note = fmt.Sprintf("Not everything was searched: time ran out after %d of %d tables. Search the others with search_records.", read, len(tables))
	}
	return json.Marshal(answer)
}

// searchTables looks for records in tables in their order, some at a time, until wanted are found or time has run out. It returns
// what it found and how many of the tables it read.
func (s *server) searchTables(ctx context.Context, c *caller, query string, tables []*schema.Table, wanted int) (results []hit, read int, err error) {
	op := lookUp("search_records")
	until := time.Now().Add(searchWithin)
	for len(tables) > 0 && op != nil && len(results) < wanted && (read == 0 || time.Now().Before(until)) {
		some := tables[:min(len(tables), searchAtOnce)]
		tables = tables[len(some):]
		found := make([][]hit, len(some))
		var group errgroup.Group
		for i, t := range some {
			group.Go(func() (err error) {
				found[i], err = s.searchTable(ctx, op, c, query, t)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return nil, read, err
		}
		read += len(some)
		results = slices.Concat(results, slices.Concat(found...))
	}
	return results, read, nil
}

func (s *server) searchTable(ctx context.Context, op *operation.Operation, c *caller, query string, t *schema.Table) ([]hit, error) {
	input, err := json.Marshal(map[string]any{"tableId": t.PublicID(), "q": query, "limit": perTable})
	if err != nil {
		return nil, fmt.Errorf("asking for records: %w", err)
	}
	answer, err := op.Do(ctx, s.Deps, operation.Request{Principal: c.Principal, Raw: input, ID: problem.RequestID(ctx)})
	if err != nil {
		if problem.KindOf(err) == problem.KindNotFound {
			return nil, nil // deleted meanwhile
		}
		return nil, err
	}
	var page struct{ Records []record }
	if err := json.Unmarshal(answer.Body, &page, json.MatchCaseInsensitiveNames(true)); err != nil {
		return nil, fmt.Errorf("reading the records found: %w", err)
	}
	results := make([]hit, len(page.Records))
	for i, r := range page.Records {
		results[i] = hit{r.ID, r.title(t), s.address(t.Base.PublicID(), t.PublicID(), r.ID)}
	}
	return results, nil
}

// A record, as far as a title and a text need it.
type record struct {
	ID     string                    `json:"id"`
	Fields map[string]jsontext.Value `json:"fields"`
}

func (r *record) title(t *schema.Table) string {
	if primary := t.Primary(); primary != nil {
		if value, ok := r.Fields[primary.Name]; ok {
			if text := plain(value); text != "" {
				if runes := []rune(text); len(runes) > maxTitle {
					text = string(runes[:maxTitle]) + "…"
				}
				return text
			}
		}
	}
	return t.Name + " " + r.ID
}

func plain(value jsontext.Value) string {
	var text string
	if value.Kind() == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	if value.Kind() == 'n' {
		return ""
	}
	return string(value)
}

func (s *server) fetch(ctx context.Context, c *caller, public string) ([]byte, error) {
	document := struct {
		hit
		Text string `json:"text"`
	}{hit: hit{ID: public}}
	describe := func(name, parameter string) error {
		op := lookUp(name)
		input, err := json.Marshal(map[string]string{parameter: public})
		if op == nil || err != nil {
			return problem.NotFound("document", public)
		}
		target, err := op.Check(ctx, s.Deps, c.Principal, input)
		if err != nil {
			return err
		}
		answer, err := op.Do(ctx, s.Deps, operation.Request{Principal: c.Principal, Raw: input, ID: problem.RequestID(ctx)})
		if err != nil {
			return err
		}
		table := ""
		if target.Table != nil {
			table = target.Table.PublicID()
		}
		document.Text = string(answer.Body)
		switch parameter {
		case "recordId":
			var r record
			if err := json.Unmarshal(answer.Body, &r); err != nil {
				return fmt.Errorf("reading the record: %w", err)
			}
			document.Title, document.Text = r.title(target.Table), r.text(target.Table)
			document.URL = s.address(id.Format(id.Base, target.Base), table, public)
		default:
			var noun struct {
				Name string `json:"name"`
			}
			if err := json.Unmarshal(answer.Body, &noun); err != nil {
				return fmt.Errorf("reading the schema: %w", err)
			}
			document.Title = noun.Name
			document.URL = s.address(id.Format(id.Base, target.Base), table, "")
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
		err = problem.Invalid("id", "%q is not the id of a base (bas_…), table (tbl_…) or record (rec_…); search returns them", public)
	}
	if err != nil {
		return nil, err
	}
	document.Text = shorten(document.Text)
	return json.Marshal(document)
}

// shorten cuts a text so that it fits into an answer.
func shorten(text string) string {
	const most, cut = maxResult * 3 / 4, " … (cut; the whole is longer than an answer may be)"
	fits := func(text string) bool { return len(text) <= most && tokens(quote(text)) <= maxTokens-noteRoom }
	short := text
	for limit := min(len(text), most-len(cut)); !fits(short); limit = limit * 3 / 4 {
		short = strings.ToValidUTF8(text[:limit], "") + cut
	}
	return short
}

// text writes a record as lines, in the order of the table's fields.
func (r *record) text(t *schema.Table) string {
	var lines []string
	for _, f := range t.Fields {
		if value, ok := r.Fields[f.Name]; ok && value.Kind() != 'n' {
			lines = append(lines, f.Name+": "+plain(value))
		}
	}
	return strings.Join(lines, "\n")
}

// address is where a person finds a noun in the web application.
func (s *server) address(base, table, record string) string {
	address := s.Deps.BaseURL + "/base/" + base
	if table != "" {
		address += "/" + table
	}
	if record != "" {
		address += "?record=" + record
	}
	return address
}

func lookUp(name string) *operation.Operation {
	catalogue := operation.Tools()
	if i := slices.IndexFunc(catalogue, func(op *operation.Operation) bool { return op.Name == name }); i >= 0 {
		return catalogue[i]
	}
	return nil
}
