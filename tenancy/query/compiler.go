package query

import (
	"time"
)

// A Compiler translates parts of a request into SQL over the record table, under the alias t, and
// collects their arguments. It is field.Args.
type Compiler struct {
	Args
	now         time.Time
	distributed bool
}

// NewCompiler begins a statement of a request with the time now, for a database that may be distributed
// (db.DB.Distributed).
func NewCompiler(now time.Time, distributed bool) *Compiler {
	return &Compiler{now: now, distributed: distributed}
}

// Now is the time of the request.
func (c *Compiler) Now() time.Time { return c.now }
