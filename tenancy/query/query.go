// Package query compiles requests for records to SQL. A Request is parsed into a Plan: filter, sorts,
// search, page and aggregation as an abstract syntax tree, in which every field is one of the table. A
// Compiler writes the plan as a statement, fragment by fragment: condition, order, search, page and
// total. Lists, searches, aggregations and exports are composed of the same fragments.
//
// The package sends nothing to the database. Package record sends its statements and reads their rows.
package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// How many records a request may list, and how many an export reads at once.
const (
	MaxPage       = 100
	MaxExportPage = 2000
)

const (
	maxSearch = 1000 // characters
	maxOffset = 1 << 40
)

// A Request asks for a part of a table's records.
type Request struct {
	View    string // public id of a view of the table, whose filters and sorts are applied; "" for none
	Search  string // text that any field of a record contains, ignoring case and accents; "" for all
	Filters []byte // JSON, see ParseFilter
	Sorts   []byte // JSON, see ParseSort; replaces the view's
	// Fields are the ids or names of the fields to return, in any order; nil returns all.
	Fields []string
	Limit  int   // 1 to MaxPage
	Export bool  // Limit may be up to MaxExportPage
	Offset int64 // records to skip; not together with Cursor
	Cursor string
	// ColorsOf is the public id of a view of the table, whose rules give the records colours; "" asks for none.
	ColorsOf string
	// ColorRules are rules as those of a view, JSON, and give the records colours instead of these; nil for none.
	ColorRules []byte
	// AsOf asks for the records as they were: at a time in RFC 3339, or before the first change of the
	// change set with an id; "" is now. A cursor has its own.
	AsOf string
}

// A Plan is a Request that fits the table.
type Plan struct {
	Table  *schema.Table
	Fields []*schema.Field // to return; nil returns all
	Filter *Filter
	Sorts  []Sort
	Search *Search // nil for none
	Limit  int
	Offset int64
	Cursor *Cursor // nil for none
	// Problems say where the view's filter no longer fits the table, so that the list is empty. They
	// name nothing of the schema, because the caller may not see it.
	Problems []problem.Item

	colors  *colors          // nil if the request asks for none
	moment  changelog.Moment // 0 for now
	demand  []string         // conditions of Demand, which fail the statement where they do not hold
	live    *Plan            // see Merge
	present *presentValues   // see Present
}

// Parse reads a request of a viewer, who may see only some views of the table.
func Parse(viewer schema.Viewer, t *schema.Table, in *Request) (*Plan, error) {
	return parse(viewer, t, 0, in)
}

// Parse is the function Parse for the records as they were.
func (p *Past) Parse(viewer schema.Viewer, in *Request) (*Plan, error) {
	return parse(viewer, p.Table, p.Moment, in)
}

func parse(viewer schema.Viewer, t *schema.Table, moment changelog.Moment, in *Request) (*Plan, error) {
	var items []problem.Item
	collect := func(err error) { items = append(items, itemsOf(err)...) }
	p := &Plan{Table: t, Limit: in.Limit, Offset: in.Offset, moment: moment}
	most := MaxPage
	if in.Export {
		most = MaxExportPage
	}
	if in.Limit < 1 || in.Limit > most {
		collect(problem.Invalid("limit", "must be a whole number from 1 to %d", most))
	}
	if in.Offset < 0 || in.Offset > maxOffset {
		collect(problem.Invalid("offset", "must be a whole number of 0 or more"))
	}
	if in.Cursor != "" && in.Offset > 0 {
		collect(problem.Invalid("cursor", "cannot be given together with offset"))
	}
	var err error
	p.Filter, err = parseFilter(t, "filters", in.Filters, true)
	collect(err)
	if moment != 0 {
		collect(p.Filter.refusePast())
	}
	p.Sorts, err = ParseSort(t, "sorts", in.Sorts)
	collect(err)
	if in.View != "" {
		filter, sorts, problems, err := viewOf(viewer, t, in.View)
		collect(err)
		if err == nil {
			p.Problems = problems
			p.Filter = both(filter, p.Filter)
			if len(jsonvalue.Trim(in.Sorts)) == 0 {
				p.Sorts = sorts
			}
		}
	}
	if in.ColorsOf != "" || in.ColorRules != nil {
		p.colors, err = colorsOf(viewer, t, in)
		if moment != 0 {
			err = problem.Invalid("colorsOf", "cannot be given together with asOf")
		}
		collect(err)
	}
	if in.Search != "" {
		p.Search, err = newSearch(t, in.Search)
		collect(err)
	}
	if in.Fields != nil {
		p.Fields, err = selectedFields(t, in.Fields)
		collect(err)
	}
	if in.Cursor != "" && len(items) == 0 {
		p.Cursor, err = parseCursor(t, p.Sorts, moment, in.Cursor)
		collect(err)
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items[:min(len(items), maxItems)])
	}
	return p, nil
}

