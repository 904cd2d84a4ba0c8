package live

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const (
	// PresenceTTL is how long an entry is kept after it was put.
	PresenceTTL = 40 * time.Second
	// maxEntries bounds the entries of a base. Further ones are not sent.
	maxEntries = 100
	// maxOwnEntries bounds the entries of one person in a base.
	maxOwnEntries = 10
	// MaxPage is the maximum length of the name of a page, in bytes.
	MaxPage = 64

	presencePrefix = "rowhouse:presence:"
	channel        = "rowhouse:presence"
	timeout        = time.Second
)

// A PresenceCell says where in a base somebody is. Its ids are public; those left out are not known.
type PresenceCell struct {
	Table  string `json:"table,omitempty"`
	Record string `json:"record,omitempty"`
	Field  string `json:"field,omitempty"`
}

// A PresenceEntry is one page of one person that has a base open.
type PresenceEntry struct {
	Person string `json:"person"`
	Page   string `json:"page"`
	PresenceCell

	Until time.Time `json:"-"`
}

func (e *PresenceEntry) key() string { return e.Person + " " + e.Page }

// stored is an entry as Redis has it.
type stored struct {
	PresenceCell

	Until int64 `json:"until"` // in milliseconds since 1970
}

type place struct{ org, base uuid.UUID }

func (p place) String() string { return p.org.String() + ":" + p.base.String() }

// A PresenceStore knows who has a base open, and which cell they have. It keeps that only in Redis, for
// seconds: nothing depends on it, and without Redis nobody is present. Callers have checked who may say
// and who may read it. Its methods are safe for concurrent use. A nil PresenceStore keeps none.
type PresenceStore struct {
	client *redis.Client
	log    *slog.Logger

	mu        sync.Mutex
	listeners map[string]map[*PresenceListener]bool // by base
	pubsub    *redis.PubSub                         // nil until somebody listens
	closed    bool
	done      sync.WaitGroup
}

// NewPresenceStore returns a store. Close it before the client.
func NewPresenceStore(client *redis.Client, log *slog.Logger) *PresenceStore {
	return &PresenceStore{client: client, log: log, listeners: map[string]map[*PresenceListener]bool{}}
}

// Close ends the listening.
func (s *PresenceStore) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.closed = true
	pubsub := s.pubsub
	s.mu.Unlock()
	if pubsub != nil {
		_ = pubsub.Close()
	}
	s.done.Wait()
}

// Put says that a page is open, for PresenceTTL.
func (s *PresenceStore) Put(ctx context.Context, org, base uuid.UUID, e PresenceEntry) error {
	at := place{org, base}
	entries, expired, err := s.read(ctx, at)
	if err != nil {
		return err
	}
	own, known := 0, false
	for i := range entries {
		known = known || entries[i].key() == e.key()
		if entries[i].Person == e.Person {
			own++
		}
	}
	if !known && (len(entries) >= maxEntries || own >= maxOwnEntries) {
		return nil
	}
	value, err := json.Marshal(stored{e.PresenceCell, time.Now().Add(PresenceTTL).UnixMilli()})
	if err != nil {
		return fmt.Errorf("encoding presence: %w", err)
	}
	return s.change(ctx, at, func(ctx context.Context, p redis.Pipeliner) {
		p.HSet(ctx, presencePrefix+at.String(), e.key(), value)
		if len(expired) > 0 {
			p.HDel(ctx, presencePrefix+at.String(), expired...)
		}
		p.Expire(ctx, presencePrefix+at.String(), 2*PresenceTTL)
	})
}

// Leave says that a page is closed.
func (s *PresenceStore) Leave(ctx context.Context, org, base uuid.UUID, person, page string) error {
	at, e := place{org, base}, PresenceEntry{Person: person, Page: page}
	return s.change(ctx, at, func(ctx context.Context, p redis.Pipeliner) {
		p.HDel(ctx, presencePrefix+at.String(), e.key())
	})
}

// change writes, and notifies the listeners of every process.
func (s *PresenceStore) change(ctx context.Context, at place, write func(context.Context, redis.Pipeliner)) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	_, err := s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		write(ctx, p)
		p.Publish(ctx, channel, at.String())
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing presence: %w", err)
	}
	return nil
}

// List returns who is present, in the order of persons and pages.
func (s *PresenceStore) List(ctx context.Context, org, base uuid.UUID) ([]PresenceEntry, error) {
	entries, _, err := s.read(ctx, place{org, base})
	return entries, err
}

func (s *PresenceStore) read(ctx context.Context, at place) (entries []PresenceEntry, expired []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	values, err := s.client.HGetAll(ctx, presencePrefix+at.String()).Result()
	if err != nil {
		return nil, nil, fmt.Errorf("reading presence: %w", err)
	}
	now := time.Now()
	for key, value := range values {
		var v stored
		person, page, whole := strings.Cut(key, " ")
		if err := json.Unmarshal([]byte(value), &v); err != nil || !whole || v.Until < now.UnixMilli() {
			expired = append(expired, key)
			continue
		}
		entries = append(entries, PresenceEntry{person, page, v.PresenceCell, time.UnixMilli(v.Until)})
	}
	slices.SortFunc(entries, func(a, b PresenceEntry) int { return cmp.Compare(a.key(), b.key()) })
	return entries, expired, nil
}

// A PresenceListener waits for changes of who is in one base.
type PresenceListener struct {
	// C gets a value when something has changed since C was last read. It may miss a change.
	C <-chan struct{}

	wake  chan struct{}
	store *PresenceStore
	at    string
}

// Listen begins to wait. Close the listener.
func (s *PresenceStore) Listen(org, base uuid.UUID) *PresenceListener {
	wake := make(chan struct{}, 1)
	l := &PresenceListener{C: wake, wake: wake, store: s, at: place{org, base}.String()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return l
	}
	if s.pubsub == nil {
		s.pubsub = s.client.Subscribe(context.Background(), channel)
		messages := s.pubsub.Channel(redis.WithChannelSize(1000), redis.WithChannelSendTimeout(time.Second))
		s.done.Go(func() { s.receive(messages) })
	}
	if s.listeners[l.at] == nil {
		s.listeners[l.at] = map[*PresenceListener]bool{}
	}
	s.listeners[l.at][l] = true
	return l
}

// Close ends the wait.
func (l *PresenceListener) Close() {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	if delete(l.store.listeners[l.at], l); len(l.store.listeners[l.at]) == 0 {
		delete(l.store.listeners, l.at)
	}
}

func (s *PresenceStore) receive(messages <-chan *redis.Message) {
	for message := range messages {
		s.mu.Lock()
		for l := range s.listeners[message.Payload] {
			select {
			case l.wake <- struct{}{}:
			default: // it has a value already
			}
		}
		s.mu.Unlock()
	}
}
