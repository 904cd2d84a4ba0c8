package schema

import (
	"errors"
	"slices"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// A FormulaCheck is the result of checking a formula: the field that computes it, or its problems.
type FormulaCheck struct {
	Field    *Field // nil if there are problems
	Problems formula.Problems
	// Volatile says that values would be computed at each reading.
	Volatile bool
	Type     formula.Type // of the values
}

// CheckFormula checks a formula for a table. present is the field that will have it, or nil for a new
// one. now is an SQL expression for the time that the formula sees; "" is now().
func (s *Snapshot) CheckFormula(t *Table, present *Field, text, now string) (FormulaCheck, error) {
	draft := NewField(t, "formula", "value", Config{Formula: text}, 0)
	if present != nil {
		draft.ID, draft.Name = present.ID, present.Name
	}
	scope := s.formulaScope(t)
	scope.Now = now
	checked, err := formula.Check(text, scope)
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
	draft.setComputation(&Computation{
		Type: checked.Type, piece: checked.SQL(), needs: needsOf(t, checked.Fields()),
	})
	if err := (&compiler{sizes: map[*Table]int{}}).expand(draft, len(draft.Computation.piece)); err != nil {
		whole := formula.Place{Line: 1, Column: 1, Length: len([]rune(text))}
		out.Problems = formula.Problems{{Place: whole, Message: err.Error()}}
		return out, nil
	}
	draft.compiled()
	out.Field, out.Type = draft, checked.Type
	out.Volatile = checked.Volatile && (!checked.Daily || !s.topology.HasTriggers())
	return out, nil
}

// CheckLinked checks the config of a lookup, a rollup or a count for a table, as CheckFormula does a formula.
// The error says which key of the config is wrong.
func (s *Snapshot) CheckLinked(t *Table, present *Field, typ Type, config Config) (FormulaCheck, error) {
	draft := NewField(t, typ, "value", config, 0)
	if present != nil {
		draft.ID, draft.Name = present.ID, present.Name
	}
	if err := s.checkLinked("config", draft); err != nil {
		return FormulaCheck{}, err
	}
	value, err := s.linkedOf(draft)
	if err != nil {
		return FormulaCheck{}, err
	}
	draft.setComputation(&Computation{Type: value.typ, piece: value.SQL()})
	if err := (&compiler{sizes: map[*Table]int{}}).expand(draft, value.size); err != nil {
		return FormulaCheck{}, problem.Invalid("config", "%s", err)
	}
	draft.compiled()
	draft.Computed.Foreign, draft.Computed.Linked, draft.Computed.Found = true, value.Linked, value.found
	if value.options != nil {
		draft.Kind, draft.Computed.Options = field.Chosen(draft.Kind), value.options
	}
	return FormulaCheck{Field: draft, Type: value.typ, Volatile: value.volatile}, nil
}

// With is the snapshot in which a field is replaced by changed, for which its computed fields are
// compiled. changed is nil for a field that is deleted.
func (s *Snapshot) With(f, changed *Field) *Snapshot {
	next := New(s.Org, s.topology, s.filters)
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
				continue // it is deleted too
			}
			own.Table = &copied
			copied.Fields, next.fields[own.ID] = append(copied.Fields, &own), &own
		}
		next.tables[u], next.tableByNumber[t.Number] = &copied, &copied
	}
	next.compute()
	return next
}

// brokenIn lists the computed fields that have values now and would show only errors in the next
// snapshot.
func (s *Snapshot) brokenIn(next *Snapshot) []*Field {
	return s.differing(next, func(was, is *Field) bool {
		return was.Computation != nil && was.Computed.Broken == "" && is.Computation != nil && is.Computed.Broken != ""
	})
}

// differing lists the fields that differ in the next snapshot.
func (s *Snapshot) differing(next *Snapshot, differ func(was, is *Field) bool) []*Field {
	var found []*Field
	for u, is := range next.fields {
		if was := s.fields[u]; was != nil && differ(was, is) {
			found = append(found, was)
		}
	}
	slices.SortFunc(found, func(a, b *Field) int { return int(a.Number - b.Number) })
	return found
}
