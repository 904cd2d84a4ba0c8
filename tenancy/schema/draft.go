package schema

import (
	"errors"
	"slices"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// A FormulaCheck is what a formula would be in a table: a field that computes it, or what is wrong.
type FormulaCheck struct {
	Field    *Field // nil if there are problems
	Problems formula.Problems
	// Volatile says that values would be computed whenever they are read.
	Volatile bool
}

// CheckFormula finds out what a formula would be in a table. present is the field that is to get it,
// or nil for a new one.
func (s *Snapshot) CheckFormula(t *Table, present *Field, text string) (FormulaCheck, error) {
	draft := newField(t, "formula", "value", Config{Formula: text}, 0)
	if present != nil {
		draft.ID, draft.Name = present.ID, present.Name
	}
	tree, err := formula.Parse(text)
	var checked *formula.Formula
	if err == nil {
		checked, err = tree.Check(s.formulaScope(t))
	}
	var out FormulaCheck
	if errors.As(err, &out.Problems) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	draft.Config.Formula, draft.Config.ResultType = checked.Stored(), checked.Type.String()
	draft.Kind = field.Of(draft.Type(), &draft.Config)
	var wrong *problem.Error
	if err := s.refuseCycle("formula", draft); errors.As(err, &wrong) {
		whole := formula.Place{Line: 1, Column: 1, Length: len([]rune(text))}
		out.Problems = formula.Problems{{Place: whole, Message: wrong.Items[0].Message}}
		return out, nil
	}
	draft.setComputation(&computation{
		typ: checked.Type, piece: checked.SQL(), needs: needsOf(t, checked.Fields()),
	})
	draft.compiled()
	out.Field, out.Volatile = draft, checked.Volatile
	return out, nil
}

// BrokenBy lists the computed fields that would show only errors once a field is what changed says, and
// have values now. changed is nil for a field that goes.
func (s *Snapshot) BrokenBy(f, changed *Field) []*Field {
	next := empty(s.Org)
	next.distributed = s.distributed
	for u, t := range s.tables {
		copied := *t
		copied.Fields = nil
		copied.fieldByName = nil
		for _, one := range t.Fields {
			own := *one
			switch {
			case one.ID == f.ID && changed == nil:
				continue
			case one.ID == f.ID:
				own = *changed
			}
			if f.Link != nil && changed == nil && one.ID == f.Link.Inverse {
				continue // it goes too
			}
			own.Table = &copied
			copied.Fields = append(copied.Fields, &own)
		}
		next.tables[u], next.tableByNumber[t.Number] = &copied, &copied
	}
	next.compute()
	var broken []*Field
	for _, t := range next.tables {
		for _, one := range t.Fields {
			if one.computation == nil || one.Computed.Broken == "" {
				continue
			}
			if was := s.fields[one.ID]; was != nil && was.computation != nil && was.Computed.Broken == "" {
				broken = append(broken, was)
			}
		}
	}
	slices.SortFunc(broken, func(a, b *Field) int { return int(a.Number - b.Number) })
	return broken
}
