package record_test

import (
	"fmt"
	"runtime"
	"testing"
	"weak"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Seen to fail with encoders that were cached by table and version, each of which kept the whole schema
// of that version alive.
func TestAnEngineHoldsOnToNoSchemaThatWasReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text))
	other := b.table(t, "Other", field("Name", schema.Text))
	var replaced []weak.Pointer[schema.Table]
	for i := range 5 {
		snapshot, err := b.store.Fresh(t.Context(), b.actor.Org)
		if err != nil {
			t.Fatal(err)
		}
		b.list(t, table, query.Request{})
		replaced = append(replaced, weak.Make(snapshot.Table(other)))
		b.table(t, fmt.Sprintf("Another %d", i), field("Name", schema.Text))
	}
	b.list(t, table, query.Request{})
	runtime.GC()
	for i, table := range replaced {
		if table.Value() != nil {
			t.Errorf("the schema of version %d of %d is still there", i+1, len(replaced))
		}
	}
	runtime.KeepAlive(b)
}
