package revert

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/record"
)

// fitSize leaves records unchanged that would become too large, because their other values have grown
// since. It reports whether there are any. A record that is restored as it was fits.
func (r *run) fitSize(ctx context.Context, tx pgx.Tx, t *table) (refused bool, err error) {
	var changed, back []*row
	for _, one := range t.rows {
		size := 0
		for _, value := range one.values {
			size += len(value) // no less than what counts for the record
		}
		if size <= record.SmallChange || one.sized == len(one.values) {
			continue
		}
		one.sized = len(one.values)
		switch one.does {
		case update:
			changed = append(changed, one)
		case restore:
			back = append(back, one)
		case leave, remove:
		}
	}
	large, err := t.largeOf(ctx, tx, changed, t.Relation()+" o, lateral jsonb_populate_record(o, j.j->'values') t "+
		"where o.id = (j.j->>'row')::uuid", func(one *row) map[string][]byte { return one.values })
	if err != nil {
		return false, err
	}
	more, err := t.largeOf(ctx, tx, back, "lateral jsonb_populate_record(null::"+t.Relation()+", j.j->'values') t "+
		"where true", func(one *row) map[string][]byte {
		whole := membersOf(one.image)
		maps.Copy(whole, one.values)
		return whole
	})
	if err != nil {
		return false, err
	}
	for _, u := range append(large, more...) {
		one := t.byID[u]
		r.conflict(&conflict{table: t, row: one, reason: reasonSize, unfit: true})
		one.does, one.values, one.lists = leave, nil, nil
		t.parked = slices.DeleteFunc(t.parked, func(p *row) bool { return p == one })
	}
	return len(large)+len(more) > 0, nil
}

// largeOf returns which rows would be too large with values. from completes the FROM clause, with the
// present rows as t, and ends in a condition.
func (t *table) largeOf(
	ctx context.Context, tx pgx.Tx, rows []*row, from string, valuesOf func(one *row) map[string][]byte,
) (large []uuid.UUID, err error) {
	statement := "select (j.j->>'row')::uuid from jsonb_array_elements($1::text::jsonb) j(j), " + from + " and " +
		record.SizeExpression(t.Fields) + " > $2"
	chunks(rows, func(one *row) []byte {
		return appendMembers(nil, map[string][]byte{"values": encodeMembers(valuesOf(one))},
			[2]string{"row", one.id.String()})
	}, func(_ []*row, input string) {
		if err != nil {
			return
		}
		var result pgx.Rows
		if result, err = tx.Query(ctx, statement, input, record.MaxRecord); err != nil {
			return
		}
		var u uuid.UUID
		_, err = pgx.ForEachRow(result, []any{&u}, func() error { large = append(large, u); return nil })
	})
	if err != nil {
		return nil, fmt.Errorf("checking the sizes of records: %w", err)
	}
	return large, nil
}
