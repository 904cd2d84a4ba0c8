package query

import (
	"slices"
	"strconv"
	"strings"
)

// The parts of SQL statements: arguments with their placeholders, conditions, and the clauses of a
// SELECT. User text only ever becomes an argument.

// Args collects the arguments of a statement.
type Args struct{ values []any }

// Add adds an argument and returns its placeholder.
func (a *Args) Add(value any) string {
	a.values = append(a.values, value)
	return "$" + strconv.Itoa(len(a.values))
}

// Values returns the arguments in the order of their placeholders.
func (a *Args) Values() []any { return a.values }

// And joins conditions that all must hold; "" is true.
func And(conditions ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(conditions), func(c string) bool { return c == "" }), " and ")
}

// A Select is a SELECT statement. Empty clauses are left out.
type Select struct {
	With    []CTE
	Columns []string
	From    string
	Where   []string // conditions that all must hold
	GroupBy []string
	OrderBy []string
	Limit   string
	Offset  string
}

// A CTE is a common table expression that is computed once, or if Inline for each reference.
type CTE struct {
	Name, Body string
	Inline     bool
}

// String writes the statement.
func (s *Select) String() string {
	var b strings.Builder
	for i, cte := range s.With {
		b.WriteString([]string{"with ", ", "}[min(i, 1)] + cte.Name)
		if cte.Inline {
			b.WriteString(" as not materialized (" + cte.Body + ")")
		} else {
			b.WriteString(" as materialized (" + cte.Body + ")")
		}
	}
	if len(s.With) > 0 {
		b.WriteByte(' ')
	}
	b.WriteString("select ")
	b.WriteString(strings.Join(s.Columns, ", "))
	for _, clause := range []struct{ keyword, text string }{
		{" from ", s.From},
		{" where ", And(s.Where...)},
		{" group by ", strings.Join(s.GroupBy, ", ")},
		{" order by ", strings.Join(s.OrderBy, ", ")},
		{" limit ", s.Limit},
		{" offset ", s.Offset},
	} {
		if clause.text != "" {
			b.WriteString(clause.keyword)
			b.WriteString(clause.text)
		}
	}
	return b.String()
}
