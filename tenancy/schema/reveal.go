package schema

import (
	"slices"

	"github.com/rowhouse/rowhouse/problem"
)

// A computed field is hidden from whom something that it is computed from is hidden, unless a creator reveals its
// result. Whoever sees the field then reads what creators read: its value is computed from fields, tables and records
// that may be hidden, and the person's copy of the field says nothing else of these.

// Reveals reports whether a field of a whole snapshot has its result revealed. One that no longer can be is hidden as
// if it were not.
func (f *Field) Reveals() bool {
	return f.Permission != nil && f.Permission.Reveal && f.unrevealable() == ""
}

// unrevealable says why the result of a field of a whole snapshot cannot be revealed; "" if it can.
func (f *Field) unrevealable() string {
	switch {
	case f.Computation == nil:
		return "is not computed"
	case f.IsPrimary:
		return "names the records"
	case f.Computed.Broken != "":
		return "has only errors: " + f.Computed.Broken
	case f.Computed.Options != nil:
		return "has the options of a select field, and all of them would be revealed"
	}
	return ""
}

// CheckReveal returns an error of kind invalid at a path if the result of a field cannot be revealed.
func (f *Field) CheckReveal(path string) error {
	if why := f.unrevealable(); why != "" {
		return problem.Invalid(path, "%q %s, so there is no result to reveal", f.Name, why)
	}
	return nil
}

// reveal makes a copy of a field one that has its values. If the person does not see all that it is computed from, the
// copy does not say from what.
func (p *person) reveal(f, known *Field) {
	f.revealed = known
	if !slices.ContainsFunc(p.whole.directlyReadBy(known), func(read *Field) bool {
		return p.hidden[read.ID] || p.hidden[read.Table.ID]
	}) {
		return
	}
	f.Config.Formula, f.Config.Function, f.Config.Filters, f.Config.Sorts, f.Config.Limit = "", "", nil, nil, nil
	f.Config.LinkFieldID, f.Config.FieldID = "", ""
}

// computeRevealed compiles a copy of a revealed field. It reads nothing that the copy's table has to have.
func (f *Field) computeRevealed() {
	known, own := f.revealed, f.Computation
	own.Type, own.piece = known.Computation.Type, known.Computed.SQL
	own.size, own.expanded = len(own.piece), len(own.piece)
	f.Computed.Type = known.Computed.Type
	f.Computed.Foreign = true
	f.compiled()
}

// readsRevealed reports whether the field is a revealed one, or computed from one of its record.
func (f *Field) readsRevealed() bool {
	return f.revealed != nil || f.Computation != nil &&
		slices.ContainsFunc(f.Computation.needs, func(need *Field) bool { return need.revealed != nil })
}

// forget makes all values of the field errors, where statements do not read records of the table itself.
func (f *Field) forget() {
	own, computed := *f.Computation, *f.Computed
	f.Computation, f.Computed = &own, &computed
	f.break_("what it is computed from is hidden, and not known there")
	f.Computed.Kept, f.Computed.Linked, f.Computed.Found = false, nil, nil
}