// Position is the number of records of the list before the page, as far as the reader saw.
func (p *Plan) Position() int64 {
	if p.Cursor != nil {
		return p.Cursor.offset
	}
	return p.Offset
}

func both(a, b *Filter) *Filter {
	switch {
	case a.Empty():
		return b
	case b.Empty():
		return a
	}
	return &Filter{parts: []Filter{*a, *b}}
}

// viewOf reads the filters and sorts of a view. If a condition no longer fits its field, the view shows
// nothing, because what it hides must stay hidden until somebody repairs it; see ViewProblems. It
// leaves out sorts that no longer fit.
func viewOf(viewer schema.Viewer, t *schema.Table, view string) (*Filter, []Sort, []problem.Item, error) {
	v, err := ViewNamed(viewer, t, "view", view)
	if err != nil {
		return nil, nil, nil, err
	}
	config := v.Config
	filter, err := ParseFilter(t, "filters", config["filters"])
	var problems []problem.Item
	if wrong := (*problem.Error)(nil); errors.As(err, &wrong) {
		filter = matchNothing()
		for _, item := range wrong.Items {
			problems = append(problems, problem.Item{
				Path: "view.config." + item.Path,
				Message: "no longer fits the table, so the view shows nothing until its " +
					"filter is repaired; get_view says why",
			})
		}
	}
	sorts, _, err := parseSorts(t, "sorts", config["sorts"])
	if err != nil {
		sorts = nil
	}
	return filter, sorts, problems, nil
}

// ViewNamed returns the view of a table that the viewer sees and a public id names, or an error at path.
func ViewNamed(viewer schema.Viewer, t *schema.Table, path, view string) (*schema.View, error) {
	u, err := id.Parse(id.View, view)
	i := slices.IndexFunc(t.Views, func(v *schema.View) bool { return err == nil && v.ID == u && viewer.Sees(v) })
	if i < 0 {
		return nil, problem.Invalid(path, "%s is not a view of %q", field.Quote(view), t.Name)
	}
	return t.Views[i], nil
}

// itemsOf lists what an error says of a request.
func itemsOf(err error) []problem.Item {
	var wrong *problem.Error
	if errors.As(err, &wrong) {
		return wrong.Items
	}
	return nil
}

// selectedFields finds the fields to return, in the table's order.
func selectedFields(t *schema.Table, names []string) ([]*schema.Field, error) {
	var items []problem.Item
	wanted := map[*schema.Field]bool{}
	for i, name := range names {
		f := fieldNamed(t, name)
		if f == nil {
			items = append(items, unknownField(t, fmt.Sprintf("fields[%d]", i), name).Items...)
			continue
		}
		wanted[f] = true
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items)
	}
	fields := []*schema.Field{}
	for _, f := range t.Fields {
		if wanted[f] {
			fields = append(fields, f)
		}
	}
	return fields, nil
}

// checkSearch reports what is wrong with a search text.
func checkSearch(path, text string) error {
	switch {
	case len([]rune(text)) > maxSearch:
		return problem.Invalid(path, "must be at most %d characters long", maxSearch)
	case strings.ToValidUTF8(text, "") != text:
		return problem.Invalid(path, "must be valid UTF-8")
	case strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r'
	}):
		return problem.Invalid(path, "must not contain control characters")
	}
	return nil
}
