package query

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A grouping is what groups records: a field, the records of a link, a field of linked records, an
// option of a multiple select, or the day, week, month, quarter or year of a time. A record that is
// linked to several others is in the group of each.
type grouping struct {
	name   string          // the key in the results
	links  []*schema.Field // on the way to the field
	field  *schema.Field   // with links, of the last linked table; a link field itself stands for its records
	bucket string          // "" for the value itself
	zone   string          // in which a timestamp has a day
}

var bucketOf = regexp.MustCompile(`^([a-z]+)\((.+)\)$`)

func parseGroupings(t *schema.Table, names []string) ([]grouping, error) {
	if len(names) > maxGroupedBy {
		return nil, problem.Invalid("groupBy", "must name at most %d fields", maxGroupedBy)
	}
	var out []grouping
	var items []problem.Item
	for i, name := range names {
		at := fmt.Sprintf("groupBy[%d]", i)
		g, wrong := parseGrouping(t, at, name)
		switch {
		case wrong != nil:
			items = append(items, wrong.Items...)
		case slices.ContainsFunc(out, func(other grouping) bool { return other.name == g.name }):
			items = append(items, problem.Item{Path: at, Message: "is named twice"})
		default:
			out = append(out, g)
		}
	}
	if len(items) > 0 {
		return nil, problem.InvalidItems(items)
	}
	return out, nil
}

// bucketHint says how to group by times, for a request that names an unknown field.
func bucketHint(t *schema.Table) string {
	for _, f := range t.Fields {
		if _, ok := f.Values().(*field.TimeLike); ok {
			return fmt.Sprintf("; times are grouped as in month(%s), or by %s", f.Name, problem.List(schema.Spans))
		}
	}
	return ""
}

func parseGrouping(t *schema.Table, at, name string) (grouping, *problem.Error) {
	bucket := ""
	links, f, wrong := fieldAtPath(t, at, name)
	if found := bucketOf.FindStringSubmatch(name); wrong != nil && found != nil {
		if !slices.Contains(schema.Spans, found[1]) {
			return grouping{}, problem.Invalid(at, "%s is not a span of time%s; the spans are %s",
				field.Quote(found[1]), problem.DidYouMean(found[1], schema.Spans), problem.List(schema.Spans))
		}
		bucket = found[1]
		links, f, wrong = fieldAtPath(t, at, found[2])
	}
	if wrong != nil {
		for i := range wrong.Items {
			wrong.Items[i].Message += bucketHint(t)
		}
		return grouping{}, wrong
	}
	g := grouping{links: links, field: f, bucket: bucket}
	names := make([]string, 0, len(links)+1)
	for _, link := range links {
		names = append(names, link.Name)
	}
	g.name = strings.Join(append(names, f.Name), ".")
	switch {
	case bucket != "":
		kind, ok := f.Values().(*field.TimeLike)
		if !ok {
			return grouping{}, problem.Invalid(at, "%q is %s; %s is of dates", f.Name, f.Type(), bucket)
		}
		if !kind.IsDate() {
			g.zone = kind.Zone(&f.Field)
		}
		g.name = bucket + "(" + g.name + ")"
	case f.Link != nil:
		if linkedTable(f) == nil || linkedTable(f).Primary() == nil {
			return grouping{}, problem.Invalid(at, "%q links to no table", f.Name)
		}
	case !f.MakesGroups():
		return grouping{}, problem.Invalid(at, "%q is %s, which cannot be grouped by", f.Name, f.Type())
	}
	return g, nil
}

// plain reports whether the group is in a column of the record.
func (g *grouping) plain() bool {
	return len(g.links) == 0 && g.field.Link == nil && g.field.Type() != "multi_select"
}

// A groupSQL is a grouping as SQL.
type groupSQL struct {
	join    string   // to the records t; "" for none
	by      []string // expressions
	columns []string // of the key
	order   string
}

// compile writes a grouping. alias names what it joins.
func (g *grouping) compile(c *Compiler, alias string) groupSQL {
	if g.plain() {
		value := g.value(c)
		if g.bucket != "" {
			return groupSQL{by: []string{value}, columns: []string{value}, order: value}
		}
		return groupSQL{by: []string{"t." + g.field.Column()}, columns: []string{value}, order: sortExpression(g.field)}
	}
	out := groupSQL{
		join: " left join (" + g.pairs(c, g.links) + ") " + alias + " on " + alias + ".own = t.id",
		by:   []string{alias + ".k", alias + ".o"}, columns: []string{alias + ".k"}, order: alias + ".o",
	}
	if g.field.Link != nil {
		out.by, out.columns = append(out.by, alias+".title"), append(out.columns, alias+".title")
	}
	return out
}

