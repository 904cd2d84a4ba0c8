package query

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/db"
)

// A Compiler translates parts of a request into SQL over the record table, under the alias t, and
// collects their arguments. It is field.Args.
type Compiler struct {
	Args
	now      time.Time
	topology db.Topology
	person   uuid.UUID // whom the statement works for; uuid.Nil for nobody

	shares bool  // the statement begins with the common table expressions of with
	with   []CTE // of what several conditions of the statement, or its page and its total, read
}

// share returns what reads a query: a common table expression if the statement can have some.
func (c *Compiler) share(query string) string {
	if !c.shares {
		return "(" + query + ") e"
	}
	name := "e_" + strconv.Itoa(len(c.with)+1)
	c.with = append(c.with, CTE{Name: name, Body: query})
	return name
}

// digest identifies a list by the text of its conditions, with what they share, and their arguments.
func (c *Compiler) digest(text string) [2]uint64 {
	for _, shared := range c.with {
		text += "\x00" + shared.Body
	}
	return digest(text, c.Values())
}

// NewCompiler begins a statement of a request with the time now, for a database of a topology.
func NewCompiler(now time.Time, topology db.Topology) *Compiler {
	return &Compiler{now: now, topology: topology}
}

// For has the statement work for a person (db.PersonOf).
func (c *Compiler) For(person uuid.UUID) *Compiler {
	c.person = person
	return c
}

// Now is the time of the request.
func (c *Compiler) Now() time.Time { return c.now }
