package schema

import (
	"fmt"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// The primary field of a table names its records: where links show them, in searches, in the trash, in comments. Its
// values are text, which people write or which a formula of the record's own fields computes.

// Title is the SQL expression for the name of the record t of TitleFrom: a text, or null. It is "" for a table
// without a primary field.
func (t *Table) Title() string {
	primary := t.Primary()
	if primary == nil || primary.Column() == "" {
		return ""
	}
	return "t." + primary.Column() + "::text"
}

// TitleFrom is the relation that statements with Title read: the table's records under the alias t.
func (t *Table) TitleFrom() string {
	if primary := t.Primary(); primary != nil {
		return t.From([]*Field{primary})
	}
	return t.From(nil)
}

// linkedNames are the names of the linked records of a link field, in their order.
func (s *Snapshot) linkedNames(f *field.Field) string {
	p := f.Pairs
	linked := s.tableByNumber[p.Linked]
	if linked == nil || linked.Title() == "" {
		return ""
	}
	return fmt.Sprintf("array(select coalesce(o.title, '') from %[2]s l join (select t.id, %[1]s as title from %[3]s) "+
		"o on o.id = l.%[4]s where l.%[5]s = t.id order by l.pos_%[5]s, l.%[4]s)",
		linked.Title(), p.Relation, linked.TitleFrom(), p.Other, p.Own)
}

// namedBy lists the computed fields that name the records of link fields, by public ids.
func (s *Snapshot) namedBy(ids []string) []string {
	var named []string
	for _, public := range ids {
		u, err := id.Parse(id.Field, public)
		if err != nil || s.fields[u] == nil || s.fields[u].Link == nil {
			continue
		}
		linked := s.tables[s.fields[u].Link.LinkedTable]
		if linked == nil {
			continue
		}
		if primary := linked.Primary(); primary != nil && primary.Info().Computed {
			named = append(named, primary.PublicID())
		}
	}
	return named
}

// RefusePrimary returns an error if the field cannot be the primary one.
func (f *Field) RefusePrimary(path string) error {
	switch {
	case f.Info().Primary:
	case f.Type() != formulaType:
		return problem.Invalid(path, "%q is %s; the primary field is one of %s, or a formula whose value is text",
			f.Name, f.Type(), problem.List(field.PrimaryTypes()))
	case f.Computed.Broken != "":
		return problem.Invalid(path, "%q shows only errors, because %s; repair its formula first", f.Name,
			f.Computed.Broken)
	case f.Computation.Type != formula.Type{Base: formula.Text}:
		return problem.Invalid(path, "the value of %q is %s, and the primary field holds text; write the formula as "+
			`in CONCATENATE({Number}, "")`, f.Name, f.Computation.Type)
	case !f.Computation.Kept:
		return problem.Invalid(path, "%q reads linked records, people or the present day; the formula of a primary "+
			"field reads only other fields of its record", f.Name)
	}
	return nil
}

// titleIsKept reports whether the name of a record is in a column, where searches look.
func (t *Table) titleIsKept() bool {
	primary := t.Primary()
	return primary != nil && (primary.Computed == nil || primary.Computed.Kept && primary.Computed.Type == "text")
}
