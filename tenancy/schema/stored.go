package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// Lookups, rollups, counts, and the formulas that read them have columns too. What a change of a linked record or of
// a link makes out of date is marked in the transaction of the change (mark.go), and package record computes what is
// marked. So such a column may be read where a statement has made sure that no mark concerns it, and the expression
// everywhere else.

// storedKey is the key of Memoize for Stored.
type storedKey struct{}

// Stored returns the snapshot in which every field that can stand in columns is read from them, whether they are
// filled or not. It is the snapshot itself where that makes no difference: there are no such fields, or record tables
// have no triggers; and for somebody who reads only some records, because the columns hold what is computed from all.
func (s *Snapshot) Stored() *Snapshot {
	if !s.topology.HasTriggers() || s.stores || s.ruled {
		return s
	}
	stored, _ := Memoize(s, storedKey{}, func() (*Snapshot, error) { // two at once make two that are alike
		for _, f := range s.fields {
			if f.Computation != nil && (f.Type() != formulaType || f.Computation.daily) {
				return s.inColumns(nil), nil
			}
		}
		return s, nil
	})
	return stored
}

// inColumns is the copy that Stored returns, or Present where stored is given.
func (s *Snapshot) inColumns(stored *Snapshot) *Snapshot {
	out := s.copy(nil)
	out.stores, out.gone = true, s.gone
	if stored != nil {
		out.readPresent(stored)
	}
	out.Complete()
	out.keepLimits(s)
	return out
}

// Ready reports whether the field's column may be read of records that no mark concerns. It is for fields of Stored.
func (f *Field) Ready() bool { return f.Computation == nil || f.Computation.ready }

// A Readiness says how the values of a field can be read of all records that no mark concerns.
type Readiness int8

const (
	// InColumns is that of fields whose values stand in filled columns, or are no computed ones.
	InColumns Readiness = iota
	// Joined is that of fields whose column is not filled, and which a join of all linked records computes (Parts).
	Joined
	// Computed is that of fields that are computed where they are read.
	Computed
)

// Readiness says how the field's values can be read. It is for fields of Stored.
func (f *Field) Readiness() Readiness {
	switch own := f.Computation; {
	case own == nil || own.ready:
		return InColumns
	case own.joined:
		return Joined
	}
	return Computed
}

// Asserted reports whether a statement that reads the field's column has to assert that it is up to date: that no mark
// concerns it, and that it is of the present day. It is for fields of Stored.
func (f *Field) Asserted() bool { return f.Marked() || f.Daily() }

// Daily reports whether the field's column holds values of a day. It is for fields of Stored.
func (f *Field) Daily() bool {
	return f.Computation != nil && f.Computation.Kept && f.Computation.daily
}

// Marked reports whether the field's column is out of date for the records that marks concern. It is for fields of
// Stored.
func (f *Field) Marked() bool { return f.Computation != nil && f.Computation.marked }

// Reads lists the computed fields that the field is computed from, of its record and of linked ones. It is for fields
// of Stored.
func (f *Field) Reads() []*Field {
	return slices.DeleteFunc(slices.Concat(f.Computation.needs, f.Computation.far), func(read *Field) bool {
		return read.Computation == nil
	})
}

// store completes a field that stands in columns: its expression is in Computation.piece.
func (c *compiler) store(f *Field) {
	own := f.Computation
	for _, read := range append(slices.Clone(own.needs), own.far...) {
		if read.Computation != nil && read.Computation.marked {
			own.marked = true
		}
	}
	own.marked = own.marked || own.Link != nil
	if own.marked {
		own.Columns = own.storedName(f)
	}
	column := c.snapshot.columns[f.Number]
	own.ready = column.Filled && column.Expression == own.Columns
	own.joined = own.isJoined()
	if own.Kept {
		own.tables = f.tablesRead()
		computed := f.Computed
		f.keep()
		if c.snapshot.present != nil && own.marked {
			f.readPresent()
		}
		f.Computed.Options, f.Computed.Tables = computed.Options, own.tables
	}
}

// isJoined reports whether a join computes the field, as it does what the field reads unless that is in columns.
func (c *Computation) isJoined() bool {
	apart := func(read *Field) bool { return read.Readiness() == Computed }
	return c.Kept && c.marked && !c.daily && !slices.ContainsFunc(slices.Concat(c.needs, c.far), apart)
}

// storedName is computation.columns of a field that marks concern. It changes with the names of what the field reads.
func (c *Computation) storedName(f *Field) string {
	sum := sha256.New()
	_, _ = sum.Write([]byte(c.Type.Column() + " " + f.Computed.SQL))
	for _, read := range append(slices.Clone(c.needs), c.far...) {
		_, _ = sum.Write([]byte(" " + strconv.Itoa(int(read.Number))))
		if read.Computation != nil {
			_, _ = sum.Write([]byte(read.Computation.Columns))
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// tablesRead lists the numbers of the other tables whose records the field depends on.
func (f *Field) tablesRead() []int32 {
	var tables []int32
	add := func(numbers ...int32) {
		for _, n := range numbers {
			if !slices.Contains(tables, n) {
				tables = append(tables, n)
			}
		}
	}
	own := f.Computation
	if own.Link != nil {
		add(f.Table.Number, own.linked.Number)
	}
	for _, read := range append(slices.Clone(own.needs), own.far...) {
		if read.Computation != nil {
			add(read.Computation.tables...)
		}
	}
	return tables
}

// A Source is what a mark says has changed: a column of a table, by the number of its field, or the links of records on
// one side of a join table, by a negative number.
type Source int32

// source is that of the links of the side's records.
func (l *Link) source() Source {
	if l.Own == "a" {
		return Source(-2 * l.Number)
	}
	return Source(-2*l.Number - 1)
}

// direct lists the sources that marks of the field itself name, for a field that reads linked records.
func (c *Computation) direct() []Source {
	if c.Link == nil {
		return nil
	}
	sources := []Source{c.Link.source()}
	for _, far := range c.far {
		sources = append(sources, Source(far.Number))
	}
	return sources
}

// closure lists what the fields' columns depend on through links: the fields that read linked records, each behind
// those that it reads.
func closure(fields []*Field) []*Field {
	var out []*Field
	seen := map[int32]bool{}
	var walk func(f *Field)
	walk = func(f *Field) {
		own := f.Computation
		if own == nil || !own.marked || seen[f.Number] {
			return
		}
		seen[f.Number] = true
		for _, read := range slices.Concat(own.needs, own.far) {
			walk(read)
		}
		if own.Link != nil {
			out = append(out, f)
		}
	}
	for _, f := range fields {
		walk(f)
	}
	return out
}

// StaleCondition is an SQL condition without parameters that holds if no mark concerns one of the fields, which are of
// Stored; "" if marks concern none of them.
func (t *Table) StaleCondition(fields []*Field) string {
	var sources []string
	for _, f := range closure(fields) {
		for _, source := range f.Computation.direct() {
			if number := strconv.Itoa(int(source)); !slices.Contains(sources, number) {
				sources = append(sources, number)
			}
		}
	}
	if len(sources) == 0 {
		return ""
	}
	return "not exists (select from " + MarkRelation(t.Org) + " m where m.source in (" + strings.Join(sources, ", ") +
		"))"
}
