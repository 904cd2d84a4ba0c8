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

// What reads linked records is computed by one join until its column is filled, and what a formula of its own record
// reads is not.
func TestUnfilledFieldsAreComputedByAJoin(t *testing.T) {
	t.Parallel()
	p := newPorts(t)
	p.stores(t)
	p.engine.ComputePresent(0)
	var many []string // so that columns are not filled at once
	for i := range 1100 {
		many = append(many, fmt.Sprintf(`{"Name":"Island %d"}`, i))
	}
	p.create(t, p.countries, many...)
	through := p.schema(t, p.countries).Fields[1].Name
	p.computed(t, p.countries, "Sum", "rollup", map[string]any{
		"linkFieldId": through, "fieldId": "Length", "function": "SUM",
	})
	p.addField(t, p.countries, formulaField("Letters", "LEN({Name})"))
	p.addField(t, p.countries, formulaField("Twice", "{Sum} * 2"))
	p.addField(t, p.countries, formulaField("Both", "{Sum} + {Letters}"))
	p.addField(t, p.countries, formulaField("Now", "{Sum} & NOW()"))
	readiness := func(name string) schema.Readiness {
		t.Helper()
		snapshot, err := p.store.Fresh(t.Context(), p.actor.Org)
		if err != nil {
			t.Fatal(err)
		}
		return snapshot.Stored().Table(p.countries).FieldByName(name).Readiness()
	}
	for name, want := range map[string]schema.Readiness{
		"Name": schema.InColumns, "Sum": schema.Joined, "Twice": schema.Joined, "Letters": schema.Computed,
		"Both": schema.Computed, "Now": schema.Computed,
	} {
		if got := readiness(name); got != want {
			t.Errorf("%s has readiness %d, not %d", name, got, want)
		}
	}
	list := func() string {
		_, rows := p.list(t, p.countries, query.Request{
			Filters: []byte(`[{"fieldId":"Twice","op":"gte","value":1}]`),
			Sorts:   []byte(`[{"fieldId":"Sum","dir":"desc"}]`),
		})
		return text(column(rows, "Name")) + text(column(rows, "Both"))
	}
	const want = `["Norway"][6596]`
	if got := list(); got != want {
		t.Errorf("before columns are filled: %s", got)
	}
	for range 3 { // what reads others is filled behind them
		if _, err := p.store.Fill(t.Context(), p.actor.Org, p.schema(t, p.countries).Number, later()); err != nil {
			t.Fatal(err)
		}
	}
	if got := readiness("Both"); got != schema.InColumns {
		t.Errorf("a filled column has readiness %d", got)
	}
	if got := list(); got != want {
		t.Errorf("when columns are filled: %s", got)
	}
}
