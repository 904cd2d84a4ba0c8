package record_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// meanwhile changes a record after change has found it and before change writes it, and returns what change returns.
func (b *bundle) meanwhile(t *testing.T, table uuid.UUID, sql string, change func() error) error {
	t.Helper()
	done, admin, u := make(chan error, 1), tenancytest.Admin(t), b.schema(t, table)
	err := b.db.TableTx(t.Context(), b.actor.Org, u.Ref(), func(tx pgx.Tx) error {
		var pid int
		if _, err := tx.Exec(t.Context(), "select id from "+u.Relation()+" for update"); err != nil {
			return err
		}
		if err := tx.QueryRow(t.Context(), "select pg_backend_pid()").Scan(&pid); err != nil {
			return err
		}
		go func() { done <- change() }()
		waits := false
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline) && !waits; {
			err := admin.QueryRow(t.Context(), "select exists (select from pg_stat_activity where "+
				"$1 = any (pg_blocking_pids(pid)))", pid).Scan(&waits)
			if err != nil {
				return err
			}
			time.Sleep(20 * time.Millisecond)
		}
		_, err := tx.Exec(t.Context(), strings.ReplaceAll(sql, "{t}", u.Relation()))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return <-done
}

// A record that changes between the search and the write is not changed by a plan that did not see it so. Without a
// plan the search runs again.
func TestARecordThatChangesMeanwhileIsNotOverwritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, remove := range []bool{false, true} {
		table := b.table(t, fmt.Sprintf("T %v", remove), field("Name", schema.Text), field("N", schema.Number))
		b.create(t, table, `{"Name":"a","N":1}`, `{"Name":"b","N":1}`)
		column := b.schema(t, table).FieldByName("N").Column()
		moves := "update {t} set version = version + 1, " + column + " = 5 where " + column + " = (select " +
			"min(" + column + ") from {t})"
		in := record.Bulk{Selection: where(`[{"fieldId":"N","op":"lt","value":5}]`), Delete: remove}
		if !remove {
			in.Fields = set(`{"Name":"changed"}`).Fields
		}
		in.Plan = true
		plan, err := b.changeAll(t, table, in)
		if err != nil {
			t.Fatal(err)
		}
		in.Plan, in.Apply = false, plan.PlanToken
		err = b.meanwhile(t, table, moves, func() error { _, err := b.changeAll(t, table, in); return err })
		if problem.KindOf(err) != problem.KindConflict {
			t.Errorf("delete %v: a plan was applied to what it had not seen: %v", remove, err)
		}
		_, records := b.list(t, table, query.Request{})
		if got := fmt.Sprint(column2(records)); got != "[a 5 b 5]" {
			t.Errorf("delete %v: there are %s", remove, got)
		}
		in.Apply = ""
		b.create(t, table, `{"Name":"c","N":1}`, `{"Name":"d","N":2}`)
		moves = "update {t} set version = version + 1, " + column + " = 5 where " + column + " = 1"
		var got record.BulkResult
		err = b.meanwhile(t, table, moves, func() (err error) { got, err = b.changeAll(t, table, in); return err })
		if err != nil || got.Count != 1 {
			t.Errorf("delete %v: changed %+v, %v", remove, got, err)
		}
		want := "[a 5 b 5 c 5 changed 2]"
		if remove {
			want = "[a 5 b 5 c 5]"
		}
		if _, records := b.list(t, table, query.Request{}); fmt.Sprint(column2(records)) != want {
			t.Errorf("delete %v: there are %v and not %s", remove, column2(records), want)
		}
	}
}

// column2 lists the names of records, each with its number.
func column2(records []rec) (out []any) {
	for _, r := range records {
		out = append(out, r.Fields["Name"], r.Fields["N"])
	}
	return out
}

func TestTooManyRecordsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Notes", schema.LongText))
	text := "Name,Notes\n" + strings.Repeat("x,\n", record.MaxBulk) + "y,\n"
	b.importCSV(t, table, record.Import{CSV: text})
	in := set(`{"Notes":"n"}`)
	in.Selection = where(`[{"fieldId":"Name","op":"is_not_empty"}]`)
	for _, in.Plan = range []bool{true, false} {
		_, err := b.changeAll(t, table, in)
		var refused *problem.Error
		if !errors.As(err, &refused) || refused.Code != "too_many_records" {
			t.Errorf("plan %v: %v", in.Plan, err)
		}
	}
	in.Selection = where(`[{"fieldId":"Name","op":"eq","value":"x"}]`)
	if got, err := b.changeAll(t, table, in); err != nil || got.Count != record.MaxBulk {
		t.Errorf("changed %v, %v", got, err)
	}
}

