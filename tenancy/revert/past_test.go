package revert_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// read reads one field of all records at a moment, in the order of ids.
func (w *world) read(table *schema.Table, name string, request query.Request) string {
	w.t.Helper()
	request.Limit = 100
	page, err := w.engine.List(w.t.Context(), w.actor, table.ID, request)
	if err != nil {
		w.t.Fatal(err)
	}
	var values []any
	for _, raw := range page.Records {
		values = append(values, w.decode(raw).Fields[name])
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(encoded)
}

func (w *world) sum(table *schema.Table, name, moment string) (string, error) {
	w.t.Helper()
	groups, err := w.engine.Aggregate(w.t.Context(), w.actor, table.ID, query.Aggregation{
		AsOf: moment, Functions: fmt.Appendf(nil, `[{"fn":"sum","fieldId":%q}]`, name),
	})
	if err != nil {
		return "", err
	}
	return string(groups.Groups[0]), nil
}

// changesOf is the history of a field of a record, the latest first.
func (w *world) changesOf(record, name string) string {
	w.t.Helper()
	page, err := history.OfRecord(w.t.Context(), w.db, w.engine, w.actor.Org, record, history.RecordRequest{Limit: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	var lines []string
	for _, entry := range page.Entries {
		for _, c := range entry.Changes {
			if c.Field.Name == name {
				lines = append(lines, fmt.Sprintf("%s %s %s", entry.Kind.Name(), c.From, c.To))
			}
		}
	}
	return strings.Join(lines, "; ")
}

// The past of a field is in the type that the field had then, also when its former column is gone.
func TestThePastOfAFieldIsInTheTypeOfThen(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("N", schema.Number), field("Word", schema.Text))
	made, err := w.store.CreateField(t.Context(), w.actor.Org, table.ID, field("Twice", "formula",
		`{"formula":"{N} & \"!\""}`))
	w.change(err)
	h := w.hand("key_a")
	ids := h.create(table, `{"Name":"n0","N":1,"Word":"7"}`, `{"Name":"n1","N":2,"Word":"none"}`,
		`{"Name":"n2","N":10}`)
	first := w.moment()
	h.update(ids[0], `{"N":5,"Word":"8"}`)
	h.delete(table, ids[2])
	second := w.moment()
	for name, kind := range map[string]schema.Type{"N": schema.Text, "Word": schema.Number} {
		w.change(catalog.Retype(t.Context(), w.store, w.actor.Org, table.FieldByName(name).ID,
			catalog.TypeChange{Type: kind, Patch: catalog.FieldPatch{Discard: true}}))
	}
	third := w.moment()
	h.update(ids[0], `{"N":"five","Word":9}`)
	check := func(what string) {
		t.Helper()
		sorted := query.Request{Sorts: []byte(`[{"fieldId":"N","dir":"desc"}]`)}
		filtered := query.Request{Filters: []byte(`[{"fieldId":"N","op":"gt","value":1}]`)}
		for i, c := range []struct {
			moment, name string
			request      query.Request
			want         string
		}{
			{first, "N", query.Request{}, `[1,2,10]`},
			{second, "N", query.Request{}, `[5,2]`},
			{third, "N", query.Request{}, `["5","2"]`},
			{first, "N", sorted, `[10,2,1]`},
			{first, "N", filtered, `[2,10]`},
			{second, "N", filtered, `[5,2]`},
			{first, "Word", query.Request{}, `["7","none",null]`},
			{second, "Word", query.Request{}, `["8","none"]`},
			{third, "Word", query.Request{}, `[8,null]`},
			{first, "Word", sorted, `[null,"none","7"]`},
			{first, "Name", query.Request{Search: "none"}, `["n1"]`},
			{first, made.Name, query.Request{}, `["1!","2!","10!"]`},
		} {
			c.request.AsOf = c.moment
			if got := w.read(table, c.name, c.request); got != c.want {
				t.Errorf("%s, case %d: %s, and not %s", what, i, got, c.want)
			}
		}
		for moment, want := range map[string]string{first: "13", second: "7"} {
			if got, err := w.sum(table, "N", moment); err != nil || !strings.Contains(got, `"sum(N)":`+want) {
				t.Errorf("%s: the sum was %s, %v; and not %s", what, got, err, want)
			}
		}
		if _, err := w.sum(table, "N", third); problem.KindOf(err) != problem.KindInvalid {
			t.Errorf("%s: a sum of texts: %v", what, err)
		}
		raw, err := w.engine.GetAsOf(t.Context(), w.actor, ids[0], second)
		if err != nil || !reflect.DeepEqual(w.decode(raw).Fields["N"], 5.0) {
			t.Errorf("%s: the record was %s, %v", what, raw, err)
		}
		want := `updated "5" "five"; updated 5 "5"; updated 1 5; created null 1`
		if got := w.changesOf(ids[0], "N"); got != want {
			t.Errorf("%s: the history is %s, and not %s", what, got, want)
		}
		want = `updated "none" null; created null "none"`
		if got := w.changesOf(ids[1], "Word"); got != want {
			t.Errorf("%s: the history is %s, and not %s", what, got, want)
		}
	}
	check("with the former columns")
	for _, name := range []string{"N", "Word"} {
		w.change(w.store.Purge(t.Context(), w.actor.Org, catalog.TrashRequest{
			Items: w.columns(table.FieldByName(name)), Base: w.base, By: schema.Viewer{Admin: true},
		}))
	}
	check("without them")
}

// A filter finds by either name what had an option before it was renamed.
func TestThePastIsFoundByARenamedOption(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("Tag", schema.SingleSelect, `{"options":["a","b"]}`),
		field("Tags", schema.MultiSelect, `{"options":["a","b"]}`))
	h := w.hand("key_a")
	h.create(table, `{"Name":"n0","Tag":"a","Tags":["a","b"]}`, `{"Name":"n1","Tag":"b"}`)
	then := w.moment()
	for _, config := range []string{
		`{"options":[{"name":"m","previousName":"a"},"b"]}`, `{"options":[{"name":"x","previousName":"m"}]}`,
	} {
		for _, name := range []string{"Tag", "Tags"} {
			w.change(w.store.UpdateField(t.Context(), w.actor.Org, table.FieldByName(name).ID,
				catalog.FieldPatch{Config: json.RawMessage(config), Discard: true}))
		}
	}
	for filter, want := range map[string]string{
		`{"fieldId":"Tag","op":"eq","value":"x"}`: `["n0"]`, `{"fieldId":"Tag","op":"eq","value":"a"}`: `["n0"]`,
		`{"fieldId":"Tag","op":"eq","value":"b"}`:             `["n1"]`,
		`{"fieldId":"Tags","op":"has_any","value":["x"]}`:     `["n0"]`,
		`{"fieldId":"Tags","op":"has_all","value":["x","b"]}`: `["n0"]`,
	} {
		if got := w.read(table, "Name", query.Request{AsOf: then, Filters: []byte("[" + filter + "]")}); got != want {
			t.Errorf("%s found %s, and not %s", filter, got, want)
		}
	}
}

// A type that stays, because others have written values of it, keeps its values.
func TestARevertThatLeavesATypeLeavesItsValues(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("Word", schema.Text))
	ids := w.hand("key_a").create(table, `{"Word":"1"}`, `{"Word":"2"}`, `{"Word":"x"}`)
	h := w.hand("key_b")
	w.change(catalog.Retype(h.ctx, h.schemas(), w.actor.Org, table.FieldByName("Word").ID,
		catalog.TypeChange{Type: schema.Number, Patch: catalog.FieldPatch{Discard: true}}))
	w.hand("key_c").update(ids[0], `{"Word":7}`)
	plan, _ := w.must(revert.Skip, h.set)
	if got := w.read(table, "Word", query.Request{}); got != `[7,2,null]` {
		t.Errorf("the values are %s", got)
	}
	if len(plan.Conflicts) != 1 || plan.Conflicts[0].Property != "type" || plan.Records != 0 {
		t.Errorf("the revert says %+v", plan)
	}
	w.must(revert.Overwrite, h.set)
	if got := w.read(table, "Word", query.Request{}); got != `["1","2","x"]` {
		t.Errorf("the values are %s", got)
	}
}

// A plan shows what is there now for every conflict.
func TestAPlanShowsThePresentValue(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("T", field("Name", schema.Text), field("Tag", schema.SingleSelect, `{"options":["a","b"]}`))
	one := w.hand("key_a").create(table, `{"Tag":"a"}`)[0]
	h := w.hand("key_b")
	h.update(one, `{"Tag":"b"}`)
	w.change(w.store.UpdateField(t.Context(), w.actor.Org, table.FieldByName("Tag").ID,
		catalog.FieldPatch{Config: json.RawMessage(`{"options":["b"]}`), Discard: true}))
	plan, err := w.revert().Revert(w.as("key_c", id.New()), w.actor, w.base,
		revert.Request{ChangeSets: []uuid.UUID{h.set}, DryRun: true})
	if err != nil || len(plan.Conflicts) != 1 {
		t.Fatalf("%+v, %v", plan, err)
	}
	if got := fmt.Sprintf("%s %s %s", plan.Conflicts[0].Reason, plan.Conflicts[0].Value,
		plan.Conflicts[0].Present); got != `option_gone "a" "b"` {
		t.Errorf("the conflict is %s", got)
	}
}
