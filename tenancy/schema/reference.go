package schema

import (
	"slices"
)

// LinkedTable is the table whose records a lookup, a rollup or a count reads; nil for other fields.
func (s *Snapshot) LinkedTable(f *Field) *Table {
	if link := f.Table.FieldByID(f.Config.LinkFieldID); link != nil && link.Link != nil {
		return s.tables[link.Link.LinkedTable]
	}
	return nil
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
