package webhook_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// The example of the specification's own libraries.
func TestSignatureIsThatOfStandardWebhooks(t *testing.T) {
	t.Parallel()
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"test": 2432232314}`)
	header := webhook.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), body, secret)
	if got := header["webhook-signature"]; got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Error(got)
	}
}

func TestChangesAreDelivered(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, secret := w.hook(r.URL, webhook.Subscription{Values: true})
	w.run(hook)
	if got := r.messages(); len(got) != 0 {
		t.Fatalf("%d messages before anything happened", len(got))
	}
	made := w.create(`{"Note":"first"}`)
	w.update(made, `{"Note":"second"}`)
	w.run(hook)
	got := r.messages()
	if len(got) != 1 || len(got[0].Data.Changes) != 2 {
		t.Fatalf("%d messages: %+v", len(got), got)
	}
	m := &got[0]
	if m.Type != "base.changed" || m.Data.Webhook != w.get(hook).PublicID() ||
		m.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %v", m.body, m.header)
	}
	first, second := m.Data.Changes[0], m.Data.Changes[1]
	if first.Kind != "created" || first.Record != made || first.After["Note"] != "first" || first.ChangeSet == "" {
		t.Errorf("%s", m.body)
	}
	if second.Kind != "updated" || second.Before["Note"] != "first" || second.After["Note"] != "second" {
		t.Errorf("%s", m.body)
	}
	other := "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 32))
	if !strings.HasPrefix(secret, "whsec_") || !signedWith(t, m, secret) || signedWith(t, m, other) {
		t.Errorf("the signature is %s", m.header.Get("webhook-signature"))
	}
	w.run(hook)
	if got := r.messages(); len(got) != 0 {
		t.Errorf("%d messages came twice", len(got))
	}
	all := w.deliveries(hook)
	if len(all) != 1 || all[0].State != webhook.Delivered || all[0].Attempts != 1 ||
		*all[0].Status != http.StatusNoContent {
		t.Errorf("%+v", all)
	}
}

func TestSubscriptionNarrowsWhatIsSent(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	note := w.table.Fields[0]
	thin, _ := w.hook(r.URL, webhook.Subscription{})
	narrow, _ := w.hook(r.URL, webhook.Subscription{
		Tables: []uuid.UUID{w.table.ID}, Fields: []uuid.UUID{note.ID}, Values: true,
		Kinds: []changelog.Kind{changelog.Created, changelog.Updated},
	})
	made := w.create(`{"Note":"first","Other":"hidden"}`)
	w.update(made, `{"Other":"hidden again"}`)
	w.update(made, `{"Note":"second","Other":"still hidden"}`)
	_, err := w.engine.Delete(w.ctx, w.actor, w.table.ID, []string{made})
	w.must(err)
	w.run(thin)
	got := r.messages()
	if len(got) != 1 || len(got[0].Data.Changes) != 4 || strings.Contains(string(got[0].body), "hidden") ||
		strings.Contains(string(got[0].body), `"before"`) || len(got[0].Data.Changes[1].FieldIDs) != 1 {
		t.Errorf("thin: %d messages: %s", len(got), got[0].body)
	}
	w.run(narrow)
	got = r.messages()
	if len(got) != 1 || len(got[0].Data.Changes) != 2 || strings.Contains(string(got[0].body), "hidden") {
		t.Fatalf("narrow: %d messages: %s", len(got), got[0].body)
	}
	if c := got[0].Data.Changes[1]; c.Before["Note"] != "first" || c.After["Note"] != "second" || len(c.FieldIDs) != 1 {
		t.Errorf("%s", got[0].body)
	}
}

func TestFailedDeliveryIsTriedAgainAndKeepsItsPlace(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{Values: true})
	made := w.create(`{"Note":"1"}`)
	r.answer(http.StatusInternalServerError, http.StatusFound)
	w.worker.Tune([]time.Duration{time.Hour}, time.Hour, 0, time.Minute)
	w.run(hook)
	w.update(made, `{"Note":"2"}`)
	w.run(hook) // is not due
	got := r.messages()
	one := w.deliveries(hook)[0]
	if len(got) != 1 || one.State != webhook.Pending || one.NextAttempt == nil || *one.Answer != "answer 500" ||
		w.get(hook).FailingSince == nil || w.get(hook).NextAttempt == nil {
		t.Fatalf("%d messages, %+v", len(got), one)
	}
	w.must(w.store.SendAgain(w.ctx, w.actor.Org, w.base, hook, one.ID)) // is redirected, which nobody follows
	w.run(hook)
	// That took none of its attempts, and they come when they would have come.
	if again := w.deliveries(hook)[0]; again.State != webhook.Pending || again.Attempts != 1 ||
		again.NextAttempt == nil || !again.NextAttempt.Equal(*one.NextAttempt) || again.Again {
		t.Errorf("after it was sent by hand: %+v, and not %+v", again, one)
	}
	w.must(w.store.SendAgain(w.ctx, w.actor.Org, w.base, hook, one.ID))
	w.run(hook)
	second := r.messages()
	if len(second) != 3 || second[0].header.Get("webhook-id") != got[0].header.Get("webhook-id") ||
		second[1].header.Get("webhook-id") != got[0].header.Get("webhook-id") ||
		string(second[1].body) != string(got[0].body) || second[2].Data.Changes[0].After["Note"] != "2" {
		t.Fatalf("%d messages", len(second))
	}
	if w.get(hook).FailingSince != nil || w.deliveries(hook)[1].Attempts != 2 {
		t.Errorf("%+v %+v", w.get(hook), w.deliveries(hook))
	}
}

func TestDeliveryIsGivenUpAfterTenAttempts(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"1"}`)
	failures := make([]int, 10)
	for i := range failures {
		failures[i] = http.StatusServiceUnavailable
	}
	r.answer(failures...)
	w.run(hook)
	w.update(made, `{"Note":"2"}`)
	w.run(hook)
	all := w.deliveries(hook)
	if got := r.messages(); len(got) != 11 || len(all) != 2 || all[1].State != webhook.Failed ||
		all[1].Attempts != 10 || all[0].State != webhook.Delivered {
		t.Fatalf("%d messages, %+v", len(got), all)
	}
	w.must(w.store.SendAgain(w.ctx, w.actor.Org, w.base, hook, all[1].ID))
	w.run(hook)
	got, again := r.messages(), w.deliveries(hook)[1]
	if len(got) != 1 || again.State != webhook.Delivered || again.Again {
		t.Errorf("%d messages, %+v", len(got), again)
	}
}

