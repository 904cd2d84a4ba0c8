package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A field of a linked table is named by a path, as in Company.Country: the links that lead there, and the field.
// A condition on one holds if any of the linked records meets it.

// maxLinks is how many links a path may have.
const maxLinks = 3

// linkedTable returns the table that a link field links to; nil when it is gone.
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

// fieldAtPath finds the field that a path names, and the links that lead to it, which are none where the field is
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
	}
	return nil, nil, wrong
}

// through is the condition that a record is linked to one that meets another condition. It fails if the linked
// table has changed, because the condition was written for its columns.
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

// maxFilterExpansion bounds what the computed fields of linked records in a filter expand to. Those of the table itself
// are written once, and each condition across a link writes its own.
const maxFilterExpansion = 1 << 20

// expansion is about how many bytes of SQL the computed fields are that the filter compares across links.
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

// linkedTables adds the numbers of the tables that a filter reads beside its own.
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
