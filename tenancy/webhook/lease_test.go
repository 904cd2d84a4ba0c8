package webhook_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// hanging starts a receiver that answers only when the test lets it.
func hanging(t *testing.T) (address string, arrived chan struct{}, answer chan struct{}) {
	t.Helper()
	arrived, answer = make(chan struct{}, 10), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server notices that its client has left when it has read all
		arrived <- struct{}{}
		select {
		case <-answer:
			w.WriteHeader(http.StatusNoContent)
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, arrived, answer
}

// Fails without renew: the lease is shorter than the attempt.
func TestLeaseIsRenewedWhileAReceiverHangs(t *testing.T) {
	t.Parallel()
	w := setup(t)
	address, arrived, answer := hanging(t)
	hook, _ := w.hook(address, webhook.Subscription{})
	w.create(`{"Note":"1"}`)
	w.worker.Tune(nil, time.Hour, 0, 600*time.Millisecond)
	done := make(chan error, 1)
	go func() { done <- w.worker.Run(w.ctx, w.actor.Org, hook) }()
	<-arrived
	for range 4 {
		time.Sleep(500 * time.Millisecond)
		w.run(hook) // another job, which finds the lease taken
	}
	close(answer)
	w.must(<-done)
	if all := w.deliveries(hook); len(arrived) != 0 || len(all) != 1 || all[0].State != webhook.Delivered {
		t.Errorf("%d more messages, %+v", len(arrived), all)
	}
}

// Two jobs must not send at once, so the one that has lost its lease ends, and stores nothing.
func TestJobEndsWhenItsWebhookIsDisabledMeanwhile(t *testing.T) {
	t.Parallel()
	w := setup(t)
	var hook uuid.UUID
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		w.exec("update rowhouse.webhook set enabled = false where id = $1", hook)
		answer.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	hook, _ = w.hook(server.URL, webhook.Subscription{})
	w.create(`{"Note":"first"}`)
	w.run(hook)
	if w.get(hook).Enabled {
		t.Error("the webhook is enabled again")
	}
}

func TestJobEndsWhenAnotherHasItsLease(t *testing.T) {
	t.Parallel()
	w := setup(t)
	address, arrived, _ := hanging(t)
	hook, _ := w.hook(address, webhook.Subscription{})
	w.create(`{"Note":"1"}`)
	w.worker.Tune(nil, time.Hour, 0, 600*time.Millisecond)
	done := make(chan error, 1)
	go func() { done <- w.worker.Run(w.ctx, w.actor.Org, hook) }()
	<-arrived
	w.exec("update rowhouse.webhook set lease = $2, leased_until = now() + interval '1 minute' where org_id = $1",
		w.actor.Org, uuid.New())
	select {
	case err := <-done:
		if err == nil {
			t.Error("the job succeeded")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the job goes on")
	}
	if one := w.deliveries(hook)[0]; one.Attempts != 0 || one.State != webhook.Pending {
		t.Errorf("%+v", one)
	}
}

// Fails without open's second encryption: the former secret of the service could never be forgotten.
func TestSecretsMoveToTheNewSecretOfTheService(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, former := w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"1"}`)
	next := bytes.Repeat([]byte("n"), 32)
	old := tenancytest.Secrets()
	w.with(t, append([][]byte{next}, old...))
	secret, _, err := w.store.RotateSecret(w.ctx, w.actor.Org, w.base, hook)
	w.must(err)
	w.run(hook)
	w.with(t, [][]byte{next})
	w.update(made, `{"Note":"2"}`)
	w.run(hook)
	got := r.messages()
	if len(got) != 2 || !signedWith(t, &got[1], secret) || !signedWith(t, &got[1], former) {
		t.Fatalf("%d messages: %+v", len(got), w.deliveries(hook))
	}
	// What was encrypted with a secret that nobody has is an error, until the secret is rotated.
	w.with(t, [][]byte{bytes.Repeat([]byte("x"), 32)})
	w.update(made, `{"Note":"3"}`)
	if err := w.worker.Run(w.ctx, w.actor.Org, hook); err == nil {
		t.Error("a secret was decrypted with another one")
	}
	if secret, _, err = w.store.RotateSecret(w.ctx, w.actor.Org, w.base, hook); err != nil {
		t.Fatal(err)
	}
	w.exec("update rowhouse.webhook set leased_until = now() where org_id = $1", w.actor.Org)
	w.run(hook)
	if got := r.messages(); len(got) != 1 || !signedWith(t, &got[0], secret) || signedWith(t, &got[0], former) {
		t.Errorf("%d messages", len(got))
	}
}

// with replaces the secrets of the service.
func (w *world) with(t *testing.T, secrets [][]byte) {
	t.Helper()
	var err error
	w.deps.Secrets = secrets
	w.store, err = webhook.NewStore(w.deps)
	w.must(err)
	w.worker = webhook.NewWorker(w.store, jobtest.Open(t, webhook.Queues()), webhook.WorkerOptions{
		Log: slog.New(slog.DiscardHandler),
	})
	w.worker.Tune(make([]time.Duration, 9), 5*24*time.Hour, 0, 45*time.Second)
}
