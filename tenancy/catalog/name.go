package catalog

import (
	"errors"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/problem"
)

// nameTaken explains a violated unique index on names. Changes compare names by naming.Key first, under
// the organization's lock, but the indexes fold by the database's locale, which may equate names that
// differ by naming.Key.
func nameTaken(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != pgerrcode.UniqueViolation {
		return err
	}
	kind, ok := map[string]string{
		"data_table_name": "table",
		"field_name":      "field",
		"view_name":       "view",
	}[pg.ConstraintName]
	if !ok {
		return err
	}
	return problem.Conflict("There is a %s with this name already, in other letters.", kind).
		WithCode(problem.CodeNameTaken).Because(err)
}
