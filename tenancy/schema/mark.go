package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A mark says that a column of a record, or its links, changed after what is computed from them was. Triggers write it
// in the transaction of the change, whoever sends that. Marks are only added, and deleted by their numbers, so that
// writers never wait for one another: a record may be marked several times.

// MarkRelation is the quoted, schema-qualified name of the marks of an organization.
func MarkRelation(org uuid.UUID) string { return `"` + organization.SchemaName(org) + `"."stale_mark"` }

// A MarkTrigger writes marks.
type MarkTrigger struct {
	Key      string // of the relation's name and its own
	Name     string
	Relation string
	Rest     string   // of the statement that makes it, behind the name
	Tables   []*Table // whose writers it concerns
	Remade   bool     // a column that it compares is created again
}

// MarkTriggers are those that the snapshot's fields need. It is for Stored.
func (s *Snapshot) MarkTriggers() []MarkTrigger {
	var triggers []MarkTrigger
	add := func(one MarkTrigger) {
		one.Key = strings.Trim(one.Relation[strings.Index(one.Relation, ".")+1:], `"`) + " " + one.Name
		has := func(other MarkTrigger) bool { return other.Key == one.Key }
		if !slices.ContainsFunc(triggers, has) {
			triggers = append(triggers, one)
		}
	}
	schemaName := organization.SchemaName(s.Org)
	recordFunction, pairsFunction := `"`+schemaName+`"."mark_record"`, `"`+schemaName+`"."mark_pairs"`
	for _, f := range s.order {
		own := f.Computation
		if own.Link == nil || !own.Kept {
			continue
		}
		pairs := own.Link.Relation(s.Org)
		for _, event := range [][2]string{{"insert", "new"}, {"update", "new"}, {"delete", "old"}} {
			add(MarkTrigger{
				Name: "mark_" + own.Link.Own + "_" + event[0], Relation: pairs, Tables: []*Table{f.Table, own.linked},
				Rest: fmt.Sprintf(" after %s on %s referencing %s table as changed for each statement "+
					"execute function %s('%d', '%s')", event[0], pairs, event[1], pairsFunction,
					own.Link.source(), own.Link.Own),
			})
		}
		for _, far := range own.far {
			columns, remade := []string{far.Column()}, false
			if far.Computation != nil {
				value, failure := far.KeptColumns()
				columns = []string{value, failure}
				was := s.columns[far.Number].Type
				remade = was != "" && was != far.Computation.Type.Column()
			}
			conditions := make([]string, len(columns))
			for i, column := range columns {
				conditions[i] = fmt.Sprintf("old.%[1]s is distinct from new.%[1]s", column)
			}
			add(MarkTrigger{
				// It comes behind the trigger that computes the record's own formulas.
				Name: "mark_" + strconv.Itoa(int(far.Number)), Relation: far.Table.Relation(),
				Tables: []*Table{far.Table}, Remade: remade,
				Rest: fmt.Sprintf(" before update on %s for each row when (%s) execute function %s('%d')",
					far.Table.Relation(), strings.Join(conditions, " or "), recordFunction, far.Number),
			})
		}
	}
	return triggers
}

// Sources lists what marks may name, in an order in which what marks say can be computed: what is computed may be a
// source of what comes behind. It is for Stored.
func (s *Snapshot) Sources() []Source {
	var sources []Source
	rank := map[Source]int{}
	for i, f := range s.order {
		if f.Computation.Kept {
			rank[Source(f.Number)] = i + 1
		}
	}
	for _, f := range s.order {
		if !s.stands(f) {
			continue
		}
		for _, source := range f.Computation.direct() {
			if !slices.Contains(sources, source) {
				sources = append(sources, source)
			}
		}
	}
	slices.SortStableFunc(sources, func(a, b Source) int { return cmp.Compare(rank[a], rank[b]) })
	return sources
}

// stands reports whether the field has a column of its present form. A database of an earlier release has none until
// the next change of the organization's schema.
func (s *Snapshot) stands(f *Field) bool {
	return f.Computation.Kept && s.columns[f.Number].Expression == f.Computation.Columns
}

