package record_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestTotalsStayExactUnderConcurrentWriters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Count", field("Name", schema.Text), field("N", schema.Number))
	filter := []byte(`[{"fieldId":"N","op":"gt","value":4}]`)
	stop := make(chan struct{})
	var writers, readers sync.WaitGroup
	for writer := range 4 {
		writers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(writer), 3))
			var mine []string
			for range 150 {
				switch {
				case len(mine) > 10 || (len(mine) > 0 && rng.IntN(3) == 0):
					n := 1 + rng.IntN(min(len(mine), 4))
					if _, err := b.engine.Delete(t.Context(), b.actor, u, mine[:n]); err != nil {
						t.Error(err)
					}
					mine = mine[n:]
				case len(mine) > 0 && rng.IntN(3) == 0:
					if _, err := b.engine.UpdateOne(
						t.Context(), b.actor, mine[0],
						jsonvaluetest.ParseObject(fmt.Appendf(nil, `{"N":%d}`, rng.IntN(9))), false,
					); err != nil {
						t.Error(err)
					}
				default:
					var objects []string
					for range 1 + rng.IntN(3) {
						objects = append(objects, fmt.Sprintf(`{"N":%d}`, rng.IntN(9)))
					}
					written, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: parsed(objects)})
					if err != nil {
						t.Error(err)
						return
					}
					for _, r := range decodeAll(t, written.Records) {
						mine = append(mine, r.ID)
					}
				}
			}
		})
	}
	var pages, remembered atomic.Int64
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				// The whole list fits on a page, so each page proves its own total.
				for _, q := range []query.Request{
					{Limit: 100}, {Limit: 100, Filters: filter}, {Limit: 1, Filters: filter},
				} {
					page, err := b.engine.List(t.Context(), b.actor, u, q)
					if err != nil {
						t.Error(err)
						return
					}
					pages.Add(1)
					if q.Limit == 1 {
						remembered.Add(1)
						continue
					}
					if int64(len(page.Records)) != page.Total {
						t.Errorf("a page of %d says %d", len(page.Records), page.Total)
						return
					}
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	for range 2 {
		page, err := b.engine.List(t.Context(), b.actor, u, query.Request{Limit: 100, Filters: filter})
		if err != nil {
			t.Fatal(err)
		}
		one, err := b.engine.List(t.Context(), b.actor, u, query.Request{Limit: 1, Filters: filter})
		if err != nil || one.Total != int64(len(page.Records)) {
			t.Errorf("total %d of %d: %v", one.Total, len(page.Records), err)
		}
	}
	t.Logf("%d pages compared", pages.Load())
}

func TestARememberedTotalIsForgottenWithTheNextWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Count", field("Name", schema.Text), field("N", schema.Number),
		field("State", schema.SingleSelect, `{"options":["Open","Shut"]}`))
	made := b.create(t, u, `{"N":1,"State":"Open"}`, `{"N":2,"State":"Open"}`, `{"N":3}`)
	another := record.New(b.db, b.store) // as in another process, which remembers totals of its own
	total := func(filter string) int64 {
		t.Helper()
		var totals [2]int64
		for i, engine := range []*record.Engine{b.engine, another} {
			page, err := engine.List(t.Context(), b.actor, u, query.Request{Limit: 1, Filters: []byte(filter)})
			if err != nil {
				t.Fatal(err)
			}
			totals[i] = page.Total
		}
		if totals[0] != totals[1] {
			t.Fatalf("%s: two totals %v", filter, totals)
		}
		return totals[0]
	}
	big, open := `[{"fieldId":"N","op":"gt","value":1}]`, `[{"fieldId":"State","op":"eq","value":"Open"}]`
	for range 2 {
		if total(big) != 2 || total(open) != 2 {
			t.Fatal("wrong at first")
		}
	}
	if _, err := b.engine.UpdateOne(
		t.Context(), b.actor, made[0].ID, jsonvaluetest.ParseObject([]byte(`{"N":5}`)), false,
	); err != nil {
		t.Fatal(err)
	}
	if got := total(big); got != 3 {
		t.Errorf("after an update: %d, want 3", got)
	}
	if _, err := another.DeleteOne(t.Context(), b.actor, made[1].ID); err != nil {
		t.Fatal(err)
	}
	if got := total(big); got != 2 {
		t.Errorf("after a deletion: %d, want 2", got)
	}
	// Options that are renamed change rows without this package's writing them.
	state := b.schema(t, u).FieldByName("State")
	if err := b.store.UpdateField(t.Context(), b.actor.Org, state.ID, catalog.FieldPatch{
		Config: json.RawMessage(`{"options":["Shut","Open",{"name":"Ajar","previousName":"Open"}]}`),
	}); err == nil {
		t.Log("renamed")
	} else if err := b.store.UpdateField(t.Context(), b.actor.Org, state.ID, catalog.FieldPatch{
		Config: json.RawMessage(`{"options":["Shut",{"name":"Ajar","previousName":"Open"}]}`),
	}); err != nil {
		t.Fatal(err)
	}
	if got := total(`[{"fieldId":"State","op":"eq","value":"Ajar"}]`); got != 1 {
		t.Errorf("after renaming an option: %d, want 1", got)
	}
}
