package webhook_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// A message that a person has sent again, and that does not arrive, is no beginning of a failure.
func TestAMessageThatIsSentAgainDoesNotBeginAFailure(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{})
	w.create(`{"Note":"1"}`)
	w.run(hook)
	delivered := w.deliveries(hook)[0]
	w.must(w.store.SendAgain(w.ctx, w.actor.Org, w.base, hook, delivered.ID))
	r.answer(http.StatusInternalServerError)
	w.run(hook)
	one := w.deliveries(hook)[0]
	if got := len(r.messages()); got != 2 || one.State != webhook.Delivered || w.get(hook).FailingSince != nil {
		t.Errorf("%d messages, %+v, %+v", got, one, w.get(hook))
	}
}

// Only what would be sent is measured: not the fields that a webhook leaves out.
func TestLongValuesOfOtherFieldsOmitNothing(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	narrow, _ := w.hook(r.URL, webhook.Subscription{Values: true, Fields: []uuid.UUID{w.table.Fields[0].ID}})
	long := strings.Repeat("🚢", 90_000)
	w.create(`{"Note":"small","Other":"` + long + `"}`)
	w.create(`{"Note":"` + long + `"}`)
	w.run(narrow)
	got := r.messages()
	var all []string
	for _, message := range got {
		for _, c := range message.Data.Changes {
			all = append(all, fmt.Sprint(c.After["Note"]))
		}
	}
	if fmt.Sprint(all) != "[small <nil>]" || strings.Count(string(got[0].body), `"valuesOmitted":true`) != 1 {
		t.Errorf("%v", all)
	}
}
