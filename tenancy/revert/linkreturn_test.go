package revert_test

import (
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A link is two fields. Taking its restoration back puts it into the trash under the field as which it was there, or
// whoever looks for it does not find it.
func TestARestoredLinkReturnsToTheTrashUnderItsField(t *testing.T) {
	t.Parallel()
	for range 4 { // the two fields are in the log in no order
		w := setup(t)
		h := w.harbour()
		calls := h.boats.FieldByName("Calls")
		a := h.hand("key_a")
		h.change(a.schemas().DeleteField(a.ctx, h.actor.Org, calls.ID))
		restore := func() *hand {
			t.Helper()
			b := h.hand("key_b")
			_, err := b.schemas().Restore(b.ctx, h.actor.Org, catalog.TrashRequest{
				Items: []string{calls.PublicID()}, Base: h.base, By: schema.Viewer{Admin: true},
			})
			h.change(err)
			return b
		}
		b := restore()
		_, err := h.hand("key_c").undo(revert.Fail, b.set)
		h.change(err)
		restore()
	}
}