// value is the value of the field of the record t.
func (g *grouping) value(c *Compiler) string {
	column := "t." + g.field.Column()
	switch {
	case g.bucket == "":
		value, _ := g.field.Grouped()
		return value
	case g.zone != "":
		column += " at time zone " + c.Add(g.zone) + "::text"
	default:
		column += "::timestamp"
	}
	return "date_trunc('" + g.bucket + "', " + column + ")::date"
}

// pairs selects the records of a table, as own, with their groups: the key k, o to sort by, and the
// title of a linked record.
func (g *grouping) pairs(c *Compiler, links []*schema.Field) string {
	if len(links) == 0 {
		return g.values(c)
	}
	link := links[0]
	return fmt.Sprintf("select distinct l.%s as own, %s from %s l join (%s) s on s.own = l.%s", link.Pairs.Own,
		g.named("s."), link.Pairs.Relation, g.pairs(c, links[1:]), link.Pairs.Other)
}

// named lists the columns of pairs after own.
func (g *grouping) named(alias string) string {
	columns := alias + "k, " + alias + "o"
	if g.field.Link != nil {
		columns += ", " + alias + "title"
	}
	return columns
}

// values is pairs for the table of the field.
func (g *grouping) values(c *Compiler) string {
	t := g.field.Table
	from := t.From([]*schema.Field{g.field})
	condition := ""
	if len(g.links) > 0 {
		condition = " where " + t.Ref().AssertVersion(c.Add(t.Version))
	}
	switch {
	case g.field.Link != nil:
		linked := linkedTable(g.field)
		primary, p := linked.Primary(), g.field.Pairs
		ref := linked.Ref()
		return fmt.Sprintf("select l.%s as own, t.id as k, %s as o, %s as title from %s l join %s on t.id = "+
			"l.%s where %s",
			p.Own, primary.Order("t."), primary.Kind.Select(&primary.Field), p.Relation,
			linked.From([]*schema.Field{primary}), p.Other,
			ref.AssertVersion(c.Add(ref.Version)))
	case g.field.Type() == "multi_select":
		return fmt.Sprintf("select t.id as own, u.v as k, %s as o from %s t cross join lateral unnest(t.%s) u(v)%s",
			g.field.Config.PlaceOfOption("u.v"), t.Relation(), g.field.Column(), condition)
	case g.bucket != "":
		value := g.value(c)
		return fmt.Sprintf("select t.id as own, %s as k, %s as o from %s%s", value, value, from, condition)
	}
	return fmt.Sprintf("select t.id as own, %s as k, %s as o from %s%s", g.value(c), sortExpression(g.field), from,
		condition)
}

// A groupCell writes the key of a group.
type groupCell struct {
	key   []byte
	width int // in columns
	write func(dst []byte, raw [][]byte) []byte
}

// cell returns the writer of a grouping's values.
func (g *grouping) cell() groupCell {
	out := groupCell{key: append(field.AppendString(nil, g.name), ':'), width: 1}
	var write field.Encoder
	switch {
	case g.bucket != "":
		write = field.AppendDate
	case g.field.Link != nil:
		linked := linkedTable(g.field)
		primary := linked.Primary()
		title := primary.Kind.Encoder(&primary.Field, nil)
		out.width = 2
		out.write = func(dst []byte, raw [][]byte) []byte {
			dst = id.AppendRecord(append(dst, `{"id":"`...), linked.Number, uuid.UUID(raw[0]))
			dst = append(dst, `","title":`...)
			if raw[1] == nil {
				dst = append(dst, "null"...)
			} else {
				dst = title(dst, raw[1])
			}
			return append(dst, '}')
		}
		return out
	case g.field.Type() == "multi_select":
		write = func(dst, raw []byte) []byte { return field.AppendString(dst, string(raw)) }
	default:
		_, write = g.field.Grouped()
	}
	out.write = func(dst []byte, raw [][]byte) []byte { return write(dst, raw[0]) }
	return out
}
