package record_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Records that change together share entries of the log, and a page leaves out those that say nothing
// new. Each change is of some of the records and of some of the fields; pages of each size are what was
// read at the moment. In a table of many fields, nothing is left out.
func TestRecordsThatChangeTogetherAsOfAMomentAreAsTheyWere(t *testing.T) {
	t.Parallel()
	for seed := range 6 {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			b, random := setup(t), rand.New(rand.NewPCG(uint64(seed), 5))
			fields := []catalog.FieldSpec{field("F0", schema.Text)}
			for i := 1; i < []int{3, 5, 40}[seed%3]; i++ {
				fields = append(fields, field(fmt.Sprintf("F%d", i), schema.Number))
			}
			table := b.table(t, "Together", fields...)
			values := func(most int) string {
				object := map[string]any{}
				for range 1 + random.IntN(most) {
					i := random.IntN(len(fields))
					switch {
					case random.IntN(4) == 0:
						object["F"+strconv.Itoa(i)] = nil
					case i == 0:
						object["F0"] = fmt.Sprintf(`"f_%d": %d`, random.IntN(9), random.IntN(9))
					default:
						object["F"+strconv.Itoa(i)] = random.IntN(9)
					}
				}
				raw, _ := json.Marshal(object)
				return string(raw)
			}
			var ids []string
			create := func() {
				var objects []string
				for range 1 + random.IntN(20) {
					objects = append(objects, values(4))
				}
				for _, r := range b.create(t, table, objects...) {
					ids = append(ids, r.ID)
				}
			}
			read := func(in query.Request) (all []string, total int64) {
				for {
					page, err := b.engine.List(t.Context(), b.actor, table, in)
					if err != nil {
						t.Fatal(err)
					}
					for _, raw := range page.Records {
						all = append(all, string(raw))
					}
					if !page.HasMore {
						return all, page.Total
					}
					in = query.Request{Limit: in.Limit, Cursor: page.Cursor}
				}
			}
			type memory struct {
				asOf string
				all  []string
			}
			var memories []memory
			create()
			for range 40 {
				switch at := random.Perm(len(ids)); random.IntN(12) {
				case 0:
					create()
				case 1:
					if len(ids) < 10 {
						continue
					}
					first := random.IntN(len(ids) - 3)
					if _, err := b.engine.Delete(t.Context(), b.actor, table, ids[first:first+3]); err != nil {
						t.Fatal(err)
					}
					ids = append(ids[:first:first], ids[first+3:]...)
				default:
					var changes []record.Change
					one := values(3)
					for _, i := range at[:1+random.IntN(len(at))] {
						if random.IntN(3) == 0 { // others change other fields
							one = values(3)
						}
						changes = append(changes,
							record.Change{ID: ids[i], Fields: jsonvaluetest.ParseObject([]byte(one))})
					}
					if _, err := b.engine.Update(t.Context(), b.actor, table, changes, false); err != nil {
						t.Fatal(err)
					}
				}
				if random.IntN(4) == 0 {
					asOf := b.moment(t)
					all, _ := read(query.Request{Limit: 100})
					memories = append(memories, memory{asOf, all})
				}
			}
			for i, m := range memories {
				for _, limit := range []int{1, 7, 100} {
					got, total := read(query.Request{Limit: limit, AsOf: m.asOf})
					if text(got) != text(m.all) || total != int64(len(m.all)) {
						t.Fatalf("moment %d by %d: %d records\n%s\nwant %d\n%s", i, limit, total, text(got), len(m.all),
							text(m.all))
					}
				}
				skip := random.IntN(len(m.all) + 1)
				got, _ := read(query.Request{Limit: 5, Offset: int64(skip), AsOf: m.asOf})
				if text(got) != text(m.all[skip:]) && len(got)+len(m.all[skip:]) > 0 {
					t.Fatalf("moment %d behind %d:\n%s\nwant\n%s", i, skip, text(got), text(m.all[skip:]))
				}
			}
		})
	}
}
