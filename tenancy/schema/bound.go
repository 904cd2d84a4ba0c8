package schema

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/google/uuid"
)

// A credential that is bound to a view sees the fields that the view shows and the records that match its filter, and
// nothing else of the organization. It never has more than its person.

// boundMemo is what somebody reads whose change the filter of the view refuses.
const boundMemo = "this key is bound to a view, and only changes records that the view's filter lets through"

// Shows reports whether the view shows a field of its table. It always shows the primary field.
func (v *View) Shows(f *Field) bool {
	if f.IsPrimary {
		return true
	}
	var hidden []string
	// Absent means that the fields themselves say it; the value was checked when it was written.
	if own := v.Config["hiddenFields"]; own != nil && json.Unmarshal(own, &hidden) == nil {
		return !slices.Contains(hidden, f.PublicID())
	}
	return !f.Hidden
}

// Bound returns the rule that a credential which is bound to the view obeys: nil if the view has no filter.
func (v *View) Bound() *RowRule {
	if filter := string(v.Config["filters"]); filter == "" || filter == "[]" || filter == "null" {
		return nil
	}
	return &RowRule{Filter: v.Config["filters"], Edit: true, Delete: true, Memo: boundMemo}
}

// CheckBound returns an error of kind invalid if no credential can be bound to a view of a whole snapshot, because its
// filter says what a row rule cannot.
func (s *Snapshot) CheckBound(path string, v *View) error {
	bound := v.Bound()
	if bound == nil {
		return nil
	}
	_, err := s.ReadRule(v.Table, path, bound.Filter)
	return err
}

// filtersByHidden reports whether the filter of a view names a field that permissions hide from the person.
func (p *person) filtersByHidden(v *View) bool {
	return slices.ContainsFunc(v.Table.Fields, func(f *Field) bool {
		return p.hidden[f.ID] && bytes.Contains(v.Config["filters"], []byte(f.PublicID()))
	})
}

// bindTo takes from the person everything that the view does not show. Nil is a view that is gone, which shows nothing.
func (p *person) bindTo(v *View, of Subject) {
	if v != nil && p.filtersByHidden(v) {
		v = nil // which records its filter lets through would reveal what is hidden from the person
	}
	if v != nil && !(Viewer{Person: of.Person, Admin: p.roles[v.Table.Base.ID] == BaseCreator}).Sees(v) {
		v = nil
	}
	p.spaces = map[uuid.UUID]bool{}
	for _, b := range p.whole.Bases {
		within := v != nil && v.Table.Base == b
		if !within {
			p.roles[b.ID] = NoRole
		}
		for _, t := range b.Tables {
			if !within || t != v.Table {
				p.hidden[t.ID] = true
			}
		}
	}
	if v == nil || p.roles[v.Table.Base.ID] == NoRole {
		return
	}
	t := v.Table
	p.view, p.spaces[t.Base.Workspace] = v, true
	if _, custom := p.tables[t.ID]; !custom {
		editor := p.roles[t.Base.ID].AtLeast(BaseEditor)
		p.tables[t.ID] = Rights{Create: editor, Edit: editor, Delete: editor}
	}
	if p.roles[t.Base.ID] == BaseCreator {
		p.roles[t.Base.ID] = BaseEditor
	}
	for _, f := range t.Fields {
		if !v.Shows(f) {
			p.hidden[f.ID] = true
		}
	}
	if bound := v.Bound(); bound != nil {
		p.bound = map[uuid.UUID]*RowRule{t.ID: bound}
	}
}
