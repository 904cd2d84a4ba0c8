package record_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// stock is a table that is large enough for indexes to pay.
func stock(t *testing.T, b *bundle) uuid.UUID {
	t.Helper()
	table := b.table(t, "Stock", field("Name", schema.Text), field("Price", schema.Number),
		field("Sort", schema.SingleSelect, `{"options":["a","b","c"]}`), field("Day", schema.Date),
		field("Note", schema.LongText))
	for batch := range 30 {
		rows := make([]string, 100)
		for i := range rows {
			n := batch*100 + i
			rows[i] = fmt.Sprintf(
				`{"Name":"item %d","Price":%d,"Sort":%q,"Day":"2024-%02d-%02d","Note":"note number %d of many"}`,
				n, n*7919%3000, []string{"a", "b", "c"}[n%3], 1+n%12, 1+n%28, n,
			)
		}
		b.create(t, table, rows...)
	}
	return table
}

// built looks until the builder's turn has come and the table has all the named kinds of index.
func built(t *testing.T, b *bundle, builder *index.Builder, table uuid.UUID, ask func(), want int) []index.Index {
	t.Helper()
	for began := time.Now(); time.Since(began) < 3*time.Minute; {
		ask()
		// A build waits for every transaction of the database, those of other tests too, and gives
		// up when one is long. The builder tries it again a minute later.
		if err := builder.RunOnce(t.Context()); err != nil && problem.KindOf(err) != problem.KindUnavailable {
			t.Fatal(err)
		}
		indexes, err := b.engine.Indexes(t.Context(), b.actor.Org, table)
		if err != nil {
			t.Fatal(err)
		}
		indexes = slices.DeleteFunc(indexes, func(i index.Index) bool { return i.Since.IsZero() })
		if len(indexes) >= want {
			return indexes
		}
		time.Sleep(50 * time.Millisecond) // another test's builder is at work
	}
	t.Fatalf("fewer than %d indexes were built", want)
	return nil
}

func TestIndexesAppearWhereTheyAreUsedAndAreUsed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := stock(t, b)
	queries := map[string]query.Request{
		"lookup": {
			Filters: []byte(`[{"fieldId":"Sort","op":"eq","value":"a"},{"fieldId":"Price","op":"gt","value":10}]`),
			Sorts:   []byte(`[{"fieldId":"Day","dir":"desc"}]`),
			Limit:   10,
		},
		"sort":   {Sorts: []byte(`[{"fieldId":"Price","dir":"asc"}]`), Limit: 10},
		"search": {Search: "number 1234", Limit: 10},
	}
	ask := func() {
		for _, q := range queries {
			b.list(t, table, q)
		}
	}
	builder := &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500, Idle: time.Hour}
	indexes := built(t, b, builder, table, ask, 3)
	price := b.schema(t, table).FieldByName("Price")
	reasons := ""
	for _, index := range indexes {
		if !index.Ready || index.Used.IsZero() || index.Reason == "" {
			t.Errorf("the list says %+v", index)
		}
		reasons += index.Kind + " for " + index.Reason + "\n"
	}
	if !strings.Contains(reasons, " on "+price.PublicID()) || !strings.Contains(reasons, "search for search") {
		t.Errorf("the reasons are\n%s", reasons)
	}
	// The engine's own statements, as the requests' role, use them: of the two that would serve the
	// lookup, one that begins with its range and one with its order, the one that the planner
	// prefers.
	lookup := fmt.Sprintf("i_%de", b.schema(t, table).FieldByName("Sort").Number)
	relation := b.schema(t, table).Relation()
	var idle []string
	admin := tenancytest.Admin(t)
	for range 100 {
		ask()
		idle = idleIndexes(t, b, admin, relation)
		if len(idle) == 0 || len(idle) == 1 && strings.HasPrefix(idle[0], lookup) {
			idle = nil
			break
		}
		time.Sleep(50 * time.Millisecond) // statistics are flushed at their own pace
	}
	if len(idle) > 0 {
		t.Errorf("no statement uses %v", idle)
	}

	if _, err := b.store.CreateField(t.Context(), b.actor.Org, table, catalog.FieldSpec{
		Name: "Later",
		Type: schema.Text,
	}); err != nil {
		t.Fatal(err)
	}
	_, found := b.list(t, table, query.Request{Search: "number 1234"})
	if len(found) != 1 {
		t.Errorf("with a new field the search finds %d records", len(found))
	}
	if err := b.store.DeleteField(t.Context(), b.actor.Org, price.ID); err != nil {
		t.Fatal(err)
	}
	after, err := b.engine.Indexes(t.Context(), b.actor.Org, table)
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range after {
		if strings.Contains(index.Reason, price.PublicID()) && index.Kind == "lookup" &&
			!strings.Contains(index.Reason, "Day") && strings.HasPrefix(index.Reason, "sort") {
			t.Errorf("the index outlived its field: %+v", index)
		}
	}
}

