package query

import (
	"fmt"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The filter of a row rule decides which records a person reads or writes. It compares fields that people write, so
// that what it says about a record is never out of date, and can be said about states of the past; and it may compare
// them with something of the person.

// thePerson is the person whom the transaction works for (db.WithPerson), null for nobody.
const thePerson = "(select nullif(current_setting('app.person', true), '')::uuid)"

// personally are expressions for what rules compare with. A sub-select is evaluated once for a statement.
var personally = map[field.Personal]string{
	field.Me:      thePerson,
	field.MyEmail: "(select p.email from rowhouse.person p where p.id = " + thePerson + ")",
	field.MyGroups: "(select coalesce(array_agg(g.name), '{}') from rowhouse.person_group g " +
		"where g.members @> array[" + thePerson + "])",
}

// Person implements field.PersonalArgs.
func (c *Compiler) Person(of field.Personal) string { return personally[of] }

// Person implements field.PersonalArgs.
func (l *literals) Person(of field.Personal) string { return personally[of] }

// parseRule reads the filter of a row rule.
func parseRule(t *schema.Table, path string, raw []byte) (*Filter, error) {
	p := &filterParser{table: t, personal: true}
	filter, err := p.whole(path, raw)
	if err != nil {
		return nil, err
	}
	if filter.Empty() {
		return nil, problem.Invalid(path, "must hold at least one condition; without any, use who may read the table")
	}
	for _, f := range filter.fields(nil) {
		if f.Info().Computed || f.Info().Paired {
			return nil, problem.Invalid(path, "%q is %s, and a row rule compares values of the record itself: neither "+
				"links nor what is computed", f.Name, f.Type())
		}
	}
	return filter, nil
}

// readRule writes the filter of a row rule without parameters.
func readRule(t *schema.Table, path string, raw []byte) (schema.Condition, error) {
	filter, err := parseRule(t, path, raw)
	if err != nil {
		return schema.Condition{}, err
	}
	l := &literals{}
	out := schema.Condition{SQL: filter.condition(l), Filter: filter.JSON(), Fields: filter.fields(nil)}
	filter.each(func(one *Filter) {
		me := one.operator.Names(field.Me) && one.operator.Op == field.HasAny
		if me && one.field.SinglePerson() {
			out.Owner = one.field
		}
		switch {
		case one.field.Info().ReadOnly:
		case me:
			out.Given = append(out.Given, schema.Given{Field: one.field})
		case one.operator.Op == field.Eq:
			in := field.Input{Field: &one.field.Field}
			if value, err := in.Decode(one.raw); err == nil && value != nil {
				out.Given = append(out.Given, schema.Given{Field: one.field, Value: value})
			}
		}
	})
	if l.usesNow {
		return schema.Condition{}, problem.Invalid(path, "compares with a day that depends on today, which a row rule "+
			"cannot; name the day")
	}
	if l.err != nil {
		return schema.Condition{}, fmt.Errorf("writing the filter of a row rule: %w", l.err)
	}
	return out, nil
}
