package bell_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/bell"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func newBell(t *testing.T, options *redis.Options) *bell.Bell {
	t.Helper()
	client := redis.NewClient(options)
	b := bell.New(client, slog.New(slog.DiscardHandler))
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

// rings reports whether a listener is woken within a time.
func rings(l *bell.Listener, within time.Duration) bool {
	select {
	case <-l.C:
		return true
	case <-time.After(within):
		return false
	}
}

func TestABellIsHeardInEveryProcess(t *testing.T) {
	t.Parallel()
	here, there := newBell(t, options(t)), newBell(t, options(t))
	org, other := id.New(), id.New()
	near, far, foreign := here.Listen(org), there.Listen(org), there.Listen(other)
	// A listener looks once when its subscription is made, because what was said before was missed.
	if !rings(far, 5*time.Second) || !rings(foreign, 5*time.Second) {
		t.Error("a new subscription wakes nobody")
	}
	rings(near, time.Second)
	here.Ring(org)
	if !rings(far, 5*time.Second) || !rings(near, time.Second) {
		t.Error("a bell was not heard")
	}
	if rings(foreign, 100*time.Millisecond) {
		t.Error("a bell of another organization was heard")
	}
	// Who comes later is told as well, and nobody who has left.
	far.Close()
	later := there.Listen(org)
	rings(later, 50*time.Millisecond)
	rings(far, 0)
	here.Ring(org)
	if !rings(later, 5*time.Second) || rings(far, 50*time.Millisecond) {
		t.Error("after a listener left, the wrong ones are told")
	}
}

func TestBeatsOfAllProcessesAreHeard(t *testing.T) {
	t.Parallel()
	here, there := newBell(t, options(t)), newBell(t, options(t))
	here.Listen(id.New())
	for _, other := range []*bell.Bell{here, there} {
		for begun := time.Now(); !here.Hears(other); time.Sleep(10 * time.Millisecond) {
			if time.Since(begun) > 10*time.Second {
				t.Fatal("the beats of a process are not heard")
			}
		}
	}
}

func TestManyChangesAreToldAtOnce(t *testing.T) {
	t.Parallel()
	here := newBell(t, options(t))
	org := id.New()
	client := redis.NewClient(options(t))
	defer func() { _ = client.Close() }()
	told := client.Subscribe(t.Context(), "rowhouse:bell:"+org.String())
	defer func() { _ = told.Close() }()
	if _, err := told.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 100_000 {
		here.Ring(org)
	}
	messages := 0
	for done := false; !done; {
		select {
		case <-told.Channel():
			messages++
		case <-time.After(200 * time.Millisecond):
			done = true
		}
	}
	if messages < 1 || messages > 1000 {
		t.Errorf("100,000 changes are %d messages", messages)
	}
}

func TestWithoutRedisThisProcessHears(t *testing.T) {
	t.Parallel()
	away := options(t)
	away.Addr = "127.0.0.1:1"
	here := newBell(t, away)
	org := id.New()
	l := here.Listen(org)
	begun := time.Now()
	for range 1000 {
		here.Ring(org)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("ringing waits for Redis: %s", took)
	}
	if !rings(l, time.Second) {
		t.Error("a bell of the same process was not heard")
	}
}

func TestNoBell(t *testing.T) {
	t.Parallel()
	var none *bell.Bell
	none.Ring(uuid.Nil)
	l := none.Listen(uuid.Nil)
	defer l.Close()
	if rings(l, 10*time.Millisecond) {
		t.Error("no bell rang")
	}
}
