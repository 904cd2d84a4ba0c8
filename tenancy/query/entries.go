package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A condition that some values are among the entries of a lookup is written twice, unless the first says it all: as one
// on linked records, for which indexes serve, and as one on the list of each record that this finds.

// comparison is the condition of a comparison of one field.
func (c *Compiler) comparison(f *Filter) string {
	found, whole := c.found(f)
	if whole {
		return found
	}
	return And(found, f.operator.SQL(c, &f.field.Field, f.value))
}

// found is a condition on linked records that all records meet that a comparison lets through, and if whole no others;
// "" if there is none.
func (c *Compiler) found(f *Filter) (condition string, whole bool) {
	e := f.field.Entries()
	if e == nil {
		return "", false
	}
	all := needsAll(f.operator.Op)
	if !all && f.operator.Op != field.HasAny {
		return "", false
	}
	var holds, several string
	switch values := distinct(f.value); {
	case values == 0:
		return "", false
	case e.List && e.Source.Computation != nil:
		hasAny := field.FindOperator(e.Source.Kind, field.HasAny)
		if hasAny == nil {
			return "", false
		}
		holds = c.comparison(&Filter{field: e.Source, operator: hasAny, value: f.value})
	case e.List:
		holds = e.Value + " && " + c.Add(f.value) + "::" + f.field.Computed.Type
	default:
		holds = e.Value + " = " + c.oneOf(f.value, f.field.Computed.Type)
		if texts, ok := f.value.([]string); ok && slices.Contains(texts, "") {
			holds += " and " + e.Value + " <> ''" // it is no entry
		}
		if all && values > 1 {
			several = " having count(distinct " + e.Value + ") = " + strconv.Itoa(values)
		}
	}
	where := holds
	if e.Where != "" {
		where += " and (" + e.Where + ")"
	}
	found := c.share(fmt.Sprintf("select %[1]s as id from %[2]s where %[3]s group by %[1]s%[4]s", e.Own, e.From, where,
		several))
	return isAmong(found), e.Whole && f.operator.Op != field.IsExactly
}

// oneOf is what equals one of several values, which have a type in SQL. PostgreSQL makes one plan for all requests with
// a single value, because it knows how many there are.
func (c *Compiler) oneOf(values any, listType string) string {
	one := "::" + strings.TrimSuffix(listType, "[]")
	switch values := values.(type) {
	case []string:
		if len(values) == 1 {
			return c.Add(values[0]) + one
		}
	case []float64:
		if len(values) == 1 {
			return c.Add(values[0]) + one
		}
	}
	return "any (" + c.Add(values) + "::" + listType + ")"
}

// isAmong is the condition that a record is one of those whose ids a relation has.
func isAmong(relation string) string { return "t.id = any (array(select id from " + relation + "))" }

// needsAll reports whether an operator lets records through only if a list has all of some values.
func needsAll(op field.Op) bool { return op == field.HasAll || op == field.IsExactly }

// distinct counts the different values of an operand that is a list; 0 if it is none.
func distinct(value any) int {
	switch values := value.(type) {
	case []string:
		return len(slices.Compact(slices.Sorted(slices.Values(values))))
	case []float64:
		return len(slices.Compact(slices.Sorted(slices.Values(values))))
	}
	return 0
}
