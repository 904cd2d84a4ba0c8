package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A path names a field of a linked table, as in Company.Country: the links on the way, and the field. A
// condition on it holds if any of the linked records meets it.

// maxLinks bounds the links of a path.
const maxLinks = 3

// linkedTable returns the table that a link field links to; nil if it is gone.
func linkedTable(f *schema.Field) *schema.Table {
	if f.Link == nil || f.Pairs == nil || f.Pairs.Linked == 0 {
		return nil
	}
	i := slices.IndexFunc(f.Table.Base.Tables, func(t *schema.Table) bool { return t.ID == f.Link.LinkedTable })
	if i < 0 {
		return nil
	}
	return f.Table.Base.Tables[i]
}

// fieldAtPath finds the field that a path names, and the links on the way, which are none for a field
// of the table itself. A field whose name has a point is found by its name.
func fieldAtPath(t *schema.Table, at, path string) (links []*schema.Field, f *schema.Field, wrong *problem.Error) {
	if f := fieldNamed(t, path); f != nil {
		return nil, f, nil
	}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		link := fieldNamed(t, path[:i])
		if link == nil {
			continue
		}
		linked := linkedTable(link)
		if linked == nil {
			wrong = problem.Invalid(at, "%q is %s and not a link, so %s has no linked fields", link.Name, link.Type(),
				field.Quote(path))
			continue
		}
		rest, f, err := fieldAtPath(linked, at, path[i+1:])
		if err != nil {
			wrong = err
			continue
		}
		if len(rest) == maxLinks {
			return nil, nil, problem.Invalid(at, "%s follows more than %d links", field.Quote(path), maxLinks)
		}
		return append([]*schema.Field{link}, rest...), f, nil
	}
	if wrong == nil {
		wrong = unknownField(t, at, path)
		wrong.Items[0].Message += linkedHint(t, path)
	}
	return nil, nil, wrong
}

// linkedHint says which path leads to a field of that name in a linked table, to those who have looked for it in the
// table itself.
func linkedHint(t *schema.Table, name string) string {
	for _, link := range t.Fields {
		if linked := linkedTable(link); linked != nil && fieldNamed(linked, name) != nil {
			return fmt.Sprintf("; %s of the linked records is %s", field.Quote(name), field.Quote(link.Name+"."+name))
		}
	}
	return ""
}

// linkHint says how a field of linked records is compared, to those who have compared the link with a value.
func (p *filterParser) linkHint(f *schema.Field) string {
	linked := linkedTable(f)
	if linked == nil || linked.Primary() == nil || !p.paths {
		return ""
	}
	return fmt.Sprintf("; these take ids of records, and a path such as %s names a field of the linked records",
		field.Quote(f.Name+"."+linked.Primary().Name))
}

// through is the condition that a record is linked to one that meets another condition. It fails if the
// linked table has changed, because the condition was written for its columns.
func (c *Compiler) through(f *Filter) string {
	linked := linkedTable(f.link)
	if linked == nil {
		return "false"
	}
	p, ref := f.link.Pairs, linked.Ref()
	conditions := []string{ref.AssertVersion(c.Add(ref.Version)), c.condition(&f.parts[0])}
	return fmt.Sprintf("t.id in (select l.%s from %s l join %s on t.id = l.%s where %s)", p.Own, p.Relation,
		linked.From(f.parts[0].fields(nil)), p.Other, strings.Join(conditions, " and "))
}

// maxFilterExpansion bounds the expansions of the computed fields of linked records in a filter. Fields
// of the table itself are written once, but each condition across a link writes its own.
const maxFilterExpansion = 1 << 20

// expansion is the approximate size in bytes of the SQL of computed fields that the filter compares
// across links.
func (f *Filter) expansion() int {
	total := 0
	if f.link != nil {
		for _, one := range f.parts[0].fields(nil) {
			total += one.Expansion()
		}
	}
	for i := range f.parts {
		total += f.parts[i].expansion()
	}
	return total
}

// linkedTables adds the numbers of the tables that a filter reads in addition to its own.
func (f *Filter) linkedTables(to []int32) []int32 {
	if f == nil {
		return to
	}
	if f.link != nil {
		if linked := linkedTable(f.link); linked != nil && !slices.Contains(to, linked.Number) {
			to = append(to, linked.Number)
		}
	}
	if f.field != nil && f.field.Computed != nil {
		for _, table := range f.field.Computed.Tables {
			if !slices.Contains(to, table) {
				to = append(to, table)
			}
		}
	}
	for i := range f.parts {
		to = f.parts[i].linkedTables(to)
	}
	return to
}

// looksThrough reports whether a filter has a condition on linked records.
func (f *Filter) looksThrough() bool {
	looks := func(part Filter) bool { return part.looksThrough() }
	return f != nil && (f.link != nil || slices.ContainsFunc(f.parts, looks))
}

// refusePast refuses conditions on linked records, of which there is no past.
func (f *Filter) refusePast() error {
	if !f.looksThrough() {
		return nil
	}
	return problem.Invalid("filters", "a condition on fields of linked records cannot be combined with asOf")
}

// isPath reports whether a name may be a path to a field of a linked table.
func isPath(t *schema.Table, name string) bool {
	links, _, err := fieldAtPath(t, "", name)
	return err == nil && len(links) > 0
}
