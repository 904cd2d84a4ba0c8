package credential

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// renewEvery is how often held answers are read again. With the life of a local answer it is below
	// the second within which every process must see a change.
	renewEvery = 300 * time.Millisecond
	renewBatch = 250
	// heldLookups is how many held credentials are looked up one by one at a time.
	heldLookups = 16
)

// A Hold has this process read the credentials of a long request again in bulk, so that checking them
// often costs the request no round trip.
type Hold struct {
	cache *Cache
	mu    sync.Mutex
	known map[localKey]localEntry // as they were when they were looked up last
	finds int
	ended bool
}

type holdKey struct{}

// Hold returns a context for repeated look-ups of the credentials of a long request. They are held until
// Release is called.
func (c *Cache) Hold(ctx context.Context) (context.Context, *Hold) {
	h := &Hold{cache: c, known: map[localKey]localEntry{}}
	return context.WithValue(ctx, holdKey{}, h), h
}

// Unchanged reports whether the credentials are those of their last look-up, as of at most the life of a
// local answer ago, and have not expired. If it is false they have to be looked up again.
func (h *Hold) Unchanged() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	for key, known := range h.known {
		if !h.cache.held.confirms(key, known, now) {
			return false
		}
	}
	return len(h.known) > 0
}

// Repeated reports whether a look-up has only repeated that with which a long request began, so that it
// was no use of the credential.
func Repeated(ctx context.Context) bool {
	h, _ := ctx.Value(holdKey{}).(*Hold)
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.finds > 1
}

// found reports whether the hold has a key.
func (h *Hold) found(key localKey) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, found := h.known[key]
	return found
}

// add holds an answer.
func (h *Hold) add(key localKey, answer localEntry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.finds++
	if !h.ended {
		_, found := h.known[key]
		h.known[key] = answer
		h.cache.held.put(key, answer, !found)
	}
}

// Release ends the hold.
func (h *Hold) Release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	for key := range h.known {
		h.cache.held.drop(key)
	}
	clear(h.known)
}

// heldAnswers are the answers that are read again, by their keys.
type heldAnswers struct {
	mu      sync.Mutex
	answers map[localKey]*heldAnswer
	running bool
	renew   func()              // reads them until there are none
	places  *semaphore.Weighted // for those that have to be looked up again one by one
}

type heldAnswer struct {
	localEntry

	holds int
}

// put sets what is known of a key, for one more hold if it is new to the caller.
func (a *heldAnswers) put(key localKey, answer localEntry, another bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.answers[key]
	if known == nil {
		known = &heldAnswer{}
		a.answers[key] = known
	}
	known.localEntry = answer
	if another {
		known.holds++
	}
	if !a.running {
		a.running = true
		a.renew()
	}
}

func (a *heldAnswers) drop(key localKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.answers[key]; known != nil {
		if known.holds--; known.holds <= 0 {
			delete(a.answers, key)
		}
	}
}

// confirms reports whether Redis has what is known of a key, and it has not expired.
func (a *heldAnswers) confirms(key localKey, known localEntry, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer := a.answers[key]
	if answer == nil || answer.credential != known.credential || answer.person != known.person {
		return false
	}
	entry, _ := known.entry.(interface{ Expired(now time.Time) bool })
	return now.Before(answer.expires) && entry != nil && !entry.Expired(now)
}

// confirm says until when what is known of a key need not be asked for again.
func (a *heldAnswers) confirm(key localKey, answer localEntry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.answers[key]
	if known != nil && known.credential == answer.credential && known.person == answer.person {
		known.expires = answer.expires
	}
}

// batch is a list of held answers, as they were when it was made.
type batch struct {
	keys    []localKey
	answers []localEntry
}

// batches lists what is held, and ends the renewal when that is nothing.
func (a *heldAnswers) batches() (all []batch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running = len(a.answers) > 0; !a.running {
		return nil
	}
	for key, answer := range a.answers {
		if len(all) == 0 || len(all[len(all)-1].keys) == renewBatch {
			all = append(all, batch{})
		}
		last := &all[len(all)-1]
		last.keys, last.answers = append(last.keys, key), append(last.answers, answer.localEntry)
	}
	return all
}

// renewHeld reads the held answers again and again while there are any.
func (c *Cache) renewHeld() {
	c.done.Go(func() {
		ticker := time.NewTicker(renewEvery)
		defer ticker.Stop()
		for {
			select {
			case <-c.closed:
				return
			case <-ticker.C:
			}
			batches := c.held.batches()
			if batches == nil {
				return
			}
			for i := range batches {
				c.renewBatch(&batches[i])
			}
		}
	})
}

// renewBatch extends the local answers that still stand in Redis as they were. The others are looked up
// when they are needed next.
func (c *Cache) renewBatch(b *batch) {
	asked, generation := time.Now(), c.local.current.Load()
	names := make([]string, 0, 2*len(b.keys))
	for i, key := range b.keys {
		names = append(names, entryKey(key.kind, key.hash), personPrefix+b.answers[i].credential[:personLength])
	}
	found, err := c.call(context.Background(), func(ctx context.Context) (any, error) {
		return c.client.MGet(ctx, names...).Result()
	})
	values, _ := found.([]any)
	if err != nil || len(values) != len(names) {
		return
	}
	for i, key := range b.keys {
		answer := b.answers[i]
		if values[2*i] == answer.credential && values[2*i+1] == answer.person &&
			!c.isPending(names[2*i]) && !c.isPending(names[2*i+1]) {
			answer.expires = asked.Add(c.local.ttl)
			generation.Add(key, answer)
			c.held.confirm(key, answer)
		}
	}
}
