package formula

import "fmt"

// A formula's value and its error are in two columns: the value in one of Type.Column, null for an
// error, and the error's code in a smallint, null for a value. So a filter, a sort and an index see an
// ordinary column.
//
// The functions here take the name of a column or an alias with the result of Formula.SQL. They write
// it several times, so it must not be the expression itself:
//
//	select Value(…, "x.v"), Error(…, "x.v") from … t cross join lateral (select <SQL> as v offset 0) x

// Value is the value without its error, of the type Type.Column.
func Value(t Type, column string) string {
	switch {
	case t == aBoolean:
		return fmt.Sprintf("case when %[1]s < 1e301 then %[1]s <> 0 end", column)
	case t == aNumber:
		return fmt.Sprintf("case when %[1]s < 1e301 then %[1]s end", column)
	case t == aText:
		return fmt.Sprintf("case when not "+failedText+" then nullif(%[1]s, '') end", column)
	case t.List && t.Base == Boolean:
		return fmt.Sprintf("case when gate.formula_error(%[1]s) is null then array(select x <> 0 from "+
			"unnest(%[1]s) x) end", column)
	}
	return fmt.Sprintf("case when gate.formula_error(%[1]s) is null then %[1]s end", column)
}

// failedText is the condition that a text is an error. It does not call gate.formula_error for each
// text, because the first call of a PL/pgSQL function in a transaction has a cost that every single
// write would pay.
const failedText = `starts_with(%[1]s, U&'\FFFF')`

// Error is the code of the error, or null.
func Error(t Type, column string) string {
	if t == aText {
		return fmt.Sprintf("case when "+failedText+" then gate.formula_error(%[1]s) end", column)
	}
	return "gate.formula_error(" + column + ")"
}

// Stored is an expression for Field.SQL of a field whose value and error are in two columns.
func Stored(t Type, value, failure string) string {
	if t.Base == Boolean {
		if t.List {
			value = "(" + value + ")::integer[]::double precision[]"
		} else {
			value = "(" + value + ")::integer::double precision"
		}
	}
	if t.List {
		return fmt.Sprintf("(case when %s is null then %s else array[%s] end)", failure, value,
			errorOf(t.Base, failure))
	}
	return fmt.Sprintf("(case when %s is null then %s else %s end)", failure, value, errorOf(t.Base, failure))
}

func errorOf(b Base, failure string) string {
	name := [...]string{"text", "number", "text", "number", "date", "time"}[b]
	return "gate.formula_" + name + "_error(" + failure + ")"
}
