package live

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
)

func newHub(t *testing.T) *Hub {
	t.Helper()
	h := New(nil, nil, Presence{}, slog.New(slog.DiscardHandler))
	t.Cleanup(h.Close)
	return h
}

// still adds a base that nothing reads, with watchers.
func (h *Hub) still(watchers int) (*watched, []*Watcher) {
	of := &watched{key: key{org: uuid.New(), base: uuid.New()}, watchers: map[*Watcher]bool{}, cancel: func() {}}
	h.bases[of.key] = of
	var list []*Watcher
	for range watchers {
		list = append(list, h.Join(of.org, of.base, feed.Position{}, feed.Viewer{}, Sight{}))
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
		h.deliver(of, &page)
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
	h.deliver(of, &page)
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
	var releases []func()
	admit := func(credential string) {
		t.Helper()
		a, err := h.Admit(credential, uuid.Nil)
		if err != nil {
			t.Fatal(err)
		}
		releases = append(releases, a.Release)
	}
	for range maxOwnWatchers {
		admit("key_a")
	}
	if _, err := h.Admit("key_a", uuid.Nil); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("too many watchers of one credential: %v", err)
	}
	releases[0]()
	releases = releases[1:]
	admit("key_a")
	admit("key_b")
	closed := make(chan struct{})
	go func() {
		h.Close()
		close(closed)
	}()
	for _, release := range releases {
		select {
		case <-closed:
			t.Fatal("the hub has ended before its watchers have gone")
		case <-time.After(time.Millisecond):
			release()
		}
	}
	<-closed
	if _, err := h.Admit("key_b", uuid.Nil); problem.KindOf(err) != problem.KindUnavailable {
		t.Errorf("after the end: %v", err)
	}
}

func TestWatchersOfAPersonAndOfAnOrganizationAreBounded(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.Limits = Limits{Person: 2, Organization: 3}
	one, other, org := uuid.New(), uuid.New(), uuid.New()
	admit := func(credential string, person uuid.UUID) *Admission {
		t.Helper()
		a, err := h.Admit(credential, person)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	refused := func(what string, err error) {
		t.Helper()
		var refused *problem.Error
		if !errors.As(err, &refused) || refused.Kind != problem.KindRateLimited || refused.RetryAfter == 0 {
			t.Errorf("%s: %v", what, err)
		}
	}
	first, second := admit("key_a", one), admit("key_b", one)
	_, err := h.Admit("key_c", one)
	refused("a third of one person", err)
	third, fourth := admit("key_d", other), admit("key_e", other)
	for _, a := range []*Admission{first, second, third} {
		if err := a.Enter(org); err != nil {
			t.Fatal(err)
		}
	}
	refused("a fourth of one organization", fourth.Enter(org))
	if err := fourth.Enter(uuid.New()); err != nil {
		t.Errorf("of another organization: %v", err)
	}
	first.Release()
	fifth := admit("key_c", one)
	if err := fifth.Enter(org); err != nil {
		t.Errorf("after one has gone: %v", err)
	}
	for _, a := range []*Admission{second, third, fourth, fifth} {
		a.Release()
	}
	if h.count != 0 || len(h.own) != 0 {
		t.Errorf("%d watchers and %v are left", h.count, h.own)
	}
}

func TestAWatcherReceivesTheLatestPresence(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	of, list := h.still(1)
	of.presence = nobody
	one, two := presenceEvent([]PresenceEntry{{Person: "usr_a"}}), presenceEvent([]PresenceEntry{{Person: "usr_b"}})
	for _, text := range [][]byte{one, two, two} {
		h.sendPresence(of, text)
	}
	if got := <-list[0].Presence(); !bytes.Equal(got, two) {
		t.Errorf("told of %s", got)
	}
	h.sendPresence(of, two)
	if len(list[0].Presence()) > 0 {
		t.Error("told of what it knows")
	}
	late := h.Join(of.org, of.base, feed.Position{}, feed.Viewer{}, Sight{})
	if got := <-late.Presence(); !bytes.Equal(got, two) {
		t.Errorf("one who joins is told of %s", got)
	}
}
