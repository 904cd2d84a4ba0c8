package schema

import "slices"

// Entries says where a lookup that is a list has its entries. A condition on them finds records through the linked
// records that have the values, by an index on what these hold: under row-level security PostgreSQL uses none on a
// list.
type Entries struct {
	From   string // the pairs l together with the linked records t
	Own    string // the record, of a pair
	Where  string // a condition on linked records, without parameters; "" if all count
	Source *Field // of the linked records
	Value  string // of Source in a linked record t: an entry, or a list of some
	List   bool   // it is a list
	// Whole says that a record has the value of each of these linked records as an entry. Otherwise it may not, because
	// of a limit or of an error.
	Whole bool
}

// Entries returns where the field's entries are; nil if it is no lookup of several records, or these are better
// computed record by record, or are those of another time (ReadFrom).
func (f *Field) Entries() *Entries {
	if f.Computation == nil || f.Table.relation != "" {
		return nil
	}
	return f.Computation.entries
}

// entriesOf is Computation.entries of a lookup of a field of linked records, some of which it may leave out. That field
// is compiled.
func (s *Snapshot) entriesOf(link *Link, target *Field, condition Condition, limited bool) *Entries {
	source, err := s.linkedSource(target)
	own := target.Computation
	if err != nil || !s.topology.HasTriggers() || own == nil && source.Volatile || own != nil && !target.Computed.Kept {
		return nil
	}
	list := source.Type.List
	e := &Entries{
		From: link.Relation(s.Org) + " l join " + target.Table.From(append(slices.Clip(condition.Fields), target)) +
			" on t.id = l." + link.Other,
		Own: "l." + link.Own, Where: condition.SQL, Source: target, Value: source.SQL, List: list,
		Whole: own == nil && !limited && !list,
	}
	if own != nil {
		e.Value = "t." + target.Computed.Value
	}
	return e
}
