package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

const formulaType Type = "formula"

// ComputedTypes lists the types of computed fields.
func ComputedTypes() []Type {
	var types []Type
	for _, k := range field.All() {
		if k.Info().Computed {
			types = append(types, k.Info().Type)
		}
	}
	return types
}

// ShownConfig is the field's config for people: its formula names fields by their names.
func (f *Field) ShownConfig() Config {
	config := f.Config
	if config.Formula != "" && f.Type() == formulaType {
		config.Formula = formula.Shown(config.Formula, f.Table.named())
	}
	return config
}

// named is a scope that only knows the names of the table's fields.
func (t *Table) named() *formula.Scope {
	s := &formula.Scope{Fields: make([]formula.Field, len(t.Fields)), Gone: t.gone}
	for i, f := range t.Fields {
		s.Fields[i] = formula.Field{ID: f.PublicID(), Name: f.Name}
	}
	return s
}

// formulaScope is the scope of a formula of the table.
func (s *Snapshot) formulaScope(t *Table) *formula.Scope {
	scope := &formula.Scope{Table: t.Number, TimeZone: t.Base.TimeZone, Gone: t.gone}
	for _, f := range t.Fields {
		if f.Computation != nil {
			scope.Fields = append(scope.Fields, f.asSource())
		} else if !f.Info().Computed {
			scope.Fields = append(scope.Fields, sourceOf(s, f, "t"))
		}
	}
	return scope
}

// CheckComputed completes the config of a computed field, whose sources the snapshot has: its formula
// then names fields by id. path is the path of the config.
func (s *Snapshot) CheckComputed(path string, f *Field) error {
	if f.Type() != formulaType {
		return s.checkLinked(path, f)
	}
	path += ".formula"
	if strings.TrimSpace(f.Config.Formula) == "" {
		return problem.Invalid(path, "is missing; it is a formula as in {Price} * {Quantity}")
	}
	tree, err := formula.Parse(f.Config.Formula)
	if err != nil {
		return wrongFormula(path, err)
	}
	checked, err := tree.Check(s.formulaScope(f.Table))
	if err != nil {
		return wrongFormula(path, err)
	}
	f.Config.Formula, f.Config.ResultType = checked.Stored(), checked.Type.String()
	f.Kind = field.Of(f.Type(), &f.Config)
	return s.refuseCycle(path, f)
}

// wrongFormula lists the mistakes of a formula, each with its position.
func wrongFormula(path string, err error) error {
	var problems formula.Problems
	if !errors.As(err, &problems) {
		return problem.Invalid(path, "%s", err)
	}
	items := make([]problem.Item, len(problems))
	for i := range problems {
		items[i] = problem.Item{Path: path, Message: problems[i].Error()}
	}
	return problem.InvalidItems(items)
}

// refuseCycle refuses a config that makes fields compute from each other.
func (s *Snapshot) refuseCycle(path string, f *Field) error {
	own := f.PublicID()
	reads := map[string][]string{own: readsOf(&f.Config)}
	names := map[string]string{own: f.Name}
	for _, t := range s.tables {
		for _, other := range t.Fields {
			if other.Computation == nil || other.ID == f.ID {
				continue
			}
			id := other.PublicID()
			reads[id], names[id] = other.Computation.reads, other.Name
			if other.Table.ID != f.Table.ID {
				names[id] = other.Table.Name + "." + other.Name
			}
		}
	}
	cycle := formula.Through(own, reads, func(id string) string { return fmt.Sprintf("%q", names[id]) })
	if cycle != nil {
		return problem.Invalid(path, "%s", cycle).WithCode(problem.CodeFormulaCycle)
	}
	return nil
}

// CheckNewFormulas completes the configs of the computed fields of a new table, which may read each
// other. paths are the paths of the configs, by field. s is a snapshot without tables.
func CheckNewFormulas(s *Snapshot, t *Table, fields []*Field, paths []string) error {
	made := *t
	made.Fields = fields
	s.tables[t.ID] = &made
	ids, reads, at := []string{}, map[string][]string{}, map[string]int{}
	for i, f := range fields {
		f.Table = &made
		if !f.Info().Computed {
			continue
		}
		id := f.PublicID()
		ids, at[id] = append(ids, id), i
		reads[id] = idsOf(&made, readsOf(&f.Config))
	}
	if len(ids) == 0 {
		return nil
	}
	order, err := formula.Order(ids, reads, func(id string) string { return fmt.Sprintf("%q", fields[at[id]].Name) })
	var cycle *formula.Cycle
	if errors.As(err, &cycle) {
		return problem.Invalid(paths[at[ids[0]]]+".formula", "%s", cycle).WithCode(problem.CodeFormulaCycle)
	}
	for _, id := range order {
		f := fields[at[id]]
		if err := s.CheckComputed(paths[at[id]], f); err != nil {
			return err
		}
		f.setComputation(&Computation{Type: resultType(f.Config.ResultType), reads: readsOf(&f.Config)})
	}
	return nil
}

// idsOf turns the names of fields among references into their ids.
func idsOf(t *Table, references []string) []string {
	out := slices.Clone(references)
	for i, name := range out {
		for _, f := range t.Fields {
			if f.Name == name {
				out[i] = f.PublicID()
			}
		}
	}
	return out
}
