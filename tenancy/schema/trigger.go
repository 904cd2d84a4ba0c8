package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// The trigger of a record table computes the columns of its computed fields whenever a record is
// written in which something that they read has changed. It runs in the statement that writes, whoever
// sends that: a request, an import, a change of options or of a type, a revert. app.compute = 'on' has
// it compute every record that is written.

// ComputeSetting is the setting that has triggers compute what has not changed.
const ComputeSetting = "app.compute"

// TriggerFunction is the quoted name of the function of a table's trigger.
func TriggerFunction(org uuid.UUID, table int32) string { return Relation(org, "compute_", table) }

// Kept lists the computed fields of the table whose values can stand in columns, in an order in which
// each can be computed.
func (t *Table) Kept() []*Field {
	var ids []string
	for _, f := range t.Fields {
		if f.Computation != nil && f.Computation.Kept {
			ids = append(ids, f.PublicID())
		}
	}
	return needsOf(t, ids) // a field is kept if all that it needs is
}

// Trigger writes the function of the table's trigger. It computes either every field or, in an update,
// those groups of fields that read something which has changed. PostgreSQL prepares each expression that
// it comes to in each transaction again, so that a single write pays for the number of expressions.
func (s *Snapshot) Trigger(t *Table) (string, error) {
	c := &compiler{snapshot: s}
	kept := t.Kept()
	scope := &formula.Scope{Table: t.Number, TimeZone: t.Base.TimeZone, Alias: "new", Now: clock}
	for _, f := range t.Fields {
		if !f.Info().Computed {
			scope.Fields = append(scope.Fields, sourceOf(s, f, "new"))
		}
	}
	var declared, all strings.Builder
	steps := map[*Field]step{}
	for _, f := range kept {
		one, err := c.step(f, scope)
		if err != nil {
			return "", err
		}
		steps[f] = one
		fmt.Fprintf(&declared, "\t%s %s;\n", f.variable(), variableType(f.Computation.Type))
		all.WriteString(one.body)
		source := f.asSource()
		source.SQL = f.variable()
		scope.Fields = append(scope.Fields, source)
	}
	var changed strings.Builder
	for _, group := range groups(kept) {
		var conditions []string
		var body strings.Builder
		for _, f := range group {
			for _, column := range steps[f].reads {
				condition := fmt.Sprintf("new.%[1]s is distinct from old.%[1]s", column)
				if !slices.Contains(conditions, condition) {
					conditions = append(conditions, condition)
				}
			}
			body.WriteString(steps[f].body)
		}
		if len(conditions) > 0 { // a formula of constants never changes
			changed.WriteString("\tif " + strings.Join(conditions, " or ") + " then\n" + body.String() + "\tend if;\n")
		}
	}
	text := "declare\n\tevery boolean := tg_op = 'INSERT' or current_setting('" + ComputeSetting +
		"', true) = 'on';\n" + declared.String() + "begin\n\tif every then\n" + all.String() + "\t\treturn new;\n" +
		"\tend if;\n" + changed.String() + "\treturn new;\nend"
	quote := "$compute$"
	for strings.Contains(text, quote) {
		quote = strings.TrimSuffix(quote, "$") + "e$"
	}
	return "create or replace function " + TriggerFunction(t.Org, t.Number) +
		"() returns trigger language plpgsql as " + quote + "\n" + text + "\n" + quote, nil
}

// A step computes one field in a trigger.
type step struct {
	body  string
	reads []string // the columns that it reads, but for those of computed fields
}

func (c *compiler) step(f *Field, scope *formula.Scope) (step, error) {
	if f.Computation.Link != nil { // whoever computes it writes its columns
		value, failure := f.KeptColumns()
		return step{
			body: fmt.Sprintf("\t\t%s := %s;\n", f.variable(), formula.Stored(f.Computation.Type, "new."+value,
				"new."+failure)),
			reads: []string{value, failure},
		}, nil
	}
	tree, err := formula.Parse(f.Config.Formula)
	if err != nil {
		return step{}, fmt.Errorf("parsing the formula of %s: %w", f.PublicID(), err)
	}
	checked, err := tree.Check(scope)
	if err != nil {
		return step{}, fmt.Errorf("checking the formula of %s: %w", f.PublicID(), err)
	}
	typ, v := f.Computation.Type, f.variable()
	value, failure := f.KeptColumns()
	out := step{body: fmt.Sprintf("\t\t%[1]s := %[2]s;\n\t\tnew.%[3]s := %[4]s;\n\t\tnew.%[5]s := %[6]s;\n",
		v, checked.SQL(), value, formula.Value(typ, v), failure, formula.Error(typ, v))}
	for _, id := range checked.Fields() {
		if source := f.Table.FieldByID(id); source.Computation == nil {
			out.reads = append(out.reads, source.Column())
		}
	}
	if checked.LastModified {
		out.reads = append(out.reads, `"updated_at"`)
	}
	return out, nil
}

// groups parts fields into those that read one another. The order of the fields stays.
func groups(fields []*Field) [][]*Field {
	var out [][]*Field
	for _, f := range fields {
		group := []*Field{}
		rest := out[:0:0]
		for _, other := range out {
			reads := slices.ContainsFunc(other, func(o *Field) bool {
				return slices.ContainsFunc(f.Computation.needs, func(need *Field) bool { return need.ID == o.ID })
			})
			if reads {
				group = append(group, other...)
			} else {
				rest = append(rest, other)
			}
		}
		slices.SortStableFunc(group, func(a, b *Field) int { return slices.Index(fields, a) - slices.Index(fields, b) })
		out = append(rest, append(group, f))
	}
	return out
}

// variableType is the type of a value or an error, as package formula holds them.
func variableType(t formula.Type) string {
	if t.Base == formula.Boolean {
		return strings.Replace(t.Column(), "boolean", "double precision", 1)
	}
	return t.Column()
}
