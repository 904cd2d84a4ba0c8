package catalog

import (
	"errors"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/problem"
)

// nameTaken explains a violated unique index on names. Names are compared by naming.Key before,
// under the organization's lock, but the indexes fold by the database's locale, which may treat
// names as equal that differ here.
func nameTaken(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != pgerrcode.UniqueViolation {
		return err
	}
	noun, ok := map[string]string{
		"data_table_name": "table",
		"field_name":      "field",
		"view_name":       "view",
	}[pg.ConstraintName]
	if !ok {
		return err
	}
	return problem.Conflict("There is a %s with this name already, in other letters.", noun).
		WithCode(problem.CodeNameTaken).Because(err)
}