func TestAPersonsSelectionIsDeletedInParts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text))
	text := "Name\n" + strings.Repeat("x\n", record.MaxBulk) + "y\nz\n"
	b.importCSV(t, table, record.Import{CSV: text})
	_, found := b.list(t, table, query.Request{Filters: []byte(`[{"fieldId":"Name","op":"eq","value":"z"}]`)})
	stays := found[0].ID
	in := record.Bulk{Delete: true, Part: true, Except: []string{stays}}
	for i, want := range []record.BulkResult{{Count: record.MaxBulk, More: true}, {Count: 1}, {Count: 0}} {
		if got, err := b.changeAll(t, table, in); err != nil || got.Count != want.Count || got.More != want.More {
			t.Errorf("part %d: %d, more %v, %v", i, got.Count, got.More, err)
		}
	}
	if _, left := b.list(t, table, query.Request{}); len(left) != 1 || left[0].ID != stays {
		t.Errorf("left %v", left)
	}
	in.Except = []string{"rec_nobody"}
	if got, err := b.changeAll(t, table, in); err == nil {
		t.Errorf("an unknown record stays: %v", got)
	}
	in.Except, in.Selection = nil, where(`[{"fieldId":"Name","op":"eq","value":"x"}]`)
	if got, err := b.changeAll(t, table, in); err != nil || got.Count != 0 {
		t.Errorf("a filter is not kept: %v, %v", got, err)
	}
}

// The records of a change that answers with a count may be larger together than an answer is.
func TestAChangeOfLargeRecordsIsCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", field("Name", schema.Text), field("Notes", schema.LongText),
		field("More", schema.LongText))
	notes := strings.Repeat("n", 100_000)
	var objects, rows []string
	for i := range 100 {
		objects = append(objects, fmt.Sprintf(`{"Name":"r%d","Notes":"%s"}`, i, notes))
		rows = append(rows, fmt.Sprintf("r%d,%s", i, strings.Repeat("m", 40_000)))
	}
	b.create(t, table, objects[:50]...)
	b.create(t, table, objects[50:]...)
	in := set(`{"More":"` + strings.Repeat("m", 40_000) + `"}`)
	in.Selection = where(`[{"fieldId":"Notes","op":"is_not_empty"}]`)
	if got, err := b.changeAll(t, table, in); err != nil || got.Count != 100 {
		t.Errorf("changed %v, %v", got, err)
	}
	if got := b.importCSV(t, table, record.Import{
		CSV: "Name,More\n" + strings.Join(rows, "\n"), UpsertOn: []string{"Name"},
	}); got.Updated != 100 {
		t.Errorf("upserted %+v", got)
	}
	// The values themselves are bounded, and each record.
	in = set(`{"More":"` + strings.Repeat("m", 90_000) + `"}`)
	in.Selection = where(`[{"fieldId":"Notes","op":"is_not_empty"}]`)
	if _, err := b.changeAll(t, table, in); problem.KindOf(err) != problem.KindTooLarge ||
		!strings.Contains(err.Error(), "values to write") {
		t.Errorf("too many values: %v", err)
	}
	in = set(`{"More":"` + strings.Repeat("m", 1_000_000) + `"}`)
	in.Selection = where(`[{"fieldId":"Name","op":"in","value":["r1","r2"]}]`)
	_, err := b.changeAll(t, table, in)
	wantItem(t, err, problem.KindInvalid, "", "1 MB")
}

// What records hold is in the log of changes, which has an end, and not in the audit log.
func TestTheEventOfAChangeHasNoValues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table, _, _, _ := deals(t, b)
	b.create(t, table, `{"Name":"other"}`)
	in := record.Bulk{Delete: true}
	in.Selection = where(`[{"or":[{"field":"Name","op":"eq","value":"other"},` +
		`{"field":"Name","op":"eq","value":"ann@example.com"},{"field":"Company.Country","op":"eq","value":"XY"}]}]`)
	in.Search = "other"
	if got, err := b.changeAll(t, table, in); err != nil || got.Count != 1 {
		t.Fatal(got, err)
	}
	events, err := audit.List(t.Context(), b.db, b.actor.Org, audit.Filter{Action: "delete_records_where", Limit: 5})
	if err != nil || len(events) != 1 {
		t.Fatal(events, err)
	}
	detail, u := string(events[0].Detail), b.schema(t, table)
	for _, value := range []string{"ann@", "XY", "other"} {
		if strings.Contains(detail, value) {
			t.Errorf("%q is in %s", value, detail)
		}
	}
	for _, part := range []string{
		`{"op": "eq", "fieldId": "` + u.FieldByName("Name").PublicID() + `"}`, `"linked": [{"op": "eq"`,
		`"search": true`, `"or": [`, `"count": 1`,
	} {
		if !strings.Contains(detail, part) {
			t.Errorf("%s is not in %s", part, detail)
		}
	}
}
