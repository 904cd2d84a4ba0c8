package live

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/feed"
	"github.com/rowhouse/rowhouse/tenancy/presence"
)

func newHub(t *testing.T) *Hub {
	t.Helper()
	h := New(nil, nil, Presence{}, slog.New(slog.DiscardHandler))
	t.Cleanup(h.Close)
	return h
}

// still adds a base that nothing reads, with watchers.
func (h *Hub) still(watchers int) (*watched, []*Watcher) {
	of := &watched{key: key{uuid.New(), uuid.New()}, watchers: map[*Watcher]bool{}, cancel: func() {}}
	h.bases[of.key] = of
	var list []*Watcher
	for range watchers {
		list = append(list, h.Join(of.org, of.base, feed.Position{}, feed.Viewer{}))
	}
	return of, list
}

func positions(t *testing.T) []feed.Change {
	t.Helper()
	at, err := feed.ParsePosition("", "AAZg8PcFc6pG__GqBAGiCHBjqXiqi_NuoyfBa0M")
	if err != nil {
		t.Fatal(err)
	}
	return []feed.Change{{Position: at}}
}

func TestASlowWatcherIsCutAndOthersAreNot(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	of, list := h.still(2)
	slow, fast := list[0], list[1]
	page := feed.Page{Changes: positions(t)}
	for i := range maxBatches + 1 {
		h.tell(of, &page)
		fast.Text(<-fast.Batches())
		select {
		case <-slow.Ended():
			if i < maxBatches || slow.Reason() != Slow {
				t.Fatalf("cut off after %d batches: %s", i, slow.Reason())
			}
		default:
			if i == maxBatches {
				t.Fatal("a watcher may be behind without bounds")
			}
		}
	}
	h.tell(of, &page)
	if len(fast.Batches()) != 1 {
		t.Error("the fast watcher was not told")
	}
	if got := fast.backlog.Load(); got <= 0 || got > 10_000 {
		t.Errorf("its backlog is %d bytes", got)
	}
}

func TestABaseIsReadWhileSomebodyWatchesIt(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	of, list := h.still(2)
	ended := false
	of.cancel = func() { ended = true }
	list[0].Close()
	if ended {
		t.Error("the base is not read any more, and somebody watches it")
	}
	list[1].Close()
	list[1].Close()
	if !ended || len(h.bases) > 0 {
		t.Error("the base is read for nobody")
	}
}

func TestWatchersAreBounded(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	var last func()
	for range maxOwnWatchers {
		release, err := h.Admit("key_a")
		if err != nil {
			t.Fatal(err)
		}
		last = release
	}
	if _, err := h.Admit("key_a"); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("too many watchers of one credential: %v", err)
	}
	last()
	for _, credential := range []string{"key_a", "key_b"} {
		if _, err := h.Admit(credential); err != nil {
			t.Error(err)
		}
	}
	h.Close()
	if _, err := h.Admit("key_b"); problem.KindOf(err) != problem.KindUnavailable {
		t.Errorf("after the end: %v", err)
	}
}

func TestAWatcherIsToldTheLatestPresence(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	of, list := h.still(1)
	of.presence = nobody
	one, two := presenceEvent([]presence.Entry{{Person: "usr_a"}}), presenceEvent([]presence.Entry{{Person: "usr_b"}})
	for _, text := range [][]byte{one, two, two} {
		h.tellPresence(of, text)
	}
	if got := <-list[0].Presence(); !bytes.Equal(got, two) {
		t.Errorf("told of %s", got)
	}
	h.tellPresence(of, two)
	if len(list[0].Presence()) > 0 {
		t.Error("told of what it knows")
	}
	late := h.Join(of.org, of.base, feed.Position{}, feed.Viewer{})
	if got := <-late.Presence(); !bytes.Equal(got, two) {
		t.Errorf("one who joins is told of %s", got)
	}
}
