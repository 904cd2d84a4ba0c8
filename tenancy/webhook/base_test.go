package webhook_test

import (
	"reflect"
	"testing"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// A base that comes back from the trash has its webhooks, which go on behind what they had sent.
func TestWebhooksComeBackWithTheirBase(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{Values: true})
	w.create(`{"Note":"sent"}`)
	w.run(hook)
	w.create(`{"Note":"not sent yet"}`)
	r.messages()
	org := w.actor.Org
	w.must(w.schema.DeleteBase(w.ctx, org, w.base))
	_, err := w.schema.Restore(w.ctx, org, catalog.TrashRequest{
		Items: []string{id.Format(id.Base, w.base)}, By: schema.Viewer{Admin: true},
	})
	w.must(err)
	w.create(`{"Note":"new"}`)
	w.run(hook)
	var notes []any
	for _, m := range r.messages() {
		for _, c := range m.Data.Changes {
			if c.Kind == "created" {
				notes = append(notes, c.After["Note"])
			}
		}
	}
	if !reflect.DeepEqual(notes, []any{"not sent yet", "new"}) {
		t.Errorf("it was told of %v", notes)
	}
}

// Values that come back with a field are sent, and those of a field that counts.
func TestValuesThatComeBackAreSent(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{Values: true})
	one := w.create(`{"Note":"first","Other":"kept"}`)
	w.create(`{"Note":"second"}`)
	updates := func() map[string]any {
		w.run(hook)
		found := map[string]any{}
		for _, m := range r.messages() {
			for _, c := range m.Data.Changes {
				if c.Kind == "updated" {
					found[c.Record] = c.After
				}
			}
		}
		return found
	}
	org, other := w.actor.Org, w.table.FieldByName("Other")
	w.must(w.schema.DeleteField(w.ctx, org, other.ID))
	if got := updates(); len(got) > 0 {
		t.Errorf("before the field came back, it was told of %v", got)
	}
	_, err := w.schema.Restore(w.ctx, org, catalog.TrashRequest{
		Items: []string{other.PublicID()}, Base: w.base, By: schema.Viewer{Admin: true},
	})
	w.must(err)
	if got, want := updates(), map[string]any{one: map[string]any{"Other": "kept"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("it was told of %v, want %v", got, want)
	}
	_, err = w.schema.CreateField(w.ctx, org, w.table.ID, catalog.FieldSpec{Name: "No", Type: "auto_number"})
	w.must(err)
	got := updates()
	if len(got) != 2 || !reflect.DeepEqual(got[one], map[string]any{"No": 1.0}) {
		t.Errorf("it was told of %v", got)
	}
}
