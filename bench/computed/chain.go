package main

import (
	"context"
	"fmt"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	parents   = 200
	perParent = 600
	chain     = 6 // links
	ofChain   = 1000
	perChain  = 10
)

// parents measures pages of records with many links each, with a rollup of these and without.
func (b *bench) parents(ctx context.Context) ([]figure, error) {
	if err := b.linkedTable(ctx, "Parents", parents, "Parts", parts, perParent); err != nil {
		return nil, err
	}
	if _, err := b.field(ctx, "Parents", "Sum", "rollup", map[string]any{
		"linkFieldId": "Parts", "fieldId": "Amount", "function": "SUM",
	}); err != nil {
		return nil, err
	}
	if err := b.filled(ctx, "Parents"); err != nil {
		return nil, err
	}
	without := b.page("Parents", 100, "Name", "Amount")
	plain, computed, err := pair(ctx, 100, without, b.page("Parents", 100, "Name", "Sum"))
	if err != nil {
		return nil, err
	}
	return []figure{compared(fmt.Sprintf("page of 100 with a rollup of %d links each", perParent), plain, computed,
		"1.5×")}, nil
}

// chain measures a page of a rollup of a rollup, through six links.
func (b *bench) chain(ctx context.Context) ([]figure, error) {
	for i := chain; i >= 0; i-- {
		next := ""
		if i < chain {
			next = fmt.Sprintf("Chain %d", i+1)
		}
		table := fmt.Sprintf("Chain %d", i)
		if err := b.linkedTable(ctx, table, ofChain, next, ofChain, perChain); err != nil {
			return nil, err
		}
		source := "Amount"
		if next == "" {
			continue
		}
		if i+1 < chain {
			source = "Sum"
		}
		if _, err := b.field(ctx, table, "Sum", "rollup", map[string]any{
			"linkFieldId": next, "fieldId": source, "function": "SUM",
		}); err != nil {
			return nil, err
		}
		if err := b.filled(ctx, table); err != nil {
			return nil, err
		}
	}
	page := b.page("Chain 0", 30, "Name", "Sum")
	plain, computed, err := pair(ctx, 100, b.page("Chain 0", 30, "Name", "Amount"), page)
	if err != nil {
		return nil, err
	}
	return []figure{compared(fmt.Sprintf("page of 30 through %d links in a chain, %d records each", chain, perChain),
		plain, computed, "20 ms")}, nil
}

// page asks for the first records of a table.
func (b *bench) page(table string, limit int, fields ...string) func(context.Context, int) error {
	return func(ctx context.Context, _ int) error {
		_, err := b.engine.List(ctx, b.actor, b.tables[table], query.Request{Limit: limit, Fields: fields})
		return err
	}
}

// linkedTable makes a table, each of whose records is linked to some of another one; "" for none.
func (b *bench) linkedTable(ctx context.Context, name string, rows int, other string, of, each int) error {
	snapshot, err := b.store.Fresh(ctx, b.actor.Org)
	if err != nil {
		return err
	}
	made, err := b.store.CreateTable(ctx, b.actor.Org, snapshot.Bases[0].ID, name, []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text},
		{Name: "Amount", Type: schema.Number},
		{Name: "Rate", Type: schema.Number},
		{Name: "Due", Type: schema.Date},
		{Name: "Done", Type: schema.Checkbox},
	})
	if err != nil {
		return err
	}
	b.tables[name] = made.ID
	if err := b.loadRecords(ctx, name, rows); err != nil || other == "" {
		return err
	}
	if _, err := b.field(ctx, name, other, "link", map[string]any{
		"linkedTableId": b.table(ctx, other).PublicID(),
	}); err != nil {
		return err
	}
	t := b.table(ctx, name)
	link := t.FieldByName(other).Link
	far := fmt.Sprintf(numberedID, b.table(ctx, other).Number, fmt.Sprintf("1 + (i * 7919 + k * 104729) %% %d", of))
	_, err = b.conn.Exec(ctx, "insert into "+link.Relation(b.actor.Org)+" ("+link.Own+", "+link.Other+", pos_"+link.Own+
		", pos_"+link.Other+") select "+fmt.Sprintf(numberedID, t.Number, "i")+", "+far+
		", k, i from generate_series(1, $1::bigint) i, generate_series(1, $2::bigint) k on conflict do nothing",
		rows, each)
	if err != nil {
		return fmt.Errorf("linking %s: %w", name, err)
	}
	_, err = b.conn.Exec(ctx, "vacuum analyze")
	return err
}
