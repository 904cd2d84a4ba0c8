package sqlquery_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
)

// A statement that comes again is planned again once its tables have changed, and only then.
func TestAnAdmittedStatementIsWeighedAgainAfterAWrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const statement = "select count(*) from ships a cross join ships b"
	run := func(sql *sqlquery.Store) (*sqlquery.Result, error) {
		return sql.Run(t.Context(), b.actor.Org, b.base, statement, 10)
	}
	b.create(t, b.ships, `{"Name":"Solveig"}`)
	first, err := run(b.sql)
	check(t, err)
	sql := b.sql.WithMaxCost(1.5 * first.Cost)
	for turn, remembered := range []bool{false, true, true} {
		result, err := run(sql)
		check(t, err)
		if len(result.Rows) != 1 || result.Cost != first.Cost || sql.Remembers(b.base, statement) != remembered {
			t.Errorf("turn %d: %+v, remembered: %v", turn+1, result, sql.Remembers(b.base, statement))
		}
	}
	for i := range 20 {
		var records []string
		for j := range 100 {
			records = append(records, fmt.Sprintf(`{"Name":"a ship with a name of some length %d"}`, i*100+j))
		}
		b.create(t, b.ships, records...)
	}
	var refused *problem.Error
	if _, err := run(sql); !errors.As(err, &refused) || refused.Code != "sql_too_costly" {
		t.Errorf("after the table has grown: %v", err)
	}

	// Another schema has other views, and an error names what is gone.
	if _, err := run(b.sql); err != nil {
		t.Error(err)
	}
	if _, err := run(b.sql); err != nil {
		t.Error(err)
	}
	check(t, b.store.UpdateTable(t.Context(), b.actor.Org, b.ships, catalog.Patch{Name: new("Vessels")}))
	if _, err := run(b.sql); !errors.As(err, &refused) || refused.Code != "sql_invalid" {
		t.Errorf("after the table was renamed: %v", err)
	}
}
