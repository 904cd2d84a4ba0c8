package live_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func newNotifier(t *testing.T, options *redis.Options) *live.Notifier {
	t.Helper()
	client := redis.NewClient(options)
	b := live.NewNotifier(client, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		b.Close()
		_ = client.Close()
	})
	return b
}

func options(t *testing.T) *redis.Options {
	t.Helper()
	o, err := redis.ParseURL(tenancytest.RedisURL(t))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// notified reports whether a listener is woken within a time.
func notified(l *live.Waiter, within time.Duration) bool {
	select {
	case <-l.C:
		return true
	case <-time.After(within):
		return false
	}
}

func TestEveryProcessIsNotified(t *testing.T) {
	t.Parallel()
	here, there := newNotifier(t, options(t)), newNotifier(t, options(t))
	org, other := id.New(), id.New()
	near, far, foreign := here.Listen(org), there.Listen(org), there.Listen(other)
	// A listener looks once when its subscription is made, because what was said before was missed.
	if !notified(far, 5*time.Second) || !notified(foreign, 5*time.Second) {
		t.Error("a new subscription wakes nobody")
	}
	notified(near, time.Second)
	here.Notify(org)
	if !notified(far, 5*time.Second) || !notified(near, time.Second) {
		t.Error("a notification was not heard")
	}
	if notified(foreign, 100*time.Millisecond) {
		t.Error("a notification of another organization was heard")
	}
	// A listener that joins later is notified as well, and none that has left.
	far.Close()
	later := there.Listen(org)
	notified(later, 50*time.Millisecond)
	notified(far, 0)
	here.Notify(org)
	if !notified(later, 5*time.Second) || notified(far, 50*time.Millisecond) {
		t.Error("after a listener left, the wrong ones are given")
	}
}

func TestEventsOfJobsReachEveryProcess(t *testing.T) {
	t.Parallel()
	here, there := newNotifier(t, options(t)), newNotifier(t, options(t))
	org, job := id.New(), id.New()
	near, far := make(chan live.JobEvent, 10), make(chan live.JobEvent, 10)
	here.OnJob(func(_ uuid.UUID, e live.JobEvent) { near <- e })
	there.OnJob(func(of uuid.UUID, e live.JobEvent) {
		if of != org {
			t.Errorf("the event is of %s", of)
		}
		far <- e
	})
	woken := there.Listen(org)
	if !notified(woken, 5*time.Second) {
		t.Fatal("a new subscription wakes nobody")
	}
	sent := live.JobEvent{ID: job, Base: id.New(), Person: id.New(), Text: []byte(`{"done":1}`)}
	here.NotifyJob(org, sent)
	for _, given := range []<-chan live.JobEvent{near, far} {
		select {
		case got := <-given:
			if got.ID != job || got.Base != sent.Base || got.Person != sent.Person || string(got.Text) != `{"done":1}` {
				t.Errorf("given of %+v", got)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("a process was not given")
		}
	}
	if notified(woken, 50*time.Millisecond) {
		t.Error("an event of a job has changes looked for")
	}
	if len(near) > 0 {
		t.Error("the process was given of its own event twice")
	}
}

func TestBeatsOfAllProcessesAreReceived(t *testing.T) {
	t.Parallel()
	here, there := newNotifier(t, options(t)), newNotifier(t, options(t))
	here.Listen(id.New())
	for _, other := range []*live.Notifier{here, there} {
		for begun := time.Now(); !here.Receives(other); time.Sleep(10 * time.Millisecond) {
			if time.Since(begun) > 10*time.Second {
				t.Fatal("the beats of a process are not heard")
			}
		}
	}
}

func TestManyChangesShareANotification(t *testing.T) {
	t.Parallel()
	here := newNotifier(t, options(t))
	org := id.New()
	client := redis.NewClient(options(t))
	defer func() { _ = client.Close() }()
	published := client.Subscribe(t.Context(), "rowhouse:bell:"+org.String())
	defer func() { _ = published.Close() }()
	if _, err := published.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 100_000 {
		here.Notify(org)
	}
	messages := 0
	for done := false; !done; {
		select {
		case <-published.Channel():
			messages++
		case <-time.After(200 * time.Millisecond):
			done = true
		}
	}
	if messages < 1 || messages > 1000 {
		t.Errorf("100,000 changes are %d messages", messages)
	}
}

func TestWithoutRedisThisProcessIsNotified(t *testing.T) {
	t.Parallel()
	away := options(t)
	away.Addr = "127.0.0.1:1"
	here := newNotifier(t, away)
	org := id.New()
	l := here.Listen(org)
	begun := time.Now()
	for range 1000 {
		here.Notify(org)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("notifying waits for Redis: %s", took)
	}
	if !notified(l, time.Second) {
		t.Error("a notification of the same process was not heard")
	}
}

func TestWithoutNotifier(t *testing.T) {
	t.Parallel()
	var none *live.Notifier
	none.Notify(uuid.Nil)
	l := none.Listen(uuid.Nil)
	defer l.Close()
	if notified(l, 10*time.Millisecond) {
		t.Error("a nil notifier notified")
	}
}
