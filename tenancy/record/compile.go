package record

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A query is the text of a statement and its arguments, under construction. User text only ever becomes an argument.
type query struct {
	args []any
	now  time.Time
}

// query begins a statement of a request.
func (e *Engine) query() *query { return &query{now: e.now()} }

// arg adds an argument and returns its placeholder.
func (q *query) arg(value any) string {
	q.args = append(q.args, value)
	return "$" + strconv.Itoa(len(q.args))
}

// where returns the condition of a filter on the record table under the alias t; "" when every record passes.
func (q *query) where(f *Filter) string {
	if f.Empty() {
		return ""
	}
	if f.field != nil {
		return q.compare(f.field, f.op, &f.value)
	}
	if f.or && len(f.parts) == 0 {
		return "false"
	}
	parts := make([]string, 0, len(f.parts))
	for i := range f.parts {
		if part := q.where(&f.parts[i]); part != "" {
			parts = append(parts, part)
		} else if f.or {
			return "" // one alternative lets everything through
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case f.or:
		return "(" + strings.Join(parts, " or ") + ")"
	}
	return strings.Join(parts, " and ")
}

// compare is the one place where an operator on a field becomes SQL. A condition may be null where it is not true: there is
// no negation above it. Comparisons stay bare, since an index serves nothing else.
func (q *query) compare(f *schema.Field, op Op, v *operand) string {
	if f.Link != nil {
		return q.compareLink(f, op, v)
	}
	column := "t." + f.Column()
	switch op { //nolint:exhaustive // the rest depends on the shape
	case IsEmpty:
		return column + " is null"
	case IsNotEmpty:
		return column + " is not null"
	}
	if b, ok := q.boundOf(f, op, v); ok {
		return column + b.sign + q.arg(b.value)
	}
	switch f.Type.Info().Shape {
	case schema.ShapeText, schema.ShapeChoice:
		return q.compareText(column, op, v)
	case schema.ShapeNumber:
		if f.Type.Info().Column == "bigint" {
			return q.compareWhole(column, op, v)
		}
		return q.compareNumber(column, op, v)
	case schema.ShapeBool:
		if v.truth {
			return column
		}
		return "not " + column
	case schema.ShapeDate:
		return q.compareDays(column, op, v, q.now.UTC(), daySpan)
	case schema.ShapeMoment:
		return q.compareDays(column, op, v, q.now.In(zone(f)), momentSpan(zone(f)))
	case schema.ShapeChoices:
		return compareSet(column, op, q.arg(v.texts)+"::text[]")
	case schema.ShapeUser:
		if f.Type.Info().System != "" {
			column = "array_remove(array[" + column + "], null)"
		}
		return compareSet(column, op, q.arg(v.ids)+"::uuid[]")
	case schema.ShapeLink, schema.ShapeAttachment, schema.ShapeJSON, schema.ShapeNone:
	}
	return "false" // the parser lets no other operator through
}

func (q *query) compareText(column string, op Op, v *operand) string {
	switch op { //nolint:exhaustive // text-like operators
	case Eq:
		if forms := naming.Forms(v.text); len(forms) > 1 {
			return column + " = any (" + q.arg(forms) + "::text[])"
		}
		return column + " = " + q.arg(v.text)
	case Neq:
		if forms := naming.Forms(v.text); len(forms) > 1 {
			return "(" + column + " = any (" + q.arg(forms) + "::text[])) is not true"
		}
		return column + " is distinct from " + q.arg(v.text)
	case In:
		return column + " = any (" + q.arg(allForms(v.texts)) + "::text[])"
	case NotIn:
		return "(" + column + " = any (" + q.arg(allForms(v.texts)) + "::text[])) is not true"
	case Contains:
		return q.like(column, "%", v.text, "%")
	case NotContains:
		return "(" + q.like(column, "%", v.text, "%") + ") is not true"
	case StartsWith:
		return q.like(column, "", v.text, "%")
	case EndsWith:
		return q.like(column, "%", v.text, "")
	}
	return "false"
}

// allForms returns texts in each form in which they may have been composed.
func allForms(texts []string) []string {
	out := make([]string, 0, len(texts))
	for _, text := range texts {
		out = append(out, naming.Forms(text)...)
	}
	return out
}

// like compares a column with a pattern in any case of letters. The pattern is folded once: as a parameter of a plan that is kept, it would be
// for each record.
func (q *query) like(column, before, text, after string) string {
	var parts []string
	for _, form := range naming.Forms(text) {
		parts = append(parts, "gate.fold_value("+column+") like (select gate.fold("+q.arg(before+escapeLike(form)+after)+"))")
	}
	if len(parts) > 1 {
		return "(" + strings.Join(parts, " or ") + ")"
	}
	return parts[0]
}

// escapeLike makes text stand for itself in a LIKE pattern.
func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}

func (q *query) compareNumber(column string, op Op, v *operand) string {
	switch op { //nolint:exhaustive // number operators
	case Eq:
		return column + " = " + q.arg(v.number)
	case Neq:
		return column + " is distinct from " + q.arg(v.number)
	case Between:
		return column + " >= " + q.arg(v.numbers[0]) + " and " + column + " <= " + q.arg(v.numbers[1])
	case In:
		return column + " = any (" + q.arg(v.numbers) + "::double precision[])"
	}
	return "false"
}

