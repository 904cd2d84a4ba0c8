package record_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A total that was counted from the total of another bound is the one that an engine without any
// memory counts.
func TestATotalCountedFromANearOneIsExact(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Near", field("Name", schema.Text), field("N", schema.Number), field("Day", schema.Date),
		field("At", schema.DateTime), field("No", schema.AutoNumber),
		field("State", schema.SingleSelect, `{"options":["Open","Shut"]}`))
	random := rand.New(rand.NewPCG(11, 12))
	object := func() string {
		if random.IntN(10) == 0 {
			return `{}`
		}
		return fmt.Sprintf(`{"N":%d,"Day":"2024-03-%02d","At":"2024-03-%02dT%02d:00:00Z","State":%q}`,
			random.IntN(12)-6, 1+random.IntN(30), 1+random.IntN(30), random.IntN(24),
			[]string{"Open", "Shut"}[random.IntN(2)])
	}
	objects := make([]string, 150)
	for i := range objects {
		objects[i] = object()
	}
	made := b.create(t, u, objects...)
	bound := func() string {
		field, value := "", ""
		switch random.IntN(4) {
		case 0:
			field, value = "N", fmt.Sprintf("%.1f", float64(random.IntN(28)-14)/2)
		case 1:
			field, value = "No", fmt.Sprintf("%.1f", float64(random.IntN(320))/2)
		case 2:
			field, value = "Day", fmt.Sprintf(`"2024-03-%02d"`, 1+random.IntN(31))
		default:
			field, value = "At", fmt.Sprintf(`"2024-03-%02dT%02d:00:00Z"`, 1+random.IntN(31), random.IntN(24))
		}
		return fmt.Sprintf(`{"fieldId":%q,"op":%q,"value":%s}`, field,
			[]string{"gt", "gte", "lt", "lte"}[random.IntN(4)], value)
	}
	for i := range 400 {
		if i%40 == 39 {
			if _, err := b.engine.UpdateOne(
				t.Context(), b.actor, made[random.IntN(len(made))].ID, jsonvaluetest.ParseObject([]byte(object())),
				false,
			); err != nil {
				t.Fatal(err)
			}
		}
		filter := bound()
		switch random.IntN(4) {
		case 0:
			filter += `,{"fieldId":"State","op":"eq","value":"Open"}`
		case 1:
			filter += "," + bound()
		}
		q := query.Request{Limit: 1, Filters: []byte("[" + filter + "]")}
		page, err := b.engine.List(t.Context(), b.actor, u, q)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := record.New(b.db, b.store).List(t.Context(), b.actor, u, q)
		if err != nil {
			t.Fatal(err)
		}
		if page.Total != fresh.Total {
			t.Fatalf("%s: %d, and %d without memory", q.Filters, page.Total, fresh.Total)
		}
	}
}
