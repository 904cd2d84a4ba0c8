package live

import (
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/internal/id"
)

func newPulse(t *testing.T) (*Notifier, *Waiter) {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"})
	b := NewNotifier(client, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		b.Close()
		_ = client.Close()
	})
	return b, b.Listen(id.New())
}

func (l *Waiter) woken() bool {
	select {
	case <-l.C:
		return true
	default:
		return false
	}
}

func TestWaitersLookSeldomWhileBeatsArrive(t *testing.T) {
	t.Parallel()
	b, l := newPulse(t)
	now := time.Now().Add(time.Hour) // the time of this test alone
	step := func(what string, look time.Duration, woken bool) {
		t.Helper()
		b.mu.Lock()
		b.judge(now)
		b.mu.Unlock()
		if got := l.LookAfter(); got != look {
			t.Errorf("%s, waiters look after %s", what, got)
		}
		if got := l.woken(); got != woken {
			t.Errorf("%s, woken: %v", what, got)
		}
	}
	step("without a beat", lookEvery, false)
	b.receiveBeat("other 7", now)
	step("without a beat of its own", lookEvery, false)
	b.receiveBeat(b.name+" 1", now)
	step("while all beat", lookSeldom, false)
	b.receiveBeat("other 9", now)
	step("after a beat was missed", lookSeldom, true)
	now = now.Add(late + time.Millisecond)
	b.receiveBeat(b.name+" 2", now)
	step("when another fell silent", lookEvery, true)
	step("while another is silent", lookEvery, false)
	b.receiveBeat("other 10", now)
	step("when it is back", lookSeldom, false)
	b.receiveBeat("other -1", now)
	now = now.Add(late - time.Millisecond)
	step("after it said goodbye", lookSeldom, false)
	now = now.Add(2 * time.Millisecond)
	step("without Redis", lookEvery, true)
	b.receiveBeat("other x", now)
	b.receiveBeat("third 1", now)
	now = now.Add(late + mourning)
	b.receiveBeat(b.name+" 3", now)
	step("while one may be at work without Redis", lookEvery, true)
	now = now.Add(2 * time.Millisecond)
	step("a minute later", lookSeldom, false)
}
