package schema

import (
	"fmt"
	"slices"

	"github.com/rowhouse/rowhouse/problem"
)

// A computed field expands to an SQL expression that contains the expressions of all fields that it
// reads, across links too. Within one record, an expression that several fields read is written once,
// but every lookup or rollup contains the whole expansion of its source, so that a short chain could
// grow without end. PostgreSQL plans the expression in each request that computes it: 100 KB take some
// 60 ms of its processor and 15 MB of its memory.
//
// The bounds are on what fields would expand to if none were read from a column, so that they do not
// depend on how far columns are filled.
const (
	maxExpansion      = 512 << 10 // of a field
	maxTableExpansion = 1 << 20   // of all fields of a table, each part that they share counted once

	linkedOverhead = 2000 // of a lookup, rollup or count: planning its joins takes as long as so much of a formula
)

// expand computes the expansion of a field from the size of its own piece, and returns an error if it
// is too large. The fields that it reads are compiled.
func (c *compiler) expand(f *Field, size int) error {
	own := f.Computation
	own.size, own.expanded = size, size
	for _, need := range own.needs {
		own.expanded += need.Computation.size
	}
	if own.expanded > maxExpansion {
		own.Excess = fmt.Sprintf("it expands to more than %d KB of SQL with all that it reads", maxExpansion>>10)
		return fmt.Errorf("%s", own.Excess)
	}
	if c.sizes[f.Table]+size > maxTableExpansion {
		own.Excess = fmt.Sprintf("the computed fields of %q expand to more than %d KB of SQL together", f.Table.Name,
			maxTableExpansion>>10)
		return fmt.Errorf("%s", own.Excess)
	}
	c.sizes[f.Table] += size
	return nil
}

// Expansion is the approximate size in bytes of the SQL for the field's value, including all that it
// reads.
func (f *Field) Expansion() int {
	if f.Computation == nil {
		return 0
	}
	return f.Computation.expanded
}

// linkedSize is the size of a lookup, rollup or count, or of a filter that reads the given fields of
// linked records.
func linkedSize(target *Field, filtered []*Field) int {
	size := linkedOverhead
	for _, f := range append(slices.Clone(filtered), target) {
		if f != nil {
			size += f.Expansion()
		}
	}
	return size
}

// RefuseExpansion refuses a change of the schema that makes a field expand to too much.
func (s *Snapshot) RefuseExpansion(after *Snapshot) error {
	var found *Field
	for _, t := range after.tables {
		for _, f := range t.Fields {
			if f.Computation == nil || f.Computation.Excess == "" || found != nil && found.Number < f.Number {
				continue
			}
			was := s.fields[f.ID]
			if was == nil || was.Computation == nil || was.Computation.Excess == "" {
				found = f
			}
		}
	}
	if found == nil {
		return nil
	}
	return problem.Conflict("%q in %q would not be computed: %s. Nothing was changed. Formulas that read others which "+
		"read others grow with each step; shorten them, or read fewer fields.", found.Name, found.Table.Name,
		found.Computation.Excess).WithCode(problem.CodeFormulaTooLarge)
}
