package webhook_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

func TestFilterSendsRecordsThatFitBeforeOrAfter(t *testing.T) {
	t.Parallel()
	w, r := setupAlone(t), newReceiver(t)
	status := w.table.FieldByName("Other")
	hook, _ := w.hook(r.URL, webhook.Subscription{
		Tables: []uuid.UUID{w.table.ID}, Values: true,
		Kinds:  []changelog.Kind{changelog.Created, changelog.Updated, changelog.Deleted},
		Filter: []byte(`[{"fieldId":"Other","op":"contains","value":"open"}]`),
	})
	want := fmt.Sprintf(`[{"fieldId":%q,"op":"contains","value":"open"}]`, status.PublicID())
	if got := string(w.get(hook).Filter); got != want {
		t.Errorf("the filter is stored as %s", got)
	}
	w.create(`{"Other":"shut"}`)
	made := w.create(`{"Other":"open"}`)
	w.update(made, `{"Note":"x"}`)
	w.update(made, `{"Other":"shut"}`)
	w.update(made, `{"Other":"locked"}`)
	w.run(hook)
	var sent []string
	for _, m := range r.messages() {
		for _, c := range m.Data.Changes {
			sent = append(sent, fmt.Sprint(c.Kind, " ", c.After["Other"]))
		}
	}
	if got := strings.Join(sent, ", "); got != "created open, updated <nil>, updated shut" {
		t.Errorf("told of %s", got)
	}
	if all := w.deliveries(hook); len(all) != 1 || all[0].Changes != 3 {
		t.Errorf("%+v", all)
	}

	w.must(w.schema.DeleteField(w.ctx, w.actor.Org, status.ID))
	w.update(made, `{"Note":"y"}`)
	w.run(hook)
	one := w.get(hook)
	if one.Enabled || one.Reason != webhook.BadFilter || len(r.messages()) != 0 || len(w.noticed) != 1 {
		t.Errorf("%+v, mails to %v", one, w.noticed)
	}
	none, enabled := []byte("[]"), true
	_, err := w.store.Update(w.ctx, w.actor.Org, w.base, hook, webhook.Update{Filter: &none, Enabled: &enabled})
	w.must(err)
	w.run(hook)
	if got := r.messages(); len(got) != 1 || w.get(hook).Filter != nil {
		t.Errorf("%d messages without a filter, %+v", len(got), w.get(hook))
	}
}

// comment writes a comment on a record.
func (w *world) comment(one string) {
	w.t.Helper()
	number, row, err := id.ParseRecord(one)
	w.must(err)
	_, err = comment.New(w.db, w.engine).Create(w.ctx, w.actor, number,
		comment.Draft{Record: row, Text: "a word"})
	w.must(err)
}

func TestCommentsAreSentWithFieldsAndNotWithAFilter(t *testing.T) {
	t.Parallel()
	w, all, filtered := setup(t), newReceiver(t), newReceiver(t)
	table := []uuid.UUID{w.table.ID}
	narrow, _ := w.hook(all.URL, webhook.Subscription{
		Tables: table, Fields: []uuid.UUID{w.table.FieldByName("Note").ID},
	})
	open, _ := w.hook(filtered.URL, webhook.Subscription{
		Tables: table, Filter: []byte(`[{"fieldId":"Other","op":"contains","value":"open"}]`),
	})
	w.comment(w.create(`{"Note":"a","Other":"shut"}`))
	w.create(`{"Note":"b","Other":"open"}`)
	for _, one := range []struct {
		hook uuid.UUID
		at   *receiver
		want string
	}{{narrow, all, "created commented created"}, {open, filtered, "created"}} {
		w.run(one.hook)
		var sent []string
		for _, m := range one.at.messages() {
			for _, c := range m.Data.Changes {
				sent = append(sent, c.Kind)
			}
		}
		if got := strings.Join(sent, " "); got != one.want {
			t.Errorf("told of %q, and not %q", got, one.want)
		}
	}
}

func TestInvalidFilterIsRefused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := []uuid.UUID{w.table.ID}
	for name, one := range map[string]struct {
		tables []uuid.UUID
		filter string
		path   string
	}{
		"no table":      {nil, `[{"fieldId":"Note","op":"is_empty"}]`, "filters"},
		"no such field": {table, `[{"fieldId":"Nto","op":"is_empty"}]`, "filters[0].fieldId"},
		"no operator":   {table, `[{"fieldId":"Note"}]`, "filters[0].op"},
		"no list":       {table, `{"fieldId":"Note"}`, "filters"},
	} {
		_, _, err := w.store.Create(w.ctx, w.actor.Org, w.base, webhook.Creation{
			URL:          "https://example.com/",
			Subscription: webhook.Subscription{Tables: one.tables, Filter: []byte(one.filter)},
		})
		var refused *problem.Error
		if !errors.As(err, &refused) || refused.Kind != problem.KindInvalid || len(refused.Items) != 1 ||
			refused.Items[0].Path != one.path {
			t.Errorf("%s: %v", name, err)
		}
	}
	hook, _ := w.hook("https://example.com/", webhook.Subscription{Tables: table, Filter: []byte(`[]`)})
	if w.get(hook).Filter != nil {
		t.Error("an empty filter is stored")
	}
	filtered, _ := w.hook("https://example.com/", webhook.Subscription{
		Tables: table, Filter: []byte(`[{"fieldId":"Note","op":"is_empty"}]`),
	})
	all := []uuid.UUID{}
	_, err := w.store.Update(w.ctx, w.actor.Org, w.base, filtered, webhook.Update{Tables: &all})
	if problem.KindOf(err) != problem.KindInvalid {
		t.Errorf("a filter without its table: %v", err)
	}
}
