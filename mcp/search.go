package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The tools search and fetch have the form that assistants expect of any knowledge source: results
// with id, title and url, and a document with id, title, text and url. Both call operations of the
// catalogue with the caller's own rights.

const (
	maxSearchResults = 20              // per search
	maxNames         = 5               // of bases and tables, if records need the place
	searchTimeout    = 8 * time.Second // after which it searches no further bases
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
			Summary: "Find bases, tables and records by words, in any order and with a typo, best first.",
			Description: "Searches every table that you can access; a note says if it could not. Up to 20 results, " +
				"for fetch.",
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
	Text  string `json:"text,omitempty"` // a part of the record in which a word was found
	URL   string `json:"url"`
}

// search finds bases and tables by their names, and records by their words. Records that have the words as given come
// before those with a typo, whichever base they are in.
func (s *server) search(ctx context.Context, c *caller, text string) ([]byte, error) {
	var found searched
	words := query.Words(text)
	deadline := time.Now().Add(searchTimeout)
	begun := false
	for _, m := range c.Orgs {
		snapshot, err := s.Deps.Schema.Fresh(ctx, m.Org)
		if err != nil {
			return nil, err
		}
		for _, b := range snapshot.Bases {
			if !c.ReachesBase(b.ID) {
				continue
			}
			found.names = append(found.names, s.named(b, words)...)
			switch {
			case len(words) == 0 || len(b.Tables) == 0:
				continue
			case begun && time.Now().After(deadline):
				found.unread += len(b.Tables)
				continue
			}
			begun = true
			hits, err := s.searchBase(ctx, c, b.PublicID(), text)
			if err != nil {
				return nil, err
			}
			found.unread += hits.Tables - hits.Searched
			found.add(b, &hits)
		}
	}
	return s.searchResponse(&found, len(words) > 0)
}

// searched is what a search has found so far.
type searched struct {
	names  []searchResult
	hits   []foundRecord
	typos  bool // of hits
	more   bool // there are more hits
	unread int  // tables that were not searched for want of time
}

// A foundRecord is a hit in a base.
type foundRecord struct {
	operation.SearchHit
	base *schema.Base
}

// add adds what was found in a base. Records that have the words as given displace those with a typo.
func (f *searched) add(b *schema.Base, found *operation.SearchHits) {
	if len(found.Results) == 0 {
		return
	}
	switch typos := found.Results[0].Typo; {
	case len(f.hits) > 0 && typos && !f.typos:
		return
	case f.typos && !typos:
		f.hits, f.more = nil, false
		fallthrough
	default:
		f.typos = typos
	}
	f.more = f.more || found.HasMore
	for _, hit := range found.Results {
		f.hits = append(f.hits, foundRecord{hit, b})
	}
}

// named lists a base and its tables as far as their names have all of some words.
func (s *server) named(b *schema.Base, words []string) (names []searchResult) {
	has := func(name string) bool {
		key := naming.Key(name)
		missing := func(word string) bool { return !strings.Contains(key, word) }
		return len(words) > 0 && !slices.ContainsFunc(words, missing)
	}
	if has(b.Name) {
		names = append(names, searchResult{
			ID: b.PublicID(), Title: "Base " + b.Name, URL: s.appURL(b.PublicID(), "", ""),
		})
	}
	for _, t := range b.Tables {
		if has(t.Name) {
			names = append(names, searchResult{
				ID: t.PublicID(), Title: "Table " + b.Name + "/" + t.Name,
				URL: s.appURL(b.PublicID(), t.PublicID(), ""),
			})
		}
	}
	return names
}

// searchResponse writes what a search has found, and says what is missing of it.
func (s *server) searchResponse(found *searched, hasWords bool) ([]byte, error) {
	response := struct {
		Results []searchResult `json:"results"`
		Note    string         `json:"note,omitempty"`
	}{Results: []searchResult{}}
	slices.SortStableFunc(found.hits, func(a, b foundRecord) int { return cmp.Compare(b.Score, a.Score) })
	names := found.names
	if most := max(maxNames, maxSearchResults-len(found.hits)); len(names) > most {
		names, found.more = names[:most], true
	}
	response.Results = append(response.Results, names...)
	for _, hit := range found.hits {
		title := hit.Title
		if title == "" {
			title = hit.ID
		}
		response.Results = append(response.Results, searchResult{
			ID: hit.ID, Title: title + " (" + hit.base.Name + "/" + hit.Table + ")", Text: hit.Snippet,
			URL: s.appURL(hit.base.PublicID(), hit.TableID, hit.ID),
		})
	}
	if len(response.Results) > maxSearchResults {
		found.more, response.Results = true, response.Results[:maxSearchResults]
	}
	var notes []string
	if !hasWords {
		notes = append(notes, "The query has no letter or digit to search for.")
	}
	if found.more {
		notes = append(notes, fmt.Sprintf("There are more than these %d; search for more words, or one table with "+
			"search_records.", len(response.Results)))
	}
	if found.unread > 0 {
		notes = append(notes, fmt.Sprintf("The search is incomplete: time ran out before %d tables were searched. "+
			"Search them with search_records.", found.unread))
	}
	if found.typos {
		notes = append(notes, "No record has the words as given; these have them with one letter different.")
	}
	response.Note = strings.Join(notes, " ")
	return json.Marshal(response)
}

// searchBase searches a base with the caller's rights.
func (s *server) searchBase(ctx context.Context, c *caller, base, text string) (operation.SearchHits, error) {
	var found operation.SearchHits
	input, err := json.Marshal(map[string]any{"baseId": base, "q": text, "limit": maxSearchResults})
	if err != nil {
		return found, fmt.Errorf("encoding a search: %w", err)
	}
	result, err := operation.SearchBase.Do(ctx, s.Deps,
		operation.Request{Principal: c.Principal, Raw: input, ID: problem.RequestID(ctx)})
	if problem.KindOf(err) == problem.KindNotFound {
		return found, nil // the base has been deleted
	}
	if err != nil {
		return found, err
	}
	if err := json.Unmarshal(result.Body, &found, json.MatchCaseInsensitiveNames(true)); err != nil {
		return found, fmt.Errorf("reading what was found: %w", err)
	}
	return found, nil
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
			lines = append(lines, f.Name+": "+operation.PlainText(value))
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
