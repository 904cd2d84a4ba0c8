package webhook_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// started starts another worker of the world's webhooks, with jobs and a dispatcher.
func (w *world) started(t *testing.T) *webhook.Worker {
	t.Helper()
	jobs := jobtest.OpenAt(t, tenancytest.JobURL(t), webhook.Queues(), slog.New(slog.DiscardHandler))
	return w.startWith(t, jobs)
}

func (w *world) startWith(t *testing.T, jobs *job.Client) *webhook.Worker {
	t.Helper()
	worker := webhook.NewWorker(w.store, jobs, slog.New(slog.DiscardHandler))
	jobtest.Start(t, jobs)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		worker.Dispatch(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return worker
}

// await waits until a number of changes has arrived, and returns them.
func (r *receiver) await(t *testing.T, changes int) []message {
	t.Helper()
	var all []message
	got := 0
	for range 3000 {
		for _, m := range r.messages() {
			all, got = append(all, m), got+len(m.Data.Changes)
		}
		if got >= changes {
			return all
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%d of %d changes arrived", got, changes)
	return nil
}

func TestChangedOrganizationIsTold(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	worker := w.started(t)
	w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"1"}`)
	worker.Changed(w.actor.Org)
	r.await(t, 1)
	for range 20 {
		w.update(made, `{"Note":"`+time.Now().String()+`"}`)
		worker.Changed(w.actor.Org)
	}
	var cursors []string
	for _, m := range r.await(t, 20) {
		cursors = append(cursors, m.Data.Cursor)
	}
	if !slices.IsSorted(cursors) {
		t.Errorf("out of order: %v", cursors)
	}
}

// What a process did not tell because it died is found by another one.
func TestLostBellIsMadeGoodByTheSweep(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hook, _ := w.hook(r.URL, webhook.Subscription{})
	w.create(`{"Note":"1"}`)
	w.exec("update rowhouse.webhook set looked_at = now() - interval '2 minutes' where org_id = $1 and id = $2",
		w.actor.Org, hook)
	w.started(t) // sweeps at its start
	r.await(t, 1)
}

// One after the other the dead ones would take longer than the others are waited for.
func TestDeadReceiverDoesNotDelayOthers(t *testing.T) {
	t.Parallel()
	w, r := setup(t), newReceiver(t)
	hung := make(chan struct{})
	dead := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	t.Cleanup(dead.Close)
	worker := w.started(t)
	for range 5 {
		w.hook(dead.URL, webhook.Subscription{})
	}
	w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"1"}`)
	worker.Changed(w.actor.Org)
	r.await(t, 1)
	w.update(made, `{"Note":"2"}`)
	worker.Changed(w.actor.Org)
	r.await(t, 1)
	close(hung)
}
