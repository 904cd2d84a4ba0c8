package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// pair measures two calls in turn, and returns their medians.
func pair(
	ctx context.Context, n int, a, b func(ctx context.Context, i int) error,
) (first, second time.Duration, err error) {
	var times [2][]time.Duration
	for i := range n {
		for which, call := range []func(context.Context, int) error{a, b} {
			began := time.Now()
			if err := call(ctx, i); err != nil {
				return 0, 0, err
			}
			if i >= n/10 { // the first ones warm up
				times[which] = append(times[which], time.Since(began))
			}
		}
	}
	return median(times[0]), median(times[1]), nil
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func compared(what string, plain, computed time.Duration, target string) figure {
	return figure{what, fmt.Sprintf("%s beside %s: %.2f×", computed.Round(time.Microsecond),
		plain.Round(time.Microsecond), float64(computed)/float64(plain)), target}
}

// object reads the fields of a record.
func object(text string) (jsonvalue.ParsedObject, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		return jsonvalue.ParsedObject{}, fmt.Errorf("reading a record: %w", err)
	}
	var members []jsonvalue.Member
	for name, raw := range fields {
		members = append(members, jsonvalue.Member{Name: name, Value: raw})
	}
	return jsonvalue.NewParsedObject(members, len(text)), nil
}

// writes measures single writes with five formulas.
func (b *bench) writes(ctx context.Context) ([]figure, error) {
	for _, f := range [][2]string{
		{"Total", "{Amount} * {Rate}"},
		{"Tax", "ROUND({Total} * 0.25, 2)"},
		{"Label", `{Name} & " (" & {Total} & ")"`},
		{"Late", `AND(NOT({Done}), IS_BEFORE({Due}, "2026-06-01"))`},
		{"Month", `DATETIME_FORMAT({Due}, "YYYY-MM")`},
	} {
		if _, err := b.field(ctx, "Computed", f[0], "formula", map[string]any{"formula": f[1]}); err != nil {
			return nil, err
		}
	}
	if err := b.filled(ctx, "Computed"); err != nil {
		return nil, err
	}
	create := func(table string) func(context.Context, int) error {
		return func(ctx context.Context, i int) error {
			fields, err := object(fmt.Sprintf(`{"Name":"Somebody %d","Amount":%d,"Rate":3,"Due":"2026-05-01"}`,
				i, i%100+1))
			if err != nil {
				return err
			}
			_, err = b.engine.Create(ctx, b.actor, b.tables[table], record.Creation{
				Records: []jsonvalue.ParsedObject{fields}, Single: true,
			})
			return err
		}
	}
	const n = 1500
	plain, computed, err := pair(ctx, n, create("Plain"), create("Computed"))
	if err != nil {
		return nil, err
	}
	figures := []figure{compared("create 1, with five formulas", plain, computed, "1.3×")}
	update := func(table string) func(context.Context, int) error {
		number := b.table(ctx, table).Number
		return func(ctx context.Context, i int) error {
			fields, err := object(fmt.Sprintf(`{"Amount":%d}`, i+5000))
			if err != nil {
				return err
			}
			_, err = b.engine.UpdateOne(ctx, b.actor, b.record(number, i%smallRows+1), fields, false)
			return err
		}
	}
	plain, computed, err = pair(ctx, n, update("Plain"), update("Computed"))
	if err != nil {
		return nil, err
	}
	figures = append(figures, compared("update 1, with five formulas", plain, computed, "1.3×"))
	for _, table := range []string{"Plain", "Computed"} { // the pages show records with links
		t := b.table(ctx, table)
		_, err := b.conn.Exec(ctx, "delete from "+t.Relation()+" where not exists (select from "+
			t.FieldByName("Group").Link.Relation(b.actor.Org)+" l where l."+t.FieldByName("Group").Link.Own+" = id)")
		if err != nil {
			return nil, fmt.Errorf("deleting the records that were created: %w", err)
		}
	}
	if _, err := b.conn.Exec(ctx, "vacuum analyze"); err != nil {
		return nil, fmt.Errorf("vacuuming: %w", err)
	}
	return figures, nil
}

// filled fills the columns of a table's computed fields, as the service's job does.
func (b *bench) filled(ctx context.Context, table string) error {
	_, err := b.store.Fill(ctx, b.actor.Org, b.table(ctx, table).Number, time.Now().Add(time.Hour))
	return err
}

// record is the public id of a record that load wrote.
func (b *bench) record(table int32, i int) string {
	return id.FormatRecord(table, uuid.MustParse(fmt.Sprintf("%08x000070008000%012x", table, i)))
}

