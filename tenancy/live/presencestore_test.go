package live_test

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/live"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func newStore(t *testing.T) (*live.PresenceStore, *redis.Client) {
	t.Helper()
	options, err := redis.ParseURL(tenancytest.RedisURL(t))
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	s := live.NewPresenceStore(client, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		s.Close()
		_ = client.Close()
	})
	return s, client
}

func pages(t *testing.T, s *live.PresenceStore, list func(context.Context) ([]live.PresenceEntry, error)) string {
	t.Helper()
	entries, err := list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, e := range entries {
		text += e.Person + "/" + e.Page + "/" + e.Field + " "
	}
	return text
}

func TestAPageIsPresentUntilItLeaves(t *testing.T) {
	t.Parallel()
	here, _ := newStore(t)
	there, _ := newStore(t)
	org, base, other := id.New(), id.New(), id.New()
	at := func(ctx context.Context) ([]live.PresenceEntry, error) { return there.List(ctx, org, base) }
	put := func(person, page, field string) {
		t.Helper()
		entry := live.PresenceEntry{Person: person, Page: page, PresenceCell: live.PresenceCell{Field: field}}
		if err := here.Put(t.Context(), org, base, entry); err != nil {
			t.Fatal(err)
		}
	}
	put("usr_b", "1", "fld_1")
	put("usr_a", "2", "fld_1")
	put("usr_a", "1", "")
	put("usr_b", "1", "fld_2")
	if got := pages(t, there, at); got != "usr_a/1/ usr_a/2/fld_1 usr_b/1/fld_2 " {
		t.Errorf("present are %s", got)
	}
	elsewhere := func(ctx context.Context) ([]live.PresenceEntry, error) { return there.List(ctx, org, other) }
	if got := pages(t, there, elsewhere); got != "" {
		t.Errorf("in another base are %s", got)
	}
	if err := here.Leave(t.Context(), org, base, "usr_a", "2"); err != nil {
		t.Fatal(err)
	}
	if got := pages(t, there, at); got != "usr_a/1/ usr_b/1/fld_2 " {
		t.Errorf("then present are %s", got)
	}
}

func TestAnEntryIsForgotten(t *testing.T) {
	t.Parallel()
	s, client := newStore(t)
	org, base := id.New(), id.New()
	key := "rowhouse:presence:" + org.String() + ":" + base.String()
	if err := s.Put(t.Context(), org, base, live.PresenceEntry{Person: "usr_a", Page: "1"}); err != nil {
		t.Fatal(err)
	}
	if ttl := client.TTL(t.Context(), key).Val(); ttl <= 0 || ttl > 2*live.PresenceTTL {
		t.Errorf("the key is kept for %s", ttl)
	}
	client.HSet(t.Context(), key, "usr_a 1", `{"until":1}`)
	if list, err := s.List(t.Context(), org, base); err != nil || len(list) != 0 {
		t.Errorf("an expired entry is told: %v, %v", list, err)
	}
	// The next one who comes removes it.
	if err := s.Put(t.Context(), org, base, live.PresenceEntry{Person: "usr_b", Page: "1"}); err != nil {
		t.Fatal(err)
	}
	if n := client.HLen(t.Context(), key).Val(); n != 1 {
		t.Errorf("Redis has %d entries", n)
	}
}

func TestEveryProcessReceivesWhoCame(t *testing.T) {
	t.Parallel()
	here, _ := newStore(t)
	there, _ := newStore(t)
	org, base := id.New(), id.New()
	near, foreign := there.Listen(org, base), there.Listen(org, id.New())
	defer near.Close()
	defer foreign.Close()
	for range 50 { // until the subscription is made
		if err := here.Put(t.Context(), org, base, live.PresenceEntry{Person: "usr_a", Page: "1"}); err != nil {
			t.Fatal(err)
		}
		select {
		case <-near.C:
			select {
			case <-foreign.C:
				t.Error("another base was told")
			default:
			}
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Error("nobody was told")
}

func TestTheEntriesOfABaseAreBounded(t *testing.T) {
	t.Parallel()
	s, _ := newStore(t)
	org, base := id.New(), id.New()
	for i := range 110 {
		entry := live.PresenceEntry{Person: fmt.Sprint("usr_", i), Page: id.New().String()}
		if err := s.Put(t.Context(), org, base, entry); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.List(t.Context(), org, base); err != nil || len(list) != 100 {
		t.Errorf("%d entries, %v", len(list), err)
	}
}

func TestAPersonDoesNotTakeAllPlaces(t *testing.T) {
	t.Parallel()
	s, _ := newStore(t)
	org, base := id.New(), id.New()
	for i := range 12 {
		check(t, s.Put(t.Context(), org, base, live.PresenceEntry{Person: "usr_a", Page: strconv.Itoa(i)}))
	}
	check(t, s.Put(t.Context(), org, base, live.PresenceEntry{Person: "usr_b", Page: "1"}))
	entries, err := s.List(t.Context(), org, base)
	check(t, err)
	if len(entries) != 11 || entries[10].Person != "usr_b" {
		t.Errorf("%d entries: %+v", len(entries), entries)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
