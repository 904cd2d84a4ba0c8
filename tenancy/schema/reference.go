package schema

import (
	"slices"

	"github.com/rowhouse/rowhouse/internal/id"
)

// LinkedTable is the table whose records a lookup, a rollup or a count reads; nil for other fields.
func (s *Snapshot) LinkedTable(f *Field) *Table {
	if link := f.Table.FieldByID(f.Config.LinkFieldID); link != nil && link.Link != nil {
		return s.tables[link.Link.LinkedTable]
	}
	return nil
}

// ReadsSome reports whether a field is a link to records of which the snapshot's person reads only some, or computed
// from such records. What it was is not known without those that the person does not read.
func (s *Snapshot) ReadsSome(f *Field) bool {
	linked := s.LinkedTable(f)
	if f.Link != nil {
		linked = s.tables[f.Link.LinkedTable]
	}
	return linked != nil && linked.rows != nil
}

// Showing lists the public ids of the fields whose values are options of a select field: its own, and those of
// lookups of it.
func (s *Snapshot) Showing(f *Field) []string {
	found := []string{f.PublicID()}
	for i := 0; i < len(found); i++ {
		for _, t := range s.tables {
			for _, other := range t.Fields {
				if other.Type() == lookupType && other.Config.FieldID == found[i] &&
					!slices.Contains(found, other.PublicID()) {
					found = append(found, other.PublicID())
				}
			}
		}
	}
	return found
}

// ReadBy lists the fields that a computed field is computed from, directly and through others, and those that name the
// records that it reads.
func (s *Snapshot) ReadBy(f *Field) []*Field {
	var out []*Field
	seen := map[*Field]bool{f: true}
	var walk func(f *Field)
	walk = func(f *Field) {
		for _, read := range s.directlyReadBy(f) {
			if !seen[read] {
				seen[read] = true
				out = append(out, read)
				walk(read)
			}
		}
	}
	walk(f)
	return out
}

func (s *Snapshot) directlyReadBy(f *Field) []*Field {
	if f.Computation == nil {
		return nil
	}
	var out []*Field
	reads := f.Computation.reads
	for _, public := range append(slices.Clip(reads), s.namedBy(reads)...) {
		if u, err := id.Parse(id.Field, public); err == nil && s.fields[u] != nil {
			out = append(out, s.fields[u])
		}
	}
	return out
}
