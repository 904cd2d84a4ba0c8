package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Search is text that is looked for in every field in which a reader sees text. gate.find_records
// does the search, because only it may use a trigram index under row-level security.
type Search struct {
	table        *schema.Table
	text         string
	pattern      []string        // of LIKE, one for each form in which the text may have been composed
	field.Search                 // what is searched; Linked without the table itself
	live         []*schema.Field // computed fields without a column to search
}

// looksAt reports whether a search computes the values of a field for every record. It does not for
// numbers and days that are never in a column, because they are not worth it.
func looksAt(c *field.Computed) bool {
	return !c.Kept && c.Found == nil && (!c.Foreign || c.Type == "text" || c.Type == "text[]")
}

func newSearch(t *schema.Table, text string) (*Search, error) {
	if err := checkSearch("search", text); err != nil {
		return nil, err
	}
	out := &Search{table: t, text: text}
	out.Search = searchedIn(t)
	for _, f := range t.Fields {
		if f.Computed != nil && looksAt(f.Computed) {
			out.live = append(out.live, f)
		}
	}
	for _, form := range naming.Forms(text) {
		out.pattern = append(out.pattern, "%"+field.EscapeLike(form)+"%")
	}
	out.Linked = slices.DeleteFunc(out.Linked, func(linked int32) bool { return linked == t.Number })
	return out, nil
}

// searchedIn is what a search of a table reads, in the form of gate.find_records and gate.search_text.
func searchedIn(t *schema.Table) field.Search {
	in := field.Search{Columns: []int32{}, Users: []int32{}, Links: []int32{}}
	for _, f := range t.Fields {
		f.Kind.Search(&in, &f.Field)
	}
	slices.Sort(in.Columns)
	in.Columns = slices.Compact(in.Columns)
	return in
}

// SearchIndexName is the name of the search index of a table. It contains the number of the table's
// newest column, so that a table with a new field gets a new index.
func SearchIndexName(t *schema.Table) string {
	newest := int32(0)
	for _, n := range SearchColumns(t) {
		newest = max(newest, n)
	}
	return "s_" + strconv.Itoa(int(t.Number)) + "_" + strconv.Itoa(int(newest))
}

// SearchColumns lists the columns of a table that contain text as a reader sees it.
func SearchColumns(t *schema.Table) []int32 { return searchedIn(t).Columns }

// seesPeople reports whether the result depends on the names of people.
func (s *Search) seesPeople() bool { return len(s.Users) > 0 }

// foreign reports whether the result changes without a stamp: by names of people, or by computed values
// that depend on more than their record.
func (s *Search) foreign() bool {
	return s.seesPeople() || slices.ContainsFunc(s.live, func(f *schema.Field) bool { return f.Computed.Foreign })
}

// inOrder reports whether places yields positions in the order of the records, each once.
func (s *Search) inOrder() bool { return len(s.pattern) == 1 && len(s.live) == 0 }

// maxCalls is the number of patterns from which on a statement passes them as an array.
const maxCalls = 4

// places returns a query that calls gate.find_records, which yields the positions (ctid) of the found
// records; they are valid in the same statement. most is an expression of the table that from names,
// null for no bound.
//
// Without positions (db.Topology.HasPositions) the call yields ids. It reads a table that organizations share, so that
// it runs where these tables are.
func (s *Search) places(c *Compiler, most, from string) string {
	if len(s.pattern) > maxCalls && c.topology.JoinsShared() && from == "" {
		return "select array(select place from unnest(" + c.Add(s.pattern) + "::text[]) p(pattern), unnest(" +
			s.find(c, most, "p.pattern") + ") place) as places"
	}
	calls := make([]string, len(s.pattern))
	for i, pattern := range s.pattern {
		calls[i] = s.find(c, most, c.Add(pattern))
	}
	if len(s.live) > 0 {
		calls = append(calls, s.findLive(c))
	}
	query := Select{Columns: []string{strings.Join(calls, " || ") + " as places"}, From: from}
	if !c.topology.JoinsShared() {
		query.From = strings.Join(
			append([]string{"rowhouse.data_table d"}, slices.DeleteFunc([]string{from}, isEmpty)...), " cross join ",
		)
		query.Where = []string{"d.org_id = " + c.Add(s.table.Org), "d.number = " + c.Add(s.table.Number)}
	}
	return query.String()
}

// findLive searches computed fields without a column, once for all patterns.
func (s *Search) findLive(c *Compiler) string {
	patterns := make([]string, len(s.pattern))
	for i, pattern := range s.pattern {
		patterns[i] = "gate.search_fold(" + c.Add(pattern) + "::text)"
	}
	place := "t.ctid"
	if !c.topology.HasPositions() {
		place = "t.id"
	}
	found := Select{
		Columns: []string{place}, From: s.table.From(s.live),
		Where: []string{foldedText(s.live) + " like any (array[" + strings.Join(patterns, ", ") + "])"},
	}
	return "array(" + found.String() + ")"
}

// foldedText is the text of computed fields of a record t, in the form that gate.search_text gives
// columns.
func foldedText(fields []*schema.Field) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		text := textOf[f.Computed.Type]
		if text == "" {
			text = "coalesce(%s::text, '')"
		}
		texts[i] = fmt.Sprintf(text, "t."+f.Computed.Value)
	}
	return "gate.search_fold(" + strings.Join(texts, " || chr(31) || ") + ")"
}

func isEmpty(s string) bool { return s == "" }

func (s *Search) find(c *Compiler, most, pattern string) string {
	people := "'{}'::uuid[]"
	if s.seesPeople() {
		people = s.people(c, pattern)
	}
	function := "gate.find_records"
	if !c.topology.HasPositions() {
		function = "gate.find_record_ids"
	}
	return function + "(" + c.Add(organization.SchemaName(s.table.Org)) + "::text, " + c.Add(s.table.Number) +
		"::integer, " + c.Add(SearchIndexName(s.table)) + "::text, " +
		c.Add(s.Columns) + "::integer[], " + pattern + "::text, (" + most + ")::bigint, " + people + ", " +
		c.Add(s.Users) + "::integer[], " + c.Add(s.Links) + "::integer[])"
}

// people selects as an array the members of the organization whose names match a pattern.
func (s *Search) people(c *Compiler, pattern string) string {
	return "array(select m.person_id from rowhouse.member m join rowhouse.person u on u.id = m.person_id where " +
		"m.org_id = " + c.Add(s.table.Org) + " and (gate.search_fold(u.name) like gate.search_fold(" + pattern +
		"::text) or u.email like gate.search_fold(" + pattern + "::text)))"
}