// idleIndexes lists the indexes of a table that no statement has used.
func idleIndexes(t *testing.T, b *bundle, admin *pgx.Conn, relation string) (idle []string) {
	t.Helper()
	read := func(rows pgx.Rows, err error) error {
		if err == nil {
			idle, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	}
	const unused = "s.idx_scan = 0 and s.indexrelname ~ '^[is]_'"
	var err error
	if b.db.Distributed() { // the node of the shard counts
		err = read(admin.Query(t.Context(), `select unnest(string_to_array(result, ','))
			from run_command_on_shards($1::text::regclass, $2)`, relation,
			`select string_agg(regexp_replace(s.indexrelname, '_\d+$', ''), ',')
			from pg_stat_user_indexes s where s.relid = '%s'::regclass and `+unused))
	} else {
		err = read(admin.Query(t.Context(), `select s.indexrelname::text from pg_stat_user_indexes s
			where s.relid = to_regclass($1::text) and `+unused, relation))
	}
	if err != nil {
		t.Fatal(err)
	}
	return idle
}

func TestAValueTooLongForAnIndexCostsTheIndexAndNotTheValue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := stock(t, b)
	ask := func() { b.list(t, table, query.Request{Sorts: []byte(`[{"fieldId":"Name"}]`), Limit: 10}) }
	builder := &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500}
	built(t, b, builder, table, ask, 1)
	var noise strings.Builder // that does not compress
	for noise.Len() < 20_000 {
		noise.WriteString(uuid.NewString())
	}
	name, err := json.Marshal(noise.String())
	if err != nil {
		t.Fatal(err)
	}
	b.create(t, table, `{"Name":`+string(name)+`}`)
	ask()
	if err := builder.RunOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	page, _ := b.list(t, table, query.Request{})
	if page.Total != 3001 {
		t.Errorf("the table holds %d records", page.Total)
	}
}

// An index on a select is of one order of its options: another order has another index, in its place.
func TestAnIndexFollowsTheOrderOfOptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := stock(t, b)
	q := query.Request{Sorts: []byte(`[{"fieldId":"Sort"},{"fieldId":"Price"}]`), Limit: 10}
	ask := func() { b.list(t, table, q) }
	builder := &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500}
	first := built(t, b, builder, table, ask, 1)
	config := catalog.FieldPatch{Config: []byte(`{"options":["c","a","b"]}`)}
	err := b.store.UpdateField(t.Context(), b.actor.Org, b.schema(t, table).FieldByName("Sort").ID, config)
	if err != nil {
		t.Fatal(err)
	}
	if _, records := b.list(t, table, q); records[0].Fields["Sort"] != "c" {
		t.Errorf("the first record after options were moved is %v", records[0])
	}
	for began := time.Now(); time.Since(began) < 3*time.Minute; {
		second := built(t, b, builder, table, ask, 1)
		if len(second) == 1 && second[0].Name != first[0].Name {
			admin := tenancytest.Admin(t)
			for len(idleIndexes(t, b, admin, b.schema(t, table).Relation())) > 0 && time.Since(began) < 3*time.Minute {
				ask()
				time.Sleep(50 * time.Millisecond) // statistics are flushed at their own pace
			}
			if idle := idleIndexes(t, b, admin, b.schema(t, table).Relation()); len(idle) > 0 {
				t.Errorf("no statement uses %v", idle)
			}
			return
		}
	}
	t.Errorf("%s was not replaced", first[0].Name)
}

func TestAnIdleIndexIsDropped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := stock(t, b)
	ask := func() { b.list(t, table, query.Request{Sorts: []byte(`[{"fieldId":"Price"}]`), Limit: 10}) }
	built(t, b, &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500}, table, ask, 1)
	err := b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "update rowhouse.record_index set used_at = now() - interval '40 days'")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		// A builder sweeps at its first look.
		if err := (&index.Builder{Manager: b.engine.IndexManager(), Idle: 30 * 24 * time.Hour}).RunOnce(
			t.Context(),
		); err != nil {
			t.Fatal(err)
		}
		indexes, err := b.engine.Indexes(t.Context(), b.actor.Org, table)
		if err != nil {
			t.Fatal(err)
		}
		if len(indexes) == 1 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the index is still there")
}

// An index in the order of an earlier version serves nothing, and goes when its successor is there.
func TestAnIndexInAFormerOrderIsReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := stock(t, b)
	u := b.schema(t, table)
	name := u.FieldByName("Name")
	former := fmt.Sprintf("i_%da", name.Number)
	err := b.db.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), fmt.Sprintf(`create index %s on %s (%s collate "und-x-icu", id)`, former,
			u.Relation(), name.Column()))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ask := func() { b.list(t, table, query.Request{Sorts: []byte(`[{"fieldId":"Name"}]`), Limit: 10}) }
	built(t, b, &index.Builder{Manager: b.engine.IndexManager(), MinRecords: 2500}, table, ask, 1)
	indexes, err := b.engine.Indexes(t.Context(), b.actor.Org, table)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(indexes, func(i index.Index) bool { return i.Name == former }) {
		t.Errorf("%s is still there", former)
	}
}
