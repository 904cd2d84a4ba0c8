package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The figures below are of two tables: each of 200,000 orders has five links to 20,000 parts.
const (
	orders   = 200_000
	parts    = 20_000
	perOrder = 5
)

// linked measures lists by fields that read linked records, and by a number with the same values.
func (b *bench) linked(ctx context.Context) ([]figure, error) {
	figures, err := b.fields(ctx)
	if err != nil {
		return nil, err
	}
	some, err := b.lists(ctx, "", "1.5×")
	if err != nil {
		return nil, err
	}
	figures = append(figures, some...)
	for _, measure := range []func(context.Context) ([]figure, error){b.parents, b.chain, b.sources, b.batch} {
		some, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		for _, one := range some {
			fmt.Fprintln(os.Stderr, one.what, one.value)
		}
		figures = append(figures, some...)
	}
	return figures, nil
}

// stale is linked for lists and sums right after changes alone.
func (b *bench) stale(ctx context.Context) ([]figure, error) {
	figures, err := b.fields(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.indexed(ctx); err != nil {
		return nil, err
	}
	some, err := b.batch(ctx)
	return append(figures, some...), err
}

// fields makes the tables, and fields that read linked records.
func (b *bench) fields(ctx context.Context) ([]figure, error) {
	if err := b.buildLinked(ctx); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name, kind string
		config     map[string]any
	}{
		{"Sum", "rollup", map[string]any{"linkFieldId": "Parts", "fieldId": "Amount", "function": "SUM"}},
		{"Cheap", "count", map[string]any{
			"linkFieldId": "Parts", "filters": []any{map[string]any{"fieldId": "Amount", "op": "lt", "value": 300}},
		}},
		{"Amounts", "lookup", map[string]any{"linkFieldId": "Parts", "fieldId": "Amount"}},
		{"Names", "lookup", map[string]any{"linkFieldId": "Parts", "fieldId": "Name"}},
		{"Twice", "formula", map[string]any{"formula": "{Sum} * 2"}},
		{"Missed", "formula", map[string]any{"formula": "IF(IS_BEFORE({Due}, TODAY()), {Due})"}},
	} {
		if _, err := b.field(ctx, "Orders", f.name, f.kind, f.config); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	if err := b.filled(ctx, "Orders"); err != nil {
		return nil, err
	}
	figures := []figure{{
		"a rollup, a count, two lookups and two formulas of 200,000 records are filled after",
		time.Since(began).Round(10 * time.Millisecond).String(), "",
	}}
	return figures, b.same(ctx)
}

// buildLinked makes the tables, and links whose counts differ.
func (b *bench) buildLinked(ctx context.Context) error {
	snapshot, err := b.store.Fresh(ctx, b.actor.Org)
	if err != nil {
		return err
	}
	for _, name := range []string{"Parts", "Orders"} {
		made, err := b.store.CreateTable(ctx, b.actor.Org, snapshot.Bases[0].ID, name, []catalog.FieldSpec{
			{Name: "Name", Type: schema.Text},
			{Name: "Amount", Type: schema.Number},
			{Name: "Rate", Type: schema.Number},
			{Name: "Due", Type: schema.Date},
			{Name: "Done", Type: schema.Checkbox},
			{Name: "Same sum", Type: schema.Number},
			{Name: "Same count", Type: schema.Number},
			{Name: "Same entry", Type: schema.Number},
			{Name: "Same name", Type: schema.Number},
			{Name: "Note", Type: schema.Text},
		})
		if err != nil {
			return err
		}
		b.tables[name] = made.ID
	}
	if _, err := b.field(ctx, "Orders", "Parts", "link", map[string]any{
		"linkedTableId": b.table(ctx, "Parts").PublicID(),
	}); err != nil {
		return err
	}
	for name, rows := range map[string]int{"Parts": parts, "Orders": orders} {
		if err := b.loadRecords(ctx, name, rows); err != nil {
			return fmt.Errorf("loading %s: %w", name, err)
		}
	}
	t := b.table(ctx, "Orders")
	link := t.FieldByName("Parts").Link
	far := fmt.Sprintf(numberedID, b.table(ctx, "Parts").Number,
		fmt.Sprintf("1 + (i * 7919 + k * 104729 + i / 20000) %% %d", parts))
	_, err = b.conn.Exec(ctx, "insert into "+link.Relation(b.actor.Org)+" ("+link.Own+", "+link.Other+", pos_"+link.Own+
		", pos_"+link.Other+") select "+fmt.Sprintf(numberedID, t.Number, "i")+", "+far+
		", k, i from generate_series(1, $1::bigint) i, generate_series(1, $2::bigint) k on conflict do nothing",
		orders, perOrder)
	if err != nil {
		return err
	}
	_, err = b.conn.Exec(ctx, "vacuum analyze")
	return err
}

// same gives plain numbers the values of the rollup and the count, and others values that as many records have as have
// an entry of a lookup: 990 of an amount, and 50 of a name.
func (b *bench) same(ctx context.Context) error {
	t := b.table(ctx, "Orders")
	column := func(name string) string { return t.FieldByName(name).Column() }
	relation := b.table(ctx, "Parts").Relation()
	link := t.FieldByName("Parts").Link
	amount := b.table(ctx, "Parts").FieldByName("Amount").Column()
	_, err := b.conn.Exec(ctx, "update "+t.Relation()+" t set "+column("Same sum")+" = x.sum, "+column("Same count")+
		" = x.cheap, "+column("Same entry")+" = ('x' || substr(md5(t.id::text), 1, 6))::bit(24)::integer % 202, "+
		column("Same name")+" = ('x' || substr(md5(t.id::text), 7, 6))::bit(24)::integer % 4000 from (select l."+
		link.Own+" as id, sum(p."+amount+") as sum, count(*) filter (where p."+amount+
		" < 300) as cheap from "+link.Relation(b.actor.Org)+" l join "+relation+" p on p.id = l."+link.Other+
		" group by 1) x where x.id = t.id")
	if err != nil {
		return fmt.Errorf("writing the same values as numbers: %w", err)
	}
	_, err = b.conn.Exec(ctx, "vacuum analyze "+t.Relation())
	return err
}

// A question is a list by a computed field, and the same by a number.
type question struct {
	what         string
	plain, field string
	filter, sort string // of the request, with %s for the field
	factor       int    // of what it is compared with
	goal         string // "" for that of the others
	entry        string // of a lookup, with %d for a number; "" for the same as by the number
}

var questions = []question{
	{what: "filter by a rollup", plain: "Same sum", field: "Sum", filter: `[{"fieldId":"%s","op":"eq","value":%d}]`},
	{what: "sort by a rollup", plain: "Same sum", field: "Sum", sort: `[{"fieldId":"%s","dir":"desc"}]`},
	{
		what: "filter and sort by a rollup", plain: "Same sum", field: "Sum",
		filter: `[{"fieldId":"%s","op":"gt","value":%d}]`, sort: `[{"fieldId":"%s","dir":"desc"}]`,
	},
	{what: "filter by a count", plain: "Same count", field: "Cheap", filter: `[{"fieldId":"%s","op":"eq","value":%d}]`},
	{what: "sort by a count", plain: "Same count", field: "Cheap", sort: `[{"fieldId":"%s","dir":"desc"}]`},
	{
		what: "filter and sort by a count", plain: "Same count", field: "Cheap",
		filter: `[{"fieldId":"%s","op":"eq","value":%d}]`, sort: `[{"fieldId":"%s","dir":"desc"}]`,
	},
	{
		what: "filter by a formula of a rollup", plain: "Same sum", field: "Twice", factor: 2,
		filter: `[{"fieldId":"%s","op":"eq","value":%d}]`,
	},
	{what: "sort by a formula of a rollup", plain: "Same sum", field: "Twice", sort: `[{"fieldId":"%s","dir":"desc"}]`},
	{
		what: "filter and sort by a formula of a rollup", plain: "Same sum", field: "Twice", factor: 2,
		filter: `[{"fieldId":"%s","op":"gt","value":%d}]`, sort: `[{"fieldId":"%s","dir":"desc"}]`,
	},
	{
		what: "filter by an entry of a lookup, which 50 records have", plain: "Same name", field: "Names",
		filter: `[{"fieldId":"%s","op":"eq","value":%d}]`, entry: `"Customer %d"`,
	},
	{
		what: "filter by an entry of a lookup, which 990 records have", plain: "Same entry", field: "Amounts",
		filter: `[{"fieldId":"%s","op":"eq","value":%d}]`, entry: "%d",
	},
	{
		what: "filter by a formula of the day", plain: "Due", field: "Missed", goal: "1.3×",
		filter: `[{"fieldId":"%s","op":"eq","value":"2026-02-%02d"}]`,
	},
	{what: "sort by a lookup", plain: "Same sum", field: "Amounts", sort: `[{"fieldId":"%s","dir":"desc"}]`},
}

func (b *bench) ask(q question, field string, factor int) func(context.Context, int) error {
	return func(ctx context.Context, i int) error {
		request := query.Request{Limit: 100, Fields: []string{"Name", "Amount"}}
		value := (2500 + i%50) * max(factor, 1)
		switch {
		case q.plain == "Same count":
			value = 1 + i%4
		case q.plain == "Due":
			value = 1 + i%28
		case q.entry != "":
			value = 100 + i%50
		}
		if q.filter != "" {
			request.Filters = fmt.Appendf(nil, q.filter, field, value)
			if field == q.field && q.entry != "" {
				filter := `[{"fieldId":%q,"op":"has_any","value":[` + q.entry + `]}]`
				request.Filters = fmt.Appendf(nil, filter, field, value)
			}
		}
		if q.sort != "" {
			request.Sorts = fmt.Appendf(nil, q.sort, field)
		}
		_, err := b.engine.List(ctx, b.actor, b.tables["Orders"], request)
		return err
	}
}

// indexed asks all questions until the indexes are there.
func (b *bench) indexed(ctx context.Context) error {
	for range 4 {
		for _, q := range questions {
			for i, field := range []string{q.plain, q.field} {
				if err := b.ask(q, field, i*q.factor)(ctx, 0); err != nil {
					return fmt.Errorf("%s: %w", q.what, err)
				}
			}
		}
		time.Sleep(6 * time.Second) // in which the builder of indexes comes by
	}
	return nil
}

// lists asks all questions, after the indexes are there.
func (b *bench) lists(ctx context.Context, state, goal string) ([]figure, error) {
	if err := b.indexed(ctx); err != nil {
		return nil, err
	}
	if _, err := b.conn.Exec(ctx, "vacuum analyze "+b.table(ctx, "Orders").Relation()); err != nil {
		return nil, fmt.Errorf("vacuuming: %w", err)
	}
	// PostgreSQL weighs the cost of plans that it has made for a statement of a connection. Those from before the
	// indexes were there would count for one of the two.
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	var figures []figure
	for _, q := range questions {
		plain, computed, err := pair(ctx, 60, b.ask(q, q.plain, 0), b.ask(q, q.field, q.factor))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.what, err)
		}
		one := compared(q.what+state, plain, computed, cmp.Or(q.goal, goal))
		fmt.Fprintln(os.Stderr, one.what, one.value)
		figures = append(figures, one)
	}
	return figures, nil
}

