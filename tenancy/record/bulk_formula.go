package record

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An assignment sets a field of every record to what a formula gives for it.
type assignment struct {
	field    *schema.Field
	computed *schema.Field // which computes the formula, and is in no table
}

// results are the values that assignments give, in their order, by record: JSON as in a record's
// fields.
type results map[uuid.UUID][]json.RawMessage

// assignments reads what fields are set to by formulas. now is the moment that the formulas see.
func (in *writeInput) assignments(set, fields jsonvalue.ParsedObject, now time.Time) []assignment {
	var out []assignment
	moment := field.Literal(now.UTC().Format(time.RFC3339Nano)) + "::timestamptz"
	for _, m := range set.Members() {
		path, f := "set."+m.Name, in.table.FieldByName(m.Name)
		sets := func(other jsonvalue.Member) bool { return f != nil && in.table.FieldByName(other.Name) == f }
		switch {
		case f == nil:
			in.failUnknown(path, m.Name)
		case f.Locked:
			in.fail(path, lockedField)
		case slices.ContainsFunc(fields.Members(), sets):
			in.fail(path, "is set by fields too; a field is set once")
		case slices.ContainsFunc(out, func(a assignment) bool { return a.field == f }):
			in.fail(path, "is given twice")
		default:
			if computed := in.assignment(path, f, m.Value, moment); computed != nil {
				out = append(out, assignment{f, computed})
			}
		}
	}
	if set.Invalid != nil {
		in.fail("set", "%s", set.Invalid)
	}
	return out
}

// failUnknown says that no field has a name.
func (in *writeInput) failUnknown(path, name string) {
	names := in.table.FieldNames()
	in.fail(path, "is not a field of %q%s; its fields are %s",
		in.table.Name, problem.DidYouMean(name, names), problem.List(names))
}

// assignment checks that a formula gives what a field accepts, and returns a field that computes it, or
// nil.
func (in *writeInput) assignment(path string, f *schema.Field, raw []byte, now string) *schema.Field {
	targets := formula.Targets(&f.Field)
	if len(targets) == 0 {
		in.fail(path, "is of type %s, which no formula sets", f.Type())
		return nil
	}
	text, err := formulaIn(raw)
	if err != nil {
		in.fail(path, "%s", err)
		return nil
	}
	path += ".formula"
	checked, err := in.schema.CheckFormula(in.table, nil, text, now)
	if err != nil {
		in.fail(path, "%s", err)
		return nil
	}
	for i := range checked.Problems {
		in.fail(path, "%s", checked.Problems[i].Error())
	}
	if checked.Field == nil {
		return nil
	}
	if !in.typecast && !slices.Contains(targets, checked.Type) {
		hint := formula.Converts(targets)
		if hint != "" {
			hint += " gives one, and "
		}
		in.fail(path, "gives %s, and a field of type %s takes %s; %stypecast: true converts each value",
			formula.Describe([]formula.Type{checked.Type}), f.Type(), formula.Describe(targets), hint)
		return nil
	}
	return checked.Field
}

// formulaIn reads {"formula": "…"}.
func formulaIn(raw []byte) (string, error) {
	text, found, other := "", false, ""
	var failed error
	if jsonvalue.Kind(raw) != jsonvalue.Object {
		return "", fmt.Errorf(`must be an object with a formula, {"formula": "{Price} * 1.05"}, not %s; fields takes `+
			"values", jsonvalue.Describe(raw))
	}
	err := jsonvalue.Members(raw, func(name string, value []byte) bool {
		switch {
		case name != "formula":
			other = name
		case jsonvalue.Kind(value) != jsonvalue.String:
			failed = fmt.Errorf("must have a formula that is a string, not %s", jsonvalue.Describe(value))
		default:
			text, failed = jsonvalue.Unquote(value)
			found = true
		}
		return failed == nil
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("reading a formula: %w", err)
	case failed != nil:
		return "", failed
	case other != "":
		return "", fmt.Errorf("has an unknown member %s; the only one is formula", field.Quote(other))
	case !found:
		return "", fmt.Errorf("is without formula")
	}
	return text, nil
}

// compute computes formulas for the found records, in one statement.
func (e *Engine) compute(
	ctx context.Context, actor Actor, t *schema.Table, set []assignment, found []selected,
) (results, error) {
	out := make(results, len(found))
	if len(set) == 0 || len(found) == 0 {
		return out, nil
	}
	rows := make([]uuid.UUID, len(found))
	for i := range found {
		rows[i] = found[i].row
	}
	selected := "t.id"
	encoders := make([]field.Encoder, len(set))
	for i, a := range set {
		selected += ", " + a.computed.Computed.SQL
		encoders[i] = a.computed.Kind.Encoder(&a.computed.Field, nil)
	}
	err := e.db.TableBatch(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("select "+selected+" from "+t.Relation()+" t where t.id = any ($1)", rows).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					raw := rows.RawValues()
					values := make([]json.RawMessage, len(set))
					for i, value := range raw[1:] {
						if values[i] = json.RawMessage("null"); value != nil {
							values[i] = encoders[i](nil, value)
						}
					}
					out[uuid.UUID(raw[0])] = values
				}
				return rows.Err()
			})
	})
	if err != nil {
		return nil, fmt.Errorf("computing the formulas of a change: %w", err)
	}
	return out, nil
}

