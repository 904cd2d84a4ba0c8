package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Row rules say which records of a table people read and write. Who is named by a rule has only what rules give; who is
// named by none has what the rest of the permissions gives. Creators of the base are never named.

// A RowRule lets people read the records that match a filter, and if it says so change and delete them, as far as the
// permissions of the table do.
type RowRule struct {
	Audience

	Filter json.RawMessage `json:"filter"` // with fields by id, as FilterReader.Rule reads it
	Edit   bool            `json:"edit,omitzero"`
	Delete bool            `json:"delete,omitzero"`
	Memo   string          `json:"memo,omitzero"` // what people read whose change it refuses
}

// names reports whether the rule names a person with a role in the base.
func (r *RowRule) names(h holder, role BaseRole) bool {
	return role != BaseCreator && r.includes(h, role, NoRole)
}

// Rows are the records of a table that a person reads, changes and deletes: conditions in SQL without parameters on a
// record t of the table, which need the transaction's person (db.WithPerson).
type Rows struct {
	Read, Edit, Delete string
	Owners             []*Field // with the person, by which the rules' records are found; nil if not all rules have one

	// Given are the values of new records for the first rule that permits changes.
	Given []Given

	rules []*RowRule
}

// A Given is a value that a row rule asks of a record.
type Given struct {
	Field *Field // of the whole table
	Value any    // as it is stored; nil is the person
}

// Rows returns which records of the table the person reads and writes; nil for all of them.
func (t *Table) Rows() *Rows { return t.rows }

// Rules lists the rules that name the person.
func (r *Rows) Rules() []*RowRule { return r.rules }

// Stamped reports whether the person's records change only with records of the table, and not with what is known of the
// person.
func (r *Rows) Stamped() bool { return !strings.Contains(r.Read, "rowhouse.") }

// Memos are what the rules say to somebody whose change they refuse.
func (r *Rows) Memos(fits func(*RowRule) bool) []string {
	var memos []string
	for _, one := range r.rules {
		if one.Memo != "" && fits(one) && !slices.Contains(memos, one.Memo) {
			memos = append(memos, one.Memo)
		}
	}
	return memos
}

// ReadRule reads the filter of a row rule of a table, and returns it with fields by id. Errors have paths below path.
func (s *Snapshot) ReadRule(t *Table, path string, raw []byte) (json.RawMessage, error) {
	condition, err := s.filters.Rule(t, path, raw)
	return condition.Filter, err
}

// RowsOf returns which records of a table of a whole snapshot a person reads and writes; nil for all of them.
func (s *Snapshot) RowsOf(of Subject, t *Table) *Rows {
	return s.person(of).rowsOf(t)
}

// rowsOf compiles the rules of a whole table that name the person, and the bound that holds as well.
func (p *person) rowsOf(t *Table) *Rows {
	var rows *Rows
	if rules := p.rules[t.ID]; len(rules) > 0 {
		rows = p.whole.rowsOf(t, rules)
	}
	bound := p.bound[t.ID]
	if bound == nil {
		return rows
	}
	within := p.whole.rowsOf(t, []*RowRule{bound})
	if rows == nil {
		return within
	}
	both := func(a, b string) string { return "(" + a + ") and (" + b + ")" }
	return &Rows{
		Read:   both(rows.Read, within.Read),
		Edit:   both(rows.Edit, within.Edit),
		Delete: both(rows.Delete, within.Delete),
		Owners: rows.Owners, Given: slices.Concat(rows.Given, within.Given),
		rules: append(slices.Clip(rows.rules), bound),
	}
}

// rowsOf compiles rules of a whole table. A rule that no longer fits the table gives nothing.
func (s *Snapshot) rowsOf(t *Table, rules []*RowRule) *Rows {
	var read, edit, remove []string
	var owners []*Field
	var given []Given
	owned := true
	for _, r := range rules {
		condition, err := s.filters.Rule(t, "filter", r.Filter)
		if err != nil {
			continue
		}
		owned = owned && condition.Owner != nil
		owners = append(owners, condition.Owner)
		one := "(" + condition.SQL + ")"
		read = append(read, one)
		if r.Edit {
			if len(edit) == 0 {
				given = condition.Given
			}
			edit = append(edit, one)
		}
		if r.Delete {
			remove = append(remove, one)
		}
	}
	if !owned {
		owners = nil
	}
	return &Rows{
		Read: anyOf(read), Edit: anyOf(edit), Delete: anyOf(remove), Owners: owners, Given: given, rules: rules,
	}
}

// anyOf is the condition that one of some holds, for a transaction that has a person.
func anyOf(conditions []string) string {
	if len(conditions) == 0 {
		return "false"
	}
	return ForPerson(strings.Join(conditions, " or "))
}

// ForPerson is a condition that does not hold in a transaction without a person.
func ForPerson(condition string) string {
	return "(select current_setting('app.person', true)) <> '' and (" + condition + ")"
}

// visible is what statements read a table's records from that a person reads only in part. It has the positions of
// records as a column, by which a search names them.
func (t *Table) visible() string {
	return "(select t.ctid, t.* from " + t.whole.Relation() + " t where " + t.rows.Read + ")"
}

// limitLinks gives the links of a base to records that the person reads only in part the pairs of those that the
// person reads. Its copies of tables are complete but for these.
func (p *person) limitLinks(s *Snapshot, b *Base) {
	for _, t := range b.Tables {
		for _, f := range t.Fields {
			if f.Link == nil || f.Pairs == nil {
				continue
			}
			linked := s.tables[f.Link.LinkedTable]
			if linked == nil {
				continue
			}
			inverse := p.whole.fields[f.Link.Inverse]
			if linked.rows != nil {
				pairs := *f.Pairs
				pairs.Relation = fmt.Sprintf("(select l.* from %s l where l.%s in (select t.id from %s t))",
					pairs.Relation, pairs.Other, linked.Relation())
				pairs.LinkedPrimary = 0 // a search would look at the names of all
				f.Pairs, f.linkedSeen = &pairs, linked.Relation()
				// A value that is written replaces the links to records that the person does not see.
				f.Locked = true
			} else if t.rows != nil && inverse != nil && inverse.Single() {
				f.Locked = true // it would take the linked record from another one
			}
		}
	}
}

// isRuled reports whether the person reads only some records of a table of a base.
func (p *person) isRuled(b *Base) bool {
	return slices.ContainsFunc(b.Tables, func(t *Table) bool { return len(p.rules[t.ID]) > 0 || p.bound[t.ID] != nil })
}

// keepLimits gives the links of a copy of a person's snapshot the limits that they have in it.
func (s *Snapshot) keepLimits(of *Snapshot) {
	for u, known := range of.fields {
		if f := s.fields[u]; f != nil && known.linkedSeen != "" && known.Pairs != nil {
			pairs := *known.Pairs
			f.Pairs = &pairs
		}
	}
}

// LinkedSeen is what the records of a link are read from that the person reads, which needs an alias; "" if the person
// reads all of them.
func (f *Field) LinkedSeen() string { return f.linkedSeen }
