package record_test

import (
	"fmt"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Position 0 is the primary field's, so that a new field of any kind comes behind it.
func TestAFieldOfAnyKindIsPlaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	b.addField(t, u, field("Self", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`, b.schema(t, u).PublicID())))
	zero := 0.0
	for _, spec := range []catalog.FieldSpec{
		field("Plain", schema.Number), formulaField("Formula", "{N} + 1"),
		field("Lookup", "lookup", `{"linkFieldId":"Self","fieldId":"N"}`),
		field("Rollup", "rollup", `{"linkFieldId":"Self","fieldId":"N","function":"SUM"}`),
		field("Count", "count", `{"linkFieldId":"Self"}`), field("Auto", schema.AutoNumber),
		field("Link", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`, b.schema(t, u).PublicID())),
	} {
		spec.Position = &zero
		made := b.addField(t, u, spec)
		if got := b.schema(t, u).Fields[1]; got.ID != made.ID || !b.schema(t, u).Fields[0].IsPrimary {
			t.Errorf("%s stands behind %v", spec.Name, b.schema(t, u).FieldNames())
		}
	}
}