// pages measures pages of 100 with the five formulas, two lookups and two rollups.
func (b *bench) pages(ctx context.Context) ([]figure, error) {
	for _, f := range []struct{ name, kind, field, function string }{
		{"Group name", "lookup", "Name", ""},
		{"Group amount", "lookup", "Amount", ""},
		{"Group sum", "rollup", "Amount", "SUM"},
		{"Group due", "rollup", "Due", "MAX"},
	} {
		config := map[string]any{"linkFieldId": "Group", "fieldId": f.field}
		if f.function != "" {
			config["function"] = f.function
		}
		if _, err := b.field(ctx, "Computed", f.name, f.kind, config); err != nil {
			return nil, err
		}
	}
	if err := b.filled(ctx, "Computed"); err != nil {
		return nil, err
	}
	page := func(table string) func(context.Context, int) error {
		return func(ctx context.Context, _ int) error {
			_, err := b.engine.List(ctx, b.actor, b.tables[table], query.Request{Limit: 100})
			return err
		}
	}
	plain, computed, err := pair(ctx, 600, page("Plain"), page("Computed"))
	if err != nil {
		return nil, err
	}
	const what = "page of 100 with five formulas, two lookups and two rollups"
	return []figure{compared(what, plain, computed, "1.3×")}, nil
}

// fill measures adding a formula to the large table while somebody writes to it.
func (b *bench) fill(ctx context.Context) ([]figure, error) {
	number := b.table(ctx, "Large").Number
	var longest atomic.Int64
	writing, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		for i := 0; writing.Err() == nil; i++ {
			fields, err := object(fmt.Sprintf(`{"Amount":%d}`, i))
			if err != nil {
				ended <- err
				return
			}
			began := time.Now()
			_, err = b.engine.UpdateOne(ctx, b.actor, b.record(number, 1+i*7919%b.rows), fields, false)
			if err != nil {
				ended <- err
				return
			}
			longest.Store(max(longest.Load(), int64(time.Since(began))))
			time.Sleep(time.Millisecond)
		}
		ended <- nil
	}()
	time.Sleep(time.Second)
	alone := time.Duration(longest.Load())
	longest.Store(0)
	began := time.Now()
	if _, err := b.field(ctx, "Large", "Total", "formula", map[string]any{"formula": "{Amount} * {Rate}"}); err != nil {
		stop()
		return nil, err
	}
	if _, err := b.engine.List(ctx, b.actor, b.tables["Large"], query.Request{Limit: 100}); err != nil {
		stop()
		return nil, err
	}
	usable := time.Since(began)
	began = time.Now()
	_, err := b.store.Fill(ctx, b.actor.Org, number, time.Now().Add(time.Hour))
	filled := time.Since(began)
	stop()
	if err != nil {
		return nil, err
	}
	if err := <-ended; err != nil {
		return nil, err
	}
	return []figure{
		{"a formula is usable after", usable.Round(time.Millisecond).String(), "100 ms"},
		{"and filled after", filled.Round(10 * time.Millisecond).String(), "15 s"},
		{
			"the longest write meanwhile",
			fmt.Sprintf("%s; %s before", time.Duration(longest.Load()).Round(time.Millisecond),
				alone.Round(time.Millisecond)), "100 ms",
		},
	}, nil
}

// floor measures a lower bound of filling: one statement that writes every record of a copy.
func (b *bench) floor(ctx context.Context) ([]figure, error) {
	large := b.table(ctx, "Large")
	for _, statement := range []string{
		"create table public.floor (like " + large.Relation() + " including indexes)",
		"insert into public.floor select * from " + large.Relation(),
		"alter table public.floor add column computed double precision",
		"vacuum analyze public.floor",
		"checkpoint",
	} {
		if _, err := b.conn.Exec(ctx, statement); err != nil {
			return nil, fmt.Errorf("copying the large table: %w", err)
		}
	}
	began := time.Now()
	_, err := b.conn.Exec(ctx, "update public.floor set computed = "+large.FieldByName("Amount").Column()+" * "+
		large.FieldByName("Rate").Column())
	if err != nil {
		return nil, fmt.Errorf("writing the copy: %w", err)
	}
	took := time.Since(began)
	if _, err := b.conn.Exec(ctx, "drop table public.floor"); err != nil {
		return nil, fmt.Errorf("dropping the copy: %w", err)
	}
	return []figure{{"an `update` of every record of a copy", took.Round(10 * time.Millisecond).String(), ""}}, nil
}

