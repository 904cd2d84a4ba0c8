package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	past "github.com/rowhouse/rowhouse/tenancy/history"
)

// sets measures pages of 100 change sets of a base whose log has that many entries within the last
// hour, newest first: in change sets of one entry, and of ten.
func (h *history) sets(ctx context.Context, entries int) ([]figure, error) {
	var figures []figure
	for _, size := range []int{1, 10} {
		if err := h.fillLog(ctx, entries, size); err != nil {
			return nil, err
		}
		found, err := h.pages(ctx, fmt.Sprintf("change sets of %d in a log of %d", size, entries))
		if err != nil {
			return nil, err
		}
		figures = append(figures, found...)
	}
	return figures, nil
}

// fillLog replaces the log of the organization.
func (h *history) fillLog(ctx context.Context, entries, size int) error {
	fmt.Fprintf(os.Stderr, "Filling a log of %d entries.\n", entries)
	log := changelog.Relation(h.actor.Org)
	step := time.Hour.Microseconds() / int64(entries)
	for _, statement := range []string{
		"truncate " + log,
		fmt.Sprintf(`insert into %[1]s (
			number, change_set, person, table_number, kind, credential, records, previous, before)
			select n.number, (lpad(to_hex((n.number - n.number %% (%[2]d * %[3]d)) / 1000), 12, '0') || '70008000' ||
					lpad(to_hex(n.number / (%[2]d * %[3]d)), 12, '0'))::uuid,
				'%[4]s', %[5]d, 2, 'key_06h1vn68p9sb5b55ztktjf1t0r', array[gen_random_uuid()], array[n.number - 1],
				'[{"f_1": "what stood there"}]'
			from generate_series(1, %[6]d) i cross join lateral (select %[7]d + i * %[2]d::bigint as number) n`,
			log, step, size, h.actor.Person, h.table.Number, entries, time.Now().Add(-time.Hour).UnixMicro()),
	} {
		if _, err := h.conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("filling the log: %w", err)
		}
	}
	return h.vacuum(ctx)
}

// pages measures the first page, ten that follow it, and pages of one person among all.
func (h *history) pages(ctx context.Context, what string) ([]figure, error) {
	snapshot, err := catalog.NewStore(h.db, catalog.Options{}).Fresh(ctx, h.actor.Org)
	if err != nil {
		return nil, err
	}
	var figures []figure
	measure := func(name string, rounds int, in past.BaseRequest, follow bool) error {
		var took []float64
		for range rounds {
			began := time.Now()
			page, err := past.OfBase(ctx, h.db, snapshot, h.base, in)
			if err != nil {
				return fmt.Errorf("listing %s: %w", what, err)
			}
			took = append(took, time.Since(began).Seconds()*1000)
			if len(page.Sets) != in.Limit {
				return fmt.Errorf("listing %s: the page has %d", what, len(page.Sets))
			}
			if follow {
				in.Cursor = page.Cursor
			}
		}
		slices.Sort(took)
		figures = append(figures, figure{
			What: name + " of 100 " + what, Value: took[len(took)/2], Unit: "ms", Target: "at most 50",
		})
		return nil
	}
	all := past.BaseRequest{Limit: 100}
	if err := measure("first page", 21, all, false); err != nil {
		return nil, err
	}
	if err := measure("following pages", 21, all, true); err != nil {
		return nil, err
	}
	all.Until = time.Now().Add(-30 * time.Minute)
	return figures, measure("page from the middle on", 21, all, false)
}
