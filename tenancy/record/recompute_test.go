package record_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A database of an earlier release has neither columns nor marks for fields that read linked records, until the
// schema changes.
func TestWithoutColumnsNothingIsRecomputed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	items := b.table(t, "Items", field("Name", schema.Text), field("N", schema.Number))
	orders := b.table(t, "Orders", field("Name", schema.Text))
	for _, spec := range []catalog.FieldSpec{
		field("Items", schema.LinkType, `{"linkedTableId":"`+b.schema(t, items).PublicID()+`"}`),
		field("Sum", "rollup", `{"linkFieldId":"Items","fieldId":"N","function":"SUM"}`),
	} {
		if _, err := b.store.CreateField(t.Context(), b.actor.Org, orders, spec); err != nil {
			t.Fatal(err)
		}
	}
	err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "delete from rowhouse.computed_column where org_id = '"+b.actor.Org.String()+
			"'; drop table \""+organization.SchemaName(b.actor.Org)+"\".stale_mark")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.store.Forget(b.actor.Org)
	if done, err := b.engine.Recompute(t.Context(), b.actor.Org, later()); err != nil || !done {
		t.Errorf("done %t, %v", done, err)
	}
}

// Recompute stops when its time is over, and goes on where it was.
func TestRecomputingTakesTurns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	items := b.table(t, "Items", field("Name", schema.Text), field("N", schema.Number))
	orders := b.table(t, "Orders", field("Name", schema.Text))
	b.addField(t, orders, field("Items", schema.LinkType, `{"linkedTableId":"`+b.schema(t, items).PublicID()+`"}`))
	item := b.create(t, items, `{"Name":"i","N":1}`)[0].ID
	for range 5 {
		rows := make([]string, 100)
		for i := range rows {
			rows[i] = `{"Name":"o","Items":["` + item + `"]}`
		}
		b.create(t, orders, rows...)
	}
	b.addField(t, orders, field("Sum", "rollup", `{"linkFieldId":"Items","fieldId":"N","function":"SUM"}`))
	b.update(t, item, `{"N":2}`)
	column := b.schema(t, orders).FieldByName("Sum").Number
	computed := func() (n int) {
		err := b.db.Batch(t.Context(), b.actor.Org, func(batch *pgx.Batch) {
			batch.Queue(fmt.Sprintf("select count(*) from %s where f_%d = 2", b.schema(t, orders).Relation(), column)).
				QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := 0
	for turns := 1; ; turns++ {
		done, err := b.engine.Recompute(t.Context(), b.actor.Org, time.Now().Add(-time.Second))
		if err != nil {
			t.Fatal(err)
		}
		now := computed()
		if now <= before && before < 500 {
			t.Fatalf("%d records are computed after %d", now, before)
		}
		if before = now; done {
			if turns < 3 {
				t.Errorf("500 records were computed in %d turns", turns)
			}
			break
		}
	}
	if marks := b.marks(t); before != 500 || marks > 0 {
		t.Errorf("%d records are computed, and %d marks are left", before, marks)
	}
}
