package record_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// More readers of large pages than there is room for wait for each other, and all of them are answered.
func TestLargePagesWaitForRoom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("A", schema.LongText))
	for range 9 {
		b.create(t, u, fmt.Sprintf(`{"A":"%s"}`, strings.Repeat("a", 1_000_000)))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			ctx, release := record.Holding(t.Context())
			defer release()
			page, err := b.engine.List(ctx, b.actor, u, record.Query{Limit: 100})
			if err != nil || len(page.Records) != 8 || !page.HasMore {
				t.Errorf("%d records, %v", len(page.Records), err)
			}
		})
	}
	all.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if free := record.FreeRoom(ctx); free != nil {
		t.Error(free)
	}
}
