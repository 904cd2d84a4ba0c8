package record_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A statement that names what is not there is written again for a changed schema. While the schema stays as it is, it
// is our own mistake, which must not be reported as a schema that is being changed.
func TestAWrongStatementIsNotABusySchema(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text))
	wrong := func(ctx context.Context, t *schema.Table) error {
		return b.db.Read(ctx, b.actor.Org, func(batch *pgx.Batch) {
			batch.Queue("select no_such_column from " + t.Relation()).Exec(nil)
		})
	}
	attempts := 0
	err := b.engine.OnTable(t.Context(), b.actor.Org, table, func(_ *schema.Snapshot, t *schema.Table) error {
		attempts++
		return wrong(context.Background(), t)
	})
	var reported *problem.Error
	if attempts != 2 || errors.Is(err, db.ErrSchemaChanged) || errors.As(err, &reported) ||
		!pgerror.Is(err, pgerrcode.UndefinedColumn) {
		t.Errorf("after %d attempts the error is %v", attempts, err)
	}

	attempts = 0
	err = b.engine.OnTable(t.Context(), b.actor.Org, table, func(_ *schema.Snapshot, of *schema.Table) error {
		if attempts++; attempts > 4 {
			return nil
		}
		name := string(rune('A' + attempts))
		if _, err := b.store.CreateField(t.Context(), b.actor.Org, table, field(name, schema.Text)); err != nil {
			t.Fatal(err)
		}
		return wrong(t.Context(), of)
	})
	if err != nil || attempts != 5 {
		t.Errorf("while the schema changes, %d attempts end in %v", attempts, err)
	}
}
