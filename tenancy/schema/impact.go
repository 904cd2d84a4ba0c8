package schema

import (
	"fmt"
	"slices"

	"github.com/rowhouse/rowhouse/problem"
)

// Becoming lists the computed fields whose values become lists, or single values, because of another field.
func (s *Snapshot) Becoming(f *Field, next *Snapshot) []*Field {
	return s.differing(next, func(was, is *Field) bool {
		return was.ID != f.ID && is.Computation != nil && was.Config.ResultType != is.Config.ResultType
	})
}

// With is the table in which f replaces the field with its id.
func (t *Table) With(f *Field) *Table {
	out := *t
	out.Fields = slices.Clone(t.Fields)
	if i := slices.IndexFunc(out.Fields, func(other *Field) bool { return other.ID == f.ID }); i >= 0 {
		out.Fields[i] = f
	}
	return &out
}

// BrokenFields lists the computed fields that would show errors, and those that compute from these.
func (s *Snapshot) BrokenFields(f *Field, next *Snapshot) []problem.Item {
	var items []problem.Item
	all, direct := s.readersOfBroken(f, next)
	for i, one := range all {
		message := fmt.Sprintf("the field %q, which computes from it, would show errors", one.Name)
		if i >= direct {
			message = fmt.Sprintf("the field %q, which computes from one of these, would read errors", one.Name)
		}
		items = append(items, problem.Item{Path: one.PublicID(), Message: message})
	}
	return items
}

// AffectedBy lists the computed fields that would show errors without a field, and those that compute
// from them.
func (s *Snapshot) AffectedBy(f *Field) []*Field {
	all, _ := s.readersOfBroken(f, s.With(f, nil))
	return all
}

// readersOfBroken lists the fields of brokenIn, followed by those that compute from them. direct is the
// number of the former.
func (s *Snapshot) readersOfBroken(f *Field, next *Snapshot) (all []*Field, direct int) {
	all = s.brokenIn(next)
	direct = len(all)
	for i := 0; i < len(all); i++ {
		for _, reader := range s.Readers(all[i]) {
			if reader.ID != f.ID && !slices.Contains(all, reader) {
				all = append(all, reader)
			}
		}
	}
	return all, direct
}
