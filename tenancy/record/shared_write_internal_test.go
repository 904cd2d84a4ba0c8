package record

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/tenancy/db"
)

func TestRefusalsOfOneRowDifferFromFailuresOfAll(t *testing.T) {
	t.Parallel()
	pg := func(code, severity string) error {
		return fmt.Errorf("writing: %w", &pgconn.PgError{Code: code, SeverityUnlocalized: severity})
	}
	for _, code := range []string{
		"23505", "23503", "23514", "22P02", "RH002", "54000", "55P03", "40P01", "P0001", "XX000",
	} {
		if !isRowRefused(pg(code, "ERROR")) {
			t.Errorf("%s is taken for a failure of all rows", code)
		}
	}
	for _, err := range []error{
		nil, context.DeadlineExceeded, pg("57014", "ERROR"), pg("53100", "ERROR"), pg("25006", "ERROR"),
		pg("08006", "ERROR"), pg("58030", "ERROR"),
		pg("57P01", "FATAL"), pg("23505", "FATAL"), fmt.Errorf("%w: %w", db.ErrSchemaChanged, pg("RH001", "ERROR")),
	} {
		if isRowRefused(err) {
			t.Errorf("%v is taken for a refusal of one row", err)
		}
	}
}
