package airtable

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// FindRollup implements product.RollupFinder. Airtable says what a rollup reads and not what it makes of that, so it is
// found by values.
func (s *Session) FindRollup(
	ctx context.Context, t, linked *product.Table, f *product.Field,
) (product.Rollup, string, error) {
	samples, err := s.samples(ctx, t, linked, f)
	if err != nil {
		return product.Rollup{}, "", err
	}
	found := guess(f.Result, samples)
	if len(found) == 0 {
		return product.Rollup{}, "", product.Missing("Airtable does not say what it computes, and its values are " +
			"those of none of the usual functions.")
	}
	note := fmt.Sprintf("Airtable does not say what it computes; by the values of %d records it is %s", len(samples),
		found[0])
	if len(found) > 1 {
		note += fmt.Sprintf(", but could be %s, too", found[1])
	}
	return found[0], note, nil
}

// samples are values of a rollup next to those that it was made of, of the first records with links.
func (s *Session) samples(ctx context.Context, t, linked *product.Table, f *product.Field) ([]sample, error) {
	records, err := s.withFields(ctx, t.ID, []string{f.Link, f.ID}, "")
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	links := make([][]string, len(records))
	for i := range records {
		var ids []string
		raw := records[i].Fields[f.Link]
		if raw == nil || json.Unmarshal(raw, &ids) != nil || len(wanted)+len(ids) > PageSize {
			continue
		}
		links[i] = ids
		for _, one := range ids {
			wanted[one] = true
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	targets, err := s.some(ctx, linked.ID, slices.Sorted(maps.Keys(wanted)), []string{f.Target})
	if err != nil {
		return nil, err
	}
	values := map[string]json.RawMessage{}
	for i := range targets {
		values[targets[i].ID] = targets[i].Fields[f.Target]
	}
	var samples []sample
	for i := range records {
		if len(links[i]) == 0 {
			continue
		}
		one := sample{Value: records[i].Fields[f.ID]}
		for _, target := range links[i] {
			one.Entries = append(one.Entries, values[target])
		}
		samples = append(samples, one)
	}
	return samples, nil
}
