package record_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A database of an earlier release has neither columns nor marks for fields that read linked records, until the
// schema changes.
func TestWithoutColumnsNothingIsRecomputed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	items := b.table(t, "Items", field("Name", schema.Text), field("N", schema.Number))
	orders := b.table(t, "Orders", field("Name", schema.Text))
	for _, spec := range []catalog.FieldSpec{
		field("Items", schema.LinkType, `{"linkedTableId":"`+b.schema(t, items).PublicID()+`"}`),
		field("Sum", "rollup", `{"linkFieldId":"Items","fieldId":"N","function":"SUM"}`),
	} {
		if _, err := b.store.CreateField(t.Context(), b.actor.Org, orders, spec); err != nil {
			t.Fatal(err)
		}
	}
	err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "delete from rowhouse.computed_column where org_id = '"+b.actor.Org.String()+
			"'; drop table \""+organization.SchemaName(b.actor.Org)+"\".stale_mark")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.store.Forget(b.actor.Org)
	if done, err := b.engine.Recompute(t.Context(), b.actor.Org, later()); err != nil || !done {
		t.Errorf("done %t, %v", done, err)
	}
}
