package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	maxSearchResults = 20              // per search
	maxNames         = 5               // of bases and tables, if records need the space
	searchTimeout    = 8 * time.Second // after which it searches no further bases
)

var searchTool = standalone{
	Def: operation.Def{
		Name: "search", Title: "Search everything",
		Summary: "Find bases, tables and records by words, in any order and with a typo, best first.",
		Description: "Searches everything that you can access. For one table with filters, use " +
			operation.ListRecords.Name + ". Returns up to 20 results with the ids that fetch takes, and a note on " +
			"what was not searched.",
		Agent: operation.Agent{List: operation.ListCore},
	},
	parameter: "query",
	output: object([]string{"results"}, map[string]*jsonschema.Schema{
		"results": {Type: "array", Items: documentSchema()},
	}),
	run: func(ctx context.Context, s *server, c *caller, text string, _ int) (any, error) {
		return s.search(ctx, c, text)
	},
}

// A searchResult is one result of a search, or a whole document.
type searchResult struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text,omitempty"` // of a result, a part of the record in which a word was found
	URL   string `json:"url"`
}

// search finds bases and tables by their names, and records by their words. Records that have the
// exact words come before records with a typo, whichever base they are in.
func (s *server) search(ctx context.Context, c *caller, text string) (*searchResponse, error) {
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
			found.period = hits.Period
			found.add(b, &hits)
		}
	}
	return s.respond(&found, len(words) > 0), nil
}

// searched is what a search has found so far.
type searched struct {
	names  []searchResult
	hits   []foundRecord
	near   int    // of hits: how well they match, see nearness
	more   bool   // there are more hits
	unread int    // tables that were not searched because time ran out
	period string // how a time in the text was understood
}

// A foundRecord is a hit in a base.
type foundRecord struct {
	operation.SearchHit
	base *schema.Base
}

// How well a hit matches, best first.
const (
	nearWords   = iota // it has the exact words
	nearTime           // it has them, but belongs to another time
	nearTypo           // it has them with one letter different
	nearMissing        // it lacks a word
)

func nearness(hit *operation.SearchHit) int {
	switch {
	case hit.Missing > 0:
		return nearMissing
	case hit.Typo:
		return nearTypo
	case hit.Undated:
		return nearTime
	}
	return nearWords
}

// add adds the hits of a base. Better matches displace the others.
func (f *searched) add(b *schema.Base, found *operation.SearchHits) {
	if len(found.Results) == 0 {
		return
	}
	near := nearness(&found.Results[0])
	switch {
	case len(f.hits) > 0 && near > f.near:
		return
	case near < f.near:
		f.hits, f.more = nil, false
	}
	f.near = near
	f.more = f.more || found.HasMore
	for _, hit := range found.Results {
		f.hits = append(f.hits, foundRecord{hit, b})
	}
}

// named lists a base and its tables whose names contain all of some words.
func (s *server) named(b *schema.Base, words []string) (names []searchResult) {
	has := func(name string) bool {
		key := naming.SearchKey(name)
		missing := func(word string) bool { return !strings.Contains(key, naming.SearchKey(word)) }
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

// A searchResponse is the output of search.
type searchResponse struct {
	Results []searchResult `json:"results"`
	Note    string         `json:"note,omitempty"`
}

// respond returns the hits of a search, and says what is missing.
func (s *server) respond(found *searched, hasWords bool) *searchResponse {
	response := &searchResponse{Results: []searchResult{}}
	slices.SortStableFunc(found.hits, func(a, b foundRecord) int { return cmp.Compare(b.Score, a.Score) })
	names := found.names
	if room := max(maxNames, maxSearchResults-len(found.hits)); len(names) > room {
		names, found.more = names[:room], true
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
		notes = append(notes, fmt.Sprintf("There are more than these %d; search for more words, or one table with %s.",
			len(response.Results), operation.SearchRecords.Name))
	}
	if found.unread > 0 {
		notes = append(notes, fmt.Sprintf("The search is incomplete: time ran out before %d tables were searched. "+
			"Search them with %s.", found.unread, operation.SearchRecords.Name))
	}
	if found.period != "" {
		notes = append(notes, "The time is understood as "+found.period+", in date fields.")
	}
	switch {
	case len(found.hits) > 0 && found.near == nearTime:
		notes = append(notes, "No record of that time has the words; these are of other times.")
	case len(found.hits) > 0 && found.near == nearTypo:
		notes = append(notes, "No record has the words as given; these have them with one letter different.")
	case len(found.hits) > 0 && found.near == nearMissing:
		notes = append(notes, "No record has all the words; these lack one of them.")
	case hasWords && len(response.Results) == 0:
		notes = append(notes, "Nothing has these words, nor all but one of them. Search for fewer or other words"+
			map[bool]string{true: ", without the time"}[found.period != ""]+", or list what there is with "+
			operation.DescribeBase.Name+" and "+operation.ListRecords.Name+".")
	}
	response.Note = strings.Join(notes, " ")
	return response
}

// searchBase searches a base with the caller's rights.
func (s *server) searchBase(ctx context.Context, c *caller, base, text string) (operation.SearchHits, error) {
	var found operation.SearchHits
	input, err := json.Marshal(map[string]any{"baseId": base, "q": text, "limit": maxSearchResults})
	if err != nil {
		return found, fmt.Errorf("encoding a search: %w", err)
	}
	result, err := operation.SearchBase.Do(ctx, s.Deps, c.call(ctx, input))
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
