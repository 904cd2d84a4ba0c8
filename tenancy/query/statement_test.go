package query_test

import (
	"slices"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/query"
)

func TestASelectIsWrittenClauseByClause(t *testing.T) {
	t.Parallel()
	var args query.Args
	inner := query.Select{
		Columns: []string{"id"},
		From:    "a",
		Where:   []string{"x = " + args.Add(1), "", "y = " + args.Add("2")},
	}
	outer := query.Select{
		With:    []query.CTE{{Name: "p", Body: inner.String()}, {Name: "q", Body: "select"}},
		Columns: []string{"p.id", "count(*)"},
		From:    "p",
		GroupBy: []string{"p.id"},
		OrderBy: []string{"p.id desc"},
		Limit:   args.Add(3),
		Offset:  "4",
	}
	const want = "with p as materialized (select id from a where x = $1 and y = $2), q as materialized (select) " +
		"select p.id, count(*) from p group by p.id order by p.id desc limit $3 offset 4"
	if got := outer.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := args.Values(); !slices.Equal(got, []any{1, "2", 3}) {
		t.Errorf("arguments %v", got)
	}
}

func TestAConditionThatAlwaysHoldsIsLeftOut(t *testing.T) {
	t.Parallel()
	if got := query.And("", "a", "", "b"); got != "a and b" {
		t.Errorf("got %q", got)
	}
	if got := query.And("", ""); got != "" {
		t.Errorf("got %q", got)
	}
}