// Dependants are fields of a table that are computed again for the same records when a source has changed.
type Dependants struct {
	Table  *Table
	Fields []*Field
	// Records selects the ids of these records behind the id $2, in their order and at most $3, for the changed records
	// $1.
	Records string
}

// DependantsOf lists what is computed from a source directly. It is for Stored.
func (s *Snapshot) DependantsOf(source Source) []*Dependants {
	var out []*Dependants
	for _, f := range s.order {
		own := f.Computation
		if !s.stands(f) || !slices.Contains(own.direct(), source) {
			continue
		}
		records := "select u.id from unnest($1::uuid[]) u(id) where u.id > $2 group by u.id order by u.id limit $3"
		if source != own.Link.source() {
			records = fmt.Sprintf("select l.%[1]s from %[2]s l where l.%[3]s = any ($1::uuid[]) and l.%[1]s > $2 "+
				"group by l.%[1]s order by l.%[1]s limit $3", own.Link.Own, own.Link.Relation(s.Org), own.Link.Other)
		}
		at := slices.IndexFunc(out, func(d *Dependants) bool { return d.Table == f.Table && d.Records == records })
		if at < 0 {
			at, out = len(out), append(out, &Dependants{Table: f.Table, Records: records})
		}
		out[at].Fields = append(out[at].Fields, f)
	}
	return out
}

// Statement computes the fields for the records $1 that nobody has locked, and yields those that somebody has.
func (d *Dependants) Statement() string {
	relation := d.Table.Relation()
	set, columns, differ := assignments(d.Fields)
	return "with held as materialized (select k.id from " + relation + " k where k.id = any ($1::uuid[]) " +
		"for no key update skip locked), fresh as materialized (select t.id, " + columns + " from " + relation + " t" +
		lateralTogether(d.Fields) + " where t.id = any ($1::uuid[]) and t.id in (select id from held)), " +
		"done as (update " + relation + " t set " + set + " from fresh x where t.id = x.id and (" + differ + ")) " +
		"select k.id from " + relation + " k where k.id = any ($1::uuid[]) and k.id not in (select id from held)"
}

// assignments writes for fields that read linked records what an update sets of a row x, how a query joined with
// laterals gets that row's columns, and whether they differ from a record t.
func assignments(fields []*Field) (set, columns, differ string) {
	var sets, selected, differs []string
	for _, f := range fields {
		value, failure := f.KeptColumns()
		typ, v := f.Computation.Type, f.variable()+".v"
		selected = append(selected, formula.Value(typ, v)+" as "+value, formula.Error(typ, v)+" as "+failure)
		for _, column := range []string{value, failure} {
			sets = append(sets, column+" = x."+column)
			differs = append(differs, "t."+column+" is distinct from x."+column)
		}
	}
	return strings.Join(sets, ", "), strings.Join(selected, ", "), strings.Join(differs, " or ")
}

// lateralTogether is lateral for fields that stand in columns and need no other of the record. Fields that read the
// same linked records read them once.
func lateralTogether(fields []*Field) string {
	readers := map[string][]*Field{} // by the keys of what they read
	for _, f := range fields {
		if l := f.Computation.value; l != nil && !l.Unnested {
			readers[l.Key()] = append(readers[l.Key()], f)
		}
	}
	var b strings.Builder
	for _, f := range fields {
		l := f.Computation.value
		if l == nil || l.Unnested || len(readers[l.Key()]) < 2 {
			b.WriteString(lateral([]*Field{f}))
			continue
		}
		together := readers[l.Key()]
		row := "g_" + strconv.Itoa(int(together[0].Number))
		if f == together[0] {
			var values []*field.Linked
			var names []string
			for _, one := range together {
				values, names = append(values, one.Computation.value), append(names, one.variable())
			}
			b.WriteString(" cross join lateral " + field.TogetherAs(values, names) + " " + row)
		}
		b.WriteString(" cross join lateral (select " + row + "." + f.variable() + " as v) " + f.variable())
	}
	return b.String()
}

