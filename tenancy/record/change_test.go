package record_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestWritesDuringSchemaChangesAreCleanlyRefusedOrRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Moving", field("Name", schema.Text), field("X", schema.Number), field("Y", schema.Text))
	made := b.create(t, u, `{"Name":"seed","X":1,"Y":"y"}`)[0].ID
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var refused, done atomic.Int64
	for writer := range 6 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				var err error
				switch (i + writer) % 4 {
				case 0:
					_, err = b.engine.Create(t.Context(), b.actor, u, record.Creation{
						Records: parsed([]string{`{"Name":"n","X":7,"Y":"why"}`}),
					})
				case 1:
					_, err = b.engine.UpdateOne(t.Context(), b.actor, made,
						jsonvaluetest.ParseObject([]byte(`{"X":8,"Y":"you"}`)), false)
				case 2:
					var page record.Page
					page, err = b.engine.List(t.Context(), b.actor, u, query.Request{
						Limit:   100,
						Filters: []byte(`[{"fieldId":"X","op":"gt","value":0}]`),
					})
					for _, raw := range page.Records {
						fields := decode(t, raw).Fields
						if x, there := fields["X"]; there && x != nil {
							if _, number := x.(float64); !number {
								t.Errorf("X holds %v", x)
							}
						}
						if y, there := fields["Y"]; there && y != nil {
							if _, text := y.(string); !text {
								t.Errorf("Y holds %v", y)
							}
						}
					}
				case 3:
					_, err = b.engine.Get(t.Context(), b.actor, made)
				}
				switch problem.KindOf(err) {
				case problem.KindInvalid:
					refused.Add(1)
				default:
					var known *problem.Error
					if err != nil && (!errors.As(err, &known) || known.Kind == problem.KindInternal) {
						t.Errorf("an error that is not clean: %v", err)
						return
					}
					done.Add(1)
				}
			}
		})
	}
	for round := range 12 {
		name := []string{"X", "Y"}[round%2]
		kind := []schema.Type{schema.Number, schema.Text}[round%2]
		// Another process changes the schema: this one's snapshot is behind.
		remote := catalog.NewStore(b.db, catalog.Options{})
		f := b.schema(t, u).FieldByName(name)
		if err := remote.DeleteField(context.WithoutCancel(t.Context()), b.actor.Org, f.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := remote.CreateField(t.Context(), b.actor.Org, u, field(name, kind)); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	t.Logf("%d done, %d refused", done.Load(), refused.Load())
	if done.Load() == 0 {
		t.Error("nothing was done")
	}
}
