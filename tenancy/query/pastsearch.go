package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// search writes the condition that a search finds a record t as it was. It has the meaning of
// gate.find_records, which reads the present: the text of the fields, the present names of people, and
// the primary fields of linked records. tables are the common table expressions with the linked tables,
// and names those with the linked records that are found; tables go before those of the table itself,
// and names after them.
func (p *Past) search(c *Compiler, s *Search) (tables, names []CTE, condition string) {
	patterns := make([]string, len(s.pattern))
	var alternatives []string
	for i, pattern := range s.pattern {
		placeholder := c.Add(pattern)
		patterns[i] = "gate.search_fold(" + placeholder + "::text)"
		alternatives = append(alternatives, p.searchText(s.Columns)+" like "+patterns[i])
		if len(s.live) > 0 {
			alternatives = append(alternatives, foldedText(s.live)+" like "+patterns[i])
		}
		if s.seesPeople() {
			alternatives = append(alternatives, s.holdsPeople(s.people(c, placeholder))...)
		}
	}
	known := []*schema.Table{p.now}
	for links := range slices.Chunk(s.Links, 4) {
		f, linked := p.linkOf(links[0], links[1] == 1), p.schema.TableByNumber(links[2])
		if f == nil || linked == nil {
			continue
		}
		if !slices.Contains(known, linked) {
			known = append(known, linked)
			other := &side{table: linked, from: everything(linked)}
			tables = append(append(tables, other.ctes()...), other.past())
		}
		then := linked.ReadFrom("past_"+itoa(linked.Number), pastPairs)
		found := make([]string, len(patterns))
		for i, pattern := range patterns {
			found[i] = "gate.search_fold(" + then.Title() + ") like " + pattern
		}
		name := "named_" + itoa(f.Number)
		names = append(names, CTE{
			Name: name,
			Body: "select t.id from " + then.TitleFrom() + " where " + strings.Join(found, " or "),
		})
		alternatives = append(alternatives, fmt.Sprintf("exists (select from %s l where l.%s in (select o.id from %s "+
			"o))",
			pastPairs(f), f.Link.Other, name))
	}
	return tables, names, "(" + strings.Join(alternatives, " or ") + ")"
}

// linkOf finds the link field of the table on a side of a join table.
func (p *Past) linkOf(join int32, isA bool) *schema.Field {
	for _, f := range p.now.Fields {
		if f.Link != nil && f.Link.Number == join && (f.Link.Own == "a") == isA {
			return f
		}
	}
	return nil
}

// textOf maps types of columns to the functions of gate.search_text.
var textOf = map[string]string{
	"text": "coalesce(%s, '')", "double precision": "coalesce(gate.number_text(%s), '')",
	"date": "coalesce(gate.date_text(%s), '')", "timestamptz": "coalesce(gate.timestamp_text(%s), '')",
	"text[]": "coalesce(gate.list_text(%s), '')",
}

// searchText is the expression that gate.search_text writes, for a record t.
func (p *Past) searchText(columns []int32) string {
	var texts []string
	for _, number := range columns {
		column, kind := "", ""
		switch number {
		case -1:
			column, kind = "t.created_at", "timestamptz"
		case -2:
			column, kind = "t.updated_at", "timestamptz"
		default:
			i := slices.IndexFunc(p.now.Fields, func(f *schema.Field) bool { return f.Number == number })
			if i < 0 || p.now.Fields[i].Info().Column == "" {
				continue
			}
			column, kind = "t."+p.now.Fields[i].Column(), p.now.Fields[i].Info().Column
		}
		text := textOf[kind]
		if text == "" {
			text = "coalesce(%s::text, '')"
		}
		texts = append(texts, fmt.Sprintf(text, column))
	}
	if len(texts) == 0 {
		return "gate.search_fold('')"
	}
	return "gate.search_fold(" + strings.Join(texts, " || chr(31) || ") + ")"
}

// holdsPeople are the conditions that a record t has one of some people in a field.
func (s *Search) holdsPeople(people string) []string {
	conditions := make([]string, len(s.Users))
	for i, number := range s.Users {
		switch number {
		case -3:
			conditions[i] = "t.created_by = any (" + people + ")"
		case -4:
			conditions[i] = "t.updated_by = any (" + people + ")"
		default:
			conditions[i] = fmt.Sprintf(`t."f_%d" && %s`, number, people)
		}
	}
	return conditions
}