func TestReceiverThatDoesNotWantOrFailsIsDisabled(t *testing.T) {
	t.Parallel()
	w, r := setupAlone(t), newReceiver(t)
	gone, _ := w.hook(r.URL, webhook.Subscription{})
	failing, _ := w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"1"}`)
	r.answer(http.StatusGone)
	w.run(gone)
	if one := w.get(gone); one.Enabled || one.Reason != webhook.AnsweredNo || len(r.messages()) != 1 {
		t.Errorf("%+v", one)
	}
	w.update(made, `{"Note":"2"}`)
	w.run(gone)
	w.exec("update rowhouse.webhook set failing_since = now() - interval '119 hours' where org_id = $1 and id = $2",
		w.actor.Org, failing)
	w.worker.Tune([]time.Duration{0, time.Hour, time.Hour}, 120*time.Hour, 0, time.Minute)
	r.answer(http.StatusInternalServerError, http.StatusInternalServerError)
	w.run(failing)
	if one := w.get(failing); !one.Enabled {
		t.Errorf("%+v", one)
	}
	w.exec("update rowhouse.webhook set failing_since = now() - interval '121 hours' where org_id = $1 and id = $2",
		w.actor.Org, failing)
	w.exec("update rowhouse.webhook_delivery set next_attempt_at = null where org_id = $1", w.actor.Org)
	r.answer(http.StatusInternalServerError)
	w.run(failing)
	if one := w.get(failing); one.Enabled || one.Reason != webhook.Failing || len(w.noticed) != 2 ||
		w.noticed[1] != w.actor.Person {
		t.Errorf("%+v, mails to %v, %+v", one, w.noticed, w.deliveries(failing))
	}
	r.messages()
	enabled := true
	_, err := w.store.Update(w.ctx, w.actor.Org, w.base, failing, webhook.Update{Enabled: &enabled})
	w.must(err)
	w.run(failing)
	if got := r.messages(); len(got) != 1 || !w.get(failing).Enabled || w.get(failing).Reason != "" {
		t.Errorf("%d messages after it was enabled, %+v", len(got), w.get(failing))
	}
}

func TestWebhookEndsWithTheRightsOfItsOwner(t *testing.T) {
	t.Parallel()
	w, r := setupAlone(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{})
	other := tenancytest.Person(t, w.db)
	w.must(tenancytest.Join(t, w.db, w.actor.Org, other, organization.Editor))
	w.exec("update rowhouse.webhook set owner_id = $2 where org_id = $1", w.actor.Org, other)
	w.create(`{"Note":"1"}`)
	w.run(hook)
	if one := w.get(hook); one.Enabled || one.Reason != webhook.OwnerLeft || len(r.messages()) != 0 {
		t.Errorf("%+v", one)
	}
	if !slices.Equal(w.noticed, []uuid.UUID{w.actor.Person}) { // who made it still may
		t.Errorf("mails to %v", w.noticed)
	}
	gone, _ := w.hook(r.URL, webhook.Subscription{})
	stranger := tenancytest.Person(t, w.db)
	w.exec("update rowhouse.webhook set owner_id = $2, created_by = $2 where org_id = $1 and id = $3", w.actor.Org,
		stranger, gone)
	w.run(gone)
	if !slices.Equal(w.noticed, []uuid.UUID{w.actor.Person, w.actor.Person}) { // as the owner of the organization
		t.Errorf("mails to %v", w.noticed)
	}
}

func TestFormerSecretSignsForADay(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, former := w.hook(r.URL, webhook.Subscription{})
	secret, until, err := w.store.RotateSecret(w.ctx, w.actor.Org, w.base, hook)
	w.must(err)
	made := w.create(`{"Note":"1"}`)
	w.run(hook)
	if got := r.messages(); len(got) != 1 || !signedWith(t, &got[0], secret) || !signedWith(t, &got[0], former) ||
		time.Until(until) < 23*time.Hour {
		t.Errorf("%+v", got)
	}
	w.exec("update rowhouse.webhook set old_secret_until = now() where org_id = $1", w.actor.Org)
	w.update(made, `{"Note":"2"}`)
	w.run(hook)
	if got := r.messages(); len(got) != 1 || !signedWith(t, &got[0], secret) || signedWith(t, &got[0], former) {
		t.Errorf("%+v", got)
	}
}

func TestEveryFormerSecretSignsUntilItsOwnEnd(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, first := w.hook(r.URL, webhook.Subscription{})
	all := []string{first}
	for range 10 {
		next, _, err := w.store.RotateSecret(w.ctx, w.actor.Org, w.base, hook)
		w.must(err)
		all = append(all, next)
	}
	if _, _, err := w.store.RotateSecret(w.ctx, w.actor.Org, w.base, hook); problem.KindOf(err) !=
		problem.KindConflict {
		t.Errorf("one more: %v", err)
	}
	w.create(`{"Note":"1"}`)
	w.run(hook)
	got := r.messages()
	if len(got) != 1 {
		t.Fatalf("%d messages", len(got))
	}
	for i, secret := range all {
		if !signedWith(t, &got[0], secret) {
			t.Errorf("secret %d does not sign", i)
		}
	}
}

func TestWhoRedirectsAWebhookOwnsIt(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{})
	other := tenancytest.Person(t, w.db)
	w.must(tenancytest.Join(t, w.db, w.actor.Org, other, organization.Admin))
	ctx := db.WithActor(t.Context(), db.Actor{Person: other, Credential: "key_other", ChangeSet: id.New()})
	name, url := "Name", r.URL+"/other"
	for _, one := range []struct {
		update webhook.Update
		owner  uuid.UUID
	}{{webhook.Update{Name: &name}, w.actor.Person}, {webhook.Update{URL: &url}, other}} {
		_, err := w.store.Update(ctx, w.actor.Org, w.base, hook, one.update)
		w.must(err)
		if got := w.get(hook).Owner; got != one.owner {
			t.Errorf("%+v: the owner is %s", one.update, got)
		}
	}
	if want := []webhook.Announced{webhook.Made, webhook.Redirect}; !slices.Equal(w.announced, want) {
		t.Errorf("announced %v", w.announced)
	}
}

// The certificate of a receiver may have anything in its names, which the error quotes.
func TestFailureIsStoredWhateverItSays(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.store.Sender = strangeSender{}
	hook, _ := w.hook("https://example.com/", webhook.Subscription{})
	w.worker.Tune([]time.Duration{time.Hour}, time.Hour, 0, 45*time.Second)
	w.create(`{"Note":"1"}`)
	w.run(hook)
	if all := w.deliveries(hook); len(all) != 1 || all[0].Attempts != 1 || all[0].Failure == nil ||
		!strings.Contains(*all[0].Failure, "not a\uFFFDb") {
		t.Errorf("%+v", all)
	}
}

type strangeSender struct{}

func (strangeSender) Check(string) error { return nil }

func (strangeSender) Post(context.Context, string, map[string]string, []byte) (int, []byte, error) {
	return 0, nil, errors.New("certificate is valid for a.example, not a\x00b")
}

func TestSecretIsStoredEncrypted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	hook, secret := w.hook("http://127.0.0.1:9/", webhook.Subscription{})
	plain, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	w.must(err)
	w.must(w.db.Batch(w.ctx, w.actor.Org, func(b *pgx.Batch) {
		b.Queue("select secret from rowhouse.webhook where org_id = $1 and id = $2", w.actor.Org, hook).
			QueryRow(func(row pgx.Row) error {
				var stored []byte
				if err := row.Scan(&stored); err != nil {
					return err
				}
				if len(plain) != 32 || strings.Contains(string(stored), string(plain)) {
					t.Error("the secret is stored as it is")
				}
				return nil
			})
	}))
}

func TestOneJobAtATimeWorksOnAWebhook(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"0"}`)
	for i := range 5 {
		w.update(made, `{"Note":"`+strings.Repeat("x", i+1)+`"}`)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := w.worker.Run(w.ctx, w.actor.Org, hook); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	total := 0
	for _, m := range r.messages() {
		total += len(m.Data.Changes)
	}
	if total != 6 {
		t.Errorf("%d changes arrived, and not 6", total)
	}
}

