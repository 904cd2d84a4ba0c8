package record_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

func TestFillingPassesOverLockedRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	org := b.actor.Org
	u := b.table(t, "T", field("Name", schema.Text), field("N", schema.Number))
	objects := make([]string, 1100)
	for i := range objects {
		objects[i] = fmt.Sprintf(`{"Name":"r%d","N":%d}`, i, i)
	}
	b.create(t, u, objects...)
	f := b.addField(t, u, formulaField("Twice", "{N} * 2"))
	table := b.schema(t, u)
	value := table.FieldByName("Twice").Number
	empty := func() (n int) {
		t.Helper()
		err := b.db.Tx(t.Context(), org, func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), fmt.Sprintf("select count(*) from %s where f_%d is null", table.Relation(),
				value)).Scan(&n)
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	holding, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() { // somebody who writes for long what the formula does not read
		ended <- b.db.Tx(t.Context(), org, func(tx pgx.Tx) error {
			name, number := table.FieldByName("Name").Column(), table.FieldByName("N").Column()
			_, err := tx.Exec(t.Context(), "update "+table.Relation()+" set "+name+
				" = 'held' where mod("+number+"::integer, 100) = 7")
			close(holding)
			<-release
			return err
		})
	}()
	<-holding
	done, err := b.store.Fill(t.Context(), org, table.Number, time.Now().Add(300*time.Millisecond))
	if done || err != nil {
		t.Errorf("while records are locked: %t %v", done, err)
	}
	if n := empty(); n != 11 {
		t.Errorf("%d records are not filled, not the 11 that are locked", n)
	}
	if b.store.Forget(org); b.schema(t, u).FieldByName("Twice").Computed.Kept {
		t.Error("the column is read although records of it are not filled")
	}
	// The next attempt finds them too, whether it waits for them or comes after.
	go func() {
		time.Sleep(100 * time.Millisecond)
		close(release)
	}()
	done, err = b.store.Fill(t.Context(), org, table.Number, time.Now().Add(time.Minute))
	if !done || err != nil {
		t.Errorf("after they were free: %t %v", done, err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if n := empty(); n != 0 {
		t.Errorf("%d records are not filled", n)
	}
	_, rows := b.list(t, u, query.Request{
		Filters: fmt.Appendf(nil, `[{"fieldId":%q,"op":"eq","value":14}]`, publicField(f.ID)),
	})
	if got := text(column(rows, "Name")); got != `["held"]` {
		t.Error(got)
	}
}
