package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/query"
)

// asOf changes records until the log has a number of changes, and compares reads of the original
// table with reads of the present. Each past read is of a moment that no other read has used.
func (h *history) asOf(ctx context.Context, changes int) ([]figure, error) {
	time.Sleep(100 * time.Millisecond)
	then := time.Now()
	time.Sleep(100 * time.Millisecond)
	for round := range changes / h.rows {
		if _, err := h.change(ctx, 10+round, 1); err != nil {
			return nil, err
		}
	}
	page := func(in query.Request) func(asOf string) error {
		return func(asOf string) error {
			in.AsOf = asOf
			got, err := h.engine.List(ctx, h.actor, h.table.ID, in)
			if err == nil && len(got.Records) != in.Limit {
				err = fmt.Errorf("the page has %d records", len(got.Records))
			}
			return err
		}
	}
	sorts := []byte(`[{"fieldId":"Amount","dir":"asc"}]`)
	filters := []byte(`[{"fieldId":"Name","op":"contains","value":"7"}]`)
	reads := []struct {
		what   string
		target string
		rounds int
		read   func(asOf string) error
	}{
		{"page of 100", "at most 3", 101, page(query.Request{Limit: 100})},
		{"page of 100 in the middle", "", 3, page(query.Request{Limit: 100, Offset: int64(h.rows / 2)})},
		{"page of 100, filtered", "", 3, page(query.Request{Limit: 100, Filters: filters})},
		{"page of 100, sorted", "", 3, page(query.Request{Limit: 100, Sorts: sorts})},
		{"page of 100, filtered and sorted", "", 3, page(query.Request{Limit: 100, Filters: filters, Sorts: sorts})},
	}
	var figures []figure
	for _, r := range reads {
		var now, past []float64
		for i := range r.rounds {
			began := time.Now()
			if err := r.read(""); err != nil {
				return nil, fmt.Errorf("reading the present %s: %w", r.what, err)
			}
			now = append(now, time.Since(began).Seconds()*1000)
			began = time.Now()
			if err := r.read(then.Add(time.Duration(i) * time.Microsecond).UTC().Format(time.RFC3339Nano)); err != nil {
				return nil, fmt.Errorf("reading the past %s: %w", r.what, err)
			}
			past = append(past, time.Since(began).Seconds()*1000)
		}
		slices.Sort(now)
		slices.Sort(past)
		present, before := now[r.rounds/2], past[r.rounds/2]
		fmt.Fprintf(os.Stderr, "%s: %.1f ms now, %.1f ms then\n", r.what, present, before)
		figures = append(figures, figure{
			What:  fmt.Sprintf("%s before %d changes, to the present one of %.2f ms", r.what, changes, present),
			Value: before / present, Unit: "times", Target: r.target,
		})
	}
	return figures, nil
}
