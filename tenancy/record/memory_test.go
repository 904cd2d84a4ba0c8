package record_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// More readers of large pages than there is memory for wait for each other, and all of them are
// answered.
func TestLargePagesWaitForMemory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("A", schema.LongText))
	for range 9 {
		b.create(t, u, fmt.Sprintf(`{"A":"%s"}`, strings.Repeat("a", 1_000_000)))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			ctx, release := membudget.WithReservation(t.Context())
			defer release()
			page, err := b.engine.List(ctx, b.actor, u, query.Request{Limit: 100})
			if err != nil || len(page.Records) != 8 || !page.HasMore {
				t.Errorf("%d records, %v", len(page.Records), err)
			}
		})
	}
	all.Wait()
	whole, release := membudget.WithReservation(t.Context())
	defer release()
	if err := membudget.Reserve(whole, 64<<20); err != nil {
		t.Errorf("not all memory was given back: %v", err)
	}
}
