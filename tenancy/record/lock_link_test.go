package record_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Sixteen writers change the links of the same few records: some from one side, some from the other,
// and some delete records or upsert them. A writer finds out which records lose a link before it waits
// for its locks, and may have to lock others out of order. None may wait for another in a circle.
func TestWritersOfLinksFromBothSidesDoNotDeadlock(t *testing.T) {
	t.Parallel()
	for _, single := range []bool{false, true} {
		t.Run(fmt.Sprintf("single=%t", single), func(t *testing.T) {
			t.Parallel()
			writeLinksFromBothSides(t, single)
		})
	}
}

func writeLinksFromBothSides(t *testing.T, single bool) {
	e := &ear{}
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t),
		db.Options{Secrets: tenancytest.Secrets(), MaxConns: 24, Tracer: e})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	b := setupOn(t, database)
	near := b.table(t, "Near", field("Name", schema.Text), field("N", schema.Number))
	far := b.table(t, "Far", field("Name", schema.Text), field("N", schema.Number))
	config := `{"linkedTableId":"` + b.schema(t, far).PublicID() + `"}`
	if single {
		config = `{"linkedTableId":"` + b.schema(t, far).PublicID() + `","multiple":false}`
	}
	if _, err := b.store.CreateField(t.Context(), b.actor.Org, near, field("To", schema.LinkType, config)); err != nil {
		t.Fatal(err)
	}
	from := ""
	for _, f := range b.schema(t, far).Fields {
		if f.Link != nil {
			from = f.Name
		}
	}
	const many, writers, rounds = 12, 16, 15
	inputs := make([]string, many)
	for i := range inputs {
		inputs[i] = fmt.Sprintf(`{"Name":"r%d"}`, i)
	}
	sides := [2]struct {
		table uuid.UUID
		link  string
		rows  []rec
	}{{near, "To", b.create(t, near, inputs...)}, {far, from, b.create(t, far, inputs...)}}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(2, uint64(w)))
			mine, other := sides[w%2], sides[1-w%2]
			links := func() string {
				ids := []string{}
				for _, at := range random.Perm(many)[:random.IntN(4)] {
					ids = append(ids, other.rows[at].ID)
				}
				if single && w%2 == 0 && len(ids) > 1 {
					ids = ids[:1]
				}
				list, _ := json.Marshal(ids)
				return string(list)
			}
			for round := range rounds {
				var err error
				switch {
				case w < 12: // of several records, or of one
					var changes []record.Change
					for _, at := range random.Perm(many)[:1+random.IntN(4)] {
						fields := fmt.Appendf(nil, `{"N":%d,%q:%s}`, round, mine.link, links())
						changes = append(changes,
							record.Change{ID: mine.rows[at].ID, Fields: jsonvaluetest.ParseObject(fields)})
					}
					_, err = b.engine.Update(t.Context(), b.actor, mine.table, changes, false)
				case w < 14:
					objects := []string{}
					for _, at := range random.Perm(many)[:3] {
						objects = append(objects, fmt.Sprintf(`{"Name":"r%d",%q:%s}`, at, mine.link, links()))
					}
					_, err = b.engine.Create(t.Context(), b.actor, mine.table, record.Creation{
						Records: parsed(objects), UpsertOn: []string{"Name"},
					})
				default: // a record with links, which others replace meanwhile
					var made record.Written
					made, err = b.engine.Create(t.Context(), b.actor, mine.table, record.Creation{
						Records: parsed([]string{fmt.Sprintf(`{"Name":"d%d-%d",%q:%s}`, w, round, mine.link, links())}),
					})
					if err == nil {
						var one struct {
							ID string `json:"id"`
						}
						_ = json.Unmarshal(made.Records[0], &one)
						_, err = b.engine.Delete(t.Context(), b.actor, mine.table, []string{one.ID})
					}
				}
				if err != nil {
					t.Errorf("writer %d, round %d: %v", w, round, err)
				}
			}
		})
	}
	all.Wait()
	if n := e.deadlocks(); n > 0 {
		t.Errorf("%d deadlocks", n)
	}
}
