package record_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Links of each form, within a table too, and versions: what was read at some moments is read again
// as of these moments, after everything else has happened.
func TestLinksAndVersionsAsOfAMomentAreAsTheyWere(t *testing.T) {
	t.Parallel()
	for seed := range 4 {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			w := &pastWorld{
				bundle: b, t: t, random: rand.New(rand.NewPCG(uint64(seed), 2)),
				tables: pastTables(t, b),
				past:   map[string][]past{}, gone: map[string]bool{},
			}
			type memory struct {
				asOf, after string
				records     map[string]past
			}
			var memories []memory
			for step := range 60 {
				does := w.step()
				w.remember(does)
				if w.random.IntN(4) == 0 {
					after := fmt.Sprintf("step %d, %s", step, does)
					memories = append(memories, memory{w.moment(t), after, w.present(t, w.tables)})
				}
			}
			for _, m := range memories {
				for _, table := range w.tables {
					w.checkAsOf(t, table, m.asOf, m.after, m.records)
				}
			}
		})
	}
}

// checkAsOf reads a table in each of the three ways.
func (w *pastWorld) checkAsOf(t *testing.T, table *schema.Table, asOf, after string, want map[string]past) {
	t.Helper()
	inOrder, _ := w.list(t, table.ID, query.Request{AsOf: asOf})
	sorted, _ := w.list(t, table.ID, query.Request{AsOf: asOf, Sorts: []byte(`[{"fieldId":"N"}]`)})
	if inOrder.Total != sorted.Total || int(inOrder.Total) != len(inOrder.Records) {
		t.Errorf("after %s %s had %d records, %d in all, or %d", after, table.Name, len(inOrder.Records), inOrder.Total,
			sorted.Total)
	}
	raws := append(inOrder.Records, sorted.Records...)
	for _, raw := range inOrder.Records {
		one, err := w.engine.GetAsOf(t.Context(), w.actor, decode(t, raw).ID, asOf)
		if err != nil {
			t.Fatal(err)
		}
		raws = append(raws, one)
	}
	read := 0
	for _, raw := range raws {
		one := decode(t, raw).ID
		then, there := want[one]
		if !there {
			t.Fatalf("after %s there was no %s", after, raw)
		}
		now := pastOf(t, table, raw)
		if now.version != then.version || text(now.fields) != text(then.fields) {
			t.Fatalf("after %s %s was at %d %s, and is said to have been at %d %s", after, one, then.version,
				text(then.fields), now.version, text(now.fields))
		}
		read++
	}
	for one := range want {
		if number, _, _ := id.ParseRecord(one); number == table.Number {
			read -= 3
		}
	}
	if read != 0 {
		t.Fatalf("after %s %s had other records: %d too many", after, table.Name, read)
	}
}
