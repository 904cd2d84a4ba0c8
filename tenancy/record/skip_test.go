package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An offset must not make a page dearer by the formulas of every record before it.
func TestFormulasOfSkippedRecordsAreNotComputed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.table(t, "Rows",
		field("Name", schema.Text), field("Number", schema.Number),
		field("Loud", "formula", `{"formula":"IF(YEAR(NOW()) > 1000, UPPER({Name}), \"\")"}`),
	)
	table := b.schema(t, made)
	for name, in := range map[string]query.Request{
		"default order": {Limit: 10, Offset: 20},
		"sorted":        {Limit: 10, Offset: 20, Sorts: []byte(`[{"fieldId":"Number","dir":"desc"}]`)},
		"filtered": {
			Limit: 10, Offset: 20, Filters: []byte(`[{"fieldId":"Number","op":"gt","value":5}]`),
		},
	} {
		plan, err := query.Parse(schema.Viewer{}, table, &in)
		if err != nil {
			t.Fatal(name, err)
		}
		compiler := query.NewCompiler(time.Now(), db.Topology{})
		statement, _ := plan.Statement(compiler, query.NewProjection(table, table.Fields, nil), query.NewTotalCache())
		var lines []string
		if err := b.db.TableBatch(t.Context(), b.actor.Org, table.Ref(), func(batch *pgx.Batch) {
			batch.Queue("explain (verbose, costs off) "+statement, compiler.Values()...).
				Query(func(rows pgx.Rows) error {
					lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
					return err
				})
		}); err != nil {
			t.Fatal(name, err)
		}
		limited := false
		for i, line := range lines {
			node := strings.TrimPrefix(strings.TrimSpace(line), "->  ")
			limited = limited || node == "Limit"
			if limited && strings.Contains(lines[i], "formula_case") {
				t.Errorf("%s: the formula is computed below the limit:\n%s", name, strings.Join(lines, "\n"))
				break
			}
		}
		if !limited || !strings.Contains(strings.Join(lines, "\n"), "formula_case") {
			t.Errorf("%s: no limit or no formula in\n%s", name, strings.Join(lines, "\n"))
		}
	}
}