// addAll adds a row for each of the found records, with the fields of the change and what its formulas give.
func (e *Engine) addAll(
	ctx context.Context,
	input *writeInput,
	in *Bulk,
	set []assignment,
	found []selected,
	computed results,
) error {
	input.exclusive, input.counted = in.exclusive, true
	refused := 0
	var items []problem.Item
	for i := range found {
		r := input.add("fields", in.Fields)
		r.id, r.demanded = found[i].row, &found[i].version
		record := id.FormatRecord(input.table.Number, r.id)
		r.path = "fields of " + record
		values := computed[r.id]
		if values == nil {
			continue // it has just been deleted, which the write finds
		}
		var wrong error
		for n, a := range set {
			value, err := input.convert(a, "set."+a.field.Name, values[n])
			if err != nil {
				wrong = fmt.Errorf("%q %w", a.field.Name, err)
				break
			}
			r.size += len(values[n])
			input.put(r, a.field, value)
		}
		if wrong != nil {
			if refused++; len(items) < maxItems {
				items = append(items, problem.Item{Path: record, Message: wrong.Error()})
			}
		}
	}
	if refused == 0 {
		return nil
	}
	err := problem.Conflict("The formulas give %d of %s a value that cannot be stored. Nothing was changed; narrow "+
		"the filters, or have the formula give something else there, as IF(ISERROR(x), y, x) does.", refused,
		problem.Count(len(found), "record")).WithCode(problem.CodeValueRefused)
	if !db.ActorOf(ctx).Blind {
		err.Items = items
		err.Message += " The first is " + items[0].Path + ": " + items[0].Message + "."
	}
	return err
}

// convert converts the result of an assignment's formula to a value of its field.
func (in *writeInput) convert(a assignment, path string, raw json.RawMessage) (field.Value, error) {
	given := field.Input{Field: &a.field.Field, Typecast: true}
	if in.typecast {
		given.NewOption = func(name string) error { in.noteMissingOption(a.field, path, name); return nil }
	}
	value := field.Value(a.field.Info().Unset)
	if jsonvalue.Kind(raw) != jsonvalue.Null {
		var err error
		if value, err = given.Convert(&a.computed.Field, raw); err != nil {
			return nil, err //nolint:wrapcheck // it says what is wrong with the value
		}
	}
	if value == nil && a.field.Config.Required {
		return nil, fmt.Errorf("would be empty, and is required")
	}
	return value, nil
}

// hash adds what formulas give to a digest.
func (r results) hash(h *plan.Hash, found []selected) {
	for i := range found {
		for _, value := range r[found[i].row] {
			h.Write(string(value))
		}
	}
}

// maxAuditFormula is how much of a formula an audit event says, in characters.
const maxAuditFormula = 1000

// formulas has, by the names of the fields that are set, the formulas as they were written: they say what was done to
// all the records.
func (in *Bulk) formulas(t *schema.Table) map[string]string {
	set := map[string]string{}
	for _, m := range in.Set.Members() {
		text, err := formulaIn(m.Value)
		if f := t.FieldByName(m.Name); err == nil && f != nil {
			if runes := []rune(text); len(runes) > maxAuditFormula {
				text = string(runes[:maxAuditFormula]) + "…"
			}
			set[f.Name] = text
		}
	}
	return set
}
