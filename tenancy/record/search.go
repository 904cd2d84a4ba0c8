package record

import (
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A search is text that is looked for in every field that a reader sees text in. The looking is done by gate.find_records, which
// alone may use a trigram index under row-level security.
type search struct {
	table   *schema.Table
	text    string
	pattern []string // of LIKE, one for each form in which the text may have been composed
	columns []int32  // numbers of fields with a column of their own; -1 and -2 are the record's times
	users   []int32  // numbers of user fields; -3 and -4 are the record's authors
	links   []int32  // four numbers for each link, as gate.find_records takes them
	linked  []int32  // numbers of the linked tables, whose records are seen here too
}

func newSearch(s *schema.Snapshot, t *schema.Table, text string) (*search, error) {
	if err := checkSearch("search", text); err != nil {
		return nil, err
	}
	out := &search{table: t, text: text, columns: searchColumns(t), users: []int32{}, links: []int32{}}
	for _, form := range naming.Forms(text) {
		out.pattern = append(out.pattern, "%"+escapeLike(form)+"%")
	}
	for _, f := range t.Fields {
		switch f.Type.Info().Shape { //nolint:exhaustive // the shapes that are not in a column as text
		case schema.ShapeUser:
			number := f.Number
			switch f.Type { //nolint:exhaustive // the users that the service writes
			case schema.CreatedBy:
				number = -3
			case schema.LastModifiedBy:
				number = -4
			}
			out.users = append(out.users, number)
		case schema.ShapeLink:
			linked := s.Table(f.Link.LinkedTable)
			if linked == nil || linked.Primary() == nil {
				continue
			}
			side := int32(0)
			if f.Link.Own == "a" {
				side = 1
			}
			out.links = append(out.links, f.Link.Number, side, linked.Number, linked.Primary().Number)
			if linked != t && !slices.Contains(out.linked, linked.Number) {
				out.linked = append(out.linked, linked.Number)
			}
		}
	}
	return out, nil
}

// searchColumns lists the columns of a table that hold text as a reader sees it, in the form that gate.search_text takes.
func searchColumns(t *schema.Table) []int32 {
	columns := []int32{}
	for _, f := range t.Fields {
		switch f.Type.Info().Shape {
		case schema.ShapeText, schema.ShapeNumber, schema.ShapeDate, schema.ShapeChoice, schema.ShapeChoices, schema.ShapeJSON:
			columns = append(columns, f.Number)
		case schema.ShapeMoment:
			switch f.Type {
			case schema.CreatedTime:
				columns = append(columns, -1)
			case schema.LastModifiedTime:
				columns = append(columns, -2)
			default:
				columns = append(columns, f.Number)
			}
		case schema.ShapeBool, schema.ShapeUser, schema.ShapeAttachment, schema.ShapeLink, schema.ShapeNone:
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// people reports whether what is found depends on the names of people.
func (s *search) people() bool { return len(s.users) > 0 }

// inOrder reports whether call yields the places in the order of the records, each once.
func (s *search) inOrder() bool { return len(s.pattern) == 1 }

// call returns the call of gate.find_records, which yields the places (ctid) of the records that are found; they are good in the same statement.
// org is the organization's placeholder and most an expression, null for no bound.
func (s *search) call(q *query, org, most string) string {
	calls := make([]string, len(s.pattern))
	for i, pattern := range s.pattern {
		calls[i] = s.find(q, org, most, q.arg(pattern))
	}
	return strings.Join(calls, " || ")
}

func (s *search) find(q *query, org, most, pattern string) string {
	people := "'{}'::uuid[]"
	if s.people() {
		people = "array(select m.person_id from rowhouse.member m join rowhouse.person u on u.id = m.person_id where m.org_id = " + org + " and (gate.fold(u.name) like gate.fold(" +
			pattern + "::text) or u.email like gate.fold(" + pattern + "::text)))"
	}
	return "gate.find_records(" + q.arg(organization.SchemaName(s.table.Org)) + "::text, " + q.arg(s.table.Number) + "::integer, " + q.arg(searchIndexName(s.table)) + "::text, " +
		q.arg(s.columns) + "::integer[], " + pattern + "::text, (" + most + ")::bigint, " + people + ", " + q.arg(s.users) + "::integer[], " + q.arg(s.links) + "::integer[])"
}
