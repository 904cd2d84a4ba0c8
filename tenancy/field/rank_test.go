package field_test

import (
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

func TestRanksBetween(t *testing.T) {
	t.Parallel()
	const first, second = "018f3a00000070008000000000000000", "018f3a00000070008000000000000001"
	for _, gap := range [][2]string{
		{"", ""},
		{"", first},
		{first, ""},
		{first, second},
		{"a", "b"},
		{"az", "b"},
		{"a", "a1"},
		{"zz", ""},
		{"", "01"},
	} {
		for range 50 {
			keys := field.RanksBetween(gap[0], gap[1], 20)
			if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != 20 ||
				keys[0] <= gap[0] || gap[1] != "" && keys[19] >= gap[1] {
				t.Fatalf("between %q and %q: %q", gap[0], gap[1], keys)
			}
		}
	}
}

// Everybody puts a record before the one that was put there last.
func TestRanksOfOneGap(t *testing.T) {
	t.Parallel()
	low, high, n := "018f", "0190", 0
	for ; ; n++ {
		keys := field.RanksBetween(low, high, 1)
		if keys == nil {
			break
		}
		high = keys[0]
	}
	if n < 5000 {
		t.Errorf("there was room for %d records in one gap", n)
	}
	if keys := field.RanksBetween("a", "a0", 1); keys != nil {
		t.Errorf("between a and a0: %q", keys)
	}
}
