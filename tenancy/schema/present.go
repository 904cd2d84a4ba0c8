package schema

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// Where marks say that columns are out of date, a statement reads a table from a relation that has, beyond the columns
// of the table, the present values of the fields that the statement reads. There are two ways to them. Few records that
// marks concern are found through their links, and computed; the columns of all others hold. Otherwise the fields of
// all records are computed at once, because a join of all pairs takes less than a look for those of each record.
//
// The relations are common table expressions: present_<table> of the table, fresh_<field> of what is computed, and
// stale_<field> of the ids of the records that marks concern. What is computed for a field reads linked records from
// present_<table>_<field>, which has only what that field reads: two tables may read each other.

// presentKey is the key of Memoize for Present.
type presentKey struct{}

// Present returns the snapshot of which statements read present values where columns may be out of date; nil if there
// are no such columns. Statements need the Parts of the fields that they read.
func (s *Snapshot) Present() *Snapshot {
	stored := s.Stored()
	if stored == s || s.stores {
		return nil
	}
	present, _ := Memoize(s, presentKey{}, func() (*Snapshot, error) { return s.inColumns(stored), nil })
	return present
}

// readPresent has statements read tables with columns that may be out of date from their present_<table>.
func (s *Snapshot) readPresent(stored *Snapshot) {
	s.present = stored
	for _, t := range s.tables {
		if slices.ContainsFunc(stored.Table(t.ID).Fields, (*Field).Marked) {
			t.relation = presentName(t.Number)
		}
	}
}

// readPresent has the field's values read in columns that only present_<table> has, so that a statement which lacks
// the Parts of a field that it reads fails.
func (f *Field) readPresent() {
	number := strconv.Itoa(int(f.Number))
	f.Computed.Value, f.Computed.Failure = `"now_`+number+`"`, `"now_e_`+number+`"`
	f.Computed.SQL = formula.Stored(f.Computation.Type, "t."+f.Computed.Value, "t."+f.Computed.Failure)
}

// A Part is a common table expression.
type Part struct {
	Name, Body string
	Inline     bool // it is a part of what reads it; others are computed once
}

func presentName(table int32) string { return "present_" + strconv.Itoa(int(table)) }

func (f *Field) freshName() string { return "fresh_" + strconv.Itoa(int(f.Number)) }

func (f *Field) staleName() string { return "stale_" + strconv.Itoa(int(f.Number)) }

// partName finds names of parts. Text of people that looks like one only adds a part that nothing reads.
var partName = regexp.MustCompile(`\b(present|fresh|stale)_([0-9]+)(?:_([0-9]+))?\b`)

// Parts writes the common table expressions that a statement names, each behind those that it names itself. fields are
// those of Present whose columns the statement reads. all has them computed for all records at once.
func (s *Snapshot) Parts(statement string, fields []*Field, all bool) []Part {
	w := &partWriter{snapshot: s, read: fields, fields: map[string]*Field{}, all: all, done: map[string]bool{}}
	for _, f := range closure(fields) {
		w.fields[strconv.Itoa(int(f.Number))] = f
	}
	w.add(statement)
	return w.parts
}

type partWriter struct {
	snapshot *Snapshot
	read     []*Field          // by the statement itself
	fields   map[string]*Field // those that read linked records, by their numbers
	all      bool
	done     map[string]bool
	parts    []Part
}

// add adds the parts that a text names.
func (w *partWriter) add(text string) {
	for _, found := range partName.FindAllStringSubmatch(text, -1) {
		name, kind, number := found[0], found[1], found[2]
		if w.done[name] {
			continue
		}
		w.done[name] = true
		part := Part{Name: name}
		switch kind {
		case "present":
			n, _ := strconv.ParseInt(number, 10, 32)
			t, read := w.snapshot.TableByNumber(int32(n)), w.read
			if reader := w.fields[found[3]]; reader != nil {
				read = reader.Computation.far
			}
			if t == nil || t.relation != presentName(t.Number) {
				continue
			}
			part.Body, part.Inline = w.table(t, read), true
		case "stale":
			if f := w.fields[number]; f != nil {
				part.Body = f.staleBody(union)
			}
		default:
			if f := w.fields[number]; f != nil {
				part.Body = w.fresh(f)
			}
		}
		if part.Body != "" {
			w.add(part.Body)
			w.parts = append(w.parts, part)
		}
	}
}

// linkedPresent is how a field is computed from linked records with their present values.
func (f *Field) linkedPresent() *field.Linked {
	l := *f.Computation.value
	if name := presentName(f.Computation.linked.Number); l.From == name+" t" {
		l.From = name + "_" + strconv.Itoa(int(f.Number)) + " t"
	}
	return &l
}

// fresh selects the ids and the values v of the records that marks concern in a field that reads linked records; of
// all, it leaves out those without such records.
func (w *partWriter) fresh(f *Field) string {
	l := f.linkedPresent()
	if w.all {
		return l.Grouped("")
	}
	return "select t.id, case when a.id is null then " + w.unlinked(f) + " else a.v end as v from " + f.staleName() +
		" t left join (" + l.Grouped(f.staleName()) + ") a on a.id = t.id"
}

// unlinked is what a field is computed to where no linked record counts. It names no part: with those of all that the
// field reads it would be very long.
func (w *partWriter) unlinked(f *Field) string {
	l := *w.snapshot.present.Field(f.ID).Computation.value
	l.Where = "false"
	return l.SQL()
}

