// Package formula compiles formulas to SQL: expressions over the fields of one record, in the language
// of Airtable's formula fields. It owns the language, its functions and the catalogue that documents
// them. It evaluates nothing itself: PostgreSQL is the only evaluator, so that a value is the same
// wherever it is read.
//
// The package knows nothing of records, tables, connections or lookups. Its caller says in a Scope what
// can be read and by which SQL.
//
// # From a text to a column
//
//	tree, err := formula.Parse(text)          // Problems: where, what was expected
//	f, err := tree.Check(scope)               // Problems: types that do not fit, fields that are not there
//	f.Type, f.Volatile, f.Fails, f.Fields()   // what the field becomes, and what it depends on
//	f.Stored()                                // kept in the config: ids in the place of names
//	formula.Shown(stored, scope)              // for people: names in the place of ids
//	f.SQL()                                   // one expression of the record table
//
// A stored formula is parsed and checked in the same way: a reference is looked up by id and then by
// name. When a field that it reads is deleted or has got another type, Check fails; the caller then
// shows the error SourceMissing for every record until Check succeeds again.
//
// # Values and errors
//
// An error is a value. SQL yields it in the type of the formula, as a value that nothing else has (see
// the functions formula_… of the schema gate), so that the expression stays one scalar expression.
// Value and Error separate the two. Store them in two columns, of Type.Column and of smallint: the
// value is null for an error, and so every operator, order and index sees an empty value there. Write
// them with
//
//	from … t cross join lateral (select <SQL> as v offset 0) x
//	set value = <Value(f.Type, "x.v")>, failure = <Error("x.v")>
//
// Here offset 0 keeps the planner from writing the expression twice. A formula that reads another one
// has Stored(type, value, failure) as its Field.SQL. Before the column is filled, and for a volatile
// formula, it has the other one's SQL itself; Order says which is computed first. No function raises an
// error. A statement ends early only by its time limit, as every statement does, or when disk or memory
// is full.
//
// Code.String and Code.Message are the error in the API: {"error": "division_by_zero", "message": …}.
//
// # Meaning
//
// Null is an empty value: 0 in arithmetic, no text, false. "" is the same as empty. A comparison with
// BLANK() or "" tests whether a value is empty, and 0 is not. Between the results of IF and SWITCH, ""
// is an empty value of the other results' type. + joins texts. A list of one is its value where a
// single value is needed. docs/reference/formulas.md documents the differences to Airtable.
//
// Dates have no time; times are moments. A day, an hour or a format of a moment uses the Scope's time
// zone, or the one that SET_TIMEZONE names. NOW, TODAY, FROMNOW and TONOW make a formula Volatile: it
// is computed when it is read, and cannot be stored or indexed.
//
// # Safety
//
// User text reaches SQL only as literals, quoted so that they mean the same with every setting.
// Formulas are bounded (MaxLength, MaxDepth), their SQL is linear in them, and texts that they compute
// are bounded (MaxText). Patterns are those of RE2, without backreferences, so that PostgreSQL's engine
// needs time linear in the text.
package formula