// whole returns the greatest whole number that is not above x, and whether it is x.
func whole(x float64) (n int64, exact bool) {
	switch {
	case x >= math.MaxInt64:
		return math.MaxInt64, false
	case x <= math.MinInt64:
		return math.MinInt64, false
	}
	return int64(math.Floor(x)), x == math.Floor(x)
}

// compareWhole compares a bigint column with numbers that need not be whole, without converting the column.
func (q *query) compareWhole(column string, op Op, v *operand) string {
	n, exact := whole(v.number)
	switch op { //nolint:exhaustive // number operators
	case Eq:
		if !exact {
			return "false"
		}
		return column + " = " + q.arg(n)
	case Neq:
		if !exact {
			return "true"
		}
		return column + " is distinct from " + q.arg(n)
	case Between:
		low, lowExact := whole(v.numbers[0])
		high, _ := whole(v.numbers[1])
		sign := " >= "
		if !lowExact {
			sign = " > "
		}
		return column + sign + q.arg(low) + " and " + column + " <= " + q.arg(high)
	case In:
		var whole64 []int64
		for _, x := range v.numbers {
			if n, exact := whole(x); exact {
				whole64 = append(whole64, n)
			}
		}
		return column + " = any (" + q.arg(whole64) + "::bigint[])"
	}
	return "false"
}

// A span turns a time value into the column's own type: from where on something is not before the value, and from where on it is behind it.
type span func(v timeValue, now time.Time) (from, until edge)

func daySpan(v timeValue, now time.Time) (from, until edge) {
	day := v.day(now)
	return edge{day}, edge{day.AddDate(0, 0, 1)}
}

// momentSpan reads days in the field's time zone: a moment is of the day that a clock there shows.
func momentSpan(location *time.Location) span {
	return func(v timeValue, now time.Time) (from, until edge) {
		if v.moment {
			return edge{v.at}, edge{v.at.Add(time.Microsecond)}
		}
		day := v.day(now)
		return edgeOf(day, location), edgeOf(day.AddDate(0, 0, 1), location)
	}
}

// compareDays compares a date or moment with spans of time: a day is all of its instants.
func (q *query) compareDays(column string, op Op, v *operand, now time.Time, of span) string {
	from, until := of(v.times[0], now)
	within := func(from, until edge) string { return q.since(column, from) + " and " + q.before(column, until) }
	switch op { //nolint:exhaustive // date operators
	case Gt:
		return q.since(column, until)
	case Gte:
		return q.since(column, from)
	case Lt:
		return q.before(column, from)
	case Lte:
		return q.before(column, until)
	case Eq:
		return within(from, until)
	case Neq:
		return "(" + within(from, until) + ") is not true"
	case Between:
		_, until = of(v.times[1], now)
		return within(from, until)
	case IsWithin: // between today and the given day, whichever comes first
		todayFrom, todayUntil := of(timeValue{unit: "day"}, now)
		if todayFrom[0].Before(from[0]) {
			from = todayFrom
		}
		if todayUntil[0].After(until[0]) {
			until = todayUntil
		}
		return within(from, until)
	}
	return "false"
}

// compareSet compares an array column as the set of its entries.
func compareSet(column string, op Op, set string) string {
	switch op { //nolint:exhaustive // set operators
	case HasAny:
		return column + " && " + set
	case HasAll:
		return column + " @> " + set
	case HasNone:
		return "(" + column + " && " + set + ") is not true"
	case IsExactly:
		return column + " @> " + set + " and " + column + " <@ " + set
	}
	return "false"
}

func (q *query) compareLink(f *schema.Field, op Op, v *operand) string {
	from := "from " + f.Link.Relation(f.Table.Org) + " l where l." + f.Link.Own + " = t.id"
	other := "l." + f.Link.Other
	switch op { //nolint:exhaustive // set operators
	case IsEmpty:
		return "not exists (select " + from + ")"
	case IsNotEmpty:
		return "exists (select " + from + ")"
	case HasAny:
		return "exists (select " + from + " and " + other + " = any (" + q.arg(v.ids) + "::uuid[]))"
	case HasNone:
		return "not exists (select " + from + " and " + other + " = any (" + q.arg(v.ids) + "::uuid[]))"
	case HasAll:
		return fmt.Sprintf("(select count(*) %s and %s = any (%s::uuid[])) = %d", from, other, q.arg(v.ids), len(v.ids))
	case IsExactly:
		ids := q.arg(v.ids)
		return fmt.Sprintf("(select count(*) filter (where %[2]s = any (%[3]s::uuid[])) = %[4]d and count(*) = %[4]d %[1]s)", from, other, ids, len(v.ids))
	}
	return "false"
}

// orderBy returns the order of a list; ties go by record id.
func orderBy(sorts []Sort) string {
	var b strings.Builder
	b.WriteString("order by ")
	for _, s := range sorts {
		b.WriteString(sortExpression(s.Field))
		if s.Desc {
			b.WriteString(" desc nulls last, ")
		} else {
			b.WriteString(", ")
		}
	}
	b.WriteString("t.id")
	return b.String()
}