// table selects the records of a table with the present values of those of the fields that are its own.
func (w *partWriter) table(t *Table, fields []*Field) string {
	columns, shown := "t.*", map[int32]bool{}
	r := &presentRow{partWriter: w, joined: map[string]bool{}}
	for _, f := range fields {
		if f.Table.Number != t.Number || !f.Marked() || shown[f.Number] {
			continue
		}
		shown[f.Number] = true
		typ, v, value, failure := f.Computation.Type, f.variable()+".v", "", ""
		if f.Computation.Link != nil && !w.all {
			r.joinFresh(f)
			v = f.freshName() + ".v"
			value, failure = f.KeptColumns()
			clean := "case when " + f.freshName() + ".id is null then t."
			value, failure = clean+value+" else "+formula.Value(typ, v)+" end", clean+failure+" else "+
				formula.Error(typ, v)+" end"
		} else {
			for _, need := range append(slices.Clone(f.Computation.needs), f) {
				r.join(need)
			}
			value, failure = formula.Value(typ, v), formula.Error(typ, v)
		}
		columns += ", " + value + " as " + f.Computed.Value + ", " + failure + " as " + f.Computed.Failure
	}
	return "select " + columns + " from " + Relation(t.Org, "t_", t.Number) + " t" + r.joins.String()
}

// A presentRow joins a record t with what present values are computed from.
type presentRow struct {
	*partWriter
	joins  strings.Builder
	joined map[string]bool // by their names
}

// joinFresh joins what is computed of a field that reads linked records.
func (r *presentRow) joinFresh(f *Field) {
	if name := f.freshName(); !r.joined[name] {
		r.joined[name] = true
		r.joins.WriteString(" left join " + name + " on " + name + ".id = t.id")
	}
}

// join joins the value v of a field, behind those of the fields that it reads.
func (r *presentRow) join(f *Field) {
	if r.joined[f.variable()] {
		return
	}
	r.joined[f.variable()] = true
	value, failure := f.KeptColumns()
	v := formula.Stored(f.Computation.Type, "t."+value, "t."+failure)
	switch {
	case !f.Marked():
	case f.Computation.Link != nil:
		r.joinFresh(f)
		if r.all {
			v = r.unlinked(f)
		}
		v = "case when " + f.freshName() + ".id is null then " + v + " else " + f.freshName() + ".v end"
	case r.all:
		v = f.Computation.piece
	default:
		var clean []string
		for _, near := range f.nearest() {
			clean = append(clean, near.freshName()+".id is null")
		}
		v = "case when " + strings.Join(clean, " and ") + " then " + v + " else " + f.Computation.piece + " end"
	}
	// As in lateral, OFFSET 0 keeps the planner from writing a value where it is read.
	r.joins.WriteString(" cross join lateral (select " + v + " as v offset 0) " + f.variable())
}

// Stale selects the ids of the records of a table that marks concern in one of its fields. A statement with it needs
// Parts.
func Stale(fields []*Field) string {
	var all []string
	for _, f := range fields {
		for _, near := range f.nearest() {
			if one := "select id from " + near.staleName(); !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return strings.Join(all, union)
}

const (
	union    = " union "
	unionAll = " union all "
)

// ManyStale is a query of whether marks concern many records in one of the fields, which are of Present: more than
// least, and more than one of share records of a table. A record may count several times. It counts no further.
func (s *Snapshot) ManyStale(t *Table, fields []*Field, least, share int) string {
	var stale []string
	for _, f := range fields {
		for _, near := range f.nearest() {
			if one := near.staleBody(unionAll); !slices.Contains(stale, one) {
				stale = append(stale, one)
			}
		}
	}
	query := "select count(*) > (select n from most) from (select from (" + strings.Join(stale, unionAll) +
		") x limit (select n + 1 from most)) x"
	with := "with most as materialized (select greatest(" + strconv.Itoa(least) + ", coalesce(sum(c.records), 0) / " +
		strconv.Itoa(share) + ")::bigint as n from " + t.CountRelation() + " c where c.table_number = " +
		strconv.Itoa(int(t.Number)) + ")"
	for _, part := range s.Parts(query, fields, false) {
		with += ", " + part.Name + " as materialized (" + part.Body + ")"
	}
	return with + " " + query
}

// nearest lists the fields of the same record that read linked records and that the field reads, itself if it is one.
func (f *Field) nearest() []*Field {
	if f.Computation == nil || !f.Computation.marked {
		return nil
	}
	if f.Computation.Link != nil {
		return []*Field{f}
	}
	var out []*Field
	for _, need := range f.Computation.needs {
		if need.Computation.Link != nil {
			out = append(out, need)
		}
	}
	return out
}

// staleBody selects the ids of the records that marks concern in a field that reads linked records: each once where
// the operator is union, and where it is unionAll as often as it is found.
func (f *Field) staleBody(operator string) string {
	own := f.Computation
	marks, pairs := MarkRelation(f.Table.Org), own.Link.Relation(f.Table.Org)
	body := "select "
	if operator == union && len(own.far) == 0 { // there is no other query, and a record is marked several times
		body += "distinct "
	}
	body += "m.record as id from " + marks + " m where m.source = " + strconv.Itoa(int(own.Link.source()))
	var sources []string
	for _, source := range own.direct()[1:] {
		sources = append(sources, strconv.Itoa(int(source)))
	}
	if len(sources) > 0 {
		body += operator + "select l." + own.Link.Own + " from " + marks + " m join " + pairs + " l on l." +
			own.Link.Other + " = m.record where m.source in (" + strings.Join(sources, ", ") + ")"
	}
	for _, far := range own.far {
		for _, near := range far.nearest() {
			body += operator + "select l." + own.Link.Own + " from " + near.staleName() + " d join " + pairs +
				" l on l." + own.Link.Other + " = d.id"
		}
	}
	return body
}
