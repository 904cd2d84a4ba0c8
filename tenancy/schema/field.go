package schema

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

func (t *Table) RefuseFieldName(name string, except *Field) error {
	key := naming.Key(name)
	for _, f := range t.Fields {
		if (except == nil || f.ID != except.ID) && naming.Key(f.Name) == key {
			return problem.Conflict("The table has a field named %q already.", f.Name).WithCode(problem.CodeNameTaken)
		}
	}
	return nil
}

// NewField returns a field that has not been stored yet.
func NewField(t *Table, kind Type, name string, config Config, place float64) *Field {
	return &Field{
		Field: field.Field{Kind: kind.Kind(), Name: name, Config: config, BaseZone: t.Base.TimeZone},
		ID:    id.New(), Table: t, Position: place,
	}
}

// As is the field with a type whose values are stored.
func (f *Field) As(t Type, config Config) *Field {
	next := *f
	next.Kind, next.Config, next.Computed, next.Computation = t.Kind(), config, nil, nil
	return &next
}

// UniqueLimit states the size limit of a unique field's value, which PostgreSQL stores whole in an
// index.
const UniqueLimit = "the value of a unique field is at most about 2,700 bytes long, after compression"

// UniqueIndex is the unquoted name of the index that enforces uniqueness. It identifies the field in a
// violation.
func (f *Field) UniqueIndex() string { return "u_" + strconv.Itoa(int(f.Number)) }

// FreeFieldName returns wanted, or wanted followed by the smallest number that makes it unique in the
// table. taken is another name that is about to be used, for a link from a table to itself.
func (t *Table) FreeFieldName(wanted, taken string) string {
	wanted = string([]rune(wanted)[:min(len([]rune(wanted)), naming.MaxLength-5)])
	used := map[string]bool{naming.Key(taken): true}
	for _, f := range t.Fields {
		used[naming.Key(f.Name)] = true
	}
	name := wanted
	for i := 2; used[naming.Key(name)]; i++ {
		name = fmt.Sprintf("%s %d", wanted, i)
	}
	return name
}

// Listed are the fields whose values records have unless others are asked for.
func (t *Table) Listed() []*Field {
	unlisted := func(f *Field) bool { return f.Info().Unlisted }
	if !slices.ContainsFunc(t.Fields, unlisted) {
		return t.Fields
	}
	return slices.DeleteFunc(slices.Clone(t.Fields), unlisted)
}
