package operation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/jackc/pgerrcode"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Bounds of a search of a base.
const (
	maxSearchHits      = 50
	defaultSearchHits  = 20
	searchConcurrency  = 2               // tables that are searched at a time
	searchTime         = 4 * time.Second // after which no further table is searched
	maxSnippet         = 120             // characters
	maxTitleCharacters = 200
)

// A SearchHit is a record that a search has found.
type SearchHit struct {
	ID      string `json:"id"`
	TableID string `json:"tableId"`
	Table   string `json:"table"`
	Title   string `json:"title"            jsonschema:"the primary value"`
	Snippet string `json:"snippet,omitzero" jsonschema:"the first other field in which a word was found"`
	Typo    bool   `json:"typo,omitzero"    jsonschema:"found with one letter different, as nothing has the words given"`
	Missing int    `json:"missing,omitzero" jsonschema:"how many of the words it lacks, as nothing has all of them"`
	Undated bool   `json:"undated,omitzero" jsonschema:"of another time than asked for, as nothing of that time was found"`
	Score   int    `json:"score"            jsonschema:"higher is better"`
}

// SearchHits are the records that a search has found, best first.
type SearchHits struct {
	Results  []SearchHit `json:"results"`
	Tables   int         `json:"tables"   jsonschema:"of the base"`
	Searched int         `json:"searched" jsonschema:"how many of them were searched; fewer if time ran out"`
	HasMore  bool        `json:"hasMore"`
	Period   string      `json:"period,omitzero" jsonschema:"how a time in q was understood: the first and the last day"`
}

// SearchBase finds words in all tables of a base.
var SearchBase = New(Def{
	Name: "search_base", Method: "GET", Path: "/bases/{baseId}/search", Title: "Search base",
	Summary: "Find the records of a base that have all the given words, in any field and any order.",
	Description: "Words are also found as parts of others, ignoring case and accents. If nothing has them, words of " +
		"four letters and more are found with one letter wrong, missing or too many. Times in English, as last " +
		"March, Q2 2026 or 3 May, are looked for in dates. The best come first: those whose primary value is what " +
		"was searched for, begins with it, or has it.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true, Heavy: true,
	Agent: Agent{NotATool: "the tool search searches all bases in this way"},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Q     string `json:"q" minLength:"1" maxLength:"1000"`
	Limit int    `json:"limit,omitzero" min:"1" max:"50" default:"20"`
},
) (SearchHits, error) {
	if len(query.Words(in.Q)) == 0 {
		return SearchHits{}, problem.Invalid("q", "has no letter or digit to search for")
	}
	if in.Limit == 0 {
		in.Limit = defaultSearchHits
	}
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return SearchHits{}, err
	}
	base := snapshot.Base(c.Target.ID)
	if base == nil {
		return SearchHits{}, problem.NotFound("base", in.BaseID)
	}
	out := SearchHits{Results: []SearchHit{}, Tables: len(base.Tables)}
	ends := time.Now().Add(searchTime)
	tables, err := c.Records.BySize(ctx, snapshot, base.Tables)
	if err != nil {
		return SearchHits{}, err
	}
	search := wordSearch{Call: c, searchText: readSearch(in.Q, base.TimeZone, time.Now()), limit: in.Limit + 1}
	if search.period != nil {
		out.Period = search.period.String()
	}
	for _, search.attempt = range attempts {
		hits, searched, err := search.tables(ctx, tables, ends)
		if err != nil {
			return SearchHits{}, err
		}
		if out.Results = withoutThose(out.Results, hits); !search.dated {
			out.Searched = searched
		}
		asGiven := search.attempt == attempts[0] && search.period != nil
		if len(out.Results) > 0 && !asGiven || time.Now().After(ends) {
			break
		}
	}
	// Tables are searched by size, which counts records that are hidden from the person, so that it must not show.
	place := map[string]int{}
	for i, t := range base.Tables {
		place[t.PublicID()] = i
	}
	slices.SortStableFunc(out.Results, func(a, b SearchHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(place[a.TableID], place[b.TableID]))
	})
	if out.HasMore = len(out.Results) > in.Limit; out.HasMore {
		out.Results = out.Results[:in.Limit]
	}
	return out, nil
})

// A wordSearch is one search through tables.
type wordSearch struct {
	*Call
	searchText
	attempt
	limit int // hits of a table
}