// sources measures updates of parts with one, with a thousand, and with all orders as dependants.
func (b *bench) sources(ctx context.Context) ([]figure, error) {
	far := b.table(ctx, "Parts")
	if err := b.sourcesLinks(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	if err := b.settled(ctx); err != nil {
		return nil, err
	}
	figures := []figure{{
		"new links of 200,000 orders are computed after", time.Since(began).Round(10 * time.Millisecond).String(), "",
	}}
	update := func(part int, field string) func(context.Context, int) error {
		return func(ctx context.Context, i int) error {
			value := fmt.Sprint(i)
			if field == "Note" {
				value = `"` + value + `"`
			}
			fields, err := object(fmt.Sprintf(`{%q:%s}`, field, value))
			if err != nil {
				return err
			}
			_, err = b.engine.UpdateOne(ctx, b.actor, b.record(far.Number, part), fields, false)
			return err
		}
	}
	// With one dependant, and of a field that nothing reads; marked records are computed meanwhile.
	plain, one, err := pair(ctx, 400, update(1, "Rate"), update(1, "Amount"))
	if err != nil {
		return nil, err
	}
	if err := b.settled(ctx); err != nil {
		return nil, err
	}
	_, thousand, err := pair(ctx, 100, update(1, "Rate"), update(2, "Amount"))
	if err != nil {
		return nil, err
	}
	if err := b.settled(ctx); err != nil {
		return nil, err
	}
	figures = append(figures,
		compared("update of a source with one dependant, beside a field that nothing reads", plain, one, "1.2×"),
		figure{"update of a source with 1,000 dependants", thousand.Round(time.Microsecond).String(), "20 ms"})
	// The answer has the record with all of its 200,000 links, whatever was changed.
	plain, all, err := pair(ctx, 5, update(3, "Rate"), update(3, "Amount"))
	if err != nil {
		return nil, err
	}
	began = time.Now()
	if err := b.settled(ctx); err != nil {
		return nil, err
	}
	return append(figures,
		compared("update of a source with 200,000 dependants, beside a field that nothing reads", plain, all, "50 ms"),
		figure{"and everything computed after", time.Since(began).Round(10 * time.Millisecond).String(), "30 s"}), nil
}

// settled waits until nothing is marked.
func (b *bench) settled(ctx context.Context) error {
	for {
		done, err := b.engine.Recompute(ctx, b.actor.Org, time.Now().Add(time.Minute))
		if done || err != nil {
			return err
		}
	}
}

func (b *bench) sourcesLinks(ctx context.Context) error {
	t, far := b.table(ctx, "Orders"), b.table(ctx, "Parts")
	link := t.FieldByName("Parts").Link
	relation := link.Relation(b.actor.Org)
	for part, dependants := range map[int]int{1: 1, 2: 1000, 3: orders} {
		id := fmt.Sprintf(numberedID, far.Number, fmt.Sprint(part))
		for _, statement := range []string{
			"delete from " + relation + " where " + link.Other + " = " + id,
			"insert into " + relation + " (" + link.Own + ", " + link.Other + ", pos_" + link.Own + ", pos_" +
				link.Other + ") select " + fmt.Sprintf(numberedID, t.Number, "i") + ", " + id +
				", 9, i from generate_series(1, " + fmt.Sprint(dependants) + ") i",
		} {
			if _, err := b.conn.Exec(ctx, statement); err != nil {
				return fmt.Errorf("giving a part %d orders: %w", dependants, err)
			}
		}
	}
	return nil
}