// A process that dies after it has sent a message, and before it has stored that, leaves its lease and a
// delivery that waits.
func TestMessageOfAProcessThatDiedIsSentAgain(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"1"}`)
	w.run(hook)
	sent := r.messages()
	w.exec(`update rowhouse.webhook_delivery set state = 'pending' where org_id = $1`, w.actor.Org)
	w.exec(`update rowhouse.webhook set lease = $2, leased_until = now() + interval '1 minute' where org_id = $1`,
		w.actor.Org, uuid.New())
	w.update(made, `{"Note":"2"}`)
	w.run(hook)
	if got := r.messages(); len(got) != 0 {
		t.Fatalf("%d messages while another process works", len(got))
	}
	w.exec("update rowhouse.webhook set leased_until = now() where org_id = $1", w.actor.Org)
	w.run(hook)
	got := r.messages()
	if len(got) != 2 || string(got[0].body) != string(sent[0].body) || len(got[1].Data.Changes) != 1 {
		t.Errorf("%d messages", len(got))
	}
}

func TestInvalidWebhookIsRefused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	elsewhere := setup(t)
	foreignTable := webhook.Subscription{Tables: []uuid.UUID{elsewhere.table.ID}}
	foreignField := webhook.Subscription{Fields: []uuid.UUID{elsewhere.table.Fields[0].ID}}
	for name, c := range map[string]webhook.Creation{
		"no URL":          {URL: "hook"},
		"another scheme":  {URL: "ftp://example.com/"},
		"a user":          {URL: "https://user:pass@example.com/"},
		"a private host":  {URL: "https://10.0.0.1/"},
		"metadata":        {URL: "http://169.254.169.254/latest"},
		"a number":        {URL: "https://2130706433/"},
		"a foreign table": {URL: "https://example.com/", Subscription: foreignTable},
		"a foreign field": {URL: "https://example.com/", Subscription: foreignField},
		"a long name":     {URL: "https://example.com/", Name: strings.Repeat("x", 101)},
	} {
		_, _, err := w.store.Create(w.ctx, w.actor.Org, w.base, c)
		var known *problem.Error
		if !errors.As(err, &known) || known.Kind != problem.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range webhook.MaxPerBase {
		w.hook("https://example.com/", webhook.Subscription{})
	}
	_, _, err := w.store.Create(w.ctx, w.actor.Org, w.base, webhook.Creation{URL: "https://example.com/"})
	if problem.KindOf(err) != problem.KindConflict {
		t.Errorf("one too many: %v", err)
	}
}