// tables searches tables until time runs out. It returns the hits and the number of searched
// tables, which excludes tables whose search took too long.
func (w *wordSearch) tables(
	ctx context.Context, tables []*schema.Table, ends time.Time,
) (hits []SearchHit, searched int, err error) {
	for chunk := range slices.Chunk(tables, searchConcurrency) {
		if searched > 0 && time.Now().After(ends) {
			break
		}
		found, timedOut := make([][]SearchHit, len(chunk)), make([]bool, len(chunk))
		var group errgroup.Group
		for i, t := range chunk {
			group.Go(func() error {
				var err error
				var period *query.Period
				if w.dated {
					period = w.period
				}
				for _, words := range w.asked(&w.searchText, t) {
					var hits []SearchHit
					err = errors.Join(err, w.Records.FindWords(ctx, w.actor(), t.ID, words, w.typos, period, w.limit,
						func(n int, r record.Record, rank int) { hits = append(hits[:n], w.hit(t, r, rank)) }))
					found[i] = withoutThose(found[i], hits)
				}
				switch {
				case problem.KindOf(err) == problem.KindNotFound: // the table has been deleted
					found[i] = nil
				case isTimeout(err) && ctx.Err() == nil:
					found[i], timedOut[i] = nil, true
				default:
					return err
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return nil, searched, err
		}
		for _, late := range timedOut {
			if !late {
				searched++
			}
		}
		hits = slices.Concat(hits, slices.Concat(found...))
	}
	return hits, searched, nil
}

// isTimeout reports whether PostgreSQL ended a statement because it took too long, or waited too long for a lock.
func isTimeout(err error) bool {
	return pgerror.Is(err, pgerrcode.QueryCanceled, pgerrcode.LockNotAvailable)
}

// scores maps the ranks of a search to scores.
var scores = map[int]int{
	query.RankEqual: 100, query.RankPrefix: 80, query.RankContains: 70, query.RankAllWords: 60, query.RankSomeWord: 40,
	query.RankNone: 20,
}

// hit describes a found record.
func (w *wordSearch) hit(t *schema.Table, raw []byte, rank int) SearchHit {
	var record struct {
		ID     string                     `json:"id"`
		Fields map[string]json.RawMessage `json:"fields"`
	}
	if json.Unmarshal(raw, &record) != nil {
		return SearchHit{} // it was encoded here
	}
	hit := SearchHit{
		ID:      record.ID,
		TableID: t.PublicID(),
		Table:   w.schemaName(t.Name),
		Typo:    w.typos,
		Score:   scores[rank],
		Missing: w.missing,
		Undated: w.significant && w.period != nil,
	}
	primary := t.Primary()
	if primary != nil {
		hit.Title = TitleOf(record.Fields[primary.Name])
	}
	for _, f := range t.Fields {
		value := PlainText(record.Fields[f.Name])
		if f == primary || hit.Snippet != "" || f.Link != nil || f.Info().People { // people are ids here
			continue
		}
		if at := firstOf(value, w.words); at >= 0 {
			hit.Snippet = f.Name + ": " + around(value, at)
		}
	}
	own := query.Words(naming.SearchKey(hit.Title))
	if rank == query.RankAllWords && !w.dated && !slices.ContainsFunc(w.words,
		func(word string) bool { return !slices.Contains(own, naming.SearchKey(word)) }) {
		hit.Score = 65 // whole words
	}
	switch {
	case w.typos, w.missing > 0, hit.Undated:
		hit.Score /= 2
	case w.dated:
		hit.Score += 25 // the time fits as well
	}
	return hit
}

// firstOf returns where the first of some words begins in a text, ignoring accents, or -1.
func firstOf(text string, words []string) int {
	key := naming.SearchKey(text)
	first := -1
	for _, word := range words {
		if at := strings.Index(key, naming.SearchKey(word)); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	if first < 0 {
		return first
	}
	passed := 0 // in the key, whose lengths differ from the text
	for i, r := range text {
		if passed >= first {
			return i
		}
		passed += len(naming.SearchKey(string(r)))
	}
	return len(text)
}

// PlainText returns a value as text: a string, or the JSON of others.
func PlainText(value []byte) string {
	var text string
	if len(value) == 0 || string(value) == "null" {
		return ""
	}
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// TitleOf returns a primary value as the title of its record, cut where it is long.
func TitleOf(value []byte) string { return shortened(PlainText(value), maxTitleCharacters) }

// around returns the part of a text around a position.
func around(text string, at int) string {
	from := max(0, min(at, len(text))-maxSnippet/3)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	part := shortened(strings.Join(strings.Fields(text[from:]), " "), maxSnippet)
	if from > 0 {
		return "…" + part
	}
	return part
}

func shortened(text string, characters int) string {
	if runes := []rune(text); len(runes) > characters {
		return string(runes[:characters]) + "…"
	}
	return text
}