// reads compares lists by the formula with lists by a number that people write.
func (b *bench) reads(ctx context.Context) ([]figure, error) {
	// Both lists find the same records, and every number finds about as many.
	if _, err := b.field(ctx, "Large", "Double", "formula", map[string]any{"formula": "{Amount} * 2"}); err != nil {
		return nil, err
	}
	if err := b.filled(ctx, "Large"); err != nil {
		return nil, err
	}
	times := map[string]int{"Amount": 1, "Double": 2}
	list := func(field string) func(context.Context, int) error {
		return func(ctx context.Context, i int) error {
			_, err := b.engine.List(ctx, b.actor, b.tables["Large"], query.Request{
				Limit:   100,
				Filters: fmt.Appendf(nil, `[{"fieldId":%q,"op":"eq","value":%d}]`, field, (100+i%50)*times[field]),
				Sorts:   fmt.Appendf(nil, `[{"fieldId":%q,"dir":"desc"}]`, field),
			})
			return err
		}
	}
	for _, field := range []string{"Amount", "Double"} {
		if err := list(field)(ctx, 0); err != nil {
			return nil, err
		}
	}
	for range 120 { // until the indexes are there
		indexes, err := b.engine.Indexes(ctx, b.actor.Org, b.tables["Large"])
		if err != nil {
			return nil, err
		}
		ready := 0
		for _, one := range indexes {
			if one.Ready && one.Kind == "lookup" {
				ready++
			}
		}
		if ready >= 2 {
			break
		}
		for _, field := range []string{"Amount", "Double"} {
			if err := list(field)(ctx, 0); err != nil {
				return nil, err
			}
		}
		time.Sleep(time.Second)
	}
	// Autovacuum does this by itself a little later, after every record was rewritten.
	if _, err := b.conn.Exec(ctx, "vacuum analyze "+b.table(ctx, "Large").Relation()); err != nil {
		return nil, fmt.Errorf("vacuuming: %w", err)
	}
	// The first read of a page of the table or an index would count for only one of the two.
	if _, _, err := pair(ctx, 100, list("Amount"), list("Double")); err != nil {
		return nil, err
	}
	plain, computed, err := pair(ctx, 300, list("Amount"), list("Double"))
	if err != nil {
		return nil, err
	}
	return []figure{compared("filter and sort by a formula", plain, computed, "1.2×")}, nil
}

// links measures a rollup over all links.
func (b *bench) links(ctx context.Context) ([]figure, error) {
	var inverse string
	for _, f := range b.table(ctx, "Groups").Fields {
		if f.Link != nil && f.Link.LinkedTable == b.tables["Large"] {
			inverse = f.Name
		}
	}
	_, err := b.field(ctx, "Groups", "Sum", "rollup", map[string]any{
		"linkFieldId": inverse, "fieldId": "Total", "function": "SUM",
	})
	if err != nil {
		return nil, err
	}
	began := time.Now()
	out, err := b.engine.Aggregate(ctx, b.actor, b.tables["Groups"], query.Aggregation{
		Functions: []byte(`[{"fn":"sum","fieldId":"Sum"}]`),
	})
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	if len(out.Groups) != 1 || strings.Contains(string(out.Groups[0]), "null") {
		return nil, fmt.Errorf("the rollup has no sum: %s", out.Groups)
	}
	return []figure{{"a rollup over all links", took.Round(time.Millisecond).String(), "6 s for a million"}}, nil
}

// dependants measures an edit of a group whose name a thousand records look up.
func (b *bench) dependants(ctx context.Context) ([]figure, error) {
	if _, err := b.field(ctx, "Large", "Group name", "lookup", map[string]any{
		"linkFieldId": "Group", "fieldId": "Name",
	}); err != nil {
		return nil, err
	}
	number := b.table(ctx, "Groups").Number
	var times []time.Duration
	for i := range 200 {
		raw, err := json.Marshal(map[string]any{"Name": fmt.Sprintf("Group %d", i)})
		if err != nil {
			return nil, fmt.Errorf("encoding a record: %w", err)
		}
		fields, err := object(string(raw))
		if err != nil {
			return nil, err
		}
		began := time.Now()
		if _, err := b.engine.UpdateOne(ctx, b.actor, b.record(number, i+1), fields, false); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	what := fmt.Sprintf("an edit with %d dependants", b.rows/groups)
	return []figure{{what, median(times).Round(time.Microsecond).String(), "20 ms"}}, nil
}
