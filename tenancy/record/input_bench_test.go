package record

import (
	"strconv"
	"testing"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

const benchFields = `{"Name":"Ada Almeida","Email":"ada.almeida17@example.com","Amount":4711.25,"Status":"active",` +
	`"Notes":"account address agreement answer balance board branch budget calendar campaign chapter client comment ` +
	`contract copy court",` +
	`"Due":"2025-03-14","Score":83,"Done":true}`

// The engine's part of reading a create: the values of each record, decoded for their columns.
func BenchmarkReadInput(b *testing.B) {
	db := tenancytest.DB(b)
	org, _ := tenancytest.Org(b, db)
	store := catalog.NewStore(db, catalog.Options{})
	snapshot, err := store.Cached(b.Context(), org)
	if err != nil {
		b.Fatal(err)
	}
	base, err := store.CreateBase(b.Context(), org, snapshot.Workspaces[0].ID, "Base")
	if err != nil {
		b.Fatal(err)
	}
	made, err := store.CreateTable(b.Context(), org, base.ID, "T", []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text},
		{Name: "Email", Type: schema.Email},
		{Name: "Amount", Type: schema.Number},
		{Name: "Status", Type: schema.SingleSelect, Config: []byte(`{"options":["active","gone"]}`)},
		{Name: "Notes", Type: schema.LongText},
		{Name: "Due", Type: schema.Date},
		{Name: "Score", Type: schema.Number},
		{Name: "Done", Type: schema.Checkbox},
	})
	if err != nil {
		b.Fatal(err)
	}
	if snapshot, err = store.Fresh(b.Context(), org); err != nil {
		b.Fatal(err)
	}
	table, object := snapshot.Table(made.ID), jsonvaluetest.ParseObject([]byte(benchFields))
	for _, n := range []int{1, 100} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in := newWriteInput(snapshot, table, false)
				for range n {
					in.add("fields", object)
				}
				if err := in.err(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
