package schema

import (
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

func (b *Base) RefuseTableName(name string, except *Table) error {
	key := naming.Key(name)
	for _, t := range b.Tables {
		if t != except && naming.Key(t.Name) == key {
			return problem.Conflict("The base has a table named %q already.", t.Name).WithCode(problem.CodeNameTaken)
		}
	}
	return nil
}
