package query

import (
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/statement"
)

// A Compiler turns parts of a request into SQL over the record table, under the alias t, and
// collects their arguments. It is field.Args.
type Compiler struct {
	statement.Args
	now time.Time
}

// NewCompiler begins a statement of a request that was made now.
func NewCompiler(now time.Time) *Compiler { return &Compiler{now: now} }

// Now is when the request was made.
func (c *Compiler) Now() time.Time { return c.now }

// condition returns the condition of a filter; "" when every record passes.
func (c *Compiler) condition(f *Filter) string {
	if f.Empty() {
		return ""
	}
	if f.field != nil {
		return f.operator.SQL(c, &f.field.Field, f.value)
	}
	if f.or && len(f.parts) == 0 {
		return "false"
	}
	parts := make([]string, 0, len(f.parts))
	for i := range f.parts {
		if part := c.condition(&f.parts[i]); part != "" {
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
