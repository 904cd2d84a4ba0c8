package schema

import (
	"slices"
	"strconv"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// A column of a formula that depends on the day, in the time zone of its base, holds what the formula says on one day,
// which is a part of the name of what it holds (rowhouse.computed_column.expression). A job computes the column again
// after midnight. A statement that reads it asserts that it is of the present day.
//
// That day is what the clock shows when the statement runs, and not when its transaction began. Triggers ask the same
// clock, so that no record that the statement sees was written on a later day than it asserts; and the job waits for
// those who wrote on an earlier day to end, before it looks at the records (Store.Fill).

const (
	daySeparator = "@"
	clock        = "clock_timestamp()"
)

// today is an expression for the day of a moment, as text.
func (t *Table) today(moment string) string {
	return "to_char(" + formula.Day(moment, t.Base.TimeZone) + ", 'YYYY-MM-DD')"
}

// ColumnName is rowhouse.computed_column.expression for columns of a field that hold what it says now. The field is of
// Stored.
func (s *Snapshot) ColumnName(f *Field) string {
	if day := s.columns[f.Number].Day; f.Daily() && day != "" {
		return f.Computation.Columns + daySeparator + day
	}
	return f.Computation.Columns
}

// FilledToday is an SQL expression for rowhouse.computed_column.expression of columns that are filled in this
// transaction: for the day on which it began, because it may end on another one.
func (f *Field) FilledToday() string {
	name := field.Literal(f.Computation.Columns)
	if f.Daily() {
		name += " || " + field.Literal(daySeparator) + " || " + f.Table.today("now()")
	}
	return name
}

// DayConditions are SQL conditions without parameters that hold if columns that the fields read, which are of Stored,
// are of the present day.
func DayConditions(fields []*Field) []string {
	var conditions []string
	seen := map[int32]bool{}
	var walk func(f *Field)
	walk = func(f *Field) {
		own := f.Computation
		if own == nil || seen[f.Number] {
			return
		}
		seen[f.Number] = true
		if f.Daily() {
			conditions = append(conditions, "exists (select from rowhouse.computed_column k where k.org_id = '"+
				f.Table.Org.String()+"' and k.field_number = "+strconv.Itoa(int(f.Number))+" and k.filled and "+
				"k.expression = "+field.Literal(own.Columns+daySeparator)+" || "+f.Table.today(clock)+")")
		}
		for _, read := range slices.Concat(own.needs, own.far) {
			walk(read)
		}
	}
	for _, f := range fields {
		walk(f)
	}
	return conditions
}

// lateralToday is lateral for fields of which some depend on the day: what else they need is in its columns.
func lateralToday(fields []*Field) string {
	ids := make([]string, len(fields))
	for i, f := range fields {
		ids[i] = f.PublicID()
	}
	text := ""
	for _, f := range needsOf(fields[0].Table, ids) {
		value := f.Computed.SQL
		if f.Daily() {
			value = f.Computation.piece
		}
		text += " cross join lateral (select " + value + " as v offset 0) " + f.variable()
	}
	return text
}