// FilledBy is what an update of a record t sets for columns to be filled, together with FillFrom. Columns that the
// table's trigger computes are set to nothing, but for those that depend on the day, which most days leave as they are.
func FilledBy(fields []*Field) string {
	set := ""
	for _, f := range fields {
		if set != "" {
			set += ", "
		}
		if value, failure := f.KeptColumns(); f.Computation.Link != nil || f.Daily() {
			set += value + " = x." + value + ", " + failure + " = x." + failure
		} else {
			set += value + " = null"
		}
	}
	return set
}

// FillFrom is the rest of such an update: where it gets the values, and a condition on the records t. Either all of the
// fields depend on the day, or none does.
func FillFrom(fields []*Field, condition string) string {
	if slices.ContainsFunc(fields, (*Field).Daily) {
		_, columns, differ := assignments(fields)
		return " from (select t.id, " + columns + " from " + fields[0].Table.Relation() + " t" + lateralToday(fields) +
			" where " + condition + ") x where t.id = x.id and " + condition + " and (" + differ + ")"
	}
	linked := slices.DeleteFunc(slices.Clone(fields), func(f *Field) bool { return f.Computation.Link == nil })
	if len(linked) == 0 {
		return " where " + condition
	}
	_, columns, _ := assignments(linked)
	return " from (select t.id, " + columns + " from " + linked[0].Table.Relation() + " t" + lateralTogether(linked) +
		" where " + condition + ") x where t.id = x.id and " + condition
}

// Unlinked is a query of the values, as literals, that the columns of a field hold in a record without links.
func (f *Field) Unlinked() string {
	typ, v := f.Computation.Type, f.variable()+".v"
	return "select quote_nullable((" + formula.Value(typ, v) + ")::text), quote_nullable((" + formula.Error(typ, v) +
		")::text) from (select '00000000-0000-0000-0000-000000000000'::uuid as id) t" + lateral([]*Field{f})
}

// Order lists the computed fields, each behind those that it reads.
func (s *Snapshot) Order() []*Field { return s.order }

// MarksChangesOf reports whether changes of a table's records or links may be marked. It is for Stored.
func (s *Snapshot) MarksChangesOf(table int32) bool {
	return slices.ContainsFunc(s.order, func(f *Field) bool {
		own := f.Computation
		return own.Kept && own.Link != nil && (table == 0 || own.linked.Number == table || f.Table.Number == table)
	})
}

// ComputingLock is a statement that takes the lock of those who compute what marks name, for records of the table,
// before they look at what they compute from. Without it, one of them could write an older value over that of another.
func (t *Table) ComputingLock() string {
	return "select pg_advisory_xact_lock(" + db.LockComputing.String() + ", " + strconv.Itoa(int(t.Number)) + ")"
}

// Readers lists the fields that compute from a field, directly.
func (s *Snapshot) Readers(f *Field) []*Field {
	var readers []*Field
	for _, t := range s.tables {
		for _, other := range t.Fields {
			if other.Computation != nil && slices.Contains(other.Computation.reads, f.PublicID()) {
				readers = append(readers, other)
			}
		}
	}
	slices.SortFunc(readers, func(a, b *Field) int { return int(a.Number - b.Number) })
	return readers
}

// Unfilled lists the fields of a table whose columns are not filled yet and can be, because what they read is. It is
// for tables of Stored.
func (s *Snapshot) Unfilled(t *Table) []*Field {
	var fields []*Field
	for _, f := range t.Kept() {
		column := s.columns[f.Number]
		if column.Filled || column.Expression != f.Computation.Columns {
			continue
		}
		waits := func(read *Field) bool { return !read.Ready() && !slices.Contains(fields, read) }
		if !f.Marked() || !slices.ContainsFunc(f.Reads(), waits) {
			fields = append(fields, f)
		}
	}
	return fields
}
