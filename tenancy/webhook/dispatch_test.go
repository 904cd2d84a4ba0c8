package webhook_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// started starts another worker of the webhooks of a world that has its own database, with jobs and a
// dispatcher.
func (w *world) started(t *testing.T) *webhook.Worker {
	t.Helper()
	jobs := jobtest.OpenAt(t, w.jobURL, webhook.Queues(), slog.New(slog.DiscardHandler))
	store, err := webhook.NewStore(w.deps)
	w.must(err)
	worker := webhook.NewWorker(store, jobs, webhook.WorkerOptions{Log: slog.New(slog.DiscardHandler)})
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

func TestChangedOrganizationIsSent(t *testing.T) {
	t.Parallel()
	w, r := setupAlone(t), newReceiver(t)
	worker := w.started(t)
	w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"1"}`)
	worker.Store.Changed(w.actor.Org, w.table.Number)
	r.await(t, 1)
	for range 20 {
		w.update(made, `{"Note":"`+time.Now().String()+`"}`)
		worker.Store.Changed(w.actor.Org, w.table.Number)
	}
	var cursors []string
	for _, m := range r.await(t, 20) {
		position, err := base64.RawURLEncoding.DecodeString(m.Data.Cursor) // its letters are not in the order of bytes
		w.must(err)
		cursors = append(cursors, string(position))
	}
	if !slices.IsSorted(cursors) {
		t.Errorf("out of order: %x", cursors)
	}
}

// Webhooks of other bases are not looked at, unless it is not known what has changed.
func TestChangedBaseIsSent(t *testing.T) {
	t.Parallel()
	w, r := setupAlone(t), newReceiver(t)
	jobs := jobtest.OpenAt(t, w.jobURL, webhook.Queues(), slog.New(slog.DiscardHandler)) // which do not start
	worker := webhook.NewWorker(w.store, jobs, webhook.WorkerOptions{Log: slog.New(slog.DiscardHandler)})
	here, _ := w.hook(r.URL, webhook.Subscription{})
	elsewhere, err := w.schema.CreateBase(w.ctx, w.actor.Org, uuid.Nil, "Elsewhere")
	w.must(err)
	w.base = elsewhere.ID
	there, _ := w.hook(r.URL, webhook.Subscription{})
	queued := func(what string, change func(), want ...uuid.UUID) {
		t.Helper()
		w.exec("update rowhouse.webhook set queued_at = null where org_id = $1", w.actor.Org)
		change()
		w.must(worker.QueueChanged(t.Context()))
		var got []uuid.UUID
		w.must(w.db.Batch(t.Context(), w.actor.Org, func(b *pgx.Batch) {
			b.Queue("select id from rowhouse.webhook where org_id = $1 and queued_at is not null order by id",
				w.actor.Org).Query(func(rows pgx.Rows) (err error) {
				got, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
				return err
			})
		}))
		if !slices.Equal(got, want) {
			t.Errorf("after a change of %s, queued %v, and not %v", what, got, want)
		}
	}
	w.must(worker.QueueChanged(t.Context())) // what making the webhooks has woken
	w.db.OnChange(worker.Store.Changed)
	queued("a record", func() { w.create(`{"Note":"1"}`) }, here)
	queued("the schema", func() {
		_, err := w.schema.CreateTable(w.ctx, w.actor.Org, elsewhere.ID, "Table", nil)
		w.must(err)
	}, here, there)
	unknown := func() { worker.Store.Changed(w.actor.Org, 2_000_000_000) }
	queued("a table that this process does not know", unknown, here, there)
}

// Another process finds what a process did not send because it died.
func TestTheSweepFindsWhatALostNotificationMissed(t *testing.T) {
	t.Parallel()
	w, r := setupAlone(t), newReceiver(t)
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
	w, r := setupAlone(t), newReceiver(t)
	hung := make(chan struct{})
	dead := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	t.Cleanup(dead.Close)
	worker := w.started(t)
	for range 5 {
		w.hook(dead.URL, webhook.Subscription{})
	}
	w.hook(r.URL, webhook.Subscription{})
	made := w.create(`{"Note":"1"}`)
	worker.Store.Changed(w.actor.Org, w.table.Number)
	r.await(t, 1)
	w.update(made, `{"Note":"2"}`)
	worker.Store.Changed(w.actor.Org, w.table.Number)
	r.await(t, 1)
	close(hung)
}
